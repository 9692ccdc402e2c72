//! The bot that misbehaves.
fn main() {}
