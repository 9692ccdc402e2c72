//! The players of Coup.

mod expert;
mod expert_player;
mod minimax;
mod players;
mod told;
