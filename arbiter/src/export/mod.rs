//! The moves played, as a table for machine learning, one row for each move.
//!
//! # Theory of operation
//!
//! A log holds what bots answered, not what they saw; but everything that a seat saw follows from
//! it. So every game is derived again, as in verification, and before each answer the features of
//! the position are recorded as the asked seat knew them: no column holds a card that the seat
//! could not have known, except those that say how the move and the game went.
//!
//! Each row is a decision of a bot, or with [`Features::Expert`] one of its choices. Faulty answers
//! have no row, nor have moves that no one was asked for: those of the house for a seat that is out, and those that the rules force. Games that
//! do not count have no rows. The moves of a seat before its fault do have rows, and so do those of
//! the others in that game.
//!
//! One game is in memory at a time, for a log of any size.
//!
//! The columns of [`Features::Greedy`] and [`Features::Minimax`], their order and the numbers of
//! the classes of cards are those of the two logs for machine learning in Davor Penzar's public
//! project *tablic*. The player itself says what minimax knows and assumes
//! ([`Knowledge`](bots::tablic::minimax::Knowledge)), so that the two cannot differ, and so do the
//! experts. The data dictionary is `docs/reference/export.md`.

use std::io::{self, Write};
use std::str::FromStr;

use rules::replay::Discrepancy;
use rules::{GameKind, GameRecord, NotText};
use text::system_error;
use thiserror::Error;

use conditions::series::Series;
use conditions::series::game_status::GameStatus;
use record::cut_off::next_whole_game;
use record::fold::FoldedGame;
use record::{Games, NotVerified, Source, Wrong};

mod classes;
mod expert;
mod greedy;
mod minimax;
mod moves;
mod position;
mod rows;

pub use rows::Format;
use rows::{Row, Rows};

const TABLIC: GameKind = GameKind::of::<rules::tablic::Tablic>();

/// What is told of each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Features {
    /// The move, how many there were, and what came of the game: for every game.
    Moves,
    /// What the player `greedy` looks at, in Tablić.
    Greedy,
    /// What the player `minimax` knows and assumes, in Tablić.
    Minimax,
    /// What the learned part of the player `expert` looks at, for every game.
    Expert,
}

/// Why logs cannot be exported together; one line.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NotTogether {
    /// The features are those of another game.
    #[error("{log}: holds games of {found}, and the features `{features}` are for {games} only")]
    OtherGame {
        /// The log.
        log: String,
        /// Its game.
        found: GameKind,
        /// The features.
        features: &'static str,
        /// The games that have them.
        games: String,
    },
    /// The columns depend on the game.
    #[error(
        "{log}: holds games of {found}, the logs before have {expected}; features `expert` of both do \
         not fit into one table"
    )]
    OtherGames {
        /// The log.
        log: String,
        /// Its game.
        found: GameKind,
        /// That of the first log.
        expected: GameKind,
    },
    /// The columns depend on the number of seats.
    #[error(
        "{log}: has {found} seats, the logs before have {expected}; features `{features}` of \
             both do not fit into one table"
    )]
    OtherSeats {
        /// The log.
        log: String,
        /// Its seats.
        found: usize,
        /// Those of the first log.
        expected: usize,
        /// The features.
        features: &'static str,
    },
}

/// Why an export stopped.
#[derive(Debug, Error)]
pub enum Stopped {
    /// A log, by its place in the list, does not hold what it must.
    #[error("log {0}: {1}")]
    Log(usize, NotVerified),
    /// The table cannot be written.
    #[error("{}", system_error(.0))]
    Output(#[from] io::Error),
}

/// An opened log to export.
#[derive(Debug)]
pub struct Log {
    /// What it is called in the table.
    pub name: String,
    /// Its games.
    pub games: Games<Source>,
}

impl Features {
    /// All there are.
    pub const ALL: [Features; 4] =
        [Features::Moves, Features::Greedy, Features::Minimax, Features::Expert];

