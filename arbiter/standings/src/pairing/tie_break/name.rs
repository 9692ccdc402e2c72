//! The tie-breaks that can be chosen, and their names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A published way to order bots that are tied.
///
/// Its text is its name, for example `buchholz-cut-1`; so it is written in files, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TieBreak {
    /// The points from the meetings of the tied bots with each other (C.07, article 6, DE).
    ///
    /// It decides if all of them have met; it is then applied again to bots that are still tied. If
    /// some have not met, a bot comes before the others if it does so with any result of the
    /// missing meetings.
    DirectEncounter,
    /// The sum of the scores of all opponents (article 8, BH).
    ///
    /// A bye counts as a meeting with an opponent that has the bot's own score, but not more than
    /// half a point for each round (article 16.4).
    Buchholz,
    /// Buchholz without the opponent of the least score (articles 8 and 14.1, BH-C1).
    BuchholzCut1,
    /// The sum of the scores of opponents, each times the points that the bot got from the meeting
    /// (article 9, SB); byes count as for Buchholz.
    SonnebornBerger,
    /// Number of meetings that were won, with byes (article 7, WIN).
    Wins,
    /// The sum of the bot's own points in all games.
    ///
    /// FIDE does not have it, since a game of chess has no points besides its result.
    Points,
    /// The bot's own points in all games minus those of its opponents in the same games.
    ///
    /// FIDE does not have it; ball games call it the goal difference.
    Margin,
}

/// A text that names no tie-break.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown tie-break `{name}`: use one of {known}", known = names())]
pub struct NotATieBreak {
    name: String,
}

impl TieBreak {
    /// All of them.
    pub const ALL: [TieBreak; 7] = [
        TieBreak::DirectEncounter,
        TieBreak::Buchholz,
        TieBreak::BuchholzCut1,
        TieBreak::SonnebornBerger,
        TieBreak::Wins,
        TieBreak::Points,
        TieBreak::Margin,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            TieBreak::DirectEncounter => "direct-encounter",
            TieBreak::Buchholz => "buchholz",
            TieBreak::BuchholzCut1 => "buchholz-cut-1",
            TieBreak::SonnebornBerger => "sonneborn-berger",
            TieBreak::Wins => "wins",
            TieBreak::Points => "points",
            TieBreak::Margin => "margin",
        }
    }
}

fn names() -> String {
    TieBreak::ALL.map(TieBreak::name).join(", ")
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TieBreak {
    type Err = NotATieBreak;

    fn from_str(name: &str) -> Result<TieBreak, NotATieBreak> {
        let known = TieBreak::ALL.into_iter().find(|known| known.name() == name);
        known.ok_or_else(|| NotATieBreak { name: name.to_owned() })
    }
}

impl TryFrom<String> for TieBreak {
    type Error = NotATieBreak;

    fn try_from(name: String) -> Result<TieBreak, NotATieBreak> {
        name.parse()
    }
}

impl From<TieBreak> for String {
    fn from(tie_break: TieBreak) -> String {
        tie_break.name().to_owned()
    }
}
