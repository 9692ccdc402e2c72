//! Cards and moves by classes: those that are worth the same in every way are not told apart.
//!
//! Hands and tables become counts of classes in one word each ([`ClassCounts`]), and moves that
//! differ only in such cards become one ([`ClassMove`]). This is what all players that look ahead
//! think in.

pub(super) mod captures;
mod counts;
pub(super) mod moves;
pub mod value;

pub use counts::{Class, ClassCounts, ClassSet};
pub use moves::ClassMove;
