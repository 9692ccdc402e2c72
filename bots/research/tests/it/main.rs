//! The tests of this package.

mod coup_best_response;
mod coup_climbing;
mod coup_cross;
mod coup_packing;
mod coup_punishing;
mod coup_training;
mod help;
mod ladder;
mod league;
mod shards;
