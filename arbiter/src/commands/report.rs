//! `arbiter report`: logs and tournaments as web pages.

use std::io::Write;
use std::path::{Path, PathBuf};

use conditions::failure::Failure;
use contest::tournament::folder::shown;
use report::{NotWritten, Written};
use review::{Budget, LogReview, Of};
use text::counted;

/// Whether a report says what moves are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moves {
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
    moves: Moves,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let review = match moves {
        Moves::AsTheyAre => None,
        Moves::Reviewed => {
            let (budget, of, workers) = (Budget::Usual, Of::default(), super::cores());
            Some(LogReview { budget, of, workers })
        }
    };
    let written = report::write(sources, folder, review.as_ref()).map_err(|error| match error {
        NotWritten::Usage(problem) => Failure::Usage(problem),
        NotWritten::Wrong(problem) => Failure::Verification(problem),
        NotWritten::Machine(_) => Failure::Ours(error.to_string()),
    })?;
    let Written { games, unfinished } = written;
    let games = counted(games, "game", "games");
    let note = match (unfinished, sources.len()) {
        (0, _) => String::new(),
        (_, 1) => ", unfinished".to_owned(),
        (1, all) => format!(", 1 of {all} logs is unfinished"),
        (some, all) => format!(", {some} of {all} logs are unfinished"),
    };
    Ok(writeln!(out, "{}: {games}{note}", shown(&folder.join(report::FIRST)))?)
}
