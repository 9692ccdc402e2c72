//! The games that the header of a log describes: a match or a tournament.

mod header;
#[expect(clippy::module_inception, reason = "it holds what the folder is named after")]
mod series;
mod state;
pub(crate) mod tournament_line;

pub mod committed_seed;
pub mod fault_share;
pub mod game_status;
pub mod given_seed;
pub mod progress;
pub mod schedule;
pub mod totals;

pub use crate::treatment::{KeptFiles, SuspectGames};
pub use header::{Answering, End, FORMAT, Granted, Header, IsolationLine, PlayerLine, seat_time};
pub use sandbox::LimitsLine;
pub use series::Series;
pub use state::SeriesState;
pub use tournament_line::{Decided, LeagueRound, TournamentLine};
