//! A match as text for people: its moves, totals and faults.

pub mod fault;
pub mod summary;
pub mod text;
