//! Series of games, which the header of a log describes: a match or a tournament. Under which [`Conditions`] they are
//! played, in which order and from which seed, and how far they have come.
//!
//! It plays nothing, and reads and writes no log.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "the names and types of a crate of one program say the most")]

pub mod conditions;
pub mod game_status;
pub mod header;
pub mod progress;
pub mod schedule;
mod series;

pub use conditions::{
    BotTreatment, Conditions, FileRetention, MOST_RETRIES, SuspectGames, chances, disqualify_after,
};
pub use header::{
    End, FORMAT, GrantsLine, Header, IsolationLine, LeagueRound, PlayerKind, PlayerLine,
    PriorDecisions, TournamentLine, seat_time, sprt_as_text,
};
pub use progress::SeriesState;
pub use series::Series;
