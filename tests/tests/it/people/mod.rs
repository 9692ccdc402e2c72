//! A person who plays.

mod play;
