//! The entry of bots: they are found, copied, built and checked, and enter or are refused.

pub mod at_once;
pub mod checks;
pub mod dealing;
pub mod kept_checks;
pub mod newcomer;
pub mod queue;
pub mod scratch;
pub mod submitted;
pub mod unpacked;
