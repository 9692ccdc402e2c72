//! The values of limits, and their texts.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use serde::{Deserializer, de};

/// The value of a limit. A number that stands for a duration is in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitAmount {
    /// A duration.
    Duration(Duration),
    /// A number of bytes, milliseconds or things.
    Number(u64),
    /// A time for a game.
    Game(GameTime),
}

impl LimitAmount {
    pub(super) fn number(self) -> u64 {
        match self {
            LimitAmount::Duration(time) => milliseconds(time),
            LimitAmount::Number(number) => number,
            LimitAmount::Game(GameTime { bank_ms, .. }) => bank_ms,
        }
    }

    fn duration(self) -> Duration {
        match self {
            LimitAmount::Duration(time) => time,
            LimitAmount::Number(_) | LimitAmount::Game(_) => Duration::from_millis(self.number()),
        }
    }

    pub(super) fn game_time(self) -> GameTime {
        match self {
            LimitAmount::Game(time) => time,
            LimitAmount::Duration(_) | LimitAmount::Number(_) => {
                GameTime { bank_ms: self.number(), increment_ms: 0 }
            }
        }
    }
}

impl fmt::Display for LimitAmount {
    /// Writes the form that is read back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitAmount::Duration(time) => humantime::format_duration(*time).fmt(f),
            LimitAmount::Number(number) => number.fmt(f),
            LimitAmount::Game(time) => time.fmt(f),
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
pub(super) trait LimitValue {
    /// The value; `None` if there is no limit.
    fn amount(&self) -> Option<LimitAmount>;

    /// The limit of this value; 0 stands for `None` in types that have none.
    fn new(amount: Option<LimitAmount>) -> Self;

    /// True if there is no limit.
    fn is_none(&self) -> bool {
        self.amount().is_none()
    }
}

impl LimitValue for Duration {
    fn amount(&self) -> Option<LimitAmount> {
        Some(LimitAmount::Duration(*self))
    }

    fn new(amount: Option<LimitAmount>) -> Duration {
        amount.map_or(Duration::ZERO, LimitAmount::duration)
    }
}

impl LimitValue for GameTime {
    fn amount(&self) -> Option<LimitAmount> {
        Some(LimitAmount::Game(*self))
    }

    fn new(amount: Option<LimitAmount>) -> GameTime {
        amount.map_or(GameTime { bank_ms: 0, increment_ms: 0 }, LimitAmount::game_time)
    }
}

impl LimitValue for u64 {
    fn amount(&self) -> Option<LimitAmount> {
        Some(LimitAmount::Number(*self))
    }

    fn new(amount: Option<LimitAmount>) -> u64 {
        amount.map_or(0, LimitAmount::number)
    }
}

impl LimitValue for u32 {
    fn amount(&self) -> Option<LimitAmount> {
        u64::from(*self).amount()
    }

    fn new(amount: Option<LimitAmount>) -> u32 {
        u32::try_from(u64::new(amount)).unwrap_or(u32::MAX)
    }
}

impl LimitValue for usize {
    fn amount(&self) -> Option<LimitAmount> {
        (*self as u64).amount()
    }

    fn new(amount: Option<LimitAmount>) -> usize {
        usize::try_from(u64::new(amount)).unwrap_or(usize::MAX)
    }
}

impl<V: LimitValue> LimitValue for Option<V> {
    fn amount(&self) -> Option<LimitAmount> {
        self.as_ref().and_then(V::amount)
    }

    fn new(amount: Option<LimitAmount>) -> Option<V> {
        amount.map(|amount| V::new(Some(amount)))
    }
}

/// The whole milliseconds of a duration.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A duration of at least a millisecond.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = "use a duration of at least 1ms, such as 500ms or 5s";
    match humantime::parse_duration(text) {
        Ok(time) if time >= Duration::from_millis(1) => Ok(time),
        Ok(_) => Err(expected.to_owned()),
        Err(error) => Err(format!("{error}; {expected}")),
    }
}

