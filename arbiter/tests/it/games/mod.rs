//! Which games come next, and what becomes of each.

mod game_status;
mod progress;
mod schedule;
mod statistics;
