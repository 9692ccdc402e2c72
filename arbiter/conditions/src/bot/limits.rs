//! Limits as they are asked for: for every bot, or for the one with a name.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use text::shell;

use crate::bot::spelt_as_names;
use crate::failure::Failure;
use sandbox::{Amount, GameTime, LimitKind, Limits, Unit};

/// The name of the limit on each answer.
const TIME: &str = "time-limit";

/// One limit that differs from its default.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    kind: &'static LimitKind,
    amount: Amount,
}

impl Limit {
    /// Reads the value of a limit, as on the command line and in a plan.
    pub fn read(kind: &'static LimitKind, text: &str) -> Result<Limit, String> {
        let amount = match kind.unit {
            Unit::Duration => Amount::Duration(duration(text)?),
            Unit::GameTime => Amount::Game(game_time(text)?),
            Unit::Size { least, most } => Amount::Number(size(text, least, most)?),
            Unit::Count { least, most } => Amount::Number(count(text, least, most)?),
        };
        Ok(Limit { kind, amount })
    }

    /// These limits, changed by those that are given, of which the last one of a kind counts.
    ///
    /// A time for a game without a limit on each answer leaves as much to each as the game has at its start.
    pub fn all_over(limits: Limits, given: impl Iterator<Item = Limit>) -> Limits {
        let mut has_own_time = false;
        let mut game_time = None;
        let changed = given.fold(limits, |limits, Limit { kind, amount }| {
            has_own_time |= kind.name == TIME;
            if let Amount::Game(time) = amount {
                game_time = Some(time);
            }
            kind.changed(limits, amount)
        });
        match game_time {
            Some(time) if !has_own_time => Limits { time: time.bank(), ..changed },
            Some(_) | None => changed,
        }
    }
}

/// A limit for every bot, or for the one with a name: `[NAME=]VALUE`.
#[derive(Debug, Clone)]
pub struct AskedLimit {
    bot: Option<String>,
    limit: Limit,
}

impl AskedLimit {
    /// This limit, for every bot.
    pub fn for_all(limit: Limit) -> AskedLimit {
        AskedLimit { bot: None, limit }
    }
}

/// All limits that were asked for.
#[derive(Debug, Clone, Default)]
pub struct AskedLimits(Vec<AskedLimit>);

impl AskedLimits {
    /// The limits of the bot with this name: what was asked for it, or else for all, or else the
    /// defaults. Of two of a kind the later one counts.
    pub fn for_bot(&self, name: &str) -> Limits {
        self.over(Limits::DEFAULT, name)
    }

    /// Replaces the defaults by these limits.
    pub fn over(&self, limits: Limits, name: &str) -> Limits {
        let for_all = self.0.iter().filter(|asked| asked.bot.is_none());
        let for_it = self.0.iter().filter(|asked| asked.bot.as_deref() == Some(name));
        Limit::all_over(limits, for_all.chain(for_it).map(|asked| asked.limit))
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The options that ask for them, each as words for a shell.
    pub fn options(&self) -> Vec<String> {
        let option = |AskedLimit { bot, limit: Limit { kind, amount } }: &AskedLimit| {
            let bot = bot.as_ref().map(|bot| format!("{bot}=")).unwrap_or_default();
            format!("--{} {}", kind.name, shell::word(Path::new(&format!("{bot}{amount}"))))
        };
        self.0.iter().map(option).collect()
    }

    /// Checks that every bot that is named is there.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`], which names the first that is not.
    pub fn check_names(&self, names: &[String]) -> Result<(), Failure> {
        let mut asked = self.0.iter().filter_map(|asked| asked.bot.as_ref());
        match asked.find(|name| !names.contains(name)) {
            None => Ok(()),
            Some(name) => Err(Failure::Usage(format!(
                "a limit is for `{name}`, expected one of the bots: {}",
                names.join(", ")
            ))),
        }
    }
}

impl FromIterator<AskedLimit> for AskedLimits {
    fn from_iter<I: IntoIterator<Item = AskedLimit>>(asked: I) -> Self {
        AskedLimits(asked.into_iter().collect())
    }
}

/// Reads `[NAME=]VALUE`.
pub fn asked(kind: &'static LimitKind, text: &str) -> Result<AskedLimit, String> {
    let (bot, value) = match text.split_once('=') {
        Some(("", _)) => return Err("expected the name of a bot before `=`".to_owned()),
        Some((bot, value)) => (Some(spelt_as_names(bot)), value),
        None => (None, text),
    };
    Ok(AskedLimit { bot, limit: Limit::read(kind, value)? })
}

/// A duration of at least a millisecond.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = "expected a duration of at least 1ms, such as 500ms or 5s";
    match humantime::parse_duration(text) {
        Ok(time) if time >= Duration::from_millis(1) => Ok(time),
        Ok(_) => Err(expected.to_owned()),
        Err(error) => Err(format!("{error}; {expected}")),
    }
}

/// A time for a game, such as `10s` or `10s+100ms`.
fn game_time(text: &str) -> Result<GameTime, String> {
    let expected = "expected a time for a game of at least 1ms, such as 60s, or with the time that each \
                    move adds, such as 10s+100ms";
    let ms = |text: &str| {
        let time = humantime::parse_duration(text.trim()).map_err(|_| expected.to_owned())?;
        u64::try_from(time.as_millis()).map_err(|_| expected.to_owned())
    };
    let (bank, increment) = text.split_once('+').unwrap_or((text, "0s"));
    match (ms(bank)?, ms(increment)?) {
        (0, _) => Err(expected.to_owned()),
        (bank_ms, increment_ms) => Ok(GameTime { bank_ms, increment_ms }),
    }
}

/// A size in bytes of at least `least`, and of at most `most` where that is given.
fn size(text: &str, least: u64, most: Option<u64>) -> Result<u64, String> {
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
fn count(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sandbox::LIMITS;

    fn limits(texts: &[&str]) -> AskedLimits {
        let time = LIMITS.iter().find(|kind| kind.name == "time-limit").unwrap();
        texts.iter().map(|text| asked(time, text).unwrap()).collect()
    }

    #[test]
    fn what_is_asked_for_one_goes_before_what_is_asked_for_all() {
        let asked = limits(&["slow=9s", "2s", "3s"]);
        assert_eq!(asked.for_bot("slow").time, Duration::from_secs(9));
        assert_eq!(asked.for_bot("other").time, Duration::from_secs(3));
        assert_eq!(limits(&[]).for_bot("other"), Limits::DEFAULT);
    }

    #[test]
    fn the_options_that_ask_for_limits_are_read_as_the_same_limits() {
        for texts in [&["slow=90s", "2s", "slow=1500ms"][..], &[]] {
            let words = limits(texts).options().join(" ");
            let words = shlex::split(&words).expect("words of a shell");
            assert!(words.iter().step_by(2).all(|word| word == "--time-limit"), "{words:?}");
            let values: Vec<&str> = words.iter().skip(1).step_by(2).map(String::as_str).collect();
            for bot in ["slow", "other"] {
                assert_eq!(limits(&values).for_bot(bot), limits(texts).for_bot(bot));
            }
        }
    }

    #[test]
    fn a_limit_for_nobody_is_refused() {
        let names = ["a".to_owned(), "b".to_owned()];
        assert!(limits(&["a=1s", "1s"]).check_names(&names).is_ok());
        let refused = limits(&["c=1s"]).check_names(&names).unwrap_err().to_string();
        assert_eq!(refused, "a limit is for `c`, expected one of the bots: a, b");
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
