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

impl Default for Settings {
    /// More worlds hardly change a move.
    fn default() -> Self {
        Settings { worlds: 20_000, time: TimeLimit::TenthOfRequest }
    }
}

impl Settings {
    /// The options as lines of a help text.
    pub const HELP: &str = "
  --worlds N       in tablic: in how many sampled worlds to try moves at most (20000)";

    /// Reads the words of a command line: `--worlds 400` or `--worlds=400`.
    ///
    /// # Errors
    ///
    /// [`BadOption`] for a word that is no option, and for a value that is not as it must be.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        given(words).try_fold(Settings::default(), |settings, given| match given.name {
            "--worlds" => Ok(Settings { worlds: given.number(u32::MAX)?, ..settings }),
            "--time" => Ok(Settings { time: TimeLimit::given(given)?, ..settings }),
            _ => Err(given.unknown()),
        })
    }
}
