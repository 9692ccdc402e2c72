//! Common parts of players of Durak that look ahead, `minimax` and `expert`. What fits any game is in the crate
//! [`search`].
//!
//! - [`position`] has positions in which every card has its place, with sets of [`cards`] as bits,
//!   which are copied and played on in a few nanoseconds; tests hold them against [`rules::durak`]
//!   move by move.
//! - [`knowledge`] makes such a position of a request. What it leaves open is filled with the cards of
//!   *worlds* that fit ([`WorldSampler`](search::WorldSampler)), drawn by what the history
//!   tells: the cards that everybody has seen, that nobody was dealt a lower trump
//!   than the lowest that was shown, and *hints*. A hint is that a seat did not beat or throw where a
//!   card could have: then the card is less likely in its hand, until it has drawn others.
//! - [`policy`] plays by rules of thumb, or by a policy to the end of a game.
//! - [`PlayoutRunner`](endgame::PlayoutRunner) plays a world out, and [`decision`] chooses between that and a search.
//! - [`endgame`] searches a game of two seats that know each other's hands to its end.

pub mod cards;
pub mod decision;
pub mod endgame;
pub mod knowledge;
pub mod policy;
pub mod position;
pub mod tree;
