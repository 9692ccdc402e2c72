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

/// The depth where nothing is said.
const DEPTH: u32 = 4;

impl Default for Settings {
    fn default() -> Self {
        Settings::of_depth(DEPTH)
    }
}

impl Settings {
    /// The options as lines of a help text.
    pub const HELP: &str = "
  --depth N        in durak: how hard to search (4): in so many hundreds of worlds that fit what
                   is known, and once all hands are known so many millions of positions at most
  --worlds N       in durak: in how many worlds to try every move
  --positions N    in durak: how many positions to search at most; none for all of them";

    /// So many hundreds of worlds and millions of positions.
    pub fn of_depth(depth: u32) -> Settings {
        let (worlds, positions) = (depth.saturating_mul(100), u64::from(depth) * 1_000_000);
        Settings { worlds, positions, time: TimeLimit::HalfOfRequest }
    }

    /// Reads the words of a command line: `--depth 3` or `--depth=3`.
    ///
    /// # Errors
    ///
    /// [`BadOption`] for a word that is no option, and for a value that is not as it must be.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        let (mut worlds, mut positions) = (None, None);
        // Those that it shares with the players of other games.
        let mut others = Vec::new();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let (option, value) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (word, None),
            };
            let mut value = || value.or_else(|| words.next()).unwrap_or_default();
            match option {
                "--worlds" => worlds = Some(number(option, value(), u32::MAX, "")?),
                "--positions" => {
                    positions = Some(match value() {
                        "none" => u64::MAX,
                        value => number(option, value, u64::MAX, " or none")?,
                    });
                }
                "--depth" | "--time" | "--threads" => others.push(format!("{option}={}", value())),
                _ => return Err(BadOption::unknown(word)),
            }
        }
        let common = Common { depth: DEPTH, time: TimeLimit::HalfOfRequest };
        let Common { depth, time } = common.read_over(&others)?;
        let of_depth = Settings::of_depth(depth);
        Ok(Settings {
            worlds: worlds.unwrap_or(of_depth.worlds),
            positions: positions.unwrap_or(of_depth.positions),
            time,
        })
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
