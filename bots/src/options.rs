//! The options of a player, as the words of a command line give them.

use std::fmt::Display;
use std::str::FromStr;
use std::time::{Duration, Instant};

use search::alpha_beta::Deadline;

/// An option with its value, as in `--depth 3` or `--depth=3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandOption<'a> {
    /// The option, with its dashes.
    pub name: &'a str,
    /// Its value, empty where the words end before it.
    pub value: &'a str,
    /// The word that the option stands in.
    word: &'a str,
}

/// The options that these words give, in their order.
pub fn options_in(words: &[String]) -> impl Iterator<Item = CommandOption<'_>> {
    let mut words = words.iter().map(String::as_str);
    std::iter::from_fn(move || {
        let word = words.next()?;
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, value),
            None => (word, words.next().unwrap_or_default()),
        };
        Some(CommandOption { name, value, word })
    })
}

impl CommandOption<'_> {
    pub fn number<N>(self, most: N) -> Result<N, BadOption>
    where
        N: FromStr + PartialOrd + From<u8> + Display,
    {
        self.at_least_one().ok_or_else(|| self.wrong(&format!("a number from 1 to {most}")))
    }

    /// Reads a number, or `None` for `none`.
    pub fn number_or_none<N>(self, most: N) -> Result<Option<N>, BadOption>
    where
        N: FromStr + PartialOrd + From<u8> + Display,
    {
        if self.value == "none" {
            return Ok(None);
        }
        let number = self.at_least_one().map(Some);
        number.ok_or_else(|| self.wrong(&format!("a number from 1 to {most} or none")))
    }

    fn at_least_one<N: FromStr + PartialOrd + From<u8>>(self) -> Option<N> {
        self.value.parse().ok().filter(|number| *number >= N::from(1))
    }

    pub fn wrong(self, expected: &str) -> BadOption {
        let CommandOption { name, value, .. } = self;
        let value = value.escape_debug();
        BadOption::Wrong(format!("expected {expected} after `{name}`, found `{value}`"))
    }

    pub fn unknown(self) -> BadOption {
        BadOption::Unknown(self.word.escape_debug().to_string())
    }
}

/// Reads the words of a command line for a player that takes no options.
pub fn no_options(words: &[String]) -> Result<(), BadOption> {
    options_in(words).next().map_or(Ok(()), |first| Err(first.unknown()))
}

/// There is no such player, or an option is not as it must be; the text says what was expected, in
/// one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadOption {
    /// The player has no such option: the word that it stands in.
    #[error("unknown argument `{0}`")]
    Unknown(String),
    /// The program has it, but not for this game.
    #[error("`{0}` is an option for other games only")]
    Elsewhere(String),
    /// Anything else, as it is said.
    #[error("{0}")]
    Wrong(String),
}

/// Limits of looking ahead: depth and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchSettings {
    /// Depth of looking ahead, at least 1; each player says what it counts.
    pub depth: u32,
    /// Time to think about one move.
    pub time: TimeLimit,
}

impl SearchSettings {
    /// The options as lines of a help text, without `--depth`, which each player explains.
    pub const HELP: &str = "
  --time DURATION  thinking time per move, such as 50ms or 1.5s; `none` for no limit
                   [default: half of the time in the request]
  --threads 1      number of threads; must be 1";

    /// This depth, in half of the time that a request gives.
    pub const fn of_depth(depth: u32) -> SearchSettings {
        SearchSettings { depth, time: TimeLimit::HalfOfRequest }
    }

    /// Reads the words of a command line, with these settings where nothing else is said.
    pub fn read(self, words: &[String]) -> Result<SearchSettings, BadOption> {
        options_in(words).try_fold(self, SearchSettings::with)
    }

    /// These settings with one option as it is given.
    pub fn with(self, given: CommandOption<'_>) -> Result<SearchSettings, BadOption> {
        match given.name {
            "--depth" => Ok(SearchSettings { depth: given.number(u32::MAX)?, ..self }),
            "--time" => Ok(SearchSettings { time: TimeLimit::from_option(given)?, ..self }),
            "--threads" if given.value == "1" => Ok(self),
            "--threads" => Err(given.wrong("1, the only number of threads,")),
            _ => Err(given.unknown()),
        }
    }
}

