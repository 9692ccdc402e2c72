//! The players of Coup.

mod expert;
mod minimax;
mod players;
mod told;
