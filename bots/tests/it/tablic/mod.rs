//! The players of Tablić.

mod expert;
mod greedy;
mod greedy_steps;
mod minimax_knowledge;
mod minimax_player;
mod minimax_search;
mod minimax_situation;
mod minimax_time;
mod random;
mod told;
