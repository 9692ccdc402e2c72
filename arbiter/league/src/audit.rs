//! What the organisers and the participants of a league have done: who, when and what.
//!
//! The file `audit.jsonl` has a line for each action, which only its owner can read. It is no part of the proof: an
//! action that changes results is a line of the league's log as well.

use std::io;

use serde::{Deserialize, Serialize};
use text::printable;
use text::terminal::say;

use crate::calendar;
use crate::folder::LeagueFolder;
use crate::json_files::JsonLines;
use crate::participants::TokenHolder;

const AUDIT: JsonLines = JsonLines { name: "audit.jsonl", is_private: true };
pub const COMMAND: &str = "command";
/// Longest text of an action, in characters.
const LONGEST: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditLine {
    /// The time, in seconds since 1970.
    pub at: i64,
    /// The name of the organiser's token, or [`COMMAND`]; `anna`, or `anna/ben` for a member, if a participant did it.
    pub by: String,
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
    if let Err(error) = AUDIT.append(folder, &line) {
        say(format!("warning: cannot write `{}`: {}", AUDIT.name, text::system_error(error)));
    }
}

/// Adds an action that a participant has done, or a member of a team.
pub fn add_of_participant(folder: &LeagueFolder, by: &TokenHolder, action: &str, what: &str) {
    add(folder, &by.in_words(), action, what);
}

/// Returns the last actions, the newest first, at most this number.
///
/// # Errors
///
/// Fails if the file cannot be read; one that is not there has no actions.
pub fn latest(folder: &LeagueFolder, most: usize) -> io::Result<Vec<AuditLine>> {
    let last = AUDIT.last::<AuditLine>(folder)?.into_iter().rev();
    Ok(last.map(|it| it.entry).take(most).collect())
}

/// Removes the names of the members of a participant.
pub(crate) fn forget(folder: &LeagueFolder, participant: &str) -> io::Result<()> {
    let of_member = format!("{participant}/");
    let changed = AUDIT.change(folder, |line: &mut AuditLine| {
        let is_of_member = line.by.starts_with(&of_member);
        if is_of_member {
            participant.clone_into(&mut line.by);
        }
        is_of_member
    });
    changed.map(drop)
}
