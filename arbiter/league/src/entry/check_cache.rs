//! Results of checks, kept for one user.
//!
//! They lie in a folder of that user, and never beside what was handed in: there, the author of a bot might write its
//! result. They are a convenience: a bot is checked again if its result cannot be written or read. So is every bot after a day,
//! since interpreters and compilers of the machine change, too.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use rules::Digest;
use serde::{Deserialize, Serialize};

use contest::tournament::estimate::GamePace;
use record::LastLog;
use sandbox::file;
use sandbox::unfinished;

/// The most results that are kept; the oldest ones go.
const MOST: usize = 2000;

/// The longest result, in bytes.
const LONGEST: u64 = 1 << 20;

/// The time for which a result is kept.
const FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder with the results.
#[derive(Debug)]
pub struct CheckCache {
    folder: PathBuf,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CachedCheck {
    /// The problem with the bot, in one line; nothing if it passes.
    pub problem: Option<String>,
    /// The check as text.
    pub report: String,
    /// The pace of its games, if it played them.
    pub pace: Option<GamePace>,
}

impl CheckCache {
    /// The results of this user; none without a home, or if they cannot be kept.
    pub fn of_user() -> Option<CheckCache> {
        let folder = LastLog::of_user()?.folder().join("checks");
        file::private_folder().recursive(true).create(&folder).ok()?;
        let kept = CheckCache { folder };
        kept.remove_oldest();
        Some(kept)
    }

    /// Returns the result under a key.
    pub(super) fn find(&self, key: Digest) -> Option<CachedCheck> {
        serde_json::from_str(&file::text(&self.path(key), LONGEST).ok()?).ok()
    }

    /// Keeps a result under a key.
    pub(super) fn keep(&self, key: Digest, check: &CachedCheck) {
        let Ok(text) = serde_json::to_string(check) else { return };
        if text.len() as u64 <= LONGEST {
            // Otherwise the check is made again.
            let _ = unfinished::replace(&self.path(key), text.as_bytes());
        }
    }

    fn path(&self, key: Digest) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }

    /// Removes what is too old, and the oldest of too many.
    fn remove_oldest(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let written =
            |entry: fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
        let mut all: Vec<(SystemTime, PathBuf)> = entries.flatten().filter_map(written).collect();
        all.sort();
        let many = all.len().saturating_sub(MOST);
        // A time in the future is one of a clock that was set back.
        let is_old = |time: SystemTime| time.elapsed().is_ok_and(|age| age > FOR);
        for (place, (time, path)) in all.iter().enumerate() {
            if place < many || is_old(*time) {
                let _ = fs::remove_file(path);
            }
        }
    }
}
