//! Notices of the organiser, which the pages of a league show.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use text::{printable, system_error};
use thiserror::Error;

use crate::league::folder::LeagueFolder;
use crate::tournament::folder::{Lock, NotLocked, shown};
use sandbox::file;

/// File of the notices.
const NOTICES: &str = "notices.json";
/// Lock of programs that change them.
const LOCK: &str = "noticing";
/// Time to wait for another program.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;
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

/// Reason why notices cannot be read or changed; one line.
#[derive(Debug, Error)]
pub enum BadNotice {
    /// The text is empty or too long.
    #[error("a notice has {0} characters, expected 1 to {LONGEST_NOTICE}")]
    Length(usize),
    /// There are too many.
    #[error("there are already {MOST} notices, which is the most allowed: remove one")]
    TooMany,
    /// There is no such notice.
    #[error("there is no notice {0}: `arbiter league notice` lists them")]
    Unknown(u64),
    /// Another program changes them.
    #[error("`{0}`: another program is changing the notices")]
    Locked(String),
    /// The file cannot be read or written.
    #[error("`{file}` cannot be used: {}", system_error(source))]
    Unusable {
        /// The file.
        file: String,
        /// The error of the system.
        source: io::Error,
    },
}

/// Returns the notices of a league, the oldest one first.
///
/// # Errors
///
/// [`BadNotice::Unusable`]
pub fn of(folder: &LeagueFolder) -> Result<Vec<Notice>, BadNotice> {
    read(folder).map(|file| file.notices)
}

/// Adds a notice; characters that a terminal would not show are spelt out.
///
/// # Errors
///
/// [`BadNotice`], with nothing changed.
pub fn add(folder: &LeagueFolder, text: &str, now: Timestamp) -> Result<Notice, BadNotice> {
    let text = printable(text.trim());
    let length = text.chars().count();
    if length == 0 || length > LONGEST_NOTICE {
        return Err(BadNotice::Length(length));
    }
    let _lock = lock(folder)?;
    let mut file = read(folder)?;
    if file.notices.len() >= MOST {
        return Err(BadNotice::TooMany);
    }
    file.last = file.last.saturating_add(1);
    let notice = Notice { number: file.last, at: now.as_second(), text };
    file.notices.push(notice.clone());
    write(folder, &file)?;
    Ok(notice)
}

/// Removes a notice.
///
/// # Errors
///
/// [`BadNotice`], with nothing changed.
pub fn remove(folder: &LeagueFolder, number: u64) -> Result<(), BadNotice> {
    let _lock = lock(folder)?;
    let mut file = read(folder)?;
    let before = file.notices.len();
    file.notices.retain(|notice| notice.number != number);
    if file.notices.len() == before {
        return Err(BadNotice::Unknown(number));
    }
    write(folder, &file)
}

fn read(folder: &LeagueFolder) -> Result<Notices, BadNotice> {
    let text = match file::text(&place(folder), LONGEST) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Notices::default()),
        Err(error) => return Err(unusable(folder, error)),
    };
    serde_json::from_str(&text).map_err(|error| unusable(folder, error.into()))
}

fn write(folder: &LeagueFolder, notices: &Notices) -> Result<(), BadNotice> {
    let written = serde_json::to_string(notices).map_err(io::Error::from);
    written
        .and_then(|text| file::replace(&place(folder), text.as_bytes()))
        .map_err(|error| unusable(folder, error))
}

fn lock(folder: &LeagueFolder) -> Result<Lock, BadNotice> {
    Lock::take(&folder.path().join(LOCK), PATIENCE).map_err(|problem| match problem {
        NotLocked::Held => BadNotice::Locked(shown(folder.path())),
        NotLocked::Unopened(error) | NotLocked::Refused(error) => unusable(folder, error),
    })
}

fn place(folder: &LeagueFolder) -> PathBuf {
    folder.path().join(NOTICES)
}

fn unusable(folder: &LeagueFolder, source: io::Error) -> BadNotice {
    BadNotice::Unusable { file: shown(&place(folder)), source }
}
