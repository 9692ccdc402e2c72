//! Standings of a tournament, and the choice of pairings: their numbers and their intervals.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod candidates;
mod coverage;
mod double_elimination;
mod groups;
mod knockout;
mod leads;
mod lopsided;
mod open;
mod pairing;
mod possible;
mod ratings;
mod report;
mod sparse;
mod speed;
mod sprt;
mod swiss;
mod swiss_before;
mod tables;
mod tie_breaks;
mod ties;
mod tools;
