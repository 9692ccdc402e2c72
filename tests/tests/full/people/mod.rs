//! A person who plays.

mod own;
mod play_games;
mod play_screen;
