//! The moves played, as a table for machine learning, one row for each move.
//!
//! # Theory of operation
//!
//! A log holds the answers of bots, and everything that a seat saw follows from it. So every game is
//! derived again, as in verification, and before each answer the features of the position are recorded
//! as the asked seat knew them: no column holds a card that the seat could not have known, except those
//! for the move and the result of the game.
//!
//! Each row is a decision of a bot, or with [`FeatureSet::Expert`] one of its choices. There are no rows for
//! faulty answers, for moves without a question (by the house for a seat that is out, or forced by the
//! rules), and for games that do not count. There are rows for the moves of a seat before its fault, and
//! for the moves of the others in that game.
//!
//! One game is in memory at a time, for a log of any size.
//!
//! The columns of [`FeatureSet::Greedy`] and [`FeatureSet::Minimax`], their order and the numbers of
//! the classes of cards are those of the two logs for machine learning in Davor Penzar's public
//! project *tablic*. The features come from the code of the players themselves
//! ([`Knowledge`](bots::tablic::minimax::Knowledge)), so the two cannot differ. The data dictionary is
//! `docs/reference/export.md`.

mod expert;
mod rows;
mod tablic;

pub use rows::TableFormat;

use std::io::{self, Write};
use std::str::FromStr;

use record::checked_log::CheckedGame;
use record::{LogFileError, LogProblem};
use rules::replay::Discrepancy;
use rules::{GameKind, GameRecord, NotText, NoteKey};
use series::Series;
use series::game_status::GameStatus;
use text::failure::Failure;
use text::system_error;
use thiserror::Error;

use rows::{Row, TableWriter};

use crate::OpenedLog;

const TABLIC: &[GameKind] = &[GameKind::of::<rules::tablic::Tablic>()];

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeatureSet {
    /// The move, the number of legal moves, and the result, for every game; and a column for each of
    /// these keys of notes.
    Moves(Vec<NoteKey>),
    /// The input of the player `greedy`, in Tablić.
    Greedy,
    /// The knowledge and assumptions of the player `minimax`, in Tablić.
    Minimax,
    /// The input of the learned part of the player `expert`, for every game.
    Expert,
}

#[derive(Debug, Error)]
pub enum ExportError {
    /// A log, by its place in the list, does not hold what it must.
    #[error("log {0}: {1}")]
    Log(usize, LogFileError),
    #[error("{}", system_error(.0))]
    Output(#[from] io::Error),
}

impl FeatureSet {
    pub const ALL: [FeatureSet; 4] = [
        FeatureSet::Moves(Vec::new()),
        FeatureSet::Greedy,
        FeatureSet::Minimax,
        FeatureSet::Expert,
    ];

    /// The name in commands.
    pub fn name(&self) -> &'static str {
        match self {
            FeatureSet::Moves(_) => "moves",
            FeatureSet::Greedy => "greedy",
            FeatureSet::Minimax => "minimax",
            FeatureSet::Expert => "expert",
        }
    }

    /// These features with a column for each of these keys, once for each.
    pub fn with_notes(self, keys: &[NoteKey]) -> Result<FeatureSet, Failure> {
        let FeatureSet::Moves(mut all) = self else {
            let problem = || format!("--notes needs `--features moves`, not `{}`", self.name());
            return if keys.is_empty() { Ok(self) } else { Err(Failure::Usage(problem())) };
        };
        for key in keys {
            if !all.contains(key) {
                all.push(key.clone());
            }
        }
        Ok(FeatureSet::Moves(all))
    }

