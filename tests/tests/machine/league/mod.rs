//! Leagues whose commands are killed.

mod killed;
