//! The answers about games that are being played. The streams are those of the pages.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use serde_json::{Value, json};

use super::answer::{ApiError, ApiRoute, text};
use super::queries::ApiRequest;
use crate::live::{GameAddress, LiveGames, MOST, game_events, list_events};
use series::Series;

/// The routes of games that are being played.
pub(super) fn games() -> [ApiRoute<LiveGames>; 4] {
    [
        ("/live", get(list)),
        ("/live/events", get(list_events)),
        ("/live/{game}", get(one)),
        ("/live/{game}/events", get(game_events)),
    ]
}

type LiveGamesState = State<Arc<LiveGames>>;

async fn list(State(watched): LiveGamesState, asked: ApiRequest) -> Response {
    asked
        .answer(move |asked| {
            asked.no_query()?;
            let Some((source, series, games)) = watched.all() else {
                return Ok(Bytes::from(text(&json!({ "round": null, "games": [] }))));
            };
            let mut told = of_series(&series);
            told["round"] = json!(source.round);
            let games = games.iter().take(MOST);
            told["games"] = json!(games.map(|game| game.heading()).collect::<Vec<_>>());
            Ok(Bytes::from(text(&told)))
        })
        .await
}

async fn one(
    State(watched): LiveGamesState,
    Path(address): Path<String>,
    asked: ApiRequest,
) -> Response {
    asked.answer(move |asked| asked.no_query().and_then(|()| steps(&watched, &address))).await
}

fn steps(watched: &LiveGames, address: &str) -> Result<Bytes, ApiError> {
    let missing = || ApiError::Missing("this game is not live: see `live`".to_owned());
    let address: GameAddress = address.parse().map_err(|_| missing())?;
    let game = watched.game(address).ok_or_else(missing)?;
    let (_, series) = watched.source().ok_or_else(missing)?;
    let failed = |problem: serde_json::Error| ApiError::Broken(problem.to_string());
    let steps: Value =
        game.json_from(0).and_then(|json| serde_json::from_str(&json)).map_err(failed)?;
    let mut told = of_series(&series);
    told["played"] = steps;
    Ok(Bytes::from(text(&told)))
}

/// The game of a series, and the names of its players.
fn of_series(series: &Series) -> Value {
    let header = series.header();
    let names: Vec<&str> = header.players.iter().map(|player| player.name.as_str()).collect();
    json!({ "game": header.game, "options": header.options, "names": names })
}
