//! Compressing finished logs: of a match, of the parts of a tournament with its shards, of the rounds of a league.

use std::fs;
use std::path::{Path, PathBuf};

use contest::tournament::folder::{self, TournamentFolder, TournamentFolders, shown};
use contest::tournament::read::{self, ReadError};
use contest::tournament::sharded;
use record::LogFileError;
use record::compress::{CompressionError, CompressionResult, EndEvidence, compress};
use text::failure::Failure;
use text::system_error;

use crate::folder::LeagueFolder;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompressionOutcome {
    Done(CompressionResult),
    /// It was compressed before.
    Already(PathBuf),
    /// The round of a league is not over, so its log stays as it is.
    Open(PathBuf),
}

/// Compresses all logs at a path to which no line is added any more, and tells the outcome of each, in order.
///
/// # Errors
///
/// Fails at the first log that may go on, or is not in order. The logs before are compressed by then.
pub fn compress_all(path: &Path, each: &mut dyn FnMut(CompressionOutcome)) -> Result<(), Failure> {
    if let Some(league) = LeagueFolder::find(path) {
        return compress_rounds(&league, each);
    }
    if !path.is_dir() {
        each(compress_log(path, EndEvidence::Line)?);
        return Ok(());
    }
    let unreadable = |problem: ReadError| {
        let told = format!("`{}`: {problem}", shown(path));
        match problem {
            ReadError::Log(_) => Failure::Verification(told),
            ReadError::NotMerged(_) => Failure::NotOver(told),
            _ => Failure::Usage(told),
        }
    };
    if read::in_shards(path).map_err(unreadable)?.is_some() {
        let not_merged = ReadError::NotMerged(text::shell::word(path));
        return Err(unreadable(not_merged));
    }
    let parts = TournamentFolders::find_begun(path).all();
    for (place, part) in parts.iter().enumerate() {
        let last = if place + 1 < parts.len() { EndEvidence::Continued } else { EndEvidence::Line };
        each(compress_part(part, last)?);
        for shard in begun_shards(part)? {
            each(compress_part(&shard, EndEvidence::Line)?);
        }
    }
    Ok(())
}

fn compress_rounds(
    league: &LeagueFolder,
    each: &mut dyn FnMut(CompressionOutcome),
) -> Result<(), Failure> {
    for round in league.read()?.rounds() {
        let path = league.round(round.line.round);
        let last = match &round.over {
            Some(over) if over.broken.is_some() => EndEvidence::Continued,
            Some(_) => EndEvidence::Line,
            None => {
                each(CompressionOutcome::Open(path));
                continue;
            }
        };
        // A round can be broken off before a game of it was played.
        if folder::games(&path).exists() {
            each(compress_part(&path, last)?);
        }
    }
    Ok(())
}

/// Compresses the log in the folder of a tournament, which no other run uses meanwhile.
fn compress_part(path: &Path, last: EndEvidence) -> Result<CompressionOutcome, Failure> {
    let folder = TournamentFolder::open(path).map_err(Failure::usage)?;
    compress_log(&folder.games(), last)
}

fn compress_log(path: &Path, last: EndEvidence) -> Result<CompressionOutcome, Failure> {
    match compress(path, last) {
        Ok(done) => Ok(CompressionOutcome::Done(done)),
        Err(CompressionError::Already) => Ok(CompressionOutcome::Already(path.to_owned())),
        Err(problem) => {
            let told = format!("`{}`: {problem}", shown(path));
            Err(match problem {
                CompressionError::Bad(LogFileError::Wrong(_)) => Failure::Verification(told),
                CompressionError::NotOver => Failure::NotOver(told),
                _ => Failure::Usage(told),
            })
        }
    }
}

/// The folders of the shards of which something was played, in the order of their names.
fn begun_shards(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let Some(shards) = sharded::shards(path) else { return Ok(Vec::new()) };
    let unlisted = |error| {
        Failure::Usage(format!("cannot read `{}`: {}", shown(&shards), system_error(error)))
    };
    let mut begun = Vec::new();
    for entry in fs::read_dir(&shards).map_err(unlisted)? {
        let shard = entry.map_err(unlisted)?.path();
        if folder::holds_plan(&shard) && folder::games(&shard).exists() {
            begun.push(shard);
        }
    }
    begun.sort();
    Ok(begun)
}
