//! Leagues whose commands are killed.

mod endurance;
mod killed;
