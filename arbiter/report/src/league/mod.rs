//! The report of a league: its standings, a page for each bot with all of its versions, and its rounds, each
//! with the report of a tournament.
//!
//! ```text
//! index.html            the phase of the contest, who leads, the round that is played, the latest results
//! statistics.html       the standings with all figures, who was refused, how to verify them
//! crosstable.html       every bot that plays against every other
//! versions.html         standings of all versions
//! stages.html           matches, brackets and places of stages
//! ceremony.html         the places from the last to the first, for a projector
//! bots/N.html           a bot, by the order in which all have entered
//! rounds/index.html     who met whom and why, the last rounds first; rounds/index-2.html has those before
//! rounds/N/             the report of a round
//! ```
//!
//! Pages are made of the log of the league and of its index, which has the games by bot. The only log of a
//! round that is read for them is the one of the open round.

mod bot;
mod bracket;
pub(crate) mod ceremony;

mod frame;
pub mod mistakes;
mod overview;
mod ranking;
pub mod reading;
mod rounds;
mod stages;
mod statistics;
mod values;

pub use reading::LeagueReport;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::standings::Tally;
use contest::tournament::folder::{games, shown};
use league::folder::LeagueFolder;
use league::index::{IndexError, LeagueIndex};
use league::replay_request::RoundMarks;
use maud::Markup;
use mistakes::{LeagueMistakes, kept_reviews_of};
use reading::{CEREMONY, CROSSTABLE, STAGES, STATISTICS, title};
use standings::output;

use crate::files::{ReportExtras, WrittenReport, write_source};
use crate::html::layout::PageLocation;
use crate::report_folder::{FIRST, ReportError};
use crate::source::Source;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaguePage {
    Overview,
    /// All figures of the bots that play.
    Statistics,
    /// The bots that play against each other.
    Crosstable,
    Versions,
    Stages,
    /// The places from the last to the first, for a projector.
    Ceremony,
    /// A bot, by the order in which all have entered, from 0.
    Bot(usize),
    /// Rounds, the last ones on page 0.
    Rounds(usize),
    Standings,
}

impl LeagueReport {
    fn pages(&self) -> impl Iterator<Item = LeaguePage> + use<> {
        let bots = (0..self.names().len()).map(LeaguePage::Bot);
        let rounds = (0..rounds::pages(self.league.rounds().len())).map(LeaguePage::Rounds);
        bots.chain(rounds).chain(LeaguePage::SINGLE.map(|(_, page)| page))
    }

    /// A page or a text; none where it does not exist.
    pub fn page(
        &self,
        page: LeaguePage,
        index: &LeagueIndex,
        at: PageLocation,
    ) -> Result<Option<String>, IndexError> {
        Ok(match page {
            LeaguePage::Overview => Some(overview::page(self, index, at)?.into_string()),
            LeaguePage::Statistics => Some(statistics::page(self, at).into_string()),
            LeaguePage::Crosstable => Some(statistics::crosstable(self, at).into_string()),
            LeaguePage::Versions => Some(statistics::versions(self, at).into_string()),
            LeaguePage::Stages => Some(stages::page(self, at).into_string()),
            LeaguePage::Ceremony => Some(ceremony::page(self, at).into_string()),
            LeaguePage::Bot(place) => match self.names().get(place) {
                Some(name) => Some(bot::page(self, name, index, at.below())?.into_string()),
                None => None,
            },
            LeaguePage::Rounds(page) => {
                rounds::page(self, index, page, at.below())?.map(Markup::into_string)
            }
            LeaguePage::Standings => output::json(&self.all).ok().map(|line| line + "\n"),
        })
    }
}

impl LeaguePage {
    /// The pages of which each league has one, by their files.
    const SINGLE: [(&str, LeaguePage); 7] = [
        (FIRST, LeaguePage::Overview),
        (STATISTICS, LeaguePage::Statistics),
        (CROSSTABLE, LeaguePage::Crosstable),
        ("versions.html", LeaguePage::Versions),
        (STAGES, LeaguePage::Stages),
        (CEREMONY, LeaguePage::Ceremony),
        ("data/standings.json", LeaguePage::Standings),
    ];

