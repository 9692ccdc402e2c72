//! The index of a league: the totals of its rounds, and where to find each game.
//!
//! The logs are the truth, and the index is a convenience: it says nothing that does not follow from
//! them. With it neither standings nor pages need to read the games of a year. It lies in the folder
//! of the league, and is made anew if it is missing, damaged, from another version, or not about
//! the rounds that the log of the league names: it holds the head of each of its rounds, and digests of its contents.
//!
//! Several programs use one index at a time. A round is added in a transaction, along with the tally
//! after it, so that a killed program leaves an index with fewer rounds, but never a wrong one.
//! If the folder cannot be written to, the index is kept in memory while the program runs.

mod league_index;
mod queries;
mod schema;

pub(crate) use league_index::differs;
pub use league_index::{IndexError, LeagueIndex};
pub use queries::{ForfeitedGame, GameSeat, Meeting, RatingAfterRound, RoundGame};
