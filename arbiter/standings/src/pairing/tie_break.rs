//! Tie-breaks: the order of bots that have equal scores.
//!
//! [`ranks`] applies a list of tie-breaks that was made known before the first game. It starts with
//! the first one and goes on to the next where bots remain tied, and says for each tie which one has
//! decided it. Bots that all of them leave tied share a rank.
//!
//! The definitions are those of FIDE's handbook, C.07, in the edition of 2026, with two additions for
//! games that have points. All is counted in whole numbers, so results are exact.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Entrant;
use crate::game::{StandingsError, refused};
use crate::pairing::Outcome;

/// The order of the bots of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// The bots with their ranks from 1, the best first; tied ones are in the order of the entries.
    pub places: Vec<(Entrant, usize)>,
    /// The ties, in the order of their ranks and, among the same bots, of the tie-breaks.
    pub ties: Vec<Tie>,
}

/// Bots that were tied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tie {
    /// The bots, equal by their score and all tie-breaks before, the best first.
    pub bots: Vec<Entrant>,
    /// What put them in more than one place; none where they share a rank.
    pub decided_by: Option<TieBreak>,
}

/// Ranks bots by their scores, and those with equal ones by tie-breaks.
///
/// ```
/// use standings::Entrant;
/// use standings::pairing::Outcome;
/// use standings::pairing::tie_break::{Entry, Meeting, TieBreak, ranks};
///
/// let entry = |bot, score| Entry { bot: Entrant(bot), score, byes: 0 };
/// let won = |one, other| Meeting {
///     bots: [Entrant(one), Entrant(other)],
///     outcome: Outcome::One,
///     points: [10, 4],
/// };
/// let meetings = [won(1, 0), won(0, 2), won(1, 3), won(2, 1), won(2, 3), won(0, 3)];
/// let entries = [entry(0, 4), entry(1, 4), entry(2, 4), entry(3, 0)];
/// let ranking = ranks(&entries, &meetings, &[TieBreak::DirectEncounter])?;
/// assert_eq!(ranking.places, [(0, 1), (1, 1), (2, 1), (3, 4)].map(|(bot, rank)| (Entrant(bot), rank)));
/// assert_eq!(ranking.ties[0].decided_by, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`StandingsError`], where entries and meetings do not fit together.
pub fn ranks(
    entries: &[Entry],
    meetings: &[Meeting],
    tie_breaks: &[TieBreak],
) -> Result<Ranking, StandingsError> {
    let table = CrossTable::new(entries, meetings)?;
    let all: Vec<usize> = (0..entries.len()).collect();
    let tied = descending(&all, |place| entries[place].score);
    Ok(Ranking::new(&table, tied, tie_breaks))
}

/// Ranks bots whose order is known but for ties: the entries stand in it, and `tied` says for each two
/// neighbours whether they are tied.
///
/// # Errors
///
/// [`StandingsError`], where entries and meetings do not fit together.
pub fn break_ties(
    entries: &[Entry],
    meetings: &[Meeting],
    tied: impl Fn(Entrant, Entrant) -> bool,
    tie_breaks: &[TieBreak],
) -> Result<Ranking, StandingsError> {
    let table = CrossTable::new(entries, meetings)?;
    let all: Vec<usize> = (0..entries.len()).collect();
    let are_tied = |one: &usize, other: &usize| tied(table.bot(*one), table.bot(*other));
    let tied = all.chunk_by(are_tied).map(<[usize]>::to_vec).collect();
    Ok(Ranking::new(&table, tied, tie_breaks))
}

/// Says in words how ties are broken, for people who read a table.
pub fn in_words(tie_breaks: &[TieBreak]) -> String {
    let names: Vec<&str> = tie_breaks.iter().map(|it| it.name()).collect();
    match names.as_slice() {
        [] => "ties share a rank".to_owned(),
        names => format!("ties broken by {}, then shared", names.join(", ")),
    }
}

impl Ranking {
    fn new(table: &CrossTable<'_>, tied: Vec<Vec<usize>>, tie_breaks: &[TieBreak]) -> Ranking {
        let mut ranking = Ranking { places: Vec::new(), ties: Vec::new() };
        for tied in tied {
            ranking.add(table, tied, tie_breaks);
        }
        ranking
    }

