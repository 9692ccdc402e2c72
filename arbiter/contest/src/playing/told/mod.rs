//! What a person is told of a match: its moves as running text, its totals, and what went wrong.

pub mod fault;
pub mod summary;
pub mod text;
