//! Games to learn from: the rules of the referee, with observations and actions as numbers.
//!
//! An [`Episode`] is one game that a learner steps through; a [`Batch`] is many of them that step together. Each
//! game says in a file of its own what its columns and its actions are, by the trait [`Learnable`]. An observation
//! is made of the view of one seat and of public events, so it tells no more than a request does. A finished episode
//! becomes the [record](Episode::record) of a game under the referee, which a log can hold.
//!
//! This crate reads no files, and takes chance from seeds alone: equal seeds and actions give equal episodes
//! on any number of threads.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "the names and types of episodes and batches say the most")]

mod batch;
mod columns;
mod coup;
mod custom_episode;
mod durak;
mod episode;
mod opponent_episode;
mod tablic;
mod typed_episode;

pub use batch::{Batch, BatchGame, Branch, EpisodeRecord, StepOutput, begin};
pub use columns::{ColumnName, ColumnVisitor, Learnable};
pub use episode::{Deal, Episode, EpisodeError, Layout, Opponent, RowBuffer};