    /// The first tie-break that put a bot before or behind one of the same score, if one did.
    pub fn first_decided_by(&self, bot: Entrant) -> Option<TieBreak> {
        let mut ties = self.ties.iter().filter(|tie| tie.bots.contains(&bot));
        ties.find_map(|tie| tie.decided_by)
    }

    /// Adds bots that are tied before these tie-breaks.
    fn add(&mut self, table: &CrossTable<'_>, tied: Vec<usize>, tie_breaks: &[TieBreak]) {
        let rank = self.places.len() + 1;
        if let [only] = *tied {
            self.places.push((table.bot(only), rank));
            return;
        }
        let parts = tie_breaks.iter().enumerate().find_map(|(used, tie_break)| {
            let parts = table.parts(*tie_break, &tied);
            (parts.len() > 1).then_some((used, *tie_break, parts))
        });
        let Some((used, tie_break, parts)) = parts else {
            let bots: Vec<Entrant> = tied.iter().map(|place| table.bot(*place)).collect();
            self.places.extend(bots.iter().map(|bot| (*bot, rank)));
            self.ties.push(Tie { bots, decided_by: None });
            return;
        };
        let bots = parts.iter().flatten().map(|place| table.bot(*place)).collect();
        self.ties.push(Tie { bots, decided_by: Some(tie_break) });
        for part in parts {
            self.add(table, part, &tie_breaks[used + 1..]);
        }
    }
}

/// A bot of the stage with its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The bot.
    pub bot: Entrant,
    /// What it is ranked by before all tie-breaks, in half points.
    pub score: u64,
    /// Number of rounds in which it had no opponent and got the points of a win; in a round robin,
    /// rounds of rest are none of these.
    pub byes: u16,
}

/// Two bots that met, with their result over all games of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The bots.
    pub bots: [Entrant; 2],
    /// Which of them did better.
    pub outcome: Outcome,
    /// The points of both in the games, in any unit that is the same for all meetings.
    pub points: [i64; 2],
}

/// Entries with their meetings. Bots are named by their places among the entries.
#[derive(Debug)]
pub(super) struct CrossTable<'a> {
    entries: &'a [Entry],
    /// For each bot, its meetings from its own side.
    meetings: Vec<Vec<MeetingSide>>,
}

/// A meeting from one side.
#[derive(Debug, Clone, Copy)]
struct MeetingSide {
    opponent: usize,
    half_points: u32,
    points: i64,
    /// The points of the opponent.
    against: i64,
}

