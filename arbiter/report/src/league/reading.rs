//! The content of the pages of a league.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use contest::tournament::folder::shown;
use jiff::Timestamp;
use league::League;
use league::calendar::{self, Calendar, CalendarTime};
use league::events::LeagueEvent;
use league::folder::LeagueFolder;
use league::notify::{self, Notice};
use league::rejections::{self, StoredRejection};
use league::state::{LeagueMember, Membership};
use maud::{Markup, html};
use standings::{Entrant, Row, Standings, Tally};
use text::failure::Failure;

use crate::league::mistakes::LeagueMistakes;
use crate::report_folder::FIRST;

/// The page of the crosstable, which is large: it grows with the square of the number of bots.
pub(super) const CROSSTABLE: &str = "crosstable.html";

pub(super) const STAGES: &str = "stages.html";

/// The page that reveals the places.
pub(super) const CEREMONY: &str = "ceremony.html";

/// The page of all figures of the bots that play.
pub(super) const STATISTICS: &str = "statistics.html";

/// The content of the pages of a league.
#[derive(Debug)]
pub struct LeagueReport {
    /// The name of its folder.
    pub title: String,
    pub league: Arc<League>,
    /// The standings of all versions, with the games of the round that is open.
    pub all: Standings,
    /// The number of games of the open round that were played.
    pub open: Option<u64>,
    pub refused: Vec<StoredRejection>,
    /// True while a round is being played.
    pub is_running: bool,
    /// Its calendar and notices.
    pub announced: Announcements,
    /// The mistakes of its bots, as far as rounds were reviewed.
    pub mistakes: Arc<LeagueMistakes>,
    derived: OnceLock<DerivedValues>,
}

/// What follows from a league and its standings. Every page of a league with many bots needs it.
#[derive(Debug)]
struct DerivedValues {
    active: Standings,
    /// The names of all bots, in the order in which they entered first, and their places there.
    names: Vec<String>,
    places: BTreeMap<String, usize>,
    /// All versions as the standings name them: their places among all, and in the standings.
    versions: BTreeMap<String, Entrant>,
    rows: BTreeMap<String, usize>,
}

impl DerivedValues {
    fn new(league: &League, all: &Standings) -> DerivedValues {
        let (mut names, mut places) = (Vec::new(), BTreeMap::new());
        let mut versions = BTreeMap::new();
        for (entrant, member) in league.members().iter().enumerate() {
            let name = &member.entry.bot.bot;
            if !places.contains_key(name) {
                places.insert(name.clone(), names.len());
                names.push(name.clone());
            }
            versions.insert(member.entry.bot.to_string(), Entrant(entrant));
        }
        let rows = all.all.rows.iter().enumerate();
        let rows = rows.map(|(place, row)| (row.name.clone(), place)).collect();
        DerivedValues { active: league.active_in(all), names, places, versions, rows }
    }
}

impl LeagueReport {
    /// Reads a league; `open` is the number of games of the open round.
    pub fn new(
        folder: &LeagueFolder,
        league: Arc<League>,
        tally: &Tally,
        open: Option<u64>,
    ) -> io::Result<LeagueReport> {
        Ok(LeagueReport {
            title: title(folder.path()),
            all: tally.standings(),
            refused: rejections::for_everyone(folder)?,
            is_running: folder.is_running(),
            announced: Announcements::without_freeze(folder),
            mistakes: Arc::default(),
            league,
            open,
            derived: OnceLock::new(),
        })
    }

    /// Forgets what follows from the league and its standings, after one of them has changed.
    pub fn has_changed(&mut self) {
        self.derived = OnceLock::new();
    }

    fn derived(&self) -> &DerivedValues {
        self.derived.get_or_init(|| DerivedValues::new(&self.league, &self.all))
    }

    /// The standings of the versions that play.
    pub fn active(&self) -> &Standings {
        &self.derived().active
    }

    /// The names of all bots, in the order in which they entered first.
    pub(super) fn names(&self) -> &[String] {
        &self.derived().names
    }

    /// The place of a version, by its name in the standings.
    pub(super) fn entrant(&self, version: &str) -> Option<Entrant> {
        self.derived().versions.get(version).copied()
    }

    /// The place of a version in the standings of all.
    pub(super) fn place(&self, version: &str) -> Option<usize> {
        self.derived().rows.get(version).copied()
    }

    /// The row of a version in the standings of all.
    pub(super) fn row(&self, version: &str) -> Option<&Row> {
        self.all.all.rows.get(self.place(version)?)
    }

    /// The version of each bot that plays, or played last, in the order in which the bots entered first.
    pub(super) fn current(&self) -> impl Iterator<Item = &LeagueMember> {
        let is_current = |it: &&LeagueMember| it.membership != Membership::Replaced;
        let place = |it: &LeagueMember| self.derived().places.get(&it.entry.bot.bot).copied();
        let mut current: Vec<&LeagueMember> =
            self.league.members().iter().filter(is_current).collect();
        current.sort_by_key(|member| place(member));
        current.dedup_by_key(|member| &member.entry.bot.bot);
        current.into_iter()
    }

    pub(super) fn address(&self, bot: &str) -> Option<String> {
        let place = self.derived().places.get(bot)?;
        Some(format!("bots/{}.html", place + 1))
    }

    /// The page that an event leads to, from the root of the pages.
    pub fn page_of(&self, event: &LeagueEvent) -> String {
        let round = |number: u64| {
            let over = self.league.rounds().iter().find(|it| it.line.round == number)?;
            let over = over.over.as_ref()?;
            Some(match over.head {
                Some(_) => format!("rounds/{number}/"),
                // Nothing was played of it.
                None => "rounds/index.html".to_owned(),
            })
        };
        let page = match event {
            LeagueEvent::Entered(_)
            | LeagueEvent::Chosen { .. }
            | LeagueEvent::Overtaken { .. }
            | LeagueEvent::Forfeited { .. } => event.bot().and_then(|bot| self.address(bot)),
            LeagueEvent::Extended { .. } | LeagueEvent::Accepted { .. } => {
                Some(format!("{FIRST}#exceptions"))
            }
            // One that has never entered has no page.
            LeagueEvent::Refused(bot) => {
                Some(self.address(bot).unwrap_or_else(|| format!("{STATISTICS}#refused")))
            }
            LeagueEvent::Round { round: number, .. } => round(*number),
            LeagueEvent::Stage { .. } => Some("stages.html".to_owned()),
            LeagueEvent::Rules { .. } => Some(format!("{STATISTICS}#verify")),
            LeagueEvent::Left { .. } | LeagueEvent::Withdrawn { .. } => {
                event.bot().and_then(|bot| self.address(bot))
            }
            LeagueEvent::Void { .. }
            | LeagueEvent::Replay { .. }
            | LeagueEvent::Reinstated { .. } => Some(format!("{FIRST}#corrections")),
        };
        page.unwrap_or_default()
    }
}

pub(super) fn title(path: &Path) -> String {
    // Of `.` the name is that of the folder.
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let path = whole.as_path();
    let name = path.file_name().map(|name| shown(name.as_ref()));
    name.unwrap_or_else(|| shown(path))
}

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
        let notices = notify::list(folder).unwrap_or_default();
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

    /// The same for pages that are not frozen.
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
        let share = |from: &CalendarTime, to: &CalendarTime| {
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