/// A time for a game, such as `10s` or `10s+100ms`.
pub(super) fn game_time(text: &str) -> Result<GameTime, String> {
    let expected = "use a time bank of at least 1ms, such as 60s, or with an increment, such as \
                    10s+100ms";
    let ms = |text: &str| {
        let time = humantime::parse_duration(text.trim()).map_err(|_| expected.to_owned())?;
        let whole = u64::try_from(time.as_millis()).ok();
        // Less than a millisecond would be nothing.
        let whole = whole.filter(|ms| Duration::from_millis(*ms) == time);
        whole.ok_or_else(|| expected.to_owned())
    };
    let (bank, increment) = text.split_once('+').unwrap_or((text, "0s"));
    match (ms(bank)?, ms(increment)?) {
        (0, _) => Err(expected.to_owned()),
        (bank_ms, increment_ms) => Ok(GameTime { bank_ms, increment_ms }),
    }
}

/// A size in bytes of at least `least`, and of at most `most` where that is given.
pub(super) fn size(text: &str, least: u64, most: Option<u64>) -> Result<u64, String> {
    let size = ByteSize::from_str(text).ok().map(|size| size.as_u64());
    let allowed = least..=most.unwrap_or(u64::MAX);
    size.filter(|size| allowed.contains(size)).ok_or_else(|| match most {
        Some(most) => {
            format!("expected a size of {least} to {most} bytes, such as 4096 or 16KiB")
        }
        None => {
            let example = if least > 4096 { "256MiB or 1GiB" } else { "4096, 64KiB or 1GiB" };
            format!("expected a size of at least {least} bytes, such as {example}")
        }
    })
}

/// A number from `least` to `most`.
pub(super) fn count(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from {least} to {most}"))
}

/// A size in the largest unit that divides it.
pub(super) fn size_text(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = units.into_iter().find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit));
    unit.map_or_else(|| bytes.to_string(), |(unit, name)| format!("{}{name}", bytes / unit))
}

/// A value of TOML that may be written as a text or as a whole number.
pub fn text_or_number<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    struct TextOrNumberVisitor;
    impl de::Visitor<'_> for TextOrNumberVisitor {
        type Value = String;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text or a whole number")
        }
        fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
            Ok(text.to_owned())
        }
        fn visit_i64<E: de::Error>(self, number: i64) -> Result<String, E> {
            Ok(number.to_string())
        }
    }
    deserializer.deserialize_any(TextOrNumberVisitor).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_short_and_exact() {
        for (bytes, expected) in
            [(0, "0"), (1000, "1000"), (4096, "4KiB"), (3 << 19, "1536KiB"), (1 << 30, "1GiB")]
        {
            assert_eq!(size_text(bytes), expected);
        }
    }

    #[test]
    fn a_time_for_a_game_is_a_bank_and_an_increment() {
        let read = |text| game_time(text).map(|time| (time.bank_ms, time.increment_ms));
        for (text, expected) in [
            ("60s", (60_000, 0)),
            ("10s+100ms", (10_000, 100)),
            ("1m 30s + 1s", (90_000, 1000)),
            ("5s+0s", (5000, 0)),
        ] {
            assert_eq!(read(text), Ok(expected), "{text}");
            let again = game_time(text).unwrap();
            assert_eq!(game_time(&again.to_string()), Ok(again), "{text}");
        }
        for text in ["", "+", "10", "0s", "500us", "10s+", "10s+1s+1s", "-1s"] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn sizes_are_bytes_with_the_usual_units() {
        assert_eq!(size("4096", 1, None), Ok(4096));
        assert_eq!(size("64KiB", 1, Some(65_536)), Ok(65_536));
        assert_eq!(size("1 GB", 1, None), Ok(1_000_000_000));
        for text in ["", "-1", "0", "many", "1XB"] {
            assert!(size(text, 1, None).is_err(), "{text:?}");
        }
        assert!(size("65537", 1, Some(65_536)).is_err());
    }
}
