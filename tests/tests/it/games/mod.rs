//! Matches of each game by real programs.

mod classic;
mod classic_vectors;
mod matches;
mod simulate;
