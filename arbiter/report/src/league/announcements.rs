//! The announcements of a league on its pages: its calendar, a freeze, and notices of the organiser.

use jiff::Timestamp;
use maud::{Markup, html};

use league::calendar::{self, Calendar};
use league::folder::LeagueFolder;
use league::notices::{self, Notice};
use text::failure::Failure;

/// The script that counts down to times.
pub const SCRIPT: &str = "countdown.js";

/// The announcements, as they were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Announcements {
    pub calendar: Calendar,
    /// The time of which the pages show the league, if they stand still.
    pub frozen: Option<Timestamp>,
    notices: Vec<Notice>,
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
        let frozen = calendar.frozen(calendar::now());
        let notices = notices::list(folder).unwrap_or_default();
        Announcements { calendar, frozen, notices, is_unknown: false }
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
                Announcements { frozen: self.calendar.frozen(calendar::now()), ..self.clone() }
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
            @for notice in self.notices.iter().rev() { p.notice role="note" { (notice.text) } }
        }
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

fn time(calendar: &Calendar, at: Timestamp) -> Markup {
    html! { time datetime=(at) { (calendar.shown(at)) } }
}
