//! What the program does, a file a command, once the command line is understood.

pub mod lists;
pub mod play;
pub mod show;
pub mod verify;