/// Time to think about one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// Half of the time that the request gives.
    HalfOfRequest,
    /// This time, not the request's.
    Fixed(Duration),
    /// As long as it takes.
    None,
}

impl TimeLimit {
    /// The option as lines of a help text.
    pub const HELP: &str = "
  --time DURATION  thinking time per move, such as 50ms or 1.5s; `none` for no limit
                   [default: half of the time in the request]";

    /// A clock that starts now; `time` is the time in the request, in milliseconds.
    pub fn clock(self, time: u64) -> Deadline {
        let limit = match self {
            TimeLimit::HalfOfRequest => Duration::from_millis(time / 2),
            TimeLimit::Fixed(limit) => limit,
            TimeLimit::None => return Deadline(None),
        };
        Deadline(Instant::now().checked_add(limit))
    }

    /// The value of an option that gives a time.
    pub fn from_option(given: CommandOption<'_>) -> Result<TimeLimit, BadOption> {
        let time = TimeLimit::read(given.value);
        time.ok_or_else(|| given.wrong("a time as 50ms, 1.5s, 1m or none"))
    }

    /// Reads `none`, `50ms`, `1s`, `1.5s`, `2m`, `2min`.
    pub fn read(text: &str) -> Option<TimeLimit> {
        if text == "none" {
            return Some(TimeLimit::None);
        }
        let split = |(unit, seconds)| text.strip_suffix(unit).map(|number| (number, seconds));
        let (number, seconds) = UNITS.into_iter().find_map(split)?;
        // Only plain decimals: the standard library reads `inf` and `1e3` as well.
        let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number: f64 = number.parse().ok().filter(|_| is_plain)?;
        Duration::try_from_secs_f64(number * seconds).ok().map(TimeLimit::Fixed)
    }
}

/// The units of time in seconds, each before those that it ends with.
const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("min", 60.0), ("m", 60.0)];

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: SearchSettings = SearchSettings::of_depth(3);

    fn read(text: &str) -> Result<SearchSettings, String> {
        let words: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
        USUAL.read(&words).map_err(|bad| bad.to_string())
    }

    #[test]
    fn options_are_read() {
        assert_eq!(read(""), Ok(USUAL));
        let fixed = |millis| TimeLimit::Fixed(Duration::from_millis(millis));
        for (text, time) in [
            ("50ms", fixed(50)),
            ("1s", fixed(1000)),
            ("1.5s", fixed(1500)),
            ("0s", fixed(0)),
            ("1m", fixed(60_000)),
            ("1.5min", fixed(90_000)),
            ("none", TimeLimit::None),
        ] {
            let settings = read(&format!("--time {text} --threads 1 --depth 6"));
            assert_eq!(settings, Ok(SearchSettings { depth: 6, time }));
            let settings = read(&format!("--time={text} --threads=1 --depth=6"));
            assert_eq!(settings, Ok(SearchSettings { depth: 6, time }));
        }
    }

    #[test]
    fn bad_options_are_named() {
        let depth = "expected a number from 1 to 4294967295 after `--depth`, found ";
        let time = "expected a time as 50ms, 1.5s, 1m or none after `--time`, found ";
        for (text, problem) in [
            ("--deep 3", "unknown argument `--deep`".to_owned()),
            ("--deep=3", "unknown argument `--deep=3`".to_owned()),
            ("--depth", format!("{depth}``")),
            ("--depth=", format!("{depth}``")),
            ("--depth 0", format!("{depth}`0`")),
            ("--depth=-1", format!("{depth}`-1`")),
            ("--depth 4294967296", format!("{depth}`4294967296`")),
            ("--time 5", format!("{time}`5`")),
            ("--time ms", format!("{time}`ms`")),
            ("--time -1s", format!("{time}`-1s`")),
            ("--time infs", format!("{time}`infs`")),
            ("--time 1e3s", format!("{time}`1e3s`")),
            ("--time .s", format!("{time}`.s`")),
            (
                "--threads 2",
                "expected 1, the only number of threads, after `--threads`, found `2`".to_owned(),
            ),
        ] {
            assert_eq!(read(text), Err(problem));
        }
    }
}
