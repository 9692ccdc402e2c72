//! The calendar of a league: when it takes bots, when its pages stand still, when it plays.
//!
//! It is the table `calendar` of `league.toml`. It depends on the time of day, so nothing of it is a rule of the game:
//! verification does not read it. Each use asks for the present time once ([`now`]) and passes it on.

pub mod change;
mod quiet;

use std::fmt;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, offset};
use serde::{Deserialize, Serialize, Serializer};
use text::{counted, printable};
use toml::value::Datetime;

use quiet::QuietHours;

/// When a league takes bots, freezes its pages, and plays.
///
/// ```
/// use league::calendar::{Calendar, SubmissionWindow};
///
/// let calendar = Calendar::read("time-zone = 'Europe/Zagreb'\ndeadline = 2026-12-20T23:59:59")?;
/// assert_eq!(calendar.doors("2026-12-20T22:59:59.9Z".parse()?), SubmissionWindow::Open);
/// assert!(matches!(calendar.doors("2026-12-20T23:00:00Z".parse()?), SubmissionWindow::Closed(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calendar {
    zone: Zone,
    opens: Option<Timestamp>,
    deadline: Option<Timestamp>,
    freeze: Option<Freeze>,
    ends: Option<Timestamp>,
    quiet: Vec<QuietHours>,
}

/// The stretch for which public pages stand still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Freeze {
    from: Timestamp,
    to: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Zone(TimeZone);

impl Default for Zone {
    fn default() -> Zone {
        Zone(TimeZone::UTC)
    }
}

/// Tells whether a league takes bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmissionWindow {
    /// Not before this time.
    NotOpen(Timestamp),
    Open,
    /// Not since the end of this second.
    Closed(Timestamp),
}

/// The table `calendar` of `league.toml`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct CalendarSection {
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opens: Option<Datetime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline: Option<Datetime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    freeze: Option<Datetime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unfreeze: Option<Datetime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<Datetime>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quiet: Vec<String>,
}

fn bad_time(key: &str, found: &str) -> String {
    format!(
        "calendar.{key}: invalid time `{found}`: use a date and time, such as 2026-12-20T23:59:59"
    )
}

/// Returns the present time. Nothing in a log of games depends on it.
pub fn now() -> Timestamp {
    Timestamp::now()
}

impl Calendar {
    /// Reads a calendar from the keys of its table.
    ///
    /// # Errors
    ///
    /// Names the wrong key.
    pub fn read(table: &str) -> Result<Calendar, String> {
        let file: CalendarSection = toml::from_str(table)
            .map_err(|error| format!("calendar: {}", printable(error.message())))?;
        file.calendar()
    }

    /// Tells whether the league takes bots at this time. The second of the deadline is in time.
    pub fn doors(&self, at: Timestamp) -> SubmissionWindow {
        match (self.opens, self.deadline) {
            (Some(opens), _) if at < opens => SubmissionWindow::NotOpen(opens),
            (_, Some(deadline)) if at.as_second() > deadline.as_second() => {
                SubmissionWindow::Closed(deadline)
            }
            _ => SubmissionWindow::Open,
        }
    }

    /// Tells whether the league takes bots at this time of a participant with this own deadline, if there is one.
    pub fn doors_with(&self, own: Option<Timestamp>, at: Timestamp) -> SubmissionWindow {
        match (self.doors(at), own) {
            (SubmissionWindow::Closed(deadline), Some(own)) if own > deadline => {
                match at.as_second() > own.as_second() {
                    true => SubmissionWindow::Closed(own),
                    false => SubmissionWindow::Open,
                }
            }
            (doors, _) => doors,
        }
    }

    /// Reads a time as the table has it, in the zone of the calendar unless it has an offset.
    ///
    /// # Errors
    ///
    /// Names this key.
    pub fn time(&self, key: &'static str, text: &str) -> Result<Timestamp, String> {
        let given = text.trim().parse::<Datetime>();
        let given = given.map_err(|_| bad_time(key, &printable(text)))?;
        timestamp(key, &given, &self.zone.0)
    }

    /// Returns the time at which public pages stand still now, if they do.
    pub fn frozen(&self, now: Timestamp) -> Option<Timestamp> {
        let Freeze { from, to } = self.freeze?;
        (now >= from && to.is_none_or(|to| now < to)).then_some(from)
    }

    /// Returns true if public pages stand still at some time, so that lines of the log need times.
    pub fn has_freeze(&self) -> bool {
        self.freeze.is_some()
    }

    /// Returns the end of the league, if it is over. Stages may still be played.
    pub fn ended(&self, now: Timestamp) -> Option<Timestamp> {
        self.ends.filter(|ends| now >= *ends)
    }

