//! The players of Durak.

mod greedy;
mod in_process;
mod minimax;
mod minimax_endgame;
mod minimax_hints;
mod minimax_rules;
mod players;
mod simulated;
