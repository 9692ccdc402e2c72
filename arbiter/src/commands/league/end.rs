//! The end of a round.

use std::path::Path;

use conditions::failure::Failure;
use contest::league::index::BadRound;
use contest::league::line::{Broken, OverLine, RoundLine};
use contest::league::stage;
use contest::tournament::folder::shown;
use contest::tournament::read::{self, PartLog, Unreadable};

/// Returns the line for a finished round in the log of the league.
pub(super) fn ended(
    line: &RoundLine,
    path: &Path,
    broken: Option<Broken>,
) -> Result<OverLine, Failure> {
    let (logged, results) = match line.stage {
        Some(_) => stage::results(line, path).map_err(|error| unreadable(path, error))?,
        None => (so_far(path)?, Vec::new()),
    };
    let games = logged.as_ref().map_or(0, |log| log.games.progress.played());
    let head = logged.map(|log| log.head);
    Ok(OverLine { round: line.round, games, head, broken, results })
}

/// Returns the games played of a round; none if it was not begun.
pub(super) fn so_far(path: &Path) -> Result<Option<PartLog>, Failure> {
    match read::read_log(path, &mut |_, _| Ok(())) {
        Ok(log) => Ok(Some(log)),
        Err(Unreadable::NotBegun | Unreadable::NotMerged(_)) => Ok(None),
        Err(error) => Err(unreadable(path, error)),
    }
}

/// Returns the failure to read a round in this folder.
pub(super) fn unreadable(path: &Path, error: Unreadable) -> Failure {
    Failure::from(BadRound::Unreadable(shown(path), error))
}
