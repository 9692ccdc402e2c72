//! Server-sent events of what is being played.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Response;
use axum::response::sse::Event;

use super::watched::{Address, Watched};
use crate::serve::events::{self, Next};
use crate::serve::page::missing;

/// How long it is between two looks for one page.
const PAUSE: Duration = Duration::from_millis(300);

/// `changed`, with the number of changes, once at the beginning and after each.
pub(super) async fn of_list(State(watched): State<Arc<Watched>>) -> Response {
    events::of_changes(PAUSE, move || watched.version())
}

/// `game`, with the steps that were not told yet; after the last of them `over`.
pub(super) async fn of_game(
    State(watched): State<Arc<Watched>>,
    Path(address): Path<String>,
) -> Response {
    let Ok(address) = address.parse::<Address>() else { return missing() };
    // The attempt that was told of, and how many of its steps.
    let mut known: Option<(u32, usize)> = None;
    events::stream(PAUSE, move || {
        let Some(game) = watched.game(address) else {
            return Next::Last(Event::default().event("over").data(address.to_string()));
        };
        let attempt = game.heading().attempt;
        let from = known.filter(|(of, _)| *of == attempt).map_or(0, |(_, steps)| steps);
        let is_new = known != Some((attempt, game.steps()));
        known = Some((attempt, game.steps()));
        let json = is_new.then(|| game.json_from(from)).and_then(Result::ok);
        Next::Event(json.map(|json| Event::default().event("game").data(json)))
    })
}