    /// The name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Features::Moves => "moves",
            Features::Greedy => "greedy",
            Features::Minimax => "minimax",
            Features::Expert => "expert",
        }
    }

    /// Whether logs of these series make one table.
    ///
    /// # Errors
    ///
    /// [`NotTogether`], for the first that does not fit.
    pub fn check(self, logs: &[Log]) -> Result<(), NotTogether> {
        let Some(first) = logs.first().map(|log| log.games.series()) else { return Ok(()) };
        for Log { name, games } in logs {
            let (series, log, features) = (games.series(), name.clone(), self.name());
            let (found, expected) = (series.kind(), first.kind());
            if let Some(games) = self.games().filter(|games| !games.contains(found)) {
                let games = games.iter().map(GameKind::name).collect::<Vec<_>>().join(", ");
                return Err(NotTogether::OtherGame { log, found: found.clone(), features, games });
            }
            if self == Features::Expert && found != expected {
                let (found, expected) = (found.clone(), expected.clone());
                return Err(NotTogether::OtherGames { log, found, expected });
            }
            let has_seats = match self {
                Features::Moves | Features::Greedy => false,
                Features::Minimax => true,
                Features::Expert => *found == TABLIC,
            };
            let (found, expected) = (seats(series), seats(first));
            if has_seats && found != expected {
                return Err(NotTogether::OtherSeats { log, found, expected, features });
            }
        }
        Ok(())
    }

    /// The games that have them; every game, if none are listed.
    fn games(self) -> Option<&'static [GameKind]> {
        match self {
            Features::Moves => None,
            Features::Greedy | Features::Minimax => Some(&[TABLIC]),
            Features::Expert => Some(GameKind::ALL),
        }
    }

    /// The names of the columns, for a game with this number of seats.
    fn columns(self, kind: &GameKind, seats: usize) -> Vec<String> {
        match self {
            Features::Moves => moves::columns(),
            Features::Greedy => greedy::columns(),
            Features::Minimax => minimax::columns(seats),
            Features::Expert => expert::columns(kind, seats),
        }
    }

    /// The rows of a game; `reader` reads what the expert does.
    fn rows(
        self,
        log: &str,
        series: &Series,
        game: &GameRecord,
        reader: &mut expert::Reader,
    ) -> Result<Vec<Row>, Discrepancy> {
        match self {
            Features::Moves => moves::rows(log, series, game),
            Features::Greedy => position::rows(series, game, greedy::row),
            Features::Minimax => position::rows(series, game, minimax::row),
            Features::Expert => reader.rows(log, series, game),
        }
    }
}

impl FromStr for Features {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let found = Features::ALL.into_iter().find(|features| features.name() == text);
        found.ok_or_else(|| NotText::new("features `moves`, `greedy`, `minimax` or `expert`", text))
    }
}

/// Writes a table of all moves of these logs, which must be fit for it ([`Features::check`]). If
/// the last line of a log was cut off, the table has the lines before it.
///
/// # Errors
///
/// Fails at the first game that does not follow from its inputs, after the rows of those before,
/// and where `out` does.
pub fn write(
    logs: &mut [Log],
    features: Features,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Stopped> {
    let Some(first) = logs.first().map(|log| log.games.series()) else { return Ok(()) };
    let mut table = Rows::new(format, features.columns(first.kind(), seats(first)), out)?;
    let mut reader = expert::Reader::new();
    for (place, Log { name, games }) in logs.iter_mut().enumerate() {
        while let Some(FoldedGame { line, game, status, .. }) =
            next_whole_game(games, name).map_err(|error| Stopped::Log(place, error))?
        {
            let rows =
                features.rows(name, games.series(), &game, &mut reader).map_err(|discrepancy| {
                    Stopped::Log(place, Wrong::game(line, &game, discrepancy).into())
                })?;
            if status == GameStatus::Counts {
                table.write(&rows)?;
            }
        }
    }
    Ok(())
}

fn seats(series: &Series) -> usize {
    series.times(0).count()
}