    /// Returns the end of the quiet hours, if no games are to be played now.
    pub fn quiet_until(&self, now: Timestamp) -> Option<Timestamp> {
        quiet::until(&self.quiet, &self.zone.0, now)
    }

    /// Returns all times with their names, the earliest first.
    pub fn times(&self) -> Vec<CalendarTime> {
        let mut times = vec![
            ("opens", self.opens),
            ("deadline", self.deadline),
            ("freeze", self.freeze.map(|it| it.from)),
            ("unfreeze", self.freeze.and_then(|it| it.to)),
            ("ends", self.ends),
        ];
        times.sort_by_key(|(_, at)| *at);
        times.into_iter().filter_map(|(name, at)| Some(CalendarTime { name, at: at? })).collect()
    }

    /// Returns a time in the zone of the calendar, like `2026-12-20 23:59:59 Europe/Zagreb`.
    pub fn time_text(&self, at: Timestamp) -> String {
        shown_in(&self.zone.0, at)
    }

    /// Returns the quiet hours as they are written in the settings.
    pub fn quiet(&self) -> impl Iterator<Item = String> {
        self.quiet.iter().map(ToString::to_string)
    }
}

impl CalendarSection {
    /// Checks its times.
    ///
    /// # Errors
    ///
    /// Names the wrong key.
    pub fn calendar(&self) -> Result<Calendar, String> {
        let zone = match &self.time_zone {
            None => TimeZone::UTC,
            Some(name) if name.eq_ignore_ascii_case(ANYWHERE) => TimeZone::fixed(offset(-12)),
            Some(name) => TimeZone::get(name).map_err(|_| {
                let name = printable(name);
                format!(
                    "calendar.time-zone: unknown zone `{name}`: use a name such as Europe/Zagreb, UTC \
                     or AoE"
                )
            })?,
        };
        let time = |key, given: &Option<Datetime>| -> Result<Option<Timestamp>, String> {
            let Some(given) = given else { return Ok(None) };
            timestamp(key, given, &zone).map(Some)
        };
        let opens = time("opens", &self.opens)?;
        let deadline = time("deadline", &self.deadline)?;
        let freeze = time("freeze", &self.freeze)?;
        let unfreeze = time("unfreeze", &self.unfreeze)?;
        let ends = time("ends", &self.ends)?;
        let freeze = freeze_in_order([opens, deadline, freeze, unfreeze, ends])?;
        let quiet = self.quiet.iter().map(|text| {
            text.parse().map_err(|()| {
                let text = printable(text);
                format!(
                    "calendar.quiet: invalid hours `{text}`: use a range such as \"22:00-06:00\" or \
                     \"Mon-Fri 08:00-18:00\""
                )
            })
        });
        let quiet: Vec<QuietHours> = quiet.collect::<Result<_, _>>()?;
        if quiet::is_always(&quiet) {
            return Err(
                "calendar.quiet: quiet hours cover the whole week, so no game could be played"
                    .to_owned(),
            );
        }
        Ok(Calendar { zone: Zone(zone), opens, deadline, freeze, ends, quiet })
    }
}

/// Checks that the opening, the deadline, the freeze, its end, and the end of the league are in order, and returns the
/// freeze.
fn freeze_in_order(
    [opens, deadline, freeze, unfreeze, ends]: [Option<Timestamp>; 5],
) -> Result<Option<Freeze>, String> {
    let orders = [
        (("opens", opens), ("deadline", deadline)),
        (("freeze", freeze), ("unfreeze", unfreeze)),
        (("opens", opens), ("ends", ends)),
    ];
    for ((earlier, from), (later, to)) in orders {
        if from.zip(to).is_some_and(|(from, to)| from >= to) {
            return Err(format!("calendar.{later} must be after calendar.{earlier}"));
        }
    }
    match (freeze, unfreeze) {
        (None, Some(_)) => Err("calendar.unfreeze needs calendar.freeze".to_owned()),
        (from, to) => Ok(from.map(|from| Freeze { from, to })),
    }
}

/// Returns the time that a date and a time of day stand for, in this zone unless an offset is given.
fn timestamp(key: &'static str, given: &Datetime, zone: &TimeZone) -> Result<Timestamp, String> {
    let found = given.to_string();
    let bad = || bad_time(key, &found);
    if given.date.is_none() || given.time.is_none() {
        return Err(bad());
    }
    if given.offset.is_some() {
        return found.parse().map_err(|_| bad());
    }
    let local: DateTime = found.parse().map_err(|_| bad())?;
    let at = zone.to_ambiguous_timestamp(local);
    let (local, zone) = (found.clone(), name(zone).to_owned());
    match at.offset() {
        AmbiguousOffset::Unambiguous { .. } => at.unambiguous().map_err(|_| bad()),
        AmbiguousOffset::Gap { .. } => Err(format!(
            "calendar.{key}: {local} does not exist in {zone}, where clocks go forward then: use \
             a time before or after"
        )),
        AmbiguousOffset::Fold { before, after } => {
            let with = |offset: Offset| format!("{local}{}", offset_text(offset));
            let (first, second) = (with(before), with(after));
            Err(format!(
                "calendar.{key}: {local} exists twice in {zone}, where clocks go back then: \
                 write {first} or {second}"
            ))
        }
    }
}

