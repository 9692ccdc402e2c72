//! Leagues: bots enter, leave and change, and rounds are played.

mod corrections;
mod entering;
mod keeping;
mod results;
mod rounds;
