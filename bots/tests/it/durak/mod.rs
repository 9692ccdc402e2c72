//! The players of Durak.

mod expert;
mod expert_habits;
mod greedy;
mod in_process;
mod minimax;
mod minimax_endgame;
mod minimax_hints;
mod minimax_rules;
mod players;
mod simulated;
