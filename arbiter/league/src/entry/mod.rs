//! The entry of bots: they are found, copied, built and checked, and enter or are refused.

pub mod candidate;
pub mod checks;
pub mod processing;
pub mod queue;
pub mod submission_folder;
