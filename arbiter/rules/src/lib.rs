//! Card games as pure state machines.
//!
//! This crate holds what a match *is*: the rules of each game, what each seat may know, seeded
//! chance, the referee, and how a log is folded back into the same match. It does no input or
//! output, reads no clock and no environment, starts no thread, and draws no randomness but from
//! a given seed: a match is a function of its inputs.

pub mod answer;
pub mod text;
pub mod verdict;

pub use answer::{Answer, Stop};
pub use text::{NotText, Text};
pub use verdict::Verdict;
