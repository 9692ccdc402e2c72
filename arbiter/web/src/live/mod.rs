//! The games that are being played, watched move by move.
//!
//! A run writes its games into a file ([`playing_now`](contest::tournament::playing_now)). The file is read
//! only while pages are open, and at most a few times a second. Reading takes a small share of the time, and no more for
//! many pages than for one. A game is derived once after each change ([`live_games`]). Server-sent events tell the pages.
//!
//! All hands are shown with the pages of the log, once all games of a deal are over. Before, only the public
//! part leaves the server, so that no bot can learn more than it must know; the user who serves can say
//! otherwise.

mod live_games;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::{Markup, html};
use series::Series;

use crate::changes;
use crate::page::{html as plain, missing, read, viewer};
pub(super) use live_games::{GameAddress, LiveGames, WatchedTournament};
use report::game_line::HandVisibility;
use report::html::games::{ViewedGame, bar, stage, viewer_scripts};
use report::html::layout::{PageLocation, site_bar};
use report::steps::LiveGame;
use text::counted;

/// The pause between two looks for one page.
const PAUSE: Duration = Duration::from_millis(300);

/// The list of games at `/live/`, and below it a page for each.
pub(super) fn routes(watched: Arc<LiveGames>) -> Router {
    Router::new()
        .route("/live/", get(list))
        .route("/live/events", get(list_events))
        .route("/live/{game}", get(game))
        .route("/live/{game}/events", get(game_events))
        .with_state(watched)
}

async fn list(State(watched): State<Arc<LiveGames>>) -> Response {
    read(move || list_page(&watched)).await
}

async fn game(State(watched): State<Arc<LiveGames>>, Path(address): Path<String>) -> Response {
    match address.parse::<GameAddress>() {
        Ok(address) => read(move || game_page(&watched, address)).await,
        Err(_) => missing(),
    }
}

/// Sends `changed` with the number of changes, at the beginning and after each one.
pub(crate) async fn list_events(State(watched): State<Arc<LiveGames>>) -> Response {
    changes::of_changes(PAUSE, move || watched.version())
}

/// Sends `game` with the new steps; after the last of them `over`.
pub(crate) async fn game_events(
    State(watched): State<Arc<LiveGames>>,
    Path(address): Path<String>,
) -> Response {
    let Ok(address) = address.parse::<GameAddress>() else { return missing() };
    // The attempt that was told of, and how many of its steps.
    let mut known: Option<(u32, usize)> = None;
    changes::stream(PAUSE, move || {
        let Some(game) = watched.game(address) else {
            return ControlFlow::Break(Event::default().event("over").data(address.to_string()));
        };
        let attempt = game.attempt;
        let from = known.filter(|(of, _)| *of == attempt).map_or(0, |(_, steps)| steps);
        let is_new = known != Some((attempt, game.steps()));
        known = Some((attempt, game.steps()));
        let json = is_new.then(|| game.json_from(from)).and_then(Result::ok);
        ControlFlow::Continue(json.map(|json| Event::default().event("game").data(json)))
    })
}

/// The most games that are listed.
pub(crate) const MOST: usize = 200;

fn list_page(watched: &LiveGames) -> Response {
    let found = watched.all();
    let games = found.as_ref().map_or(0, |(_, _, games)| games.len());
    let body = html! {
        (site_bar("../", &[("Report", "../".to_owned())], "", html! {}))
        section.top id="top" aria-label="Title" { div.wrap { h1 { "Live games" } } }
        main.wrap id="main" {
            section id="playing" data-own data-listed="events" aria-labelledby="playing-title" {
                h2 id="playing-title" { (counted(games, "game", "games")) }
                @match found {
                    Some((source, series, games)) if !games.is_empty() => {
                        (table(&source, &series, &games))
                    }
                    _ => p { "No live games." },
                }
            }
        }
        @for script in ["streams.js", "renewal.js", "playing.js"] { script src={ "../assets/" (script) } defer {} }
    };
    plain("being played", PageLocation::SERVED.self_updating().below(), body).into_response()
}

fn table(source: &WatchedTournament, series: &Series, games: &[Arc<LiveGame>]) -> Markup {
    html! {
        div.scroll role="group" aria-label="Games" tabindex="0" {
            table.games {
                thead { tr {
                    th scope="col" { "game" } th.spare scope="col" { "deal" }
                    th scope="col" { "moves" } th.word scope="col" { "seats and points" }
                } }
                tbody { @for game in games.iter().take(MOST) { (row(source, series, game)) } }
            }
        }
        @if games.len() > MOST { p.quiet { (games.len() - MOST) " more" } }
    }
}

fn row(source: &WatchedTournament, series: &Series, game: &LiveGame) -> Markup {
    let players = &series.header().players;
    let seats = game.seats.iter().zip(&game.scores);
    html! {
        tr {
            td { a href=(source.address(game.number)) { (game.number) } }
            td.spare { (game.deal) }
            td { (game.moves) }
            td.word {
                @for (player, points) in seats {
                    span.seat {
                        bdi { (players.get(*player).map_or("", |it| it.name.as_str())) }
                        " " b { (points) }
                    }
                }
            }
        }
    }
}

/// The page of a game, first as it is played and then as in the log. A game of a round that is over is in the
/// report of that round.
fn game_page(watched: &LiveGames, address: GameAddress) -> Response {
    let number = address.game;
    let found = watched.source();
    let has_rounds = found.as_ref().is_none_or(|(source, _)| source.round.is_some());
    let played = found.filter(|(source, _)| source.round == address.round);
    let Some((source, series)) = played else {
        return match address.round {
            Some(round) if has_rounds => {
                Redirect::to(&format!("../rounds/{round}/game.html#game={number}")).into_response()
            }
            _ => missing(),
        };
    };
    if number >= series.schedule().games() {
        return missing();
    }
    let header = series.header();
    let root = format!("../{}", source.pages());
    let data = format!("{root}data/index.js");
    let note = match watched.hands {
        HandVisibility::Public => "Hands stay hidden until this deal is finished.",
        HandVisibility::Open => "All hands visible.",
    };
    let way = html! { a href="./" { "← Live games" } " · " a href={ (root) "game.html#game=" (number) } { "in the report" } };
    let scripts = viewer_scripts(&header.game);
    let mut scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
    scripts.extend(["streams.js", "following.js"]);
    let stream = format!("{address}/events");
    let body = html! {
        (bar(&way, &format!("Game {number}"), note))
        (stage(&header.game, ViewedGame::Followed { number, stream: &stream }))
    };
    viewer(&format!("game {number}, live"), &scripts, &data, body).into_response()
}
