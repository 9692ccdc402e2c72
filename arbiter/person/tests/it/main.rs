//! A person who plays, with scripted lines.

mod listed;
mod own;
mod script;
mod tablic;
