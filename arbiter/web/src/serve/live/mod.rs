//! What is being played now, watched move by move.
//!
//! A run writes what it plays into a file ([`playing_now`](contest::tournament::playing_now)). It is read while
//! somebody watches, at most a few times a second and for a small share of the time, whatever the number of
//! those who watch; a game is derived once after each change ([`watched`]). Pages are told by server-sent
//! events ([`stream`]).
//!
//! All hands are shown with the pages of the log, once all games of a deal are over. Before, only what all
//! seats see leaves the server, so that no one learns what a bot must not; the user who serves can say
//! otherwise.

mod page;
mod stream;
mod watched;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;

pub(super) use watched::{Source, Watched};

use crate::serve::page::{missing, read};
use watched::Address;

/// The list of games at `/live/`, and below it a page for each.
pub(super) fn routes(watched: Arc<Watched>) -> Router {
    Router::new()
        .route("/live/", get(list))
        .route("/live/events", get(stream::of_list))
        .route("/live/{game}", get(game))
        .route("/live/{game}/events", get(stream::of_game))
        .with_state(watched)
}

async fn list(State(watched): State<Arc<Watched>>) -> Response {
    read(move || page::list(&watched)).await
}

async fn game(State(watched): State<Arc<Watched>>, Path(address): Path<String>) -> Response {
    match address.parse::<Address>() {
        Ok(address) => read(move || page::game(&watched, address)).await,
        Err(_) => missing(),
    }
}
