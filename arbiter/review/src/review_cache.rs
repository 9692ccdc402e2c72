//! Reviews that were computed before, in a file beside the log.
//!
//! The first line names the log. Then comes a line for each game and seat, and one for the luck of each game, with the digest of all that the review depends
//! on, and with its own digest, which is bound to the log. If a line is not as it was written, none of the file is used, and it is replaced, as the
//! reviews of another log are. Whoever can write the file can make digests, too: without it, all is computed anew. A file that holds
//! something else is left alone, and one that cannot be read or written is none.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use rules::{Digest, GameRecord};
use sandbox::{file, new_file};
use serde::{Deserialize, Serialize};
use series::Series;
use text::printable;
use text::terminal::say;

use crate::decision::{Decision, StoredDealLuck};

/// The suffix that the file has after the name of the log.
const ENDING: &str = ".review";

/// The version of reviewers: others give other values.
const VERSION: &str = concat!("review 1 ", env!("CARGO_PKG_VERSION"));

/// The format of the file: one of another format is replaced.
const FORMAT: u32 = 2;

/// What comes before the digest of a line.
const OWN: &str = ",\"sha256\":\"";

/// The most bytes that are read and kept.
const LONGEST: u64 = 256 << 20;

/// The most bytes of the first line.
const FIRST: u64 = 1_000;

pub fn kept_beside(log: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(log.file_name()?);
    name.push(ENDING);
    Some(log.with_file_name(name))
}

/// The reviews that were kept beside a log.
#[derive(Debug)]
pub(crate) struct ReviewCache {
    file: Option<CacheFile>,
    known: CachedParts,
}

/// The file beside a log.
#[derive(Debug)]
pub(crate) struct CacheFile {
    path: PathBuf,
    /// The log whose reviews are kept, by the digest of its header.
    log: Digest,
    /// The number of bytes in its whole lines; 0 if the file is of another log, or is not there.
    bytes: u64,
    /// True if a part of a line follows, which is being written, or was when its program was killed.
    is_torn: bool,
}

/// Reviews that were not kept yet, by their keys.
pub(crate) type NewParts = Vec<(Digest, ReviewPart)>;

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct CacheHeader {
    review_of: Digest,
    /// An older file has none.
    #[serde(default)]
    format: u32,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct CacheLine {
    key: Digest,
    #[serde(flatten)]
    part: ReviewPart,
}

/// A part of a review, kept under its own key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReviewPart {
    /// The decisions of a seat.
    Decisions(Vec<Decision>),
    /// The luck of a game.
    Luck(Vec<StoredDealLuck>),
}

impl ReviewPart {
    /// Checks that texts and numbers are in range, since the file may come from a stranger.
    fn is_sound(&self) -> bool {
        match self {
            ReviewPart::Decisions(decisions) => decisions.iter().all(Decision::is_sound),
            ReviewPart::Luck(deals) => deals.iter().all(|deal| deal.is_sound(deals.len())),
        }
    }
}

impl ReviewCache {
    /// Reads the reviews beside a log whose header has this digest; none if the log is no regular file.
    pub(crate) fn read_for(log: &Path, header: Digest) -> ReviewCache {
        let (Some(path), true) = (kept_beside(log), log.is_file()) else {
            return ReviewCache::nowhere();
        };
        if path.symlink_metadata().is_err() {
            return ReviewCache::new(path, header);
        }
        // A file of the user that happens to have this name is left alone.
        read(path, header).unwrap_or_else(|_| ReviewCache::nowhere())
    }

    /// Nothing that can be used: the file is written anew.
    fn new(path: PathBuf, log: Digest) -> ReviewCache {
        let file = Some(CacheFile { path, log, bytes: 0, is_torn: false });
        ReviewCache { file, ..ReviewCache::nowhere() }
    }

    /// Nothing, and nothing will be.
    pub(crate) fn nowhere() -> ReviewCache {
        ReviewCache { file: None, known: CachedParts::new() }
    }

    /// What was kept, and the file that more is added to.
    pub(crate) fn parts(&mut self) -> (&CachedParts, &mut Option<CacheFile>) {
        (&self.known, &mut self.file)
    }
}

