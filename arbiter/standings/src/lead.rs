//! Whether games show which of two bots is better, and which of several is best.

use crate::{Mean, StudentT};

/// The deals of two bots, and how clearly they show that one of them is better.
///
/// The observations are deals, because games of one deal share their cards: each is the mean of its games, with the points
/// of the first bot less those of the second. Equal bots would have 0 on average.
///
/// Deals that all favour one bot show that it is better from six deals on: of two equal bots, one wins `n` deals of `n`
/// with a probability of `2 · ½ⁿ`, which is below 5% from there on (the sign test). Others show it from nine deals on, if
/// the 95% interval around the mean ([`Mean`], Student's) does not have 0 in it. With fewer deals, that interval holds too
/// seldom: six wins and a loss would show it, although equal bots have such a result in one match of eight.
///
/// Otherwise the number of deals that would show it is estimated. If one bot really is better by the difference `d` that
/// was measured, and deals keep their standard deviation `s`, then `m` new deals show it four times out of five where
/// `(t + 0.842) · s / √m ≤ d`, with the 97.5% quantile `t` of Student's distribution for `m − 1` degrees of freedom and the
/// 80% quantile 0.842 of the normal distribution, a power of 80%.
///
/// ```
/// use standings::{Lead, LeadClarity};
///
/// let mut lead = Lead::default();
/// // Six wins and fourteen losses by one point, each in a deal of its own.
/// (0..20).for_each(|deal| lead.add(deal, if deal < 6 { 1.0 } else { -1.0 }));
/// // The interval is -0.4 ± 0.44; about 46 games in all would show it.
/// assert_eq!(lead.clarity(), LeadClarity::Open { more_games: Some(26) });
///
/// let mut lead = Lead::default();
/// (0..6).for_each(|deal| lead.add(deal, 2.0));
/// assert_eq!(lead.clarity(), LeadClarity::Shown);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lead {
    /// The deals that are complete.
    deals: Mean,
    /// Of them, those in which the first bot has more points.
    won: u64,
    /// Those in which it has fewer.
    lost: u64,
    count: u64,
    /// The last deal.
    open: Option<OpenDeal>,
    games: u64,
}

/// A deal that may have more games.
#[derive(Debug, Clone, Copy, PartialEq)]
struct OpenDeal {
    deal: u64,
    difference: f64,
    games: u64,
}

/// Whether the games of two bots show which of them is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadClarity {
    /// They do.
    Shown,
    /// They do not.
    Open {
        /// About so many more games would, if one bot is better by as much as it seems; none where both have the same
        /// points.
        more_games: Option<u64>,
    },
}

/// The fewest deals that show a difference if all favour one bot.
const ALL_WON: u64 = 6;
/// The fewest that show one otherwise.
const MIXED: u64 = 9;
/// The 97.5% quantile of Student's distribution bounds an interval of 95%.
const UPPER: f64 = 0.975;
/// The 80% quantile of the normal distribution.
const POWER: f64 = 0.841_621_233_572_914_2;
/// Most deals that are named.
const MOST: f64 = 1e12;
/// Points that differ by less are equal up to rounding.
const EQUAL: f64 = 1e-9;

impl Lead {
    /// Adds a game of a deal, with the points of the first bot less those of the second. Games of one deal come one after
    /// the other.
    pub fn add(&mut self, deal: u64, difference: f64) {
        self.games += 1;
        match &mut self.open {
            Some(open) if open.deal == deal => {
                open.difference += difference;
                open.games += 1;
            }
            _ => {
                self.complete();
                self.open = Some(OpenDeal { deal, difference, games: 1 });
            }
        }
    }

    /// Returns whether the games so far show which bot is better.
    pub fn clarity(&self) -> LeadClarity {
        let mut all = self.clone();
        all.complete();
        all.clarity_of_complete()
    }

    fn complete(&mut self) {
        let Some(OpenDeal { difference, games, .. }) = self.open.take() else { return };
        let mean = difference / games as f64;
        self.count += 1;
        self.won += u64::from(mean > EQUAL);
        self.lost += u64::from(mean < -EQUAL);
        self.deals.add(mean);
    }

    fn clarity_of_complete(&self) -> LeadClarity {
        let difference = self.deals.mean().abs();
        if self.count == 0 || difference < EQUAL {
            return LeadClarity::Open { more_games: None };
        }
        let enough = if self.won.max(self.lost) == self.count {
            if self.count >= ALL_WON {
                return LeadClarity::Shown;
            }
            ALL_WON
        } else {
            let is_outside = self.deals.plus_minus().is_some_and(|half| half < difference);
            if self.count >= MIXED && is_outside {
                return LeadClarity::Shown;
            }
            let deviation = self.deals.standard_deviation().unwrap_or_default();
            deals_for(difference / deviation).max(MIXED).max(self.count + 1)
        };
        let games_per_deal = self.games as f64 / self.count as f64;
        let more = ((enough - self.count) as f64 * games_per_deal).ceil();
        LeadClarity::Open { more_games: Some(more as u64) }
    }
}

