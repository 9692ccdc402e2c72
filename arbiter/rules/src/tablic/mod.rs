//! Tablić, a fishing game with a pack of 52.
//!
//! # Theory of operation
//!
//! Four cards go to the table, then up to six to every seat; when all hands are empty the next
//! hands are dealt, until the talon is empty too. A move is one card of the hand and a set of
//! cards of the table, possibly none. The state holds only where the cards are: which seat leads,
//! how many deals there are and what the points are follows from that.
//!
//! The hard part is which sets may be captured ([`capture`]): a set that can be split into
//! disjoint groups, each of which sums to a value of the played card. Suits never matter for it,
//! so everything is found on counts of ranks ([`RankCounts`]) with the groups worked out once
//! ([`CaptureGroups`]). A seat need never capture, so the table can grow to 51 cards and the sets to
//! millions: [`Game::check`](crate::Game::check) therefore decides one set directly, and the list
//! of legal moves ([`captures`]) stops where a request is full.
//!
//! The rules are the generalised ones of Davor Penzar's public project *tablic*, for any number
//! of seats that divides 48.

pub mod capture;
mod game;
mod listing;
mod notation;

pub use capture::{CaptureGroups, RankCounts};
pub use game::{Options, SeatCount, Tablic};
pub use listing::captures;
pub use notation::{Deal, DealDestination, Event, IllegalMove, Move, Tally, View};