impl fmt::Display for SubmissionWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SubmissionWindow::NotOpen(_) => "not open yet",
            SubmissionWindow::Open => "open",
            SubmissionWindow::Closed(_) => "closed",
        })
    }
}

/// The name of the zone in which a day ends last of all, anywhere on Earth.
const ANYWHERE: &str = "AoE";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CalendarTime {
    /// The key in `league.toml`.
    pub name: &'static str,
    #[serde(serialize_with = "as_text")]
    pub at: Timestamp,
}

impl CalendarTime {
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

fn name(zone: &TimeZone) -> &str {
    // The only one that is not in the database.
    zone.iana_name().unwrap_or(ANYWHERE)
}

/// Returns an offset as TOML has it, like `+01:00`.
fn offset_text(offset: Offset) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    fn problem(table: &str) -> String {
        Calendar::read(table).expect_err("it is wrong")
    }

    #[test]
    fn an_own_deadline_is_later_and_never_earlier() {
        let calendar = Calendar::read("deadline = 2026-12-20T12:00:00Z").expect("a calendar");
        for (own, time, expected) in [
            (None, "2026-12-20T12:00:01Z", "closed"),
            (Some("2026-12-21T12:00:00Z"), "2026-12-20T12:00:01Z", "open"),
            (Some("2026-12-21T12:00:00Z"), "2026-12-21T12:00:00.9Z", "open"),
            (Some("2026-12-21T12:00:00Z"), "2026-12-21T12:00:01Z", "closed"),
            (Some("2026-12-19T12:00:00Z"), "2026-12-20T11:00:00Z", "open"),
        ] {
            let doors = calendar.doors_with(own.map(at), at(time));
            assert_eq!(doors.to_string(), expected, "{own:?} {time}");
        }
        let zoned = Calendar::read("time-zone = 'Europe/Zagreb'").expect("a calendar");
        for (text, expected) in [
            ("2026-12-21T12:00:00", Some("2026-12-21T11:00:00Z")),
            ("2026-12-21 12:00:00Z", Some("2026-12-21T12:00:00Z")),
            ("2026-12-21", None),
            ("soon", None),
        ] {
            assert_eq!(zoned.time("until", text).ok(), expected.map(at), "{text}");
        }
    }

    #[test]
    fn the_deadline_holds_to_the_second() {
        let calendar = Calendar::read(
            "time-zone = 'America/New_York'\nopens = 2026-12-01T08:00:00\ndeadline = 2026-12-20T23:59:59",
        )
        .expect("a calendar");
        let opens = at("2026-12-01T13:00:00Z");
        assert_eq!(
            calendar.doors(at("2026-12-01T12:59:59.999Z")),
            SubmissionWindow::NotOpen(opens)
        );
        assert_eq!(calendar.doors(opens), SubmissionWindow::Open);
        assert_eq!(calendar.doors(at("2026-12-21T04:59:59.999Z")), SubmissionWindow::Open);
        let deadline = at("2026-12-21T04:59:59Z");
        assert_eq!(calendar.doors(at("2026-12-21T05:00:00Z")), SubmissionWindow::Closed(deadline));
        assert_eq!(calendar.time_text(deadline), "2026-12-20 23:59:59 America/New_York");
    }

    #[test]
    fn an_offset_goes_before_the_zone() {
        let calendar =
            Calendar::read("time-zone = 'Asia/Tokyo'\ndeadline = 2026-12-20T12:00:00+01:00");
        let calendar = calendar.expect("a calendar");
        assert_eq!(calendar.times()[0].at, at("2026-12-20T11:00:00Z"));
    }

