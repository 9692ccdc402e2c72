//! Notices of the organiser, which the pages of a league show.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use text::failure::Failure;
use text::printable;

use crate::folder::{LeagueError, LeagueFolder};
use crate::side_files::ValueFile;

/// The file of the notices.
const NOTICES: ValueFile = ValueFile { name: "notices.json", lock: "noticing", longest: 1 << 20 };
/// Most notices.
const MOST: usize = 100;
/// Longest notice, in characters.
const LONGEST_NOTICE: usize = 2_000;

/// A notice of the organiser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notice {
    /// Its number, from 1; numbers of removed notices do not come again.
    pub number: u64,
    /// The time at which it was written, in seconds since 1970.
    pub at: i64,
    /// Its text, in one line.
    pub text: String,
}

/// The file of notices.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Notices {
    /// The number of the last notice, which may have been removed.
    last: u64,
    notices: Vec<Notice>,
}

/// Returns the notices of a league, the oldest one first.
///
/// # Errors
///
/// [`LeagueError`] if the file cannot be read.
pub fn list(folder: &LeagueFolder) -> Result<Vec<Notice>, LeagueError> {
    let file: Notices = NOTICES.read(folder)?;
    Ok(file.notices)
}

/// Adds a notice; characters that a terminal would not show are spelt out.
///
/// # Errors
///
/// Fails with nothing changed.
pub fn add(folder: &LeagueFolder, text: &str, now: Timestamp) -> Result<Notice, Failure> {
    let text = printable(text.trim());
    let length = text.chars().count();
    if length == 0 || length > LONGEST_NOTICE {
        return Err(Failure::Usage(format!(
            "the notice has {length} characters: at most {LONGEST_NOTICE}, at least 1"
        )));
    }
    NOTICES.change(folder, |file: &mut Notices| {
        if file.notices.len() >= MOST {
            let problem = format!("limit of {MOST} notices reached: remove one first");
            return Err(Failure::Usage(problem));
        }
        file.last = file.last.saturating_add(1);
        let notice = Notice { number: file.last, at: now.as_second(), text };
        file.notices.push(notice.clone());
        Ok(notice)
    })
}

/// Removes a notice.
///
/// # Errors
///
/// Fails with nothing changed.
pub fn remove(folder: &LeagueFolder, number: u64) -> Result<(), Failure> {
    NOTICES.change(folder, |file: &mut Notices| {
        let place = file.notices.iter().position(|notice| notice.number == number);
        let place = place.ok_or_else(|| {
            Failure::Usage(format!(
                "no notice {number}: list them with `arbiter league notice DIR`"
            ))
        })?;
        file.notices.remove(place);
        Ok(())
    })
}