/// The fewest deals that show a difference four times out of five; the difference is in standard deviations of a deal.
fn deals_for(difference: f64) -> u64 {
    let is_enough = |deals: f64| {
        let quantile = StudentT::new(deals - 1.0).map(|student| student.quantile(UPPER));
        quantile.is_some_and(|quantile| (quantile + POWER) / deals.sqrt() <= difference)
    };
    let (mut few, mut enough) = (1.0, 2.0);
    while !is_enough(enough) && enough < MOST {
        (few, enough) = (enough, enough * 2.0);
    }
    while enough - few > 1.0 {
        let middle = f64::floor((few + enough) / 2.0);
        if is_enough(middle) { enough = middle } else { few = middle }
    }
    enough as u64
}

/// The leads of players over each other, in games that all of them play.
///
/// That a player is best is shown if it is shown against each of the others by itself, by the [`Lead`] of the two over the
/// same deals. No correction for the number of players is needed, although the games choose the leader: between equal
/// players the second is the closer to the first the more of them there are. So equal players are told apart most often
/// where only two are at the top, and there in 5% of all matches, as in a match of two (Gutmann and Maymin, "Is the selected
/// population the best?", 1987).
///
/// ```
/// use standings::{LeadClarity, Leads};
///
/// let mut leads = Leads::new(3);
/// (0..6).for_each(|deal| leads.add(deal, &[3.0, 2.0, if deal < 3 { 2.0 } else { 4.0 }]));
/// assert_eq!(leads.clarity(0, 1), LeadClarity::Shown);
/// assert_eq!(leads.clarity(0, 2), LeadClarity::Open { more_games: None });
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Leads {
    players: usize,
    /// For each pair of players the lead of the first one, in the order of [`pairs`].
    pairs: Vec<Lead>,
}

impl Leads {
    /// Creates the leads of so many players before the first game.
    pub fn new(players: usize) -> Leads {
        Leads { players, pairs: vec![Lead::default(); pairs(players).count()] }
    }

    /// Adds a game of a deal, with the points of each player. Games of one deal come one after the other.
    pub fn add(&mut self, deal: u64, points: &[f64]) {
        for (lead, (one, other)) in self.pairs.iter_mut().zip(pairs(self.players)) {
            if let (Some(own), Some(others)) = (points.get(one), points.get(other)) {
                lead.add(deal, own - others);
            }
        }
    }

    /// Returns whether the games so far show which of two players is better.
    pub fn clarity(&self, one: usize, other: usize) -> LeadClarity {
        let sought = (one.min(other), one.max(other));
        let place = pairs(self.players).position(|pair| pair == sought);
        match place.and_then(|place| self.pairs.get(place)) {
            Some(lead) => lead.clarity(),
            None => LeadClarity::Open { more_games: None },
        }
    }
}

/// Each pair of players, the first of them first.
fn pairs(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |one| (one + 1..players).map(move |other| (one, other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use LeadClarity::{Open, Shown};

    fn clarity(deals: &[f64]) -> LeadClarity {
        let mut lead = Lead::default();
        (0..).zip(deals).for_each(|(deal, difference)| lead.add(deal, *difference));
        lead.clarity()
    }

    #[test]
    fn no_game_and_equal_bots_show_nothing() {
        assert_eq!(clarity(&[]), Open { more_games: None });
        assert_eq!(clarity(&[1.0, -1.0, -1.0, 1.0]), Open { more_games: None });
    }

    #[test]
    fn games_of_one_deal_are_one_observation() {
        let mut lead = Lead::default();
        for deal in 0..8 {
            lead.add(deal, 3.0);
            lead.add(deal, -1.0);
            let shown = if deal < 5 { Open { more_games: Some(2 * (5 - deal)) } } else { Shown };
            assert_eq!(lead.clarity(), shown, "{deal}");
        }
    }

    /// A win and a draw asked for hundreds of games, since Student's quantile of two deals is 12.7. Five wins of five needed
    /// one more game, but four wins and a draw showed who is better, and so did six wins and a loss.
    #[test]
    fn few_deals_neither_show_much_nor_ask_for_hundreds() {
        let [win, draw, loss] = [1.0, 0.0, -1.0];
        let more = |more_games| Open { more_games: Some(more_games) };
        for (deals, expected) in [
            (&[win][..], more(5)),
            (&[win, draw], more(16)),
            (&[win, win, draw], more(6)),
            (&[win, win, loss], more(93)),
            (&[win, win, win, win, draw], more(4)),
            (&[win; 5], more(1)),
            (&[loss; 6], Shown),
            (&[win, win, win, win, win, win, loss], more(4)),
            (&[win, win, win, win, win, win, win, win, loss], Shown),
        ] {
            assert_eq!(clarity(deals), expected, "{deals:?}");
        }
    }

    #[test]
    fn a_narrow_lead_needs_many_more_games() {
        let games: Vec<f64> = (0..20).map(|deal| if deal < 9 { -1.0 } else { 1.0 }).collect();
        // (1.963 + 0.842)² · 1.021² / 0.1² games in all.
        assert_eq!(clarity(&games), Open { more_games: Some(800) });
    }
}