    #[test]
    fn a_time_that_is_not_there_or_is_there_twice() {
        // Clocks go forward or back: the zone, the first of these minutes, and the first minute after them.
        let table = [
            ("Europe/Zagreb", "2026-03-29T02:00:00", "2026-03-29T03:00:00", None),
            (
                "Europe/Zagreb",
                "2026-10-25T02:00:00",
                "2026-10-25T03:00:00",
                Some(["+02:00", "+01:00"]),
            ),
            ("America/New_York", "2026-03-08T02:00:00", "2026-03-08T03:00:00", None),
            (
                "America/New_York",
                "2026-11-01T01:00:00",
                "2026-11-01T02:00:00",
                Some(["-04:00", "-05:00"]),
            ),
            // By half an hour.
            ("Australia/Lord_Howe", "2026-10-04T02:00:00", "2026-10-04T02:30:00", None),
            (
                "Australia/Lord_Howe",
                "2026-04-05T01:30:00",
                "2026-04-05T02:00:00",
                Some(["+11:00", "+10:30"]),
            ),
            // A whole day.
            ("Pacific/Apia", "2011-12-30T00:00:00", "2011-12-31T00:00:00", None),
        ];
        let second = jiff::SignedDuration::from_secs(1);
        for (zone, from, until, offsets) in table {
            let read = |key: &str, local: &str| {
                Calendar::read(&format!("time-zone = '{zone}'\n{key} = {local}"))
            };
            let [first, after]: [DateTime; 2] = [from, until].map(|it| it.parse().expect("a time"));
            for whole in [(first - second).to_string(), until.to_owned()] {
                assert!(read("freeze", &whole).is_ok(), "{zone} {whole}");
            }
            for key in ["opens", "deadline", "freeze", "ends"] {
                for local in [from.to_owned(), (after - second).to_string()] {
                    let told = read(key, &local).expect_err("no such time").to_string();
                    let expected = match offsets {
                        None => format!(
                            "calendar.{key}: {local} does not exist in {zone}, where clocks go forward then: use a \
                             time before or after"
                        ),
                        Some([first, second]) => format!(
                            "calendar.{key}: {local} exists twice in {zone}, where clocks go back then: write \
                             {local}{first} or {local}{second}"
                        ),
                    };
                    assert_eq!(told, expected);
                    for offset in offsets.into_iter().flatten() {
                        assert!(read(key, &format!("{local}{offset}")).is_ok(), "{local}{offset}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_day_ends_last_anywhere_on_earth() {
        for name in ["AoE", "aoe"] {
            let table = format!("time-zone = '{name}'\ndeadline = 2026-12-20T23:59:59");
            let calendar = Calendar::read(&table).expect("a calendar");
            let deadline = at("2026-12-21T11:59:59Z");
            assert_eq!(calendar.times()[0].at, deadline);
            assert_eq!(calendar.time_text(deadline), "2026-12-20 23:59:59 AoE");
        }
        let quiet = Calendar::read("time-zone = 'AoE'\nquiet = ['22:00-06:00']");
        let until = quiet.expect("a calendar").quiet_until(at("2026-12-21T11:00:00Z"));
        assert_eq!(until, Some(at("2026-12-21T18:00:00Z")));
    }

    #[test]
    fn pages_stand_still_from_the_freeze_until_its_end() {
        let calendar =
            Calendar::read("freeze = 2026-12-19T12:00:00Z\nunfreeze = 2026-12-21T12:00:00Z")
                .expect("a calendar");
        let from = at("2026-12-19T12:00:00Z");
        assert_eq!(calendar.frozen(at("2026-12-19T11:59:59Z")), None);
        assert_eq!(calendar.frozen(from), Some(from));
        assert_eq!(calendar.frozen(at("2026-12-21T11:59:59Z")), Some(from));
        assert_eq!(calendar.frozen(at("2026-12-21T12:00:00Z")), None);
    }

    #[test]
    fn a_wrong_key_is_named() {
        let wrong = [
            ("dedline = 2026-12-20T12:00:00", "calendar: unknown field `dedline`"),
            ("time-zone = 'Europe/Agram'", "calendar.time-zone: unknown zone `Europe/Agram`"),
            ("time-zone = 'AoE '", "calendar.time-zone: unknown zone `AoE `"),
            ("deadline = 2026-12-20", "calendar.deadline: invalid time `2026-12-20`"),
            ("ends = 23:59:59", "calendar.ends: invalid time `23:59:59`"),
            ("unfreeze = 2026-12-20T12:00:00", "calendar.unfreeze needs calendar.freeze"),
            (
                "opens = 2026-12-20T12:00:00\ndeadline = 2026-12-20T12:00:00",
                "calendar.deadline must be after calendar.opens",
            ),
            ("quiet = ['8-18']", "calendar.quiet: invalid hours `8-18`"),
            (
                "quiet = ['00:00-12:00', '12:00-00:00']",
                "calendar.quiet: quiet hours cover the whole week",
            ),
        ];
        for (table, expected) in wrong {
            let told = problem(table);
            assert!(told.starts_with(expected), "{table}: {told}");
        }
    }
}
