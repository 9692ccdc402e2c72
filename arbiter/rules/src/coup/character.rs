//! The characters of Coup: what a card shows.

use std::fmt;
use std::str::FromStr;

use crate::text::NotText;

/// What a card shows; the pack has three of each. Written in full: `duke`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Character {
    /// Exchanges cards, blocks steals.
    #[default]
    Ambassador,
    /// Assassinates.
    Assassin,
    /// Steals, blocks steals.
    Captain,
    /// Blocks assassinations.
    Contessa,
    /// Takes tax, blocks foreign aid.
    Duke,
}

impl Character {
    /// Every character, in canonical order.
    pub const ALL: [Character; 5] = [
        Character::Ambassador,
        Character::Assassin,
        Character::Captain,
        Character::Contessa,
        Character::Duke,
    ];

    /// The one spelling of this character.
    pub fn name(self) -> &'static str {
        match self {
            Character::Ambassador => "ambassador",
            Character::Assassin => "assassin",
            Character::Captain => "captain",
            Character::Contessa => "contessa",
            Character::Duke => "duke",
        }
    }
}

impl fmt::Display for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Character {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        Character::ALL
            .into_iter()
            .find(|character| character.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| NotText::new("ambassador, assassin, captain, contessa or duke", text))
    }
}
