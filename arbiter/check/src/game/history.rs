//! The history of one game, as each seat saw it: what no comparison finds, an author sees here.

use rules::Seat;
use serde::Serialize;

use super::run::Run;

/// The most events that are kept.
const KEPT: usize = 1_000;

/// The events of a game, each as every seat saw it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct History(Vec<Vec<Option<String>>>);

impl History {
    pub(super) fn of(run: &Run, seats: usize) -> History {
        let events = run.moments.iter().flat_map(|moment| &moment.events);
        let seen = |event: &rules::own::answer::Event, seat: Seat| match &event.secret {
            Some(covered) if covered.owner != seat => {
                covered.public.as_ref().map(|line| line.text.clone())
            }
            Some(_) | None => Some(event.full.text.clone()),
        };
        let row = |event| Seat::first(seats).map(|seat| seen(event, seat)).collect();
        History(events.take(KEPT).map(row).collect())
    }

    /// A row for each event, with a cell for each seat: the line that it saw, if it saw any.
    pub(super) fn rows(&self) -> &[Vec<Option<String>>] {
        &self.0
    }
}
