//! Refused bots: the reason, and the report of their check.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::folder::LeagueFolder;
use crate::line::SubmittedFolder;
use crate::participants::Participants;
use sandbox::file;
use sandbox::new_file::NewFolder;

/// The report of a check, as `arbiter check` prints it.
const REPORT: &str = "report.txt";
const REFUSAL: &str = "refusal.json";
/// Longest refusal that is read, in bytes.
const LONGEST: u64 = 64 << 10;
/// Longest reason that is kept, in characters.
const LONGEST_REASON: usize = 4 << 10;
/// Replaces a reason that is not for everyone.
const PRIVATE: &str = "its author sees why";
/// Number of refusals that are kept, the last ones.
const MOST: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejection {
    /// The name under which it would have entered; the name of the folder if there is no other.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handed_in: Option<SubmittedFolder>,
    /// Reason in one line.
    pub why: String,
}

/// A refusal that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRejection {
    /// Its number, from 0; a later one has a higher number.
    pub number: u64,
    pub refusal: Rejection,
}

impl Rejection {
    /// Creates a refusal, and cuts its reason to the longest that is kept.
    pub fn new(name: String, handed_in: Option<SubmittedFolder>, why: &str) -> Rejection {
        Rejection { name, handed_in, why: why.chars().take(LONGEST_REASON).collect() }
    }
}

impl StoredRejection {
    pub fn report(&self, folder: &LeagueFolder) -> PathBuf {
        place(folder, self.number).join(REPORT)
    }
}

/// Keeps a refusal, and returns the path of its report. Only one program at a time may do so, which holds
/// the [right to enter bots](LeagueFolder::hold_entries).
pub fn keep(folder: &LeagueFolder, refusal: &Rejection, report: &[u8]) -> io::Result<PathBuf> {
    let all = numbers(folder)?;
    let number = all.last().map_or(0, |last| last.saturating_add(1));
    let place_of_new = place(folder, number);
    // The folder is private: it holds things for the author alone.
    let new = NewFolder::create_at(&place_of_new)?;
    fs::write(new.path().join(REPORT), report)?;
    fs::write(new.path().join(REFUSAL), serde_json::to_string(refusal)?)?;
    // With this file it is a refusal.
    new.publish(REFUSAL)?;
    for old in all.iter().rev().skip(MOST - 1) {
        // Any rest is removed the next time.
        let _ = fs::remove_dir_all(place(folder, *old));
    }
    Ok(place_of_new.join(REPORT))
}

/// Returns all kept refusals, the first one first.
///
/// # Errors
///
/// Fails if the folder cannot be read. An unreadable refusal is left out.
pub fn all(folder: &LeagueFolder) -> io::Result<Vec<StoredRejection>> {
    let kept = |number| Some(StoredRejection { number, refusal: read(&place(folder, number))? });
    Ok(numbers(folder)?.into_iter().filter_map(kept).collect())
}

/// Returns all kept refusals for public view: the reason of a refusal over the page is only for its
/// participant.
pub fn for_everyone(folder: &LeagueFolder) -> io::Result<Vec<StoredRejection>> {
    let participants = Participants::read(folder).map_err(io::Error::other)?;
    let mut all = all(folder)?;
    for Rejection { name, why, .. } in all.iter_mut().map(|kept| &mut kept.refusal) {
        if participants.has(name) {
            PRIVATE.clone_into(why);
        }
    }
    Ok(all)
}

/// Removes all refusals of a name, and returns their number.
pub(crate) fn forget(folder: &LeagueFolder, name: &str) -> io::Result<usize> {
    let is_of = |refusal: &Rejection| {
        refusal.name == name || refusal.handed_in.as_ref().is_some_and(|it| it.folder == name)
    };
    let mut all = all(folder)?;
    all.retain(|kept| is_of(&kept.refusal));
    all.iter().try_for_each(|kept| fs::remove_dir_all(place(folder, kept.number)))?;
    Ok(all.len())
}

fn place(folder: &LeagueFolder, number: u64) -> PathBuf {
    folder.refused().join(number.to_string())
}

fn read(place: &Path) -> Option<Rejection> {
    let text = file::text(&place.join(REFUSAL), LONGEST).ok()?;
    serde_json::from_str(&text).ok()
}

fn numbers(folder: &LeagueFolder) -> io::Result<Vec<u64>> {
    let entries = match fs::read_dir(folder.refused()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut numbers = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.parse::<u64>().ok());
        // This program never writes a number as `007`.
        numbers.extend(number.filter(|number| name == *number.to_string()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}
