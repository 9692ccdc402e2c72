//! Reviews that were computed before, in a file beside the log.
//!
//! The first line names the log. Then comes a line for each game and seat, and one for the luck of each game, with the digest of all that the review depends
//! on. A line that does not hold what it must is left out, and the reviews of another log are replaced. A file that holds
//! something else is left alone, and one that cannot be read or written is none: all of it can be computed again.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use conditions::series::Series;
use rules::{Digest, GameRecord};
use sandbox::file;
use serde::{Deserialize, Serialize};

use crate::context::header_digest;
use crate::decision::Decision;
use crate::luck::DealtLuck;

/// The suffix that the file has after the name of the log.
const ENDING: &str = ".review";

/// The version of reviewers: others give other values.
const VERSION: &str = concat!("review 1 ", env!("CARGO_PKG_VERSION"));

/// The most bytes that are read and kept.
const LONGEST: u64 = 256 << 20;

/// The most bytes of the first line.
const FIRST: u64 = 1_000;

/// The reviews that were kept beside a log.
#[derive(Debug)]
pub(crate) struct Kept {
    file: Option<Beside>,
    known: Known,
}

/// The file beside a log.
#[derive(Debug)]
pub(crate) struct Beside {
    path: PathBuf,
    /// The log whose reviews are kept, by the digest of its header.
    log: Digest,
    /// The number of bytes there; 0 if the file is of another log, or is not there.
    bytes: u64,
}

/// Reviews that were not kept yet, by their keys.
pub(crate) type Fresh = Vec<(Digest, Part)>;

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct FirstLine {
    review_of: Digest,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    key: Digest,
    #[serde(flatten)]
    part: Part,
}

/// A part of a review, kept under its own key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Part {
    /// The decisions of a seat.
    Decisions(Vec<Decision>),
    /// The luck of a game.
    Luck(Vec<DealtLuck>),
}

impl Part {
    /// Checks that texts and numbers are in range, since the file may come from a stranger.
    fn is_sound(&self) -> bool {
        match self {
            Part::Decisions(decisions) => decisions.iter().all(Decision::is_sound),
            Part::Luck(deals) => deals.iter().all(|deal| deal.is_sound(deals.len())),
        }
    }
}

impl Kept {
    /// Reads the reviews beside a log whose header has this digest; none if the log is no regular file.
    pub(crate) fn beside(log: &Path, header: Digest) -> Kept {
        let (Some(name), true) = (log.file_name(), log.is_file()) else { return Kept::nowhere() };
        let mut name = OsString::from(name);
        name.push(ENDING);
        let path = log.with_file_name(name);
        if path.symlink_metadata().is_err() {
            let file = Some(Beside { path, log: header, bytes: 0 });
            return Kept { file, ..Kept::nowhere() };
        }
        // A file of the user that happens to have this name is left alone.
        let Ok((bytes, known)) = read(&path, header) else { return Kept::nowhere() };
        Kept { file: Some(Beside { path, log: header, bytes }), known }
    }

    /// Nothing, and nothing will be.
    pub(crate) fn nowhere() -> Kept {
        Kept { file: None, known: Known::new() }
    }

    /// What was kept, and the file that more is added to.
    pub(crate) fn parts(&mut self) -> (&Known, &mut Option<Beside>) {
        (&self.known, &mut self.file)
    }
}

/// Adds reviews to the file, if there is one, it can be written and does not become too long.
pub(crate) fn add(file: &mut Option<Beside>, fresh: Fresh) {
    if fresh.is_empty() {
        return;
    }
    if file.as_mut().is_some_and(|file| file.add(fresh).is_err()) {
        *file = None;
    }
}

impl Beside {
    fn add(&mut self, fresh: Fresh) -> io::Result<()> {
        let mut text = Vec::new();
        if self.bytes == 0 {
            serde_json::to_writer(&mut text, &FirstLine { review_of: self.log })?;
            text.push(b'\n');
        }
        for (key, part) in fresh {
            serde_json::to_writer(&mut text, &Line { key, part })?;
            text.push(b'\n');
        }
        if self.bytes + text.len() as u64 > LONGEST {
            return Err(file::too_long(LONGEST));
        }
        match self.bytes {
            0 => file::replace(&self.path, &text)?,
            _ if !is_file(&self.path) => return Err(io::ErrorKind::NotFound.into()),
            _ => OpenOptions::new().append(true).open(&self.path)?.write_all(&text)?,
        }
        self.bytes += text.len() as u64;
        Ok(())
    }
}

/// The reviews that were read, by their keys.
pub(crate) type Known = BTreeMap<[u8; 32], Part>;

/// Reads what was kept of this log, with the number of bytes; nothing if the file is of another log.
///
/// # Errors
///
/// Fails if it is no file of reviews.
fn read(path: &Path, header: Digest) -> io::Result<(u64, Known)> {
    let mut known = Known::new();
    let mut lines = BufReader::new(file::open(path)?.take(LONGEST));
    let mut line = Vec::new();
    let mut bytes = lines.by_ref().take(FIRST).read_until(b'\n', &mut line)? as u64;
    if bytes == 0 {
        return Ok((0, known));
    }
    let first: FirstLine = serde_json::from_slice(&line)?;
    if first.review_of != header {
        return Ok((0, known));
    }
    loop {
        line.clear();
        match lines.read_until(b'\n', &mut line)? {
            0 => return Ok((bytes, known)),
            read => bytes += read as u64,
        }
        if let Ok(Line { key, part }) = serde_json::from_slice(&line)
            && part.is_sound()
        {
            known.insert(key.bytes(), part);
        }
    }
}

fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_file())
}

/// The digest of all that the review of a seat depends on.
pub(crate) fn key(
    header: Digest,
    game: &GameRecord,
    seat: usize,
    worlds: u32,
    habits: Digest,
) -> Digest {
    let game = game_digest(game);
    Digest::hash(format!("{VERSION}\n{header}\n{game}\n{seat}\n{worlds}\n{habits}\n").as_bytes())
}

/// The digest of a game of a series, by which its review can be kept: no other game has it.
pub fn game_key(series: &Series, game: &GameRecord) -> Digest {
    let (header, game) = (header_digest(series), game_digest(game));
    Digest::hash(format!("{VERSION}\n{header}\n{game}\n").as_bytes())
}

/// The digest of all that the luck of a game depends on: not of times, which differ when it is played again.
pub(crate) fn luck_key(game: &GameRecord) -> Digest {
    let GameRecord { id, attempt, events, .. } = game;
    let events = events.join("\n");
    Digest::hash(format!("{VERSION}\nluck 1 {id} {attempt}\n{events}\n").as_bytes())
}

fn game_digest(game: &GameRecord) -> Digest {
    Digest::hash(&serde_json::to_vec(game).unwrap_or_default())
}
