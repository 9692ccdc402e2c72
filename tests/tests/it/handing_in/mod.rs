//! Bots that are handed in over the page of a league, with the real server.

mod submissions;
mod tokens;
