//! Leagues: bots enter, leave and change, and rounds are played.

mod corrections;
mod entering;
mod keeping;
mod publishing;
mod results;
mod rounds;
