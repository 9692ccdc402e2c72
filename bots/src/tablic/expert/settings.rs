//! The options of the player.

use crate::options::{BadOption, given};
use crate::search::TimeLimit;

/// The options of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// In how many sampled worlds it tries moves at most, at least 1.
    pub worlds: u32,
    /// How long it may think about one move.
    pub time: TimeLimit,
}

/// In how many worlds moves are tried where neither they nor the time are limited.
const WORLDS: u32 = 2000;

/// In how many worlds moves are tried at most where only the time is limited: more hardly change a
/// move.
const MOST_WORLDS: u32 = 100_000;

impl Default for Settings {
    fn default() -> Self {
        Settings { worlds: MOST_WORLDS, time: TimeLimit::TenthOfRequest }
    }
}

impl Settings {
    /// Reads the words of a command line: `--worlds 400` or `--worlds=400`.
    ///
    /// # Errors
    ///
    /// [`BadOption`] for a word that is no option, and for a value that is not as it must be.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        let (mut worlds, mut time) = (None, TimeLimit::TenthOfRequest);
        for given in given(words) {
            match given.name {
                "--worlds" => worlds = Some(given.number(u32::MAX)?.min(MOST_WORLDS)),
                "--time" => time = TimeLimit::given(given)?,
                _ => return Err(given.unknown()),
            }
        }
        let most = if time == TimeLimit::None { WORLDS } else { MOST_WORLDS };
        Ok(Settings { worlds: worlds.unwrap_or(most), time })
    }
}
