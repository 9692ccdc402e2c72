//! The entry of bots: they are found, copied, built and checked, and enter or are refused.

pub mod candidate;
pub mod check_cache;
pub mod checks;
pub mod parallel_checks;
pub mod processing;
pub mod queue;
pub mod report_so_far;
pub mod scratch;
pub mod submission_folder;
pub mod unpacked;
