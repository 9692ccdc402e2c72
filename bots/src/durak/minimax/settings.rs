//! The options of the player.

use crate::options::{BadOption, given};
use crate::search::{Settings as Common, TimeLimit};

/// The options of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// In how many sampled worlds it tries every move, at least 1.
    pub worlds: u32,
    /// How many positions it visits at most where hands are known, at least 1.
    pub positions: u64,
    /// How long it may think about one move.
    pub time: TimeLimit,
}

/// The depth where nothing is said.
const DEPTH: u32 = 16;

impl Default for Settings {
    fn default() -> Self {
        Settings::of_depth(DEPTH)
    }
}

impl Settings {
    /// The options as lines of a help text.
    pub const HELP: &str = "
  --depth N        in durak: how hard to search (16). It plays out
                   N times 100 sampled worlds that fit what is known, and only
                   searches like minimax once all hands are known, N million
                   positions at most
  --worlds N       in durak: in how many sampled worlds to try every move
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
        let mut common = Common::of_depth(DEPTH);
        for given in given(words) {
            match given.name {
                "--worlds" => worlds = Some(given.number(u32::MAX)?),
                "--positions" => positions = Some(given.number_or_none(u64::MAX)?),
                _ => common = common.with(given)?,
            }
        }
        let of_depth = Settings::of_depth(common.depth);
        Ok(Settings {
            worlds: worlds.unwrap_or(of_depth.worlds),
            positions: positions.map_or(of_depth.positions, |most| most.unwrap_or(u64::MAX)),
            time: common.time,
        })
    }
}
