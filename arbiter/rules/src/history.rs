//! A line of a game's history: an event of the game, or what the referee did; and which seats may know it.

use std::fmt;
use std::str::FromStr;

use crate::seat::Seat;
use crate::text::{NotText, Text};
use crate::verdict::Verdict;

/// One line of the history.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry<E> {
    /// Something happened in the game.
    Event(E),
    /// A seat faulted and is out; from here on the house plays its cards. Written `out SEAT
    /// VERDICT`, and known to everyone.
    Out(Seat, Verdict),
}

impl<E: Secret + Clone> Entry<E> {
    /// The form of the line that a seat sees, if it sees any.
    pub fn seen_by(&self, seat: Seat) -> Option<Entry<E>> {
        match self {
            Entry::Event(event) => seen_by(event, seat).map(Entry::Event),
            Entry::Out(out, verdict) => Some(Entry::Out(*out, *verdict)),
        }
    }
}

impl<E: fmt::Display> fmt::Display for Entry<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Event(event) => event.fmt(f),
            Entry::Out(seat, verdict) => write!(f, "out {seat} {verdict}"),
        }
    }
}

impl<E: Text> FromStr for Entry<E> {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        match text.strip_prefix("out ").and_then(|rest| rest.split_once(' ')) {
            Some((seat, verdict)) => Ok(Entry::Out(seat.parse()?, verdict.parse()?)),
            None => text.parse().map(Entry::Event),
        }
    }
}

/// A line of the history as text, in all the forms in which seats saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryLine {
    /// The line in full.
    pub full: String,
    /// The line as people read it, with `{0}` for the name of seat 0, where the rules of a custom game say so.
    pub tell: Option<String>,
    /// The redaction, if not every seat saw all of it.
    pub secret: Option<Redacted>,
}

/// A line that one seat saw in full, and the others in part or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    /// The one seat that saw all of it.
    pub owner: Seat,
    /// The form that the others saw; `None` if they saw nothing at all.
    pub public: Option<String>,
    /// That form as people read it, as in [`HistoryLine`].
    pub tell: Option<String>,
}

impl HistoryLine {
    pub(crate) fn new<E: Secret + Clone + fmt::Display>(entry: &Entry<E>) -> HistoryLine {
        let secret = match entry {
            Entry::Event(event) => event.owner().map(|owner| Redacted {
                owner,
                public: event.public().map(|public| public.to_string()),
                tell: None,
            }),
            Entry::Out(..) => None,
        };
        HistoryLine { full: entry.to_string(), tell: None, secret }
    }
}

/// Something that not every seat may know.
pub trait Secret: Sized {
    /// The one seat that may know all of it; `None` if everyone may.
    fn owner(&self) -> Option<Seat>;

    /// The form that the others see; `None` if they see nothing at all.
    fn public(&self) -> Option<Self>;
}

/// Redacts an event for a seat: the only redaction in the project.
pub fn seen_by<E: Secret + Clone>(event: &E, seat: Seat) -> Option<E> {
    match event.owner() {
        Some(owner) if owner != seat => event.public(),
        _ => Some(event.clone()),
    }
}
