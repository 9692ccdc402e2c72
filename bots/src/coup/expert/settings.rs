//! The options of the player, and the player that they make.

use crate::coup::expert::packed::Packed;
use crate::coup::expert::player::Expert;
use crate::coup::expert::punishment::Punishment;
use crate::options::{BadOption, given};
use crate::search::TimeLimit;

/// The table: `coup-train` and `coup-pack` have made it.
static TABLE: &[u8] = include_bytes!("learned/table.bin");

/// What does well against others: `coup-punish` has made it.
static PUNISHMENT: &[u8] = include_bytes!("learned/punishment.bin");

/// The options of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Settings {
    /// It departs from the table where the other seat seems to.
    #[default]
    Punishing,
    /// It plays by the table alone.
    Safe,
}

impl Settings {
    /// The options as lines of a help text.
    pub const HELP: &str = "
  --safe           in coup: play by the table of chances alone, which little can be won against, and
                   never try to punish how the other plays";

    /// Reads the words of a command line.
    ///
    /// # Errors
    ///
    /// [`BadOption`] for a word that is no option.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        let mut settings = Settings::default();
        for given in given(words) {
            match given.name {
                "--safe" if given.value.is_empty() => settings = Settings::Safe,
                "--worlds" => return Err(given.elsewhere("tablic and durak")),
                // It looks things up, which takes no time that could be limited.
                "--time" => drop(TimeLimit::given(given)?),
                "--positions" => return Err(given.elsewhere("durak")),
                _ => return Err(given.unknown()),
            }
        }
        Ok(settings)
    }

    /// The player of these settings; nothing where what belongs to it is damaged.
    pub fn player(self) -> Option<Expert<'static>> {
        let table = Packed::new(TABLE)?;
        Some(match self {
            Settings::Safe => Expert::safe(table),
            Settings::Punishing => Expert::punishing(table, Punishment::new(PUNISHMENT)?),
        })
    }
}
