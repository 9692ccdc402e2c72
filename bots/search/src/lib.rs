//! Common parts of players that look ahead, for all games.
//!
//! A [`Clock`] tells a search when to stop. Where cards are hidden, [`WorldSampler`] draws worlds that
//! fit what a seat knows; a [`Candidate`] is a move that is tried in them. This crate knows no game, and no options of players.
//!
//! # Game trees
//!
//! A game describes its [`Position`]s: the moves, and a value that one side wants high and the
//! other low. [`AlphaBeta`] finds the best first move, [`Deepening`] does so in growing depths so
//! that there is a good answer whenever the [`Clock`] says stop, and [`plain_best`](position::plain_best) is the same search
//! without any pruning, to test the others against.
//!
//! # Lines
//!
//! A search looks a number of plies ahead, but a line of moves may end before, where a position
//! has no move. Both sides take a longer [`LineValue`] before a shorter one whatever the values, and
//! compare values only where both are equally long. A position therefore has a line of the full
//! length if any of its children has one, and then the shorter ones do not matter at all: among
//! the full lines the game is an ordinary one of two opposed sides. So alpha-beta pruning is sound
//! if bounds are set, and branches cut, by full lines alone.

#![forbid(unsafe_code)]

pub mod alpha_beta;
pub mod position;
pub mod trials;

pub use alpha_beta::{AlphaBeta, Clock, Counts, Deepening, End, SearchOutcome};
pub use position::{
    InformationState, LineValue, Position, Side, TrialExtent, WorldSampler, mixed_key,
};
pub use trials::{Candidate, WeightedSampler};
