//! Tablić.

mod bounded;
mod properties;
mod rules;
mod scripted;
mod vectors;
