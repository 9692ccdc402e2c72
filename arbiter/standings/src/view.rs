//! Standings, as they are shown.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rules::Verdict;
use serde::Serialize;

use super::estimate::{Estimate, IntervalMethod};
use super::game::PentanomialCounts;
use super::pairing::tie_break::TieBreak;
use super::setup::{Model, OutsideHelp};
use super::sprt::SprtState;

/// From which probability on that one bot is better than another its rank is surely higher.
pub(super) const SURELY: f64 = 0.975;

/// The standings of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standings {
    /// [`Standings::FORMAT`]; standings without one are of format 1.
    pub format: u64,
    /// From all games.
    pub all: StandingsView,
    /// From the games that no bot forfeited.
    pub without_forfeits: StandingsView,
}

impl Standings {
    /// Increases when the same games give other or more numbers, or the same numbers get other names.
    pub const FORMAT: u64 = 5;

    /// Keeps the rows of some bots alone, as [`StandingsView::of_some`] does.
    pub fn of_some(&self, is_one: &dyn Fn(&str) -> bool) -> Standings {
        let all = self.all.of_some(is_one);
        let without_forfeits = match self.all.forfeited {
            0 => all.clone(),
            _ => self.without_forfeits.of_some(is_one),
        };
        Standings { format: self.format, all, without_forfeits }
    }

    /// Leaves out bots that ran on the machines of their authors: the others are ranked among themselves.
    pub fn without_remote(&self) -> Standings {
        let is_remote = |row: &&Row| row.help == Some(OutsideHelp::Remote);
        let remote: BTreeSet<&str> =
            self.all.rows.iter().filter(is_remote).map(|row| row.name.as_str()).collect();
        self.of_some(&|name| !remote.contains(name))
    }
}

/// The standings from some of the games. No number in it is infinite or NaN.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StandingsView {
    /// Number of games.
    pub games: u64,
    /// Number of games forfeited.
    pub forfeited: u64,
    /// Number of deals.
    pub deals: u64,
    /// Number of seats of a game.
    pub seats: usize,
    /// Method behind the intervals of scores and margins.
    pub method: IntervalMethod,
    /// Model that ratings are fitted to.
    pub model: Model,
    /// The bots that met, if only through others, the largest group first: mostly there is one. Ratings
    /// say nothing about bots of different groups.
    pub groups: Vec<Group>,
    /// The widest margin that a game can have, where the rules bound it.
    #[serde(skip)]
    pub widest: Option<f64>,
    /// Tie-breaks of bots with equal ratings and scores, the first one first; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tie_breaks: Vec<TieBreak>,
    /// The bots, group by group: the best rated first, then by score, by tie-breaks and by name.
    pub rows: Vec<Row>,
    /// Every two bots that met, in the order of rows: the first against those below it, and so on.
    pub crosstable: Vec<HeadToHead>,
    /// The rows of each pair of the crosstable, the upper one first, in ascending order.
    #[serde(skip)]
    pub(super) met: Vec<[usize; 2]>,
    #[serde(skip)]
    pub(super) chances: SuperiorityMatrix,
    /// The gain of a bot in the first of two seats, in points of Elo; none without games, with more
    /// seats, and if games do not bound it.
    pub seat_advantage: Option<Estimate>,
    /// Davidson's ν, by which equals draw in a share of `ν / (2 + ν)` of their games; none without
    /// games, or with more than two seats.
    pub draw_parameter: Option<f64>,
    /// For two bots, how their pairs of games ended.
    pub pairs: Option<DuplicateScore>,
    /// For two bots that are put to a test, where it stands.
    pub sprt: Option<SprtState>,
}

/// Bots that met each other, if only through others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// All of them.
    pub bots: Vec<String>,
    /// The bots whose ratings have a mean of 0: all, unless some won or lost everything against
    /// others, so that games do not tell their distance.
    pub anchors: Vec<String>,
}

/// A bot in the standings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Its place in the order of rows, from 1.
    pub rank: usize,
    /// The places that it may have: those above are better with a probability of 97.5%, those below
    /// worse; none without enough games.
    pub rank_interval: Option<RankInterval>,
    /// The first tie-break that put it before or behind bots with its rating and score; left out if none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tie_break: Option<TieBreak>,
    /// Its name.
    pub name: String,
    /// The way in which it may have received help: the key `network` or `remote`, which is true.
    #[serde(flatten, serialize_with = "OutsideHelp::as_key")]
    pub help: Option<OutsideHelp>,
    /// Number of games.
    pub games: u64,
    /// Games that it won alone.
    pub won: u64,
    /// Games that it won along with others.
    pub drawn: u64,
    /// Games that another bot won.
    pub lost: u64,
    /// Games by its place, from the first to the last, where bots that did as well share the best of their
    /// places; left out with two seats, where the counts above say it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<u64>,
    /// Its place in the mean game, from 1; left out without games, and with two seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_place: Option<f64>,
    /// Games that it forfeited, by verdict; these are among the games lost, unless all others
    /// forfeited too.
    pub forfeits: BTreeMap<Verdict, u64>,
    /// The share of the others that it did better than, from 0 to 1, where as good is half.
    pub score: Option<Estimate>,
    /// Its strength in points of Elo; the anchors of its group have a mean of 0. An interval with
    /// one end says that games do not tell how much better, or worse, it is: the value then depends
    /// on a mild prior. None if games bound it on neither side.
    pub rating: Option<Estimate>,
    /// Its points over all games.
    pub points_for: f64,
    /// The points of each of the others on average, over all games.
    pub points_against: f64,
    /// Its mean lead over another in points, a game.
    pub margin: Option<Estimate>,
}

