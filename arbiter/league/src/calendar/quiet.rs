//! Quiet hours: stretches of the week in which no games are played.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{DateTime, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// The days of a week, in the order in which ranges go.
const DAYS: [(&str, Weekday); 7] = [
    ("Mon", Weekday::Monday),
    ("Tue", Weekday::Tuesday),
    ("Wed", Weekday::Wednesday),
    ("Thu", Weekday::Thursday),
    ("Fri", Weekday::Friday),
    ("Sat", Weekday::Saturday),
    ("Sun", Weekday::Sunday),
];
/// Minutes of a day.
const DAY: usize = 24 * 60;

/// A stretch that begins on some days of the week, like `Mon-Fri 08:00-18:00`. It ends on the next day if its end
/// is not after its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QuietHours {
    /// The first and the last day, in the order of the week; none for every day.
    days: Option<(usize, usize)>,
    from: Time,
    to: Time,
}

impl QuietHours {
    /// Tells whether a stretch begins on this day, by its place in the week.
    fn begins_on(&self, day: usize) -> bool {
        match self.days {
            None => true,
            Some((first, last)) if first <= last => (first..=last).contains(&day),
            Some((first, last)) => day >= first || day <= last,
        }
    }

    /// Returns the end of the stretch that holds at this local time.
    fn end(&self, now: DateTime) -> Option<DateTime> {
        let wraps = self.to <= self.from;
        // A stretch that began yesterday may still last.
        [now.date(), now.date().yesterday().ok()?].into_iter().find_map(|date| {
            let place = DAYS.iter().position(|(_, day)| *day == date.weekday())?;
            if !self.begins_on(place) {
                return None;
            }
            let last = if wraps { date.tomorrow().ok()? } else { date };
            let (from, to) = (date.to_datetime(self.from), last.to_datetime(self.to));
            (from <= now && now < to).then_some(to)
        })
    }

    /// Returns the minutes of the week that it covers, from Monday on.
    fn minutes(&self) -> impl Iterator<Item = usize> + '_ {
        let minute =
            |time: Time| usize::from(time.hour() as u8) * 60 + usize::from(time.minute() as u8);
        let (from, to) = (minute(self.from), minute(self.to));
        let length = if to > from { to - from } else { to + DAY - from };
        let days = (0..DAYS.len()).filter(|day| self.begins_on(*day));
        days.flat_map(move |day| (0..length).map(move |it| (day * DAY + from + it) % (7 * DAY)))
    }
}

/// Returns the end of the quiet hours at this time, if they hold.
pub(super) fn until(all: &[QuietHours], zone: &TimeZone, now: Timestamp) -> Option<Timestamp> {
    let mut local = now.to_zoned_datetime(zone.clone()).datetime();
    let mut end = None;
    // Stretches may meet. Each step ends one of them, and a week has no more steps than this.
    for _ in 0..=7 * all.len() {
        let Some(next) = all.iter().filter_map(|quiet| quiet.end(local)).max() else { break };
        (local, end) = (next, Some(next));
    }
    let end = end?.to_zoned_datetime(zone.clone()).ok()?.timestamp();
    // Where clocks go back, a local time comes twice.
    Some(if end > now { end } else { now.checked_add(1.minute()).ok()? })
}

/// Returns true if they leave no time of the week.
pub(super) fn is_always(all: &[QuietHours]) -> bool {
    let mut week = vec![false; 7 * DAY];
    all.iter().flat_map(QuietHours::minutes).for_each(|minute| week[minute] = true);
    week.into_iter().all(|is_quiet| is_quiet)
}

impl FromStr for QuietHours {
    type Err = ();

    fn from_str(text: &str) -> Result<QuietHours, ()> {
        let (days, hours) = match text.split_once(' ') {
            Some((days, hours)) => (Some(parsed_days(days).ok_or(())?), hours),
            None => (None, text),
        };
        let (from, to) = hours.split_once('-').ok_or(())?;
        let (from, to) = parsed_time(from).zip(parsed_time(to)).ok_or(())?;
        Ok(QuietHours { days, from, to })
    }
}

fn parsed_days(text: &str) -> Option<(usize, usize)> {
    let day = |text: &str| DAYS.iter().position(|(name, _)| name.eq_ignore_ascii_case(text));
    match text.split_once('-') {
        Some((first, last)) => day(first).zip(day(last)),
        None => day(text).map(|day| (day, day)),
    }
}

/// Reads `HH:MM`; `24:00` is the end of a day.
fn parsed_time(text: &str) -> Option<Time> {
    let (hours, minutes) = text.split_once(':')?;
    let number = |text: &str| -> Option<i8> {
        let is_plain = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| text.parse().ok()).flatten()
    };
    let (hours, minutes) = number(hours).zip(number(minutes))?;
    if (hours, minutes) == (24, 0) {
        return Some(Time::midnight());
    }
    Time::new(hours, minutes, 0, 0).ok()
}