/// Adds reviews to the file, if there is one, it can be written and does not become too long.
pub(crate) fn add(file: &mut Option<CacheFile>, fresh: NewParts) {
    if fresh.is_empty() {
        return;
    }
    if file.as_mut().is_some_and(|file| file.add(fresh).is_err()) {
        *file = None;
    }
}

impl CacheFile {
    fn add(&mut self, fresh: NewParts) -> io::Result<()> {
        let mut text = Vec::new();
        if self.bytes == 0 {
            let first = CacheHeader { review_of: self.log, format: FORMAT };
            serde_json::to_writer(&mut text, &first)?;
            text.push(b'\n');
        }
        for (key, part) in fresh {
            let mut body = serde_json::to_string(&CacheLine { key, part })?;
            body.pop();
            let digest = line_digest(self.log, &body);
            text.extend(format!("{body}{OWN}{digest}\"}}\n").into_bytes());
        }
        if self.bytes + text.len() as u64 > LONGEST {
            return Err(file::too_long(LONGEST));
        }
        match self.bytes {
            0 => new_file::replace(&self.path, &text)?,
            _ if !is_file(&self.path) => return Err(io::ErrorKind::NotFound.into()),
            // Another process may be writing the rest of the last line: it keeps its file, which is not cut off.
            _ if self.is_torn => {
                let mut whole = file::beginning(file::open(&self.path)?, self.bytes)?;
                if !whole.ends_with(b"\n") || whole.len() as u64 != self.bytes {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                whole.extend_from_slice(&text);
                new_file::replace(&self.path, &whole)?;
            }
            _ => {
                OpenOptions::new().append(true).open(&self.path)?.write_all(&text)?;
            }
        }
        self.is_torn = false;
        self.bytes += text.len() as u64;
        Ok(())
    }
}

/// The reviews that were read, by their keys.
pub(crate) type CachedParts = BTreeMap<[u8; 32], ReviewPart>;

/// Reads what was kept of this log; nothing if the file is of another log, or was changed.
fn read(path: PathBuf, header: Digest) -> io::Result<ReviewCache> {
    let mut lines = BufReader::new(file::open(&path)?.take(LONGEST));
    let mut line = Vec::new();
    let bytes = lines.by_ref().take(FIRST).read_until(b'\n', &mut line)? as u64;
    if bytes == 0 {
        return Ok(ReviewCache::new(path, header));
    }
    let first: CacheHeader = serde_json::from_slice(&line)?;
    if first.review_of != header || first.format != FORMAT {
        return Ok(ReviewCache::new(path, header));
    }
    let mut file = CacheFile { path, log: header, bytes, is_torn: false };
    let mut known = CachedParts::new();
    loop {
        line.clear();
        let read = lines.read_until(b'\n', &mut line)? as u64;
        if !line.ends_with(b"\n") {
            file.is_torn = read > 0;
            return Ok(ReviewCache { file: Some(file), known });
        }
        let Some(CacheLine { key, part }) = kept_line(&line, header) else {
            let shown = printable(&file.path.display().to_string());
            say(format!(
                "note: `{shown}` has changed since it was written: recomputing the review"
            ));
            return Ok(ReviewCache::new(file.path, header));
        };
        file.bytes += read;
        known.insert(key.bytes(), part);
    }
}

/// A line as it was written; nothing if it has another digest or is out of range.
fn kept_line(line: &[u8], header: Digest) -> Option<CacheLine> {
    let line = std::str::from_utf8(line).ok()?;
    let (body, own) = line.strip_suffix("\"}\n")?.rsplit_once(OWN)?;
    let is_own = own.parse() == Ok(line_digest(header, body));
    let line: CacheLine = serde_json::from_str(&format!("{body}}}")).ok().filter(|_| is_own)?;
    line.part.is_sound().then_some(line)
}

/// The digest of a line without its end, of a log whose header has this digest.
fn line_digest(header: Digest, body: &str) -> Digest {
    Digest::hash(format!("{header}\n{body}").as_bytes())
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

/// The digest of the first line of a log, by which its games and reviews are known.
pub fn header_digest(series: &Series) -> Digest {
    Digest::hash(&serde_json::to_vec(series.header()).unwrap_or_default())
}
