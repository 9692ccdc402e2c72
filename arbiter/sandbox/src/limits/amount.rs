//! The values of limits.

use std::fmt;
use std::time::Duration;

/// The value of a limit. A number that stands for a duration is in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// A duration.
    Duration(Duration),
    /// A number of bytes, milliseconds or things.
    Number(u64),
    /// A time for a game.
    Game(GameTime),
}

impl Amount {
    pub(super) fn number(self) -> u64 {
        match self {
            Amount::Duration(time) => u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
            Amount::Number(number) => number,
            Amount::Game(GameTime { bank_ms, .. }) => bank_ms,
        }
    }

    fn duration(self) -> Duration {
        match self {
            Amount::Duration(time) => time,
            Amount::Number(_) | Amount::Game(_) => Duration::from_millis(self.number()),
        }
    }

    pub(super) fn game_time(self) -> GameTime {
        match self {
            Amount::Game(time) => time,
            Amount::Duration(_) | Amount::Number(_) => {
                GameTime { bank_ms: self.number(), increment_ms: 0 }
            }
        }
    }
}

impl fmt::Display for Amount {
    /// Writes the form that is read back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Duration(time) => humantime::format_duration(*time).fmt(f),
            Amount::Number(number) => number.fmt(f),
            Amount::Game(time) => time.fmt(f),
        }
    }
}

/// The time for all answers of a game, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTime {
    /// The time at the beginning.
    pub bank_ms: u64,
    /// The time that each move adds.
    pub increment_ms: u64,
}

impl GameTime {
    /// The time at the beginning.
    pub fn bank(self) -> Duration {
        Duration::from_millis(self.bank_ms)
    }

    pub(super) fn in_words(self) -> String {
        let GameTime { bank_ms, increment_ms } = self;
        match increment_ms {
            0 => format!("{bank_ms} ms for a game"),
            _ => format!("{bank_ms} ms for a game and {increment_ms} ms more for each move"),
        }
    }
}

impl fmt::Display for GameTime {
    /// Writes the form that is read back: `10s` or `10s+100ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.bank()).fmt(f)?;
        match self.increment_ms {
            0 => Ok(()),
            more => write!(f, "+{}", humantime::format_duration(Duration::from_millis(more))),
        }
    }
}

/// A type that the value of a limit can have.
pub(super) trait Value {
    /// The value; `None` if there is no limit.
    fn amount(&self) -> Option<Amount>;

    /// The limit of this value; 0 stands for `None` in types that have none.
    fn new(amount: Option<Amount>) -> Self;

    /// True if there is no limit.
    fn is_none(&self) -> bool {
        self.amount().is_none()
    }
}

impl Value for Duration {
    fn amount(&self) -> Option<Amount> {
        Some(Amount::Duration(*self))
    }

    fn new(amount: Option<Amount>) -> Duration {
        amount.map_or(Duration::ZERO, Amount::duration)
    }
}

impl Value for GameTime {
    fn amount(&self) -> Option<Amount> {
        Some(Amount::Game(*self))
    }

    fn new(amount: Option<Amount>) -> GameTime {
        amount.map_or(GameTime { bank_ms: 0, increment_ms: 0 }, Amount::game_time)
    }
}

impl Value for u64 {
    fn amount(&self) -> Option<Amount> {
        Some(Amount::Number(*self))
    }

    fn new(amount: Option<Amount>) -> u64 {
        amount.map_or(0, Amount::number)
    }
}

impl Value for u32 {
    fn amount(&self) -> Option<Amount> {
        u64::from(*self).amount()
    }

    fn new(amount: Option<Amount>) -> u32 {
        u32::try_from(u64::new(amount)).unwrap_or(u32::MAX)
    }
}

impl Value for usize {
    fn amount(&self) -> Option<Amount> {
        (*self as u64).amount()
    }

    fn new(amount: Option<Amount>) -> usize {
        usize::try_from(u64::new(amount)).unwrap_or(usize::MAX)
    }
}

impl<V: Value> Value for Option<V> {
    fn amount(&self) -> Option<Amount> {
        self.as_ref().and_then(V::amount)
    }

    fn new(amount: Option<Amount>) -> Option<V> {
        amount.map(|amount| V::new(Some(amount)))
    }
}
