//! A person who plays.

mod own;
mod play;
mod play_games;
mod play_screen;
