//! The options of the player.

use crate::player::BadOption;
use crate::tablic::minimax::{Settings as Common, TimeLimit};

/// The options of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// In how many worlds it tries every move, at least 1.
    pub worlds: u32,
    /// How long it may think about one move.
    pub time: TimeLimit,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { worlds: 400, time: TimeLimit::HalfOfRequest }
    }
}

impl Settings {
    /// The options as lines of a help text.
    pub const HELP: &str = "
  --worlds N       durak: in how many worlds to try every move (400)";

    /// Reads the words of a command line: `--worlds 100` or `--worlds=100`, and `--time`.
    ///
    /// # Errors
    ///
    /// [`BadOption`] for a word that is no option, and for a value that is not as it must be.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        let mut settings = Settings::default();
        let mut others = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = match word.split_once('=') {
                Some(("--worlds", value)) => value,
                None if word == "--worlds" => words.next().map_or("", String::as_str),
                Some(("--depth", _)) => return Err(BadOption::unknown(word)),
                None if word == "--depth" => return Err(BadOption::unknown(word)),
                _ => {
                    others.push(word.clone());
                    continue;
                }
            };
            let worlds = value.parse().ok().filter(|worlds| *worlds >= 1);
            settings.worlds = worlds.ok_or_else(|| {
                let value = value.escape_debug();
                let most = u32::MAX;
                BadOption(format!(
                    "expected a number from 1 to {most} after `--worlds`, found `{value}`"
                ))
            })?;
        }
        let common = Common { depth: 1, time: settings.time }.read_over(&others)?;
        Ok(Settings { time: common.time, ..settings })
    }
}
