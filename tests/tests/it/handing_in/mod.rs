//! Bots that are handed in over the page of a league, with the real server.

#[path = "../../../../arbiter/bot/tests/it/unpacking/archives.rs"]
pub(crate) mod archives;
mod at_once;
mod browser;
mod calendar;
mod contest;
mod hostile;
mod organiser;
mod participants;
mod paths;
mod queue;
mod rush;
mod server;
mod submissions;
mod test_games;
mod tokens;
