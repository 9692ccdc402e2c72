//! Reviews that were computed before, in a file beside the log.
//!
//! The file has a line for each game and seat, with the digest of all that the review depends on. A line that cannot be
//! read is left out, and a file that cannot be read or written is none: all of it can be computed again, so it can be
//! thrown away at any time.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use rules::{Digest, GameRecord};
use sandbox::file;
use serde::{Deserialize, Serialize};

use crate::decision::Decision;

/// The end of the name of the file, after that of the log.
const ENDING: &str = ".review";

/// The version of reviewers: others give other values.
const VERSION: &str = concat!("review 1 ", env!("CARGO_PKG_VERSION"));

/// The most bytes that are read and kept.
const LONGEST: u64 = 1 << 30;

/// The reviews that were kept beside a log.
#[derive(Debug)]
pub struct Kept {
    file: Option<PathBuf>,
    decisions: BTreeMap<[u8; 32], Vec<Decision>>,
    bytes: u64,
}

/// Reviews of seats that were not kept yet, by their keys.
pub(crate) type Fresh = Vec<(Digest, Vec<Decision>)>;

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    key: Digest,
    decisions: Vec<Decision>,
}

impl Kept {
    /// What was kept beside this log; nothing if it is no regular file.
    pub fn beside(log: &Path) -> Kept {
        let is_file = log.symlink_metadata().is_ok_and(|found| found.is_file());
        let (Some(name), true) = (log.file_name(), is_file) else { return Kept::nowhere() };
        let mut name = OsString::from(name);
        name.push(ENDING);
        let path = log.with_file_name(name);
        let mut kept = Kept { file: Some(path.clone()), ..Kept::nowhere() };
        if let Ok(file) = file::open(&path) {
            let mut lines = BufReader::new(file.take(LONGEST));
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                kept.bytes += line.len() as u64;
                if let Ok(Line { key, decisions }) = serde_json::from_slice(&line)
                    && decisions.iter().all(Decision::is_whole)
                {
                    kept.decisions.insert(key.bytes(), decisions);
                }
                line.clear();
            }
        }
        kept
    }

    /// Nothing, and nothing will be.
    pub fn nowhere() -> Kept {
        Kept { file: None, decisions: BTreeMap::new(), bytes: 0 }
    }

    /// The decisions under a key.
    pub(crate) fn get(&self, key: Digest) -> Option<&Vec<Decision>> {
        self.decisions.get(&key.bytes())
    }

    /// Adds reviews to the file, if it can be written and does not become too long.
    pub(crate) fn add(&mut self, fresh: Fresh) {
        let Some(path) = &self.file else { return };
        let mut text = Vec::new();
        for (key, decisions) in fresh {
            // A line that cannot be written is computed again.
            if serde_json::to_writer(&mut text, &Line { key, decisions }).is_ok() {
                text.push(b'\n');
            }
        }
        self.bytes += text.len() as u64;
        if text.is_empty() || self.bytes > LONGEST {
            return;
        }
        let file = OpenOptions::new().append(true).create(true).open(path);
        let is_written = file.and_then(|mut file| file.write_all(&text));
        if is_written.is_err() {
            self.file = None;
        }
    }
}

/// The digest of all that the review of a seat depends on.
pub(crate) fn key(
    header: Digest,
    game: &GameRecord,
    seat: usize,
    worlds: u32,
    habits: Digest,
) -> Digest {
    let game = Digest::hash(&serde_json::to_vec(game).unwrap_or_default());
    Digest::hash(format!("{VERSION}\n{header}\n{game}\n{seat}\n{worlds}\n{habits}\n").as_bytes())
}
