//! A line of the history with what each seat was told of it, for readers of a finished game.

use crate::game::Secret;
use crate::history::Entry;
use crate::seat::Seat;

/// A line of the history as text, in all the forms in which seats saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What happened, in full.
    pub full: String,
    /// Where not everyone was told all of it: who was told what.
    pub secret: Option<Redacted>,
}

/// Who was told what of something that not every seat may know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    /// The one seat that was told all of it.
    pub owner: Seat,
    /// What the others were told; nothing at all where it is `None`.
    pub public: Option<String>,
}

impl Told {
    pub(crate) fn new<E: Secret + Clone + std::fmt::Display>(entry: &Entry<E>) -> Told {
        let secret = match entry {
            Entry::Event(event) => event.owner().map(|owner| Redacted {
                owner,
                public: event.public().map(|public| public.to_string()),
            }),
            Entry::Out(..) => None,
        };
        Told { full: entry.to_string(), secret }
    }
}
