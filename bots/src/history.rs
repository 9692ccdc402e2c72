//! What a request tells of the game so far.

use rules::{Entry, Game, Request};

/// The events that the asked seat was shown; that a seat went out is none of them.
pub fn events<G: Game>(request: &Request<G>) -> Vec<G::Event> {
    let events = request.history.iter().filter_map(|entry| match entry {
        Entry::Event(event) => Some(event.clone()),
        Entry::Out(..) => None,
    });
    events.collect()
}
