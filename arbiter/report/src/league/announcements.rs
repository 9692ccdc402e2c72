//! The announcements of a league on its pages: its calendar, a freeze, and notices of the organiser.

use jiff::Timestamp;
use maud::{Markup, html};

use league::calendar::{self, Calendar, Named};
use league::folder::LeagueFolder;
use league::notices::{self, Notice};
use text::failure::Failure;

/// The script that counts down to times, and finds rows of tables.
pub const SCRIPT: &str = "contest.js";

/// The announcements, as they were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Announcements {
    pub calendar: Calendar,
    /// The time of which the pages show the league, if they stand still.
    pub frozen: Option<Timestamp>,
    notices: Vec<Notice>,
    /// The number of times of the calendar that have passed.
    passed: usize,
    /// True if the calendar could never be read, so a freeze may hold.
    is_unknown: bool,
}

impl Announcements {
    /// Reads the announcements. Notices that cannot be read are left out, since the games can still be shown.
    ///
    /// # Errors
    ///
    /// Fails if the calendar cannot be read: then a freeze may hold.
    pub fn read(folder: &LeagueFolder) -> Result<Announcements, Failure> {
        Ok(Announcements::with_calendar(folder, folder.calendar()?))
    }

    /// The announcements by this calendar. Notices that cannot be read are left out.
    pub fn with_calendar(folder: &LeagueFolder, calendar: Calendar) -> Announcements {
        let now = calendar::now();
        let frozen = calendar.frozen(now);
        let notices = notices::list(folder).unwrap_or_default();
        let passed = passed(&calendar, now);
        Announcements { calendar, frozen, notices, passed, is_unknown: false }
    }

    /// Reads the announcements for a page that shows no result; those that cannot be read are left out.
    pub fn read_or_default(folder: &LeagueFolder) -> Announcements {
        Announcements::read(folder).unwrap_or_default()
    }

    /// The announcements of a league with a calendar that could never be read: no line with a time is shown.
    pub fn unknown() -> Announcements {
        let frozen = Some(Timestamp::MIN);
        Announcements { frozen, is_unknown: true, ..Announcements::default() }
    }

    /// The announcements that hold now, while newer ones cannot be read.
    pub fn at_present(&self) -> Announcements {
        match self.is_unknown {
            true => self.clone(),
            false => {
                let now = calendar::now();
                let (frozen, passed) = (self.calendar.frozen(now), passed(&self.calendar, now));
                Announcements { frozen, passed, ..self.clone() }
            }
        }
    }

    /// Reads the announcements for pages of the organiser alone, which do not stand still.
    pub fn without_freeze(folder: &LeagueFolder) -> Announcements {
        Announcements::read_or_default(folder).unfrozen()
    }

    /// The same for pages that do not stand still.
    pub fn unfrozen(self) -> Announcements {
        Announcements { frozen: None, ..self }
    }

    /// Notices, and a line about a freeze, for the top of a page.
    pub fn lines(&self) -> Markup {
        let again = self.calendar.times().into_iter().find(|it| it.name == "unfreeze");
        html! {
            @if self.is_unknown {
                p.notice role="note" { "The league settings are unreadable; some results may be hidden." }
            } @else if let Some(frozen) = self.frozen {
                p.notice role="note" {
                    "Standings frozen since " (time(&self.calendar, frozen)) ": later results are hidden."
                    @if let Some(again) = again { " They will be unfrozen at " (time(&self.calendar, again.at)) "." }
                }
            }
            @if let Some(latest) = self.notices.last() { div data-live="notices" { details.news {
                summary {
                    @if self.notices.len() > 1 { b { (self.notices.len()) " notices" } " · " }
                    (latest.text)
                }
                ul { @for notice in self.notices.iter().rev() { li { (notice.text) } } }
            } } }
        }
    }

    /// The next time of the calendar, counted down to, if there is one.
    pub fn countdown(&self) -> Option<Markup> {
        let next = *self.calendar.times().get(self.passed)?;
        Some(html! {
            div {
                b.clock data-until=(next.at.as_millisecond()) { (self.calendar.time_text(next.at)) }
                span.quiet { (next.label()) }
            }
        })
    }

    /// The phases of the contest from left to right, if its calendar has more than one time.
    pub(super) fn phases(&self) -> Option<Markup> {
        let times = self.calendar.times();
        let now = calendar::now();
        let share = |from: &Named, to: &Named| {
            let length = (to.at.as_millisecond() - from.at.as_millisecond()).max(1);
            let gone = now.as_millisecond() - from.at.as_millisecond();
            (100 * gone / length).clamp(0, 100)
        };
        (times.len() > 1).then(|| {
            html! {
                ol.phases aria-label="Phases" data-live="phases" { @for (place, named) in times.iter().enumerate() {
                    @let is_now = place + 1 == self.passed;
                    @let at = times.get(place + 1).filter(|_| is_now).map(|next| format!("--at:{}%", share(named, next)));
                    li.past[place + 1 < self.passed].now[is_now] style=[at] aria-current=[is_now.then_some("step")] {
                        b { (named.label()) }
                        (time(&self.calendar, named.at))
                    }
                } }
            }
        })
    }

    /// The times of the calendar with countdowns, if it has any.
    pub fn times(&self) -> Option<Markup> {
        let times = self.calendar.times();
        let quiet: Vec<String> = self.calendar.quiet().collect();
        (!times.is_empty() || !quiet.is_empty()).then(|| {
            html! {
                dl.facts.calendar {
                    @for named in times {
                        dt { (named.label()) }
                        dd { (time(&self.calendar, named.at)) " " span data-until=(named.at.as_millisecond()) {} }
                    }
                    @if !quiet.is_empty() { dt { "Quiet hours" } dd { (quiet.join(", ")) } }
                }
            }
        })
    }
}

/// The number of times of a calendar that have passed.
fn passed(calendar: &Calendar, now: Timestamp) -> usize {
    calendar.times().iter().filter(|named| named.at <= now).count()
}

fn time(calendar: &Calendar, at: Timestamp) -> Markup {
    html! { time datetime=(at) { (calendar.time_text(at)) } }
}
