//! Bots that are handed in over the page of a league, with the real server.

#[path = "../../../../arbiter/tests/it/unpacking/archives.rs"]
mod archives;
mod browser;
mod hostile;
mod server;
mod submissions;
mod tokens;
