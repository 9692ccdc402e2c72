//! The options of the player.

use std::time::{Duration, Instant};

use crate::player::BadOption;

/// The options of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How many of its own moves it looks ahead, at least 1; in the last deal always all.
    pub depth: u32,
    /// How long it may think about one move.
    pub time: TimeLimit,
}

/// How long to think about one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// Half of the time that the request gives.
    HalfOfRequest,
    /// So long, whatever the request says.
    Fixed(Duration),
    /// As long as it takes.
    None,
}

impl TimeLimit {
    /// When it is up, from now on; `time` is that of the request, in milliseconds.
    pub fn deadline(self, time: u64) -> Option<Instant> {
        let limit = match self {
            TimeLimit::HalfOfRequest => Duration::from_millis(time / 2),
            TimeLimit::Fixed(limit) => limit,
            TimeLimit::None => return None,
        };
        Instant::now().checked_add(limit)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings { depth: 3, time: TimeLimit::HalfOfRequest }
    }
}

impl Settings {
    /// The options as lines of a help text.
    pub const HELP: &str = "
  --depth N        how many of its own moves to look ahead (3); after the last deal all, which
                   with four seats or more takes for ever unless there is a time limit
  --time DURATION  how long to think about a move, as 50ms, 1.5s or 1m; none for as long as it
                   takes (half of the time that the request gives)
  --threads 1      how many threads to use; there is one";

    /// Reads the words of a command line: `--depth 3` or `--depth=3`.
    ///
    /// # Errors
    ///
    /// [`BadOption`] for a word that is no option, and for a value that is not as it must be.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        Settings::default().read_over(words)
    }

    /// Reads the words of a command line, with these settings where nothing else is said.
    ///
    /// # Errors
    ///
    /// As [`read`](Settings::read).
    pub fn read_over(self, words: &[String]) -> Result<Settings, BadOption> {
        let mut settings = self;
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let (option, value) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (word, None),
            };
            if !["--depth", "--time", "--threads"].contains(&option) {
                return Err(BadOption::unknown(word));
            }
            let value = value.or_else(|| words.next()).unwrap_or_default();
            let wrong = |expected: &str| {
                let value = value.escape_debug();
                BadOption(format!("expected {expected} after `{option}`, found `{value}`"))
            };
            match option {
                "--depth" => {
                    let depth = value.parse().ok().filter(|depth| *depth >= 1);
                    let expected = || wrong(&format!("a number from 1 to {}", u32::MAX));
                    settings.depth = depth.ok_or_else(expected)?;
                }
                "--time" => {
                    let time = time(value);
                    settings.time =
                        time.ok_or_else(|| wrong("a time as 50ms, 1.5s, 1m or none"))?;
                }
                _ if value == "1" => {}
                _ => return Err(wrong("1, the only number of threads,")),
            }
        }
        Ok(settings)
    }
}

/// The units of time in seconds, each before those that it ends with.
const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("min", 60.0), ("m", 60.0)];

/// Reads `none`, `50ms`, `1s`, `1.5s`, `2m`, `2min`.
fn time(text: &str) -> Option<TimeLimit> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, String> {
        let words: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
        Settings::read(&words).map_err(|bad| bad.0)
    }

    #[test]
    fn options_are_read() {
        assert_eq!(read(""), Ok(Settings::default()));
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
            assert_eq!(settings, Ok(Settings { depth: 6, time }));
            let settings = read(&format!("--time={text} --threads=1 --depth=6"));
            assert_eq!(settings, Ok(Settings { depth: 6, time }));
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