impl<'a> CrossTable<'a> {
    pub(super) fn new(
        entries: &'a [Entry],
        met: &[Meeting],
    ) -> Result<CrossTable<'a>, StandingsError> {
        let mut places = BTreeMap::new();
        for (place, entry) in entries.iter().enumerate() {
            if places.insert(entry.bot, place).is_some() {
                let bot = entry.bot.0;
                return Err(refused(format_args!("bot {bot} has two scores, expected one")));
            }
        }
        let place = |bot: Entrant| {
            let text = "has met a bot without a score";
            places.get(&bot).copied().ok_or_else(|| refused(format_args!("bot {} {text}", bot.0)))
        };
        let mut meetings = vec![Vec::new(); entries.len()];
        for meeting in met {
            let [one, other] = [place(meeting.bots[0])?, place(meeting.bots[1])?];
            if one == other {
                let bot = meeting.bots[0].0;
                return Err(refused(format_args!("bot {bot} has met itself, expected two bots")));
            }
            let half_points = meeting.outcome.half_points();
            for (me, opponent, side) in [(one, other, 0), (other, one, 1)] {
                let (points, against) = (meeting.points[side], meeting.points[1 - side]);
                let half_points = half_points[side];
                meetings[me].push(MeetingSide { opponent, half_points, points, against });
            }
        }
        Ok(CrossTable { entries, meetings })
    }

    pub(super) fn bot(&self, place: usize) -> Entrant {
        self.entries[place].bot
    }

    /// The parts into which a tie-break divides tied bots, the best first.
    pub(super) fn parts(&self, tie_break: TieBreak, tied: &[usize]) -> Vec<Vec<usize>> {
        match tie_break {
            TieBreak::DirectEncounter => self.by_encounters(tied),
            TieBreak::Buchholz => {
                descending(tied, |bot| self.opponents(bot).into_iter().map(|it| it.0).sum::<i128>())
            }
            TieBreak::BuchholzCut1 => descending(tied, |bot| {
                let scores = || self.opponents(bot).into_iter().map(|it| it.0);
                scores().sum::<i128>() - scores().min().unwrap_or(0)
            }),
            TieBreak::SonnebornBerger => descending(tied, |bot| {
                let opponents = self.opponents(bot).into_iter();
                opponents.map(|(score, half_points)| score * i128::from(half_points)).sum::<i128>()
            }),
            TieBreak::Wins => descending(tied, |bot| {
                self.opponents(bot).into_iter().filter(|it| it.1 == Outcome::WIN).count()
            }),
            TieBreak::Points => descending(tied, |bot| {
                self.meetings[bot].iter().map(|it| i128::from(it.points)).sum::<i128>()
            }),
            TieBreak::Margin => descending(tied, |bot| {
                let margin = |it: &MeetingSide| i128::from(it.points) - i128::from(it.against);
                self.meetings[bot].iter().map(margin).sum::<i128>()
            }),
        }
    }

    /// For each round of a bot, the score of the opponent and its own half points; the opponent of a
    /// bye is a dummy.
    fn opponents(&self, bot: usize) -> Vec<(i128, u32)> {
        let Entry { score, byes, .. } = self.entries[bot];
        let met = self.meetings[bot].iter();
        let met = met.map(|it| (i128::from(self.entries[it.opponent].score), it.half_points));
        let rounds = self.meetings[bot].len() as i128 + i128::from(byes);
        let dummy = (i128::from(score).min(rounds), Outcome::WIN);
        met.chain(std::iter::repeat_n(dummy, usize::from(byes))).collect()
    }

    fn by_encounters(&self, tied: &[usize]) -> Vec<Vec<usize>> {
        let missing = |bot: usize| {
            let has_met = |other: usize| self.meetings[bot].iter().any(|it| it.opponent == other);
            tied.iter().filter(|other| **other != bot && !has_met(**other)).count() as u64
        };
        let points = |bot: usize| {
            let among = self.meetings[bot].iter().filter(|it| tied.contains(&it.opponent));
            among.map(|it| u64::from(it.half_points)).sum::<u64>()
        };
        let parts = if tied.iter().all(|bot| missing(*bot) == 0) {
            descending(tied, points)
        } else {
            let most = |bot: usize| points(bot) + missing(bot) * u64::from(Outcome::WIN);
            before_any_result(tied, points, most)
        };
        if parts.len() < 2 {
            return parts;
        }
        parts.iter().flat_map(|part| self.by_encounters(part)).collect()
    }
}

/// Takes bots off the top, as long as one has more at least than each other one at most.
fn before_any_result(
    tied: &[usize],
    least: impl Fn(usize) -> u64,
    most: impl Fn(usize) -> u64,
) -> Vec<Vec<usize>> {
    let mut parts = Vec::new();
    let mut left = tied.to_vec();
    let is_first = |bot: usize, left: &[usize]| {
        left.iter().all(|other| *other == bot || least(bot) > most(*other))
    };
    while let Some(first) = left.iter().position(|bot| is_first(*bot, &left)) {
        parts.push(vec![left.remove(first)]);
    }
    parts.extend((!left.is_empty()).then_some(left));
    parts
}

/// Parts of equal keys, the greatest key first; in each, places are in their order.
pub(super) fn descending<K: Ord>(places: &[usize], key: impl Fn(usize) -> K) -> Vec<Vec<usize>> {
    let mut parts: BTreeMap<Reverse<K>, Vec<usize>> = BTreeMap::new();
    for place in places {
        parts.entry(Reverse(key(*place))).or_default().push(*place);
    }
    parts.into_values().collect()
}

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
    type Err = StandingsError;

    fn from_str(name: &str) -> Result<TieBreak, StandingsError> {
        let known = TieBreak::ALL.into_iter().find(|known| known.name() == name);
        known.ok_or_else(|| {
            refused(format_args!("unknown tie-break `{name}`: use one of {}", names()))
        })
    }
}

impl TryFrom<String> for TieBreak {
    type Error = StandingsError;

    fn try_from(name: String) -> Result<TieBreak, StandingsError> {
        name.parse()
    }
}

impl From<TieBreak> for String {
    fn from(tie_break: TieBreak) -> String {
        tie_break.name().to_owned()
    }
}