    /// Checks that these logs fit into one table.
    pub fn check(&self, logs: &[OpenedLog]) -> Result<(), Failure> {
        let Some(first) = logs.first().map(|log| log.games.series()) else { return Ok(()) };
        for OpenedLog { name: log, games, .. } in logs {
            let (series, features) = (games.series(), self.name());
            let (found, expected) = (series.kind(), first.kind());
            let fails = |problem: String| Err(Failure::Usage(format!("{log}: {problem}")));
            if let Some(games) = self.games().filter(|games| !games.contains(found)) {
                let games = games.iter().map(GameKind::name).collect::<Vec<_>>().join(", ");
                return fails(format!(
                    "holds games of {found}, and the features `{features}` are for {games} only"
                ));
            }
            let options = &series.header().options;
            if *self == FeatureSet::Expert && !expert::explains(found, options) {
                return fails(format!(
                    "holds games of {found} with {options}, which have no features `{features}`: \
                     export them with `--features moves`"
                ));
            }
            if *self == FeatureSet::Expert && found != expected {
                return fails(format!(
                    "games of {found} and {expected} have different `expert` columns: export them \
                     separately"
                ));
            }
            let has_seats = match self {
                FeatureSet::Moves(_) | FeatureSet::Greedy => false,
                FeatureSet::Minimax => true,
                FeatureSet::Expert => TABLIC.contains(found),
            };
            let (found, expected) = (seats(series), seats(first));
            if has_seats && found != expected {
                return fails(format!(
                    "{found} and {expected} seats have different `{features}` columns: export them \
                     separately"
                ));
            }
        }
        Ok(())
    }

    /// The games that have them; every game, if none are listed.
    fn games(&self) -> Option<&'static [GameKind]> {
        match self {
            FeatureSet::Moves(_) => None,
            FeatureSet::Greedy | FeatureSet::Minimax => Some(TABLIC),
            FeatureSet::Expert => Some(GameKind::ALL),
        }
    }

    /// The names of the columns, for a game with this number of seats.
    fn columns(&self, kind: &GameKind, seats: usize) -> Vec<String> {
        match self {
            FeatureSet::Moves(notes) => rows::columns(notes),
            FeatureSet::Greedy => tablic::greedy_columns(),
            FeatureSet::Minimax => tablic::minimax_columns(seats),
            FeatureSet::Expert => expert::columns(kind, seats),
        }
    }

    /// The rows of a game; `reader` reads what the expert does.
    fn rows(
        &self,
        log: &str,
        series: &Series,
        game: &GameRecord,
        reader: &mut expert::DecisionReader,
    ) -> Result<Vec<Row>, Discrepancy> {
        match self {
            FeatureSet::Moves(notes) => rows::rows(log, series, game, notes),
            FeatureSet::Greedy => tablic::rows(series, game, tablic::greedy_row),
            FeatureSet::Minimax => tablic::rows(series, game, tablic::minimax_row),
            FeatureSet::Expert => reader.rows(log, series, game),
        }
    }
}

impl FromStr for FeatureSet {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let found = FeatureSet::ALL.into_iter().find(|features| features.name() == text);
        found.ok_or_else(|| NotText::new("features `moves`, `greedy`, `minimax` or `expert`", text))
    }
}

/// Writes a table of all moves of these logs, which must be fit for it ([`FeatureSet::check`]). If
/// the last line of a log was cut off, the table has the lines before it.
///
/// # Errors
///
/// Fails at the first game that does not follow from its inputs, after the rows of those before,
/// and where `out` does.
pub fn write(
    logs: &mut [OpenedLog],
    features: &FeatureSet,
    format: TableFormat,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let Some(first) = logs.first().map(|log| log.games.series()) else { return Ok(()) };
    let mut table = TableWriter::new(format, features.columns(first.kind(), seats(first)), out)?;
    let mut reader = expert::DecisionReader::new();
    for (place, OpenedLog { name, games, .. }) in logs.iter_mut().enumerate() {
        while let Some(CheckedGame { line, game, status, .. }) =
            games.next_whole_game(name).map_err(|error| ExportError::Log(place, error))?
        {
            let rows =
                features.rows(name, games.series(), &game, &mut reader).map_err(|discrepancy| {
                    ExportError::Log(place, LogProblem::game(line, &game, discrepancy).into())
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
