//! The answers about games that are being played. The streams are those of the pages.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::get;
use serde_json::{Value, json};

use super::Route;
use super::answer::{NoAnswer, answered, text};
use super::asked::{NoQuery, query};
use crate::live::{Address, MOST, Watched, game_events, list_events};
use crate::page::read;
use conditions::series::Series;

/// The routes of games that are being played.
pub(super) fn games() -> [Route<Watched>; 4] {
    [
        ("/live", get(list)),
        ("/live/events", get(list_events)),
        ("/live/{game}", get(one)),
        ("/live/{game}/events", get(game_events)),
    ]
}

type At = State<Arc<Watched>>;

async fn list(State(watched): At, uri: Uri, asked: HeaderMap) -> Response {
    read(move || {
        let made = query::<NoQuery>(&uri).map(|_| {
            let Some((source, series, games)) = watched.all() else {
                return json!({ "round": null, "games": [] });
            };
            let mut told = of_series(&series);
            told["round"] = json!(source.round);
            let games = games.iter().take(MOST);
            told["games"] = json!(games.map(|game| game.heading()).collect::<Vec<_>>());
            told
        });
        answered(&asked, made.map(|told| Bytes::from(text(&told))))
    })
    .await
}

async fn one(
    State(watched): At,
    Path(address): Path<String>,
    uri: Uri,
    asked: HeaderMap,
) -> Response {
    read(move || answered(&asked, query::<NoQuery>(&uri).and_then(|_| steps(&watched, &address))))
        .await
}

fn steps(watched: &Watched, address: &str) -> Result<Bytes, NoAnswer> {
    let missing = || NoAnswer::Missing("this game is not live: see `live`".to_owned());
    let address: Address = address.parse().map_err(|_| missing())?;
    let game = watched.game(address).ok_or_else(missing)?;
    let (_, series) = watched.source().ok_or_else(missing)?;
    let failed = |problem: serde_json::Error| NoAnswer::Broken(problem.to_string());
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
