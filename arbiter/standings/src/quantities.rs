//! Scores and margins, one after the other, as computed from one column of sums.

use super::estimate::tidy;
use super::game::Entrant;
use super::sums::Column;

/// Place of each number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quantities {
    entrants: usize,
}

/// The numbers, in the order of [`Quantities`]; NaN where there were no games.
pub(super) type Numbers = Vec<f64>;

/// Figures of a bot, or of one bot against another.
const SCORE: usize = 0;
const MARGIN: usize = 1;
/// Number of figures of a bot.
const OF_BOT: usize = 2;

impl Quantities {
    pub(super) fn new(entrants: usize) -> Quantities {
        Quantities { entrants }
    }

    /// The share of the others that the bot beat, from 0 to 1.
    pub(super) fn score(self, bot: Entrant) -> usize {
        SCORE * self.entrants + bot.0
    }

    /// Its mean lead over another, in points.
    pub(super) fn margin(self, bot: Entrant) -> usize {
        MARGIN * self.entrants + bot.0
    }

    /// The score of the first bot, which is the lower number, against the second.
    pub(super) fn pair_score(self, first: Entrant, second: Entrant) -> usize {
        OF_BOT * self.entrants + self.pair(first, second)
    }

    /// The mean lead of the first bot over the second, in points.
    pub(super) fn pair_margin(self, first: Entrant, second: Entrant) -> usize {
        OF_BOT * self.entrants + self.pairs() + self.pair(first, second)
    }

    pub(super) fn count(self) -> usize {
        OF_BOT * self.entrants + 2 * self.pairs()
    }

    fn pairs(self) -> usize {
        self.entrants * self.entrants.saturating_sub(1) / 2
    }

    /// The place of a pair among all pairs, row by row of the lower triangle.
    fn pair(self, first: Entrant, second: Entrant) -> usize {
        second.0 * second.0.saturating_sub(1) / 2 + first.0
    }

    pub(super) fn numbers(self, games: &Column<'_>) -> Numbers {
        let mut numbers = vec![0.0; self.count()];
        let mut counts = vec![0.0; self.count()];
        for meeting in &games.meetings {
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
            if meeting.first < meeting.second {
                add(self.pair_score(meeting.first, meeting.second), points[0]);
                add(self.pair_margin(meeting.first, meeting.second), margin);
            } else {
                add(self.pair_score(meeting.second, meeting.first), points[1]);
                add(self.pair_margin(meeting.second, meeting.first), -margin);
            }
        }
        for (number, count) in numbers.iter_mut().zip(counts) {
            *number = tidy(*number / count);
        }
        numbers
    }
}

/// Sixtieths of a point in one.
const SIXTIETHS: f64 = 60.0;