/// Ranks from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RankInterval {
    /// The best.
    pub best: usize,
    /// The worst.
    pub worst: usize,
}

/// Two bots, from the view of the first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeadToHead {
    /// The bot.
    pub name: String,
    /// The other one.
    pub opponent: String,
    /// Number of games.
    pub games: u64,
    /// Games in which it was better.
    pub won: u64,
    /// Games in which both were as good.
    pub drawn: u64,
    /// In how many it was worse.
    pub lost: u64,
    /// The share of games in which it was better, as good as being half.
    pub score: Option<Estimate>,
    /// Its points over all of these games.
    pub points_for: f64,
    /// Points of the other one.
    pub points_against: f64,
    /// Its mean lead in points, a game.
    pub margin: Option<Estimate>,
    /// The probability that it has the higher rating; none before there is anything to tell.
    pub better: Option<f64>,
}

/// Results of the pairs of games of two bots, for one of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DuplicateScore {
    /// The bot.
    pub name: String,
    /// Numbers of pairs that it ended with 0, ½, 1, 1½ and 2 points.
    pub counts: PentanomialCounts,
}

/// Two bots that follow each other and are so far apart that few games say how far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WideGap {
    /// The worst of those above.
    pub above: String,
    /// The best of those below.
    pub below: String,
    /// In how many games one from below took points off one from above, at least 1: without any, games do
    /// not bound the distance at all.
    pub upsets: u64,
    /// Games of the bots above against those below.
    pub games: u64,
}

impl WideGap {
    /// With fewer upsets than this, in less than one of [`WideGap::RARE`] games, a gap is wide.
    const FEW: u64 = 5;

    /// An upset in this number of games is one between bots about 700 points of Elo apart.
    const RARE: u64 = 50;
}

impl StandingsView {
    /// Keeps the rows of some bots alone: they are ranked among themselves, and everything else
    /// stays as all games say.
    pub fn of_some(&self, is_one: &dyn Fn(&str) -> bool) -> StandingsView {
        let places: Vec<usize> =
            (0..self.rows.len()).filter(|place| is_one(&self.rows[*place].name)).collect();
        let played = places.iter().filter(|place| self.rows[**place].games > 0).count();
        let mut ranks: Vec<usize> = places.iter().map(|place| self.rows[*place].rank).collect();
        ranks.sort_unstable();
        let row = |(place, sure): (&usize, SureComparison)| {
            let rank_interval = sure
                .is_told
                .then(|| RankInterval { best: 1 + sure.better, worst: played - sure.worse });
            let row = &self.rows[*place];
            let rank = 1 + ranks.partition_point(|rank| *rank < row.rank);
            Row { rank, rank_interval, ..row.clone() }
        };
        let pairs =
            self.met.iter().zip(&self.crosstable).filter_map(|([first, second], pairing)| {
                let rows = [places.binary_search(first).ok()?, places.binary_search(second).ok()?];
                Some((rows, pairing.clone()))
            });
        let (met, crosstable) = pairs.unzip();
        let chances = self.chances.of_some(&places);
        let rows = places.iter().zip(chances.surely_compared()).map(row).collect();
        StandingsView { rows, crosstable, met, chances, ..self.clone() }
    }

    /// The gaps between rows that rest on few games. The distance of those above to those below is
    /// then hardly measured: it may be far greater than its interval says, since an interval with two
    /// ends is there only where luck gave upsets.
    pub fn wide_gaps(&self) -> Vec<WideGap> {
        // Changes of the counts from the gap above each row to the gap below it.
        let mut changes = vec![[0i64; 2]; self.rows.len() + 1];
        for ([first, second], pairing) in self.met.iter().zip(&self.crosstable) {
            let counts = [pairing.lost + pairing.drawn, pairing.games].map(|count| count as i64);
            for (place, count) in counts.into_iter().enumerate() {
                changes[*first][place] += count;
                changes[*second][place] -= count;
            }
        }
        let mut over = [0i64; 2];
        let gap = |(two, change): (&[Row], &[i64; 2])| {
            over = [over[0] + change[0], over[1] + change[1]];
            let [upsets, games] = over.map(|count| u64::try_from(count).unwrap_or_default());
            let is_wide = (1..WideGap::FEW).contains(&upsets) && upsets * WideGap::RARE < games;
            let [above, below] = [two.first()?, two.get(1)?].map(|row| row.name.clone());
            is_wide.then_some(WideGap { above, below, upsets, games })
        };
        self.rows.windows(2).zip(&changes).filter_map(gap).collect()
    }

