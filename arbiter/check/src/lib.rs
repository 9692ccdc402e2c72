//! The checks that a bot, and the rules of a custom game, keep to their protocols.

#![forbid(unsafe_code)]

pub mod abridged;
pub mod bot;
pub mod game;
mod progress;
