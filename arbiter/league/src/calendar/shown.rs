//! Times of a calendar as people read them.

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use serde::{Serialize, Serializer};
use text::counted;

/// The name of the zone in which a day ends last of all, anywhere on Earth.
pub(super) const ANYWHERE: &str = "AoE";

/// A time of a calendar with its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The key in `league.toml`.
    pub name: &'static str,
    /// The time.
    #[serde(serialize_with = "as_text")]
    pub at: Timestamp,
}

impl Named {
    /// Returns what happens at this time, in a few words.
    pub fn label(&self) -> &'static str {
        match self.name {
            "opens" => "Submissions open",
            "deadline" => "Submission deadline",
            "freeze" => "Standings frozen",
            "unfreeze" => "Standings unfrozen",
            _ => "League ends",
        }
    }
}

fn as_text<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(at)
}

/// Returns a time in this zone, like `2026-12-20 23:59:59 Europe/Zagreb`.
pub fn shown_in(zone: &TimeZone, at: Timestamp) -> String {
    let local = at.to_zoned_datetime(zone.clone());
    format!("{} {}", local.strftime("%Y-%m-%d %H:%M:%S"), name(zone))
}

/// Returns the name of a zone.
pub(super) fn name(zone: &TimeZone) -> &str {
    // The only one that is not in the database.
    zone.iana_name().unwrap_or(ANYWHERE)
}

/// Returns an offset as TOML has it, like `+01:00`.
pub(super) fn offset(offset: Offset) -> String {
    let seconds = offset.seconds();
    let (sign, minutes) = (if seconds < 0 { '-' } else { '+' }, seconds.abs() / 60);
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Returns the time between two times in words with one or two units, like `in 2 days 3 h` or `4 min ago`.
///
/// ```
/// use league::calendar::in_words;
///
/// let (now, then) = ("2026-12-18T20:00:00Z".parse()?, "2026-12-20T23:00:00Z".parse()?);
/// assert_eq!(in_words(now, then), "in 2 days 3 h");
/// assert_eq!(in_words(then, now), "2 days 3 h ago");
/// # Ok::<(), jiff::Error>(())
/// ```
pub fn in_words(now: Timestamp, then: Timestamp) -> String {
    let seconds = then.as_second() - now.as_second();
    let length = length(seconds.unsigned_abs());
    match seconds {
        0 => "now".to_owned(),
        1.. => format!("in {length}"),
        _ => format!("{length} ago"),
    }
}

/// Returns a number of seconds in words with one or two units, like `1 h 5 min`.
pub fn length(seconds: u64) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    let two = |first: String, second: u64, unit: &str| match second {
        0 => first,
        _ => format!("{first} {second} {unit}"),
    };
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => two(format!("{minutes} min"), seconds % 60, "s"),
        (0, _, _) => two(format!("{hours} h"), minutes % 60, "min"),
        _ => two(counted(days, "day", "days"), hours % 24, "h"),
    }
}