    /// The two bots in these rows, from 0, from the view of the first; none if they never met.
    pub fn pairing(&self, row: usize, other: usize) -> Option<HeadToHead> {
        let place = self.met.binary_search(&[row.min(other), row.max(other)]).ok()?;
        let pairing = self.crosstable.get(place)?.clone();
        Some(if row < other { pairing } else { pairing.reversed() })
    }

    /// The probability that the bot in one row, from 0, has a higher rating than that in the other,
    /// also if they only met through others; none before there is anything to tell.
    pub fn better(&self, row: usize, other: usize) -> Option<f64> {
        self.chances.better(row, other)
    }
}

impl HeadToHead {
    /// The pairing from the view of the other bot.
    pub fn reversed(self) -> HeadToHead {
        HeadToHead {
            name: self.opponent,
            opponent: self.name,
            games: self.games,
            won: self.lost,
            drawn: self.drawn,
            lost: self.won,
            score: self.score.map(|score| score.from(1.0)),
            points_for: self.points_against,
            points_against: self.points_for,
            margin: self.margin.map(|margin| margin.from(0.0)),
            better: self.better.map(|better| 1.0 - better),
        }
    }
}

/// The probabilities that one bot is better than another, for every two bots, also those that never met. Copies
/// share them, since they grow with the square of the number of bots.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SuperiorityMatrix {
    bots: usize,
    /// The first against all behind it, and so on.
    values: Arc<Vec<f64>>,
}

/// The comparison of a bot with all others, as far as it is sure.
#[derive(Debug, Clone, Copy, Default)]
struct SureComparison {
    /// True if games tell of any other bot which of the two is better.
    is_told: bool,
    /// Number of others that are better.
    better: usize,
    /// Number of others that are worse.
    worse: usize,
}

/// Stands for no probability. A NaN would not be equal to itself.
const UNTOLD: f64 = -1.0;

impl SuperiorityMatrix {
    /// From a function of two places, the first below the second.
    pub(super) fn new(bots: usize, of: impl Fn(usize, usize) -> Option<f64>) -> SuperiorityMatrix {
        let mut values = Vec::with_capacity(bots * bots.saturating_sub(1) / 2);
        for first in 0..bots {
            values.extend((first + 1..bots).map(|second| of(first, second).unwrap_or(UNTOLD)));
        }
        SuperiorityMatrix { bots, values: Arc::new(values) }
    }

    /// Each place with the probabilities that it is better than each place behind it.
    fn each(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let mut rest = self.values.as_slice();
        (0..self.bots).map(move |first| {
            let (own, behind) = rest.split_at(self.bots - first - 1);
            rest = behind;
            (first, own)
        })
    }

    /// Those of some bots, by their places in ascending order.
    fn of_some(&self, places: &[usize]) -> SuperiorityMatrix {
        let pairs = places.len() * places.len().saturating_sub(1) / 2;
        let mut values = Vec::with_capacity(pairs);
        let mut kept = places;
        for (first, own) in self.each() {
            if let Some((_, behind)) = kept.split_first().filter(|(place, _)| **place == first) {
                values.extend(behind.iter().map(|second| own[second - first - 1]));
                kept = behind;
            }
        }
        SuperiorityMatrix { bots: places.len(), values: Arc::new(values) }
    }

    /// For each bot, by how many others are surely better or worse. Every two are looked at once, since pages of a league
    /// with a thousand bots need this after each change.
    fn surely_compared(&self) -> Vec<SureComparison> {
        let mut all = vec![SureComparison::default(); self.bots];
        for (first, own) in self.each() {
            let (before, behind) = all.split_at_mut(first + 1);
            let first = &mut before[first];
            for (second, chance) in behind.iter_mut().zip(own) {
                if *chance == UNTOLD {
                    continue;
                }
                (first.is_told, second.is_told) = (true, true);
                let (is_better, is_worse) = (*chance >= SURELY, 1.0 - *chance >= SURELY);
                first.worse += usize::from(is_better);
                second.better += usize::from(is_better);
                first.better += usize::from(is_worse);
                second.worse += usize::from(is_worse);
            }
        }
        all
    }

    /// The probability that the bot in one place is better than the bot in the other. None if there is nothing to
    /// tell, for the same place twice and for a missing place.
    pub(super) fn better(&self, one: usize, other: usize) -> Option<f64> {
        let (first, second) = (one.min(other), one.max(other));
        if first == second || second >= self.bots {
            return None;
        }
        // Each of those before has this number of bots behind it.
        let place = first * (2 * self.bots - first - 1) / 2 + second - first - 1;
        let value = self.values.get(place).copied().filter(|value| *value != UNTOLD)?;
        Some(if one < other { value } else { 1.0 - value })
    }
}
