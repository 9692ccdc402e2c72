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
mod page;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::response::sse::Event;
use axum::routing::get;

pub(super) use live_games::{GameAddress, LiveGames, WatchedTournament};
pub(super) use page::MOST;

use crate::events::{self, StreamItem};
use crate::page::{missing, read};

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
    read(move || page::list(&watched)).await
}

async fn game(State(watched): State<Arc<LiveGames>>, Path(address): Path<String>) -> Response {
    match address.parse::<GameAddress>() {
        Ok(address) => read(move || page::game(&watched, address)).await,
        Err(_) => missing(),
    }
}

/// Sends `changed` with the number of changes, at the beginning and after each one.
pub(crate) async fn list_events(State(watched): State<Arc<LiveGames>>) -> Response {
    events::of_changes(PAUSE, move || watched.version())
}

/// Sends `game` with the new steps; after the last of them `over`.
pub(crate) async fn game_events(
    State(watched): State<Arc<LiveGames>>,
    Path(address): Path<String>,
) -> Response {
    let Ok(address) = address.parse::<GameAddress>() else { return missing() };
    // The attempt that was told of, and how many of its steps.
    let mut known: Option<(u32, usize)> = None;
    events::stream(PAUSE, move || {
        let Some(game) = watched.game(address) else {
            return StreamItem::Last(Event::default().event("over").data(address.to_string()));
        };
        let attempt = game.heading().attempt;
        let from = known.filter(|(of, _)| *of == attempt).map_or(0, |(_, steps)| steps);
        let is_new = known != Some((attempt, game.steps()));
        known = Some((attempt, game.steps()));
        let json = is_new.then(|| game.json_from(from)).and_then(Result::ok);
        StreamItem::Event(json.map(|json| Event::default().event("game").data(json)))
    })
}
