//! The referee as a state machine, whatever the game.

mod dealt;
mod replay;
mod sample;
mod second_chances;
mod steps;
