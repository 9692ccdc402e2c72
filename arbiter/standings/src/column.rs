//! Sums over games with the deals weighed in one way, and the scores and margins computed from them.

use super::estimate::tidy;
use super::game::Entrant;

/// The sums in one column; whole numbers, as floating point ones.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WeightedSums<'a> {
    pub(super) meetings: Vec<MeetingSums>,
    /// In [`PARTS`](super::setup::PARTS).
    pub(super) chosen: Vec<(Entrant, f64)>,
    /// In [`PARTS`](super::setup::PARTS).
    pub(super) among: Vec<(&'a [Entrant], f64)>,
}

/// Sums over the games of two bots, from the view of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MeetingSums {
    pub(super) first: Entrant,
    pub(super) second: Entrant,
    pub(super) won: f64,
    pub(super) drawn: f64,
    pub(super) lost: f64,
    /// In sixtieths of a point.
    pub(super) margin: f64,
}

impl MeetingSums {
    pub(super) fn games(&self) -> f64 {
        self.won + self.drawn + self.lost
    }

    /// The meeting from the view of the second.
    pub(super) fn reversed(&self) -> MeetingSums {
        MeetingSums {
            first: self.second,
            second: self.first,
            won: self.lost,
            drawn: self.drawn,
            lost: self.won,
            margin: -self.margin,
        }
    }

    /// Adds games of the same two, from the same view.
    pub(super) fn add(&mut self, other: &MeetingSums) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.margin += other.margin;
    }
}

impl WeightedSums<'_> {
    /// Subtracts those games, which are among these.
    pub(super) fn without(mut self, those: &WeightedSums<'_>) -> Self {
        for (all, those) in self.meetings.iter_mut().zip(&those.meetings) {
            all.won -= those.won;
            all.drawn -= those.drawn;
            all.lost -= those.lost;
            all.margin -= those.margin;
        }
        let chosen = self.chosen.iter_mut().zip(&those.chosen);
        chosen.for_each(|((_, all), (_, those))| *all -= those);
        let among = self.among.iter_mut().zip(&those.among);
        among.for_each(|((_, all), (_, those))| *all -= those);
        self
    }
}

/// Scores and margins, one after the other, as computed from one column of sums: the place of each.
#[derive(Debug)]
pub(super) struct FigureIndex {
    entrants: usize,
    /// The bots that met, each the lower number first, in ascending order.
    pairs: Vec<[Entrant; 2]>,
    /// The pair of each meeting.
    pair_of: Vec<usize>,
}

/// Figures of a bot, or of one bot against another.
const SCORE: usize = 0;
const MARGIN: usize = 1;
/// Number of figures of a bot.
const OF_BOT: usize = 2;

impl FigureIndex {
    /// Of this number of bots that met so; all columns of a tally have the same meetings.
    pub(super) fn new(entrants: usize, meetings: &[MeetingSums]) -> FigureIndex {
        let pair = |meeting: &MeetingSums| {
            let (first, second) = (meeting.first, meeting.second);
            [first.min(second), first.max(second)]
        };
        let mut pairs: Vec<[Entrant; 2]> = meetings.iter().map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        // Each of them is there, so either result of the search is its place.
        let place = |meeting| pairs.binary_search(&pair(meeting)).unwrap_or_else(|place| place);
        FigureIndex { entrants, pair_of: meetings.iter().map(place).collect(), pairs }
    }

    /// The share of the others that the bot beat, from 0 to 1.
    pub(super) fn score(&self, bot: Entrant) -> usize {
        SCORE * self.entrants + bot.0
    }

    /// Its mean lead over another, in points.
    pub(super) fn margin(&self, bot: Entrant) -> usize {
        MARGIN * self.entrants + bot.0
    }

    /// The bots that met, each the lower number first, in ascending order.
    pub(super) fn pairs(&self) -> &[[Entrant; 2]] {
        &self.pairs
    }

    /// The score of the first bot of a pair against the second.
    pub(super) fn pair_score(&self, pair: usize) -> usize {
        OF_BOT * self.entrants + pair
    }

    /// The mean lead of the first bot of a pair over the second, in points.
    pub(super) fn pair_margin(&self, pair: usize) -> usize {
        OF_BOT * self.entrants + self.pairs.len() + pair
    }

    pub(super) fn count(&self) -> usize {
        OF_BOT * self.entrants + 2 * self.pairs.len()
    }

    /// The meetings of a column, each with its pair, from the view of the first bot of it.
    pub(super) fn by_pair<'a>(
        &'a self,
        games: &'a WeightedSums<'_>,
    ) -> impl Iterator<Item = (usize, MeetingSums)> + 'a {
        let from_first = |meeting: &MeetingSums| {
            if meeting.first < meeting.second { *meeting } else { meeting.reversed() }
        };
        self.pair_of.iter().copied().zip(games.meetings.iter().map(from_first))
    }

    /// The numbers, in the order of this index; NaN where there were no games.
    pub(super) fn numbers(&self, games: &WeightedSums<'_>) -> Vec<f64> {
        let mut numbers = vec![0.0; self.count()];
        let mut counts = vec![0.0; self.count()];
        for (pair, meeting) in self.by_pair(games) {
            let points = [meeting.won, meeting.lost].map(|won| won + meeting.drawn / 2.0);
            let margin = meeting.margin / SIXTIETHS;
            let mut add = |place: usize, amount: f64| {
                numbers[place] += amount;
                counts[place] += meeting.games();
            };
            add(self.score(meeting.first), points[0]);
            add(self.score(meeting.second), points[1]);
            add(self.margin(meeting.first), margin);
            add(self.margin(meeting.second), -margin);
            add(self.pair_score(pair), points[0]);
            add(self.pair_margin(pair), margin);
        }
        for (number, count) in numbers.iter_mut().zip(counts) {
            *number = tidy(*number / count);
        }
        numbers
    }
}

/// Sixtieths of a point in one.
const SIXTIETHS: f64 = 60.0;
