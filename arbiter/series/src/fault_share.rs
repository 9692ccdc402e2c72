//! The share of faults that puts a bot out of a tournament.

use std::fmt;
use std::str::FromStr;

use rules::NotText;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The share of its games in which a bot may fault before it is out of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct FaultShare {
    percent: u8,
    /// The fewest games after which a bot can be out.
    games: u64,
    /// Treatment of faults in suspect games.
    #[serde(default, skip_serializing_if = "SuspectFaults::are_counted")]
    suspect: SuspectFaults,
}

/// Treatment of a fault that an overloaded machine may have caused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuspectFaults {
    /// As much as any other, as in tournaments that say nothing of it.
    #[default]
    Counted,
    /// Nothing: the game says nothing of the bot that was late.
    Ignored,
}

impl SuspectFaults {
    fn are_counted(&self) -> bool {
        *self == SuspectFaults::Counted
    }
}

/// A share as it may stand in a log.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    percent: u8,
    games: u64,
    #[serde(default)]
    suspect: SuspectFaults,
}

impl TryFrom<Unchecked> for FaultShare {
    type Error = NotText;

    fn try_from(unchecked: Unchecked) -> Result<Self, NotText> {
        let Unchecked { percent, games, suspect } = unchecked;
        match percent <= 100 && games > 0 {
            true => Ok(FaultShare { percent, games, suspect }),
            false => Err(NotText::new("a share of games from 0% to 100%", &format!("{percent}%"))),
        }
    }
}

impl FaultShare {
    /// The number of games a bot has played at least before it can be out.
    pub const LEAST_GAMES: u64 = 8;

    /// A quarter of its games, suspect faults aside.
    pub const DEFAULT: FaultShare =
        FaultShare { percent: 25, games: FaultShare::LEAST_GAMES, suspect: SuspectFaults::Ignored };

    /// The treatment of faults in suspect games.
    pub fn suspect(self) -> SuspectFaults {
        self.suspect
    }

    /// Sets the treatment of faults in suspect games.
    pub fn with(self, suspect: SuspectFaults) -> FaultShare {
        FaultShare { suspect, ..self }
    }

    /// Returns true if this number of games with a fault is too high.
    pub(crate) fn is_exceeded(self, games: u64, faults: u64) -> bool {
        games >= self.games
            && u128::from(faults) * 100 > u128::from(games) * u128::from(self.percent)
    }
}

impl fmt::Display for FaultShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent)
    }
}

impl FromStr for FaultShare {
    type Err = NotText;

    /// Reads a share as it is written, `25%`.
    fn from_str(text: &str) -> Result<Self, NotText> {
        let percent = text.strip_suffix('%').and_then(|number| number.parse().ok());
        match percent.filter(|percent| *percent <= 100) {
            Some(percent) => Ok(FaultShare { percent, ..FaultShare::DEFAULT }),
            None => Err(NotText::new("a share of games from 0% to 100%", text)),
        }
    }
}

/// The share of faults that puts a bot out by default.
pub fn usual_share() -> Option<FaultShare> {
    Some(FaultShare::DEFAULT)
}

/// Reads when a bot is out: a share of faults, or `never`.
pub fn disqualify_after(text: &str) -> Result<Option<FaultShare>, NotText> {
    match text {
        "never" => Ok(None),
        text => text.parse().map(Some),
    }
}

/// When a bot is out, as a text.
pub mod share_as_text {
    use super::{
        Deserialize, Deserializer, FaultShare, Serialize, Serializer, de, disqualify_after,
    };

    /// Writes it as a text.
    pub fn serialize<S: Serializer>(
        share: &Option<FaultShare>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = share.as_ref().map(ToString::to_string);
        text.as_deref().unwrap_or("never").serialize(serializer)
    }

    /// Reads it from a text.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<FaultShare>, D::Error> {
        disqualify_after(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
