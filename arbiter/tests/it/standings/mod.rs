//! Standings of a tournament: their numbers, their intervals and their texts.

mod candidates;
mod coverage;
mod lopsided;
mod open;
mod ratings;
mod report;
mod speed;
mod sprt;
mod tables;
mod tools;
