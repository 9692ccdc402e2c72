//! When a search has to stop, and how long a player may think about one move.

use std::time::{Duration, Instant};

use crate::options::{BadOption, CommandOption};

/// Says when a search has to stop.
pub trait Clock {
    /// Returns true if time is up. It is asked about every hundred microseconds.
    fn is_up(&mut self) -> bool;
}

/// Time is never up.
#[derive(Debug, Clone, Copy)]
pub struct Unlimited;

impl Clock for Unlimited {
    fn is_up(&mut self) -> bool {
        false
    }
}

/// Time is up at an instant, if there is one.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(
    /// The instant.
    pub Option<Instant>,
);

impl Clock for Deadline {
    fn is_up(&mut self) -> bool {
        self.0.is_some_and(|instant| Instant::now() >= instant)
    }
}

/// Time to think about one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// Half of the time that the request gives.
    HalfOfRequest,
    /// A tenth of the time that the request gives.
    TenthOfRequest,
    /// This time, not the request's.
    Fixed(Duration),
    /// As long as it takes.
    None,
}

impl TimeLimit {
    /// The option of an expert as lines of a help text.
    pub const HELP: &str = "
  --time DURATION  how long to think about a move, as 50ms, 1.5s or 1m; none for as long as it
                   takes (a tenth of the time that the request gives)";

    /// A clock that starts now; `time` is the time in the request, in milliseconds.
    pub fn clock(self, time: u64) -> Deadline {
        let limit = match self {
            TimeLimit::HalfOfRequest => Duration::from_millis(time / 2),
            TimeLimit::TenthOfRequest => Duration::from_millis(time / 10),
            TimeLimit::Fixed(limit) => limit,
            TimeLimit::None => return Deadline(None),
        };
        Deadline(Instant::now().checked_add(limit))
    }

    /// The value of an option that gives a time.
    pub fn given(given: CommandOption<'_>) -> Result<TimeLimit, BadOption> {
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