impl fmt::Display for QuietHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.days {
            None => {}
            Some((first, last)) if first == last => write!(f, "{} ", DAYS[first].0)?,
            Some((first, last)) => write!(f, "{}-{} ", DAYS[first].0, DAYS[last].0)?,
        }
        let QuietHours { from, to, .. } = self;
        let time = |time: &Time| (time.hour(), time.minute());
        let ((from, of), (to, at)) = (time(from), time(to));
        write!(f, "{from:02}:{of:02}-{to:02}:{at:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(texts: &[&str]) -> Vec<QuietHours> {
        texts.iter().map(|text| text.parse().expect("quiet hours")).collect()
    }

    fn ends(texts: &[&str], zone: &str, now: &str) -> Option<String> {
        let zone = TimeZone::get(zone).expect("a zone");
        let end = until(&quiet(texts), &zone, now.parse().expect("a time"));
        end.map(|end| end.to_string())
    }

    #[test]
    fn a_stretch_ends_on_its_day_or_on_the_next() {
        let table = [
            // 2026-12-18 is a Friday.
            (&["08:00-18:00"][..], "UTC", "2026-12-18T08:00:00Z", Some("2026-12-18T18:00:00Z")),
            (&["08:00-18:00"], "UTC", "2026-12-18T18:00:00Z", None),
            (&["08:00-18:00"], "UTC", "2026-12-18T07:59:59Z", None),
            (&["22:00-06:00"], "UTC", "2026-12-18T23:00:00Z", Some("2026-12-19T06:00:00Z")),
            (&["22:00-06:00"], "UTC", "2026-12-18T05:00:00Z", Some("2026-12-18T06:00:00Z")),
            (&["Mon-Fri 08:00-18:00"], "UTC", "2026-12-19T09:00:00Z", None),
            (&["Fri 22:00-06:00"], "UTC", "2026-12-19T05:00:00Z", Some("2026-12-19T06:00:00Z")),
            (&["Sat-Mon 08:00-09:00"], "UTC", "2026-12-21T08:30:00Z", Some("2026-12-21T09:00:00Z")),
            (&["Sat-Mon 08:00-09:00"], "UTC", "2026-12-22T08:30:00Z", None),
            // Two that meet are one.
            (
                &["08:00-12:00", "12:00-13:00"],
                "UTC",
                "2026-12-18T09:00:00Z",
                Some("2026-12-18T13:00:00Z"),
            ),
            (
                &["08:00-24:00", "00:00-02:00"],
                "UTC",
                "2026-12-18T09:00:00Z",
                Some("2026-12-19T02:00:00Z"),
            ),
            (
                &["08:00-18:00"],
                "Europe/Zagreb",
                "2026-12-18T07:30:00Z",
                Some("2026-12-18T17:00:00Z"),
            ),
            // Clocks go forward at 02:00, so 02:30 is not there.
            (
                &["01:00-02:30"],
                "Europe/Zagreb",
                "2026-03-29T00:30:00Z",
                Some("2026-03-29T01:30:00Z"),
            ),
            // Clocks go back at 03:00, so 02:30 is there twice.
            (
                &["01:00-02:30"],
                "Europe/Zagreb",
                "2026-10-25T00:29:00Z",
                Some("2026-10-25T00:30:00Z"),
            ),
            (
                &["01:00-02:30"],
                "Europe/Zagreb",
                "2026-10-25T01:29:00Z",
                Some("2026-10-25T01:30:00Z"),
            ),
        ];
        for (texts, zone, now, expected) in table {
            assert_eq!(ends(texts, zone, now).as_deref(), expected, "{texts:?} in {zone} at {now}");
        }
    }

    #[test]
    fn a_week_without_a_minute_left_is_found() {
        assert!(is_always(&quiet(&["00:00-24:00"])));
        assert!(is_always(&quiet(&["Mon-Sun 06:00-18:00", "18:00-06:00"])));
        assert!(!is_always(&quiet(&["Mon-Sat 00:00-24:00"])));
        assert!(!is_always(&[]));
    }

    #[test]
    fn a_stretch_is_written_as_it_is_read() {
        for text in ["08:00-18:00", "Mon-Fri 08:00-18:00", "Sun 22:30-06:00"] {
            assert_eq!(quiet(&[text])[0].to_string(), text);
        }
        for text in [
            "",
            "8:00-18:00",
            "08:00",
            "Mon 08:00",
            "Day 08:00-18:00",
            "25:00-26:00",
            "08:60-09:00",
            "+8:00-09:00",
        ] {
            assert!(text.parse::<QuietHours>().is_err(), "{text}");
        }
    }
}
