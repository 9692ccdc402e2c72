//! The options of the player.

use std::str::FromStr;

use crate::player::BadOption;
use crate::tablic::minimax::{Settings as Common, TimeLimit};

/// The options of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// In how many worlds it tries every move, at least 1.
    pub worlds: u32,
    /// How many positions it visits at most where hands are known, at least 1.
    pub positions: u64,
    /// How long it may think about one move.
    pub time: TimeLimit,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { worlds: 400, positions: 4_000_000, time: TimeLimit::HalfOfRequest }
    }
}

impl Settings {
    /// The options as lines of a help text.
    pub const HELP: &str = "
  --worlds N       in durak, in place of --depth: in how many worlds that fit what is known to
                   try every move (400)
  --positions N    in durak: how many positions to search at most once all hands are known; none
                   for as many as it takes (4000000)";

    /// Reads the words of a command line: `--worlds 100` or `--worlds=100`.
    ///
    /// # Errors
    ///
    /// [`BadOption`] for a word that is no option, and for a value that is not as it must be.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        let mut settings = Settings::default();
        // Those that it shares with the players of other games.
        let mut others = Vec::new();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let (option, value) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (word, None),
            };
            if !["--worlds", "--positions", "--time", "--threads"].contains(&option) {
                return Err(BadOption::unknown(word));
            }
            let value = value.or_else(|| words.next()).unwrap_or_default();
            match option {
                "--worlds" => settings.worlds = number(option, value, u32::MAX, "")?,
                "--positions" if value == "none" => settings.positions = u64::MAX,
                "--positions" => {
                    settings.positions = number(option, value, u64::MAX, " or none")?;
                }
                _ => others.push(format!("{option}={value}")),
            }
        }
        let common = Common { depth: 1, time: settings.time }.read_over(&others)?;
        Ok(Settings { time: common.time, ..settings })
    }
}

/// Reads a number from 1 to the greatest one.
fn number<N>(option: &str, value: &str, most: N, or: &str) -> Result<N, BadOption>
where
    N: FromStr + PartialOrd + From<u8> + std::fmt::Display,
{
    let number = value.parse().ok().filter(|number| *number >= N::from(1));
    number.ok_or_else(|| {
        let value = value.escape_debug();
        BadOption(format!(
            "expected a number from 1 to {most}{or} after `{option}`, found `{value}`"
        ))
    })
}
