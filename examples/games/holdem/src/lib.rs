//! Heads-up no-limit Texas hold'em as a module for `arbiter`: one hand between two seats.
//!
//! A call is a line, an answer is some lines; `rules-protocol.md` of arbiter defines both.
//!
//! - [`card`] has the pack, [`strength`] compares hands at a showdown;
//! - [`game`] has the rules: whose turn it is, what is legal, who gets the chips;
//! - [`answer`] reads calls and writes answers, and is the only place that knows how things are spelt;
//! - `abi` passes texts in and out of the module.

pub mod answer;
pub mod card;
pub mod game;
pub mod strength;

#[cfg(target_arch = "wasm32")]
mod abi;
