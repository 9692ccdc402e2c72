//! The parts of the report of one source, each a file or a served text.

use std::io;

use crate::game_line::GameKey;
use crate::html::layout::Location;
use crate::html::{bot, frame, games, overview};
use crate::reading::Reading;
use crate::target::FIRST;
use standings::output;

/// A part of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
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

impl Part {
    /// The part with this name; none where a report has no such file.
    pub fn named(path: &str) -> Option<Part> {
        let number = |text: &str| match text {
            "0" => Some(0),
            text if text.starts_with('0') || text.starts_with('+') => None,
            text => text.parse::<usize>().ok(),
        };
        let between = |before: &str, after: &str| {
            path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).and_then(number)
        };
        Some(match path {
            "" | FIRST => Part::Overview,
            "game.html" => Part::Viewer,
            "data/index.js" => Part::Index,
            "data/standings.json" => Part::Standings,
            _ => {
                if let Some(number) = between("bots/", ".html") {
                    Part::Bot(number.checked_sub(1)?)
                } else if let Some(number) = between("data/list-", ".js") {
                    Part::List(number)
                } else if let Some(name) = path.strip_prefix("data/review-") {
                    let (game, attempt) = name.strip_suffix(".js")?.split_once('-')?;
                    let attempt = u32::try_from(number(attempt)?).ok()?;
                    Part::Review(GameKey { number: number(game)? as u64, attempt })
                } else {
                    Part::Games(between("data/games-", ".js")?)
                }
            }
        })
    }

    /// Returns true if people read it, and not scripts.
    pub fn is_page(self) -> bool {
        matches!(self, Part::Overview | Part::Viewer | Part::Bot(_))
    }

    /// Returns the media type of the file.
    pub fn media_type(self) -> &'static str {
        match self {
            Part::Overview | Part::Viewer | Part::Bot(_) => "text/html; charset=utf-8",
            Part::Index | Part::List(_) | Part::Games(_) | Part::Review(_) => {
                "text/javascript; charset=utf-8"
            }
            Part::Standings => "application/json",
        }
    }

    /// Its file, below the root of a source.
    pub(super) fn file(self) -> String {
        match self {
            Part::Overview => FIRST.to_owned(),
            Part::Viewer => "game.html".to_owned(),
            Part::Bot(place) => format!("bots/{}", frame::bot_file(place)),
            Part::Index => "data/index.js".to_owned(),
            Part::List(number) => format!("data/list-{number}.js"),
            Part::Games(number) => format!("data/games-{number}.js"),
            Part::Review(GameKey { number, attempt }) => {
                format!("data/review-{number}-{attempt}.js")
            }
            Part::Standings => "data/standings.json".to_owned(),
        }
    }
}

impl Reading {
    /// The parts that follow from all games, and not from one game alone.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part> {
        let bots = (0..self.series.header().players.len()).map(Part::Bot);
        [Part::Overview, Part::Viewer, Part::Standings].into_iter().chain(bots)
    }

    /// The text of one of them; none where it does not exist. It never fails: all of it has a form in JSON.
    pub(super) fn part(&self, part: Part, at: Location) -> io::Result<Option<String>> {
        Ok(Some(match part {
            Part::Overview => overview::page(self, at).into_string(),
            Part::Viewer => games::viewer(self, at).into_string(),
            Part::Bot(place) if place < self.series.header().players.len() => {
                bot::page(self, place, at.below()).into_string()
            }
            Part::Standings => output::json(&self.standings)? + "\n",
            Part::Bot(_) | Part::Index | Part::List(_) | Part::Games(_) | Part::Review(_) => {
                return Ok(None);
            }
        }))
    }
}
