//! Whether the games of two bots show which of them is better.

use crate::{Mean, StudentT};

/// The deals of two bots, and how clearly they show that one of them is better.
///
/// The observations are deals, because games of one deal share their cards: the score of the first bot in a deal is the
/// mean of its games, each 1 for a win, ½ for a draw and 0 for a loss. Equal bots would have ½ on average.
///
/// The deals show a difference if the 95% interval around the mean score ([`Mean`], Student's) does not have ½ in it.
/// Otherwise the number of deals that would show it is estimated. If one bot really is better by the difference `d` from ½
/// that was measured, and deals keep their standard deviation `s`, then `m` new deals show it four times out of five where
/// `(t + 0.842) · s / √m ≤ d`, with the 97.5% quantile `t` of Student's distribution for `m − 1` degrees of freedom and the
/// 80% quantile 0.842 of the normal distribution: the usual size of a sample for a power of 80%.
///
/// Where all deals have the same score, the spread says nothing. Then the sign test decides: `n` deals that all go to one
/// of two equal bots have the probability `2 · ½ⁿ`, which is below 5% from six deals on.
///
/// ```
/// use standings::{Lead, LeadClarity};
///
/// let mut lead = Lead::default();
/// // Six wins and fourteen losses, each in a deal of its own.
/// (0..20).for_each(|deal| lead.add(deal, if deal % 3 == 0 && deal < 18 { 1.0 } else { 0.0 }));
/// // The interval is 0.3 ± 0.22; about 46 games in all would show it.
/// assert_eq!(lead.clarity(), LeadClarity::Open { more_games: Some(26) });
///
/// let mut lead = Lead::default();
/// (0..6).for_each(|deal| lead.add(deal, 1.0));
/// assert_eq!(lead.clarity(), LeadClarity::Shown);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lead {
    /// The deals that are complete.
    deals: Mean,
    /// The last deal.
    open: Option<OpenDeal>,
    games: u64,
    /// The number of deals before the last one.
    complete: u64,
}

/// A deal that may have more games.
#[derive(Debug, Clone, Copy, PartialEq)]
struct OpenDeal {
    deal: u64,
    score: f64,
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
        /// score.
        more_games: Option<u64>,
    },
}

/// The fewest deals that all go to one bot which show that it is better.
const ALL_WON: f64 = 6.0;

/// The 97.5% quantile of Student's distribution bounds an interval of 95%.
const UPPER: f64 = 0.975;
/// The 80% quantile of the normal distribution.
const POWER: f64 = 0.841_621_233_572_914_2;
/// Most deals that are named.
const MOST: f64 = 1e12;

/// Scores that differ by less are equal up to rounding.
const EQUAL: f64 = 1e-9;

impl Lead {
    /// Adds a game of a deal with the score of the first bot: 1, ½ or 0. Games of one deal come one after the other.
    pub fn add(&mut self, deal: u64, score: f64) {
        self.games += 1;
        match &mut self.open {
            Some(open) if open.deal == deal => {
                open.score += score;
                open.games += 1;
            }
            _ => {
                self.complete();
                self.open = Some(OpenDeal { deal, score, games: 1 });
            }
        }
    }

    /// Returns whether the games so far show which bot is better.
    pub fn clarity(&self) -> LeadClarity {
        let mut all = self.clone();
        all.complete();
        all.of_complete()
    }

    fn complete(&mut self) {
        let Some(OpenDeal { score, games, .. }) = self.open.take() else { return };
        self.complete += 1;
        self.deals.add(score / games as f64);
    }

    fn of_complete(&self) -> LeadClarity {
        let difference = (self.deals.mean() - 0.5).abs();
        if self.complete == 0 || difference < EQUAL {
            return LeadClarity::Open { more_games: None };
        }
        let deals = self.complete as f64;
        let enough = match (self.deals.plus_minus(), self.deals.standard_deviation()) {
            (Some(half), _) if half < difference => return LeadClarity::Shown,
            (Some(_), Some(deviation)) => deals_for(difference / deviation).max(deals + 1.0),
            // All deals went the same way.
            _ if deals >= ALL_WON => return LeadClarity::Shown,
            _ => ALL_WON,
        };
        let games_per_deal = self.games as f64 / deals;
        let more = ((enough - deals) * games_per_deal).ceil();
        LeadClarity::Open { more_games: Some(more as u64) }
    }
}

/// The fewest deals that show a difference four times out of five; the difference is in standard deviations of a deal.
fn deals_for(difference: f64) -> f64 {
    let is_enough = |deals: f64| {
        let quantile = StudentT::new(deals - 1.0).map(|student| student.quantile(UPPER));
        quantile.is_some_and(|quantile| (quantile + POWER) / deals.sqrt() <= difference)
    };
    let (mut few, mut enough) = (1.0, 2.0);
    while !is_enough(enough) && enough < MOST {
        (few, enough) = (enough, enough * 2.0);
    }
    while enough - few > 1.0 {
        let middle = ((few + enough) / 2.0).floor();
        if is_enough(middle) { enough = middle } else { few = middle }
    }
    enough
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clarity(games: &[(u64, f64)]) -> LeadClarity {
        let mut lead = Lead::default();
        games.iter().for_each(|(deal, score)| lead.add(*deal, *score));
        lead.clarity()
    }

    #[test]
    fn no_game_and_equal_bots_show_nothing() {
        let open = LeadClarity::Open { more_games: None };
        assert_eq!(clarity(&[]), open);
        assert_eq!(clarity(&[(0, 1.0), (0, 0.0), (1, 0.0), (1, 1.0)]), open);
    }

    /// Two games of a deal that both bots win once say less about the spread than two wins in two deals.
    #[test]
    fn games_of_one_deal_are_one_observation() {
        let pairs: Vec<(u64, f64)> = (0..8).flat_map(|deal| [(deal, 1.0), (deal, 0.5)]).collect();
        assert_eq!(clarity(&pairs), LeadClarity::Shown);
        assert_eq!(clarity(&pairs[..6]), LeadClarity::Open { more_games: Some(6) });
    }

    /// Student's quantile of two deals is 12.7: with it, a win and a draw asked for hundreds of games.
    #[test]
    fn two_deals_do_not_ask_for_hundreds() {
        assert_eq!(clarity(&[(0, 1.0), (1, 0.5)]), LeadClarity::Open { more_games: Some(16) });
        assert_eq!(clarity(&[(0, 1.0)]), LeadClarity::Open { more_games: Some(5) });
    }

    #[test]
    fn a_narrow_lead_needs_many_more_games() {
        let games: Vec<(u64, f64)> =
            (0..20).map(|deal| (deal, if deal < 9 { 0.0 } else { 1.0 })).collect();
        let LeadClarity::Open { more_games: Some(more) } = clarity(&games) else {
            panic!("11 of 20 show nothing")
        };
        // (1.963 + 0.842)² · 0.510² / 0.05² games in all.
        assert_eq!(more, 800);
    }
}
