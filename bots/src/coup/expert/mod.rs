//! The player of a table that was learnt in games against itself.

pub mod cards;
pub mod memory;
pub mod position;
pub mod read;
pub mod situation;
