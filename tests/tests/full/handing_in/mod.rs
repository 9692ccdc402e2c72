//! Bots that are handed in over the page of a league, with the real server.

mod at_once;
mod calendar;
mod hostile;
mod organiser;
mod participants;
mod paths;
mod queue;
mod rush;
mod submissions;
mod test_games;
