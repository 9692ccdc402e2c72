//! What someone who doubts a game asks its log: what was asked and answered at a move, which
//! answers were faults, and what the bots say when they are asked again.

pub mod comparison;
pub mod faults;
pub mod logged_game;
pub mod rerun;
