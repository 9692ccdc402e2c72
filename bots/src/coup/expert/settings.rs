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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How likely it takes the other seat to play in a style that it knows, before it has seen
    /// anything of it, in per cent, at most 100. With 0 it never departs from the table.
    pub trust: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { trust: 85 }
    }
}

impl Settings {
    /// The options as lines of a help text.
    pub const HELP: &str = "
  --trust N        in coup: how likely to take the other seat to play in a style that is known, before
                   anything is seen of it, in per cent (85): with more, others are punished sooner,
                   and who knows that wins more
  --safe           in coup: never to try to punish, and to play by the table of chances alone";

    /// Reads the words of a command line.
    ///
    /// # Errors
    ///
    /// [`BadOption`] for a word that is no option, and for a value that is not as it must be.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        let mut settings = Settings::default();
        for given in given(words) {
            match given.name {
                "--safe" if given.value.is_empty() => settings.trust = 0,
                "--trust" => {
                    settings.trust = given.number(100)?;
                    if settings.trust > 100 {
                        return Err(given.wrong("a number from 1 to 100"));
                    }
                }
                // It looks things up, which takes no time that could be limited.
                "--time" => drop(TimeLimit::given(given)?),
                "--worlds" | "--positions" => return Err(given.elsewhere()),
                _ => return Err(given.unknown()),
            }
        }
        Ok(settings)
    }

    /// The player of these settings; nothing where what belongs to it is damaged.
    pub fn player(self) -> Option<Expert<'static>> {
        let table = Packed::new(TABLE)?;
        Some(match self.trust {
            0 => Expert::safe(table),
            trust => {
                let trust = f64::from(trust) / 100.0;
                Expert::punishing(table, Punishment::new(PUNISHMENT)?.trusted(trust))
            }
        })
    }
}
