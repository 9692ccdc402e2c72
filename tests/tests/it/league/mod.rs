//! Leagues: bots enter, leave and change, and rounds are played.

mod class;
mod entering;
mod keeping;
mod kinds;
mod rounds;
mod sharded;
mod watching;
