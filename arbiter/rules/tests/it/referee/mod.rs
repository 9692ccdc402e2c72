//! The referee as a state machine, independent of any game.

mod dealt;
mod replay;
mod sample;
mod second_chances;
mod steps;
