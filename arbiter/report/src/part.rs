//! The parts of the report of one source, each a file or a served text.

use std::io;

use crate::game_line::GameKey;
use crate::html::layout::PageLocation;
use crate::html::{bot, frame, games, overview};
use crate::reading::SourceReport;
use crate::report_folder::FIRST;
use standings::output;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportPart {
    /// The first page.
    Overview,
    /// The page of the viewer.
    Viewer,
    /// The page of the bot at this place in the log.
    Bot(usize),
    /// The script that a page needs before it loads anything else.
    Index,
    /// A page of the list of games, as a script.
    List(usize),
    /// Games step by step, as a script.
    Games(usize),
    /// The review of a game as a script; only a server has it.
    Review(GameKey),
    /// The standings as JSON.
    Standings,
}

impl ReportPart {
    /// The part with this name; none where a report has no such file.
    pub fn named(path: &str) -> Option<ReportPart> {
        let number = |text: &str| match text {
            "0" => Some(0),
            text if text.starts_with('0') || text.starts_with('+') => None,
            text => text.parse::<usize>().ok(),
        };
        let between = |before: &str, after: &str| {
            path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).and_then(number)
        };
        Some(match path {
            "" | FIRST => ReportPart::Overview,
            "game.html" => ReportPart::Viewer,
            "data/index.js" => ReportPart::Index,
            "data/standings.json" => ReportPart::Standings,
            _ => {
                if let Some(number) = between("bots/", ".html") {
                    ReportPart::Bot(number.checked_sub(1)?)
                } else if let Some(number) = between("data/list-", ".js") {
                    ReportPart::List(number)
                } else if let Some(name) = path.strip_prefix("data/review-") {
                    let (game, attempt) = name.strip_suffix(".js")?.split_once('-')?;
                    let attempt = u32::try_from(number(attempt)?).ok()?;
                    ReportPart::Review(GameKey { number: number(game)? as u64, attempt })
                } else {
                    ReportPart::Games(between("data/games-", ".js")?)
                }
            }
        })
    }

    /// Returns true if people read it, and not scripts.
    pub fn is_page(self) -> bool {
        matches!(self, ReportPart::Overview | ReportPart::Viewer | ReportPart::Bot(_))
    }

    /// Returns the media type of the file.
    pub fn media_type(self) -> &'static str {
        match self {
            ReportPart::Overview | ReportPart::Viewer | ReportPart::Bot(_) => {
                "text/html; charset=utf-8"
            }
            ReportPart::Index
            | ReportPart::List(_)
            | ReportPart::Games(_)
            | ReportPart::Review(_) => "text/javascript; charset=utf-8",
            ReportPart::Standings => "application/json",
        }
    }

    /// Its file, below the root of a source.
    pub(super) fn file(self) -> String {
        match self {
            ReportPart::Overview => FIRST.to_owned(),
            ReportPart::Viewer => "game.html".to_owned(),
            ReportPart::Bot(place) => format!("bots/{}", frame::bot_file(place)),
            ReportPart::Index => "data/index.js".to_owned(),
            ReportPart::List(number) => format!("data/list-{number}.js"),
            ReportPart::Games(number) => format!("data/games-{number}.js"),
            ReportPart::Review(GameKey { number, attempt }) => {
                format!("data/review-{number}-{attempt}.js")
            }
            ReportPart::Standings => "data/standings.json".to_owned(),
        }
    }
}

impl SourceReport {
    /// The parts that follow from all games, and not from one game alone.
    pub(super) fn parts(&self) -> impl Iterator<Item = ReportPart> {
        let bots = (0..self.series.header().players.len()).map(ReportPart::Bot);
        [ReportPart::Overview, ReportPart::Viewer, ReportPart::Standings].into_iter().chain(bots)
    }

    /// The text of one of them; none where it does not exist. It never fails: all of it has a form in JSON.
    pub(super) fn part(&self, part: ReportPart, at: PageLocation) -> io::Result<Option<String>> {
        Ok(Some(match part {
            ReportPart::Overview => overview::page(self, at).into_string(),
            ReportPart::Viewer => games::viewer(self, at).into_string(),
            ReportPart::Bot(place) if place < self.series.header().players.len() => {
                bot::page(self, place, at.below()).into_string()
            }
            ReportPart::Standings => output::json(&self.standings)? + "\n",
            ReportPart::Bot(_)
            | ReportPart::Index
            | ReportPart::List(_)
            | ReportPart::Games(_)
            | ReportPart::Review(_) => {
                return Ok(None);
            }
        }))
    }
}
