//! Doubts about a game, settled from its log: the question and answer at a move, the answers that were
//! faults, and the answers of the bots when asked again.

pub(crate) mod logged_game;
pub(crate) mod rerun;
