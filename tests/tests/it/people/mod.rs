//! A person who plays.

mod play;
mod play_games;
mod play_screen;