    /// The page with this name; none where a report has no such file.
    pub fn named(path: &str) -> Option<LeaguePage> {
        let number = |text: &str, least: usize| {
            let number = text.parse::<usize>().ok().filter(|number| *number >= least)?;
            (number.to_string() == text).then_some(number)
        };
        let between = |before: &str| path.strip_prefix(before)?.strip_suffix(".html");
        if let Some((_, page)) = LeaguePage::SINGLE.iter().find(|(file, _)| *file == path) {
            return Some(*page);
        }
        Some(match path {
            "" => LeaguePage::Overview,
            "rounds/" | "rounds/index.html" => LeaguePage::Rounds(0),
            _ => match between("bots/") {
                Some(name) => LeaguePage::Bot(number(name, 1)? - 1),
                None => LeaguePage::Rounds(number(between("rounds/index-")?, 2)? - 1),
            },
        })
    }

    fn file(self) -> String {
        match self {
            LeaguePage::Bot(place) => format!("bots/{}.html", place + 1),
            LeaguePage::Rounds(page) => rounds::file(page),
            _ => {
                let found = LeaguePage::SINGLE.iter().find(|(_, page)| *page == self);
                found.map(|(file, _)| (*file).to_owned()).unwrap_or_default()
            }
        }
    }
}

pub(super) fn write(
    folder: &LeagueFolder,
    root: &Path,
    content: ReportExtras<'_>,
) -> Result<WrittenReport, ReportError> {
    let usage = |problem: String| ReportError::Usage(problem);
    let league = folder.read().map_err(|problem| usage(problem.to_string()))?;
    let bad = |problem: IndexError| match problem {
        IndexError::Changed(_) => ReportError::Wrong(problem.to_string()),
        _ => ReportError::Usage(problem.to_string()),
    };
    let index = LeagueIndex::open_checked(&league, folder).map_err(bad)?;
    // The number of games that count, by round.
    let mut played: BTreeMap<u64, u64> = BTreeMap::new();
    for round in league.rounds() {
        let number = round.line.round;
        let path = folder.round(number);
        if !games(&path).exists() {
            continue;
        }
        let below = root.join("rounds").join(number.to_string());
        let source = Source::open(&path)?.marked(RoundMarks::of_round(&league, round));
        let told = Path::new(&title(folder.path())).join("rounds").join(number.to_string());
        let reading =
            write_source(source, &told, &below, PageLocation::TOP.below_league(), content)?;
        played.insert(number, reading.progress.played());
    }
    let open = league.open_round().map(|round| round.line.round);
    let mut tally = index.tally().clone();
    if let Some(open) = open.filter(|open| played.contains_key(open)) {
        add_round(&mut tally, &folder.round(open)).map_err(usage)?;
    }
    let open = open.map(|open| played.get(&open).copied().unwrap_or_default());
    let kept = kept_reviews_of(folder, &league);
    let mut reading = LeagueReport::new(folder, league, &tally, open)?;
    if content.review.is_some() {
        let mistakes = LeagueMistakes::default().brought_to(folder, &reading.league, kept);
        reading.mistakes = Arc::new(mistakes);
    }
    for page in reading.pages() {
        let text = reading.page(page, &index, PageLocation::TOP).map_err(bad)?.unwrap_or_default();
        let file: PathBuf = root.join(page.file());
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, text)?;
    }
    let unfinished = usize::from(open.is_some());
    Ok(WrittenReport { games: played.values().sum(), unfinished })
}

fn add_round(tally: &mut Tally, round: &Path) -> Result<(), String> {
    use contest::playing::series_runner::add;
    use contest::tournament::read;
    read::read_log(round, &mut |series, game| add(tally, series, game))
        .map(drop)
        .map_err(|problem| format!("`{}`: {problem}", shown(round)))
}
