//! Tournaments that are killed again and again.

mod killed;
