//! The players of Coup.

mod minimax;
mod players;
mod told;
