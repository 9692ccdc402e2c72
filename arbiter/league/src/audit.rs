//! What the organisers of a league have done: who, when and what.
//!
//! The file `audit.jsonl` has a line for each action, which only its owner can read. It is no part of the proof: an
//! action that changes results is a line of the league's log as well.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use text::printable;
use text::terminal::say;

use crate::calendar;
use crate::folder::LeagueFolder;
use sandbox::file;

/// File of the actions.
const AUDIT: &str = "audit.jsonl";
/// The one who uses a command.
pub const COMMAND: &str = "command";
/// Longest text of an action, in characters.
const LONGEST: usize = 2_000;
/// Bytes at the end of the file that a list of the last actions reads.
const TAIL: u64 = 1 << 20;

/// An action of an organiser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditLine {
    /// The time, in seconds since 1970.
    pub at: i64,
    /// The name of the organiser's token, or [`COMMAND`].
    pub by: String,
    /// The action, by the name of its command.
    pub action: String,
    /// The result of the action, in one line.
    pub what: String,
}

/// Adds an action that was done. If the file cannot be written, the organiser is warned.
pub fn add(folder: &LeagueFolder, by: &str, action: &str, what: &str) {
    let line = AuditLine {
        at: calendar::now().as_second(),
        by: by.to_owned(),
        action: action.to_owned(),
        what: printable(&what.trim().chars().take(LONGEST).collect::<String>()),
    };
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    file::private_file(&mut options);
    let written = serde_json::to_string(&line).map_err(io::Error::from).and_then(|line| {
        // A line is written at once, so that those of two programs do not mix.
        file::open_with(&place(folder), &mut options)?.write_all((line + "\n").as_bytes())
    });
    if let Err(error) = written {
        say(format!("warning: cannot write `{AUDIT}`: {}", text::system_error(error)));
    }
}

/// Returns the last actions, the newest first, at most this number.
///
/// # Errors
///
/// Fails if the file cannot be read; one that is not there has no actions.
pub fn latest(folder: &LeagueFolder, most: usize) -> io::Result<Vec<AuditLine>> {
    let mut found = match file::open(&place(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found?,
    };
    // A first line that is cut off there is no action.
    let length = found.metadata()?.len();
    found.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    found.take(TAIL).read_to_end(&mut bytes)?;
    let lines = bytes.split(|byte| *byte == b'\n').rev();
    Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).take(most).collect())
}

fn place(folder: &LeagueFolder) -> PathBuf {
    folder.path().join(AUDIT)
}
