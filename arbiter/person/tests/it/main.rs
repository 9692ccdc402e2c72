//! A person who plays, with scripted lines.

mod listed;
mod script;
mod tablic;
