//! `arbiter report`: logs and tournaments as web pages.

use std::io::Write;
use std::path::{Path, PathBuf};

use contest::tournament::folder::shown;
use report::{ReportError, WrittenReport};
use review::{DecisionBudget, LogReview, ReviewScope};
use text::counted;
use text::failure::Failure;

/// Whether a report says what moves are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveReviews {
    /// It does not.
    AsTheyAre,
    /// They are reviewed.
    Reviewed,
}

/// Writes the report of some logs and tournaments into a folder, and prints the path of its first page. If
/// that fails, the folder is as it was, as far as the machine allows.
pub(crate) fn run(
    sources: &[PathBuf],
    folder: &Path,
    moves: MoveReviews,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let review = match moves {
        MoveReviews::AsTheyAre => None,
        MoveReviews::Reviewed => {
            let (budget, of, workers) =
                (DecisionBudget::Usual, ReviewScope::default(), super::cores());
            Some(LogReview { budget, of, workers })
        }
    };
    let written = report::write(sources, folder, review.as_ref()).map_err(|error| match error {
        ReportError::Usage(problem) => Failure::Usage(problem),
        ReportError::Wrong(problem) => Failure::Verification(problem),
        ReportError::Machine(_) => Failure::Ours(error.to_string()),
    })?;
    let WrittenReport { games, unfinished } = written;
    let games = counted(games, "game", "games");
    let note = match (unfinished, sources.len()) {
        (0, _) => String::new(),
        (_, 1) => ", unfinished".to_owned(),
        (1, all) => format!(", 1 of {all} logs is unfinished"),
        (some, all) => format!(", {some} of {all} logs are unfinished"),
    };
    Ok(writeln!(out, "{}: {games}{note}", shown(&folder.join(report::FIRST)))?)
}
