//! The interface for programs: what pages show, as JSON below `/api/v1/`.
//!
//! # Theory of operation
//!
//! **It has no state of its own.** Each answer is made of what the pages are made of: the report of a log
//! ([`tournament`]), the reading of a league and its index ([`league`]), the games that are being played
//! ([`live`](crate::live)). So it is as far as the pages are, and hides what they hide. The streams of events are those of the pages.
//!
//! **It is described.** `openapi.json` has each path and the form of each answer; a test asks a server for all of them
//! and holds the answers against it. Each path is in a table here, by which another test compares both.
//!
//! **It is for reading.** Pages of other sites may read it ([`cors`]), and nothing else of a server: no page, no
//! hand-in. It takes no token, and its answers do not depend on a visitor. What a participant alone may read lies below
//! `hand-in/`, and is described as well.
//!
//! **Answers have bounds.** A list comes in pages of at most [`queries::MOST`] rows, and a request looks at a bounded
//! number of games.

mod answer;
pub(super) mod cors;
mod league;
mod queries;
mod tournament;

use std::sync::Arc;

use answer::{ApiError, ApiRoute, answered, root_answer, routes, text};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use cors::ROOT;
use serde_json::{Value, json};
use series::Series;

use self::queries::ApiRequest;
use crate::league::ServedLeague;
use crate::live::{GameAddress, LiveGames, MOST, game_events, list_events};
use crate::page::read;
use crate::tournament::ServedTournament;

const OPENAPI: &str = include_str!("openapi.json");

pub(super) fn of_tournament(tournament: Arc<ServedTournament>, watched: Arc<LiveGames>) -> Router {
    let own = routes(tournament::tournament_routes(), Arc::clone(&tournament));
    let report = routes(tournament::report(), tournament);
    under_root(own.merge(report).merge(routes(games(), watched)))
}

pub(super) fn of_league(league: Arc<ServedLeague>, watched: Arc<LiveGames>) -> Router {
    let mut own = routes(league::league_routes(), Arc::clone(&league));
    for (path, _) in tournament::report() {
        let route = Router::new().route(&league::of_round(path), get(league::round_report));
        own = own.merge(route.with_state(Arc::clone(&league)));
    }
    under_root(own.merge(routes(games(), watched)))
}

/// The routes of a folder of leagues and tournaments, which have their own below their names.
pub(super) fn of_folder(names: impl Fn() -> Vec<String> + Send + Sync + 'static) -> Router {
    under_root(routes(folder(), Arc::new(SourceNames(Box::new(names)))))
}

struct SourceNames(Box<dyn Fn() -> Vec<String> + Send + Sync>);

fn folder() -> [ApiRoute<SourceNames>; 1] {
    [("/", get(sources))]
}

async fn sources(State(names): State<Arc<SourceNames>>, asked: HeaderMap) -> Response {
    read(move || {
        let told = root_answer("folder", json!({ "sources": names.0() }), &[]);
        answered(&asked, Ok(Bytes::from(text(&told))))
    })
    .await
}

fn under_root(routes: Router) -> Router {
    Router::new().nest(ROOT, routes.route("/openapi.json", get(description)))
}

async fn description(asked: HeaderMap) -> Response {
    answered(&asked, Ok(Bytes::from_static(OPENAPI.as_bytes())))
}

fn games() -> [ApiRoute<LiveGames>; 4] {
    [
        ("/live", get(list)),
        ("/live/events", get(list_events)),
        ("/live/{game}", get(game)),
        ("/live/{game}/events", get(game_events)),
    ]
}

async fn list(State(watched): State<Arc<LiveGames>>, asked: ApiRequest) -> Response {
    asked
        .answer(move |asked| {
            asked.no_query()?;
            let Some((source, series, games)) = watched.all() else {
                return Ok(Bytes::from(text(&json!({ "round": null, "games": [] }))));
            };
            let mut told = of_series(&series);
            told["round"] = json!(source.round);
            let games = games.iter().take(MOST);
            told["games"] = json!(games.map(Arc::as_ref).collect::<Vec<_>>());
            Ok(Bytes::from(text(&told)))
        })
        .await
}

async fn game(
    State(watched): State<Arc<LiveGames>>,
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

fn of_series(series: &Series) -> Value {
    let header = series.header();
    let names: Vec<&str> = header.players.iter().map(|player| player.name.as_str()).collect();
    json!({ "game": header.game, "options": header.options, "names": names })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::submissions;

    /// The paths of the description whose operation has this tag.
    fn described(tag: &str) -> BTreeSet<String> {
        let all: Value = serde_json::from_str(OPENAPI).expect("JSON");
        let paths = all["paths"].as_object().expect("paths");
        let has_tag = |path: &Value| {
            let tags = path["get"]["tags"].as_array().expect("tags");
            tags.iter().any(|it| it == tag)
        };
        paths.iter().filter(|(_, it)| has_tag(it)).map(|(path, _)| path.clone()).collect()
    }

    fn paths<S, const N: usize>(routes: [ApiRoute<S>; N]) -> Vec<String> {
        routes.iter().map(|(path, _)| (*path).to_owned()).collect()
    }

    #[test]
    fn each_route_is_described_and_each_path_is_served() {
        let report = paths(tournament::report());
        let of_rounds: Vec<String> = report.iter().map(|path| league::of_round(path)).collect();
        let live = paths(games());
        let tables = [
            ("tournament", [paths(tournament::tournament_routes()), report, live.clone()].concat()),
            ("league", [paths(league::league_routes()), of_rounds, live].concat()),
            ("folder", paths(folder())),
        ];
        for (tag, mut served) in tables {
            served.push("/openapi.json".to_owned());
            assert_eq!(described(tag), served.into_iter().collect(), "{tag}");
        }
        let private = submissions::PRIVATE.map(|path| format!("/hand-in{path}"));
        assert_eq!(described("participant"), BTreeSet::from(private));
    }
}
