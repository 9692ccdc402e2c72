//! Whether the games of two bots show which of them is better.

use crate::Mean;

/// The deals of two bots, and how clearly they show that one of them is better.
///
/// The observations are deals, because games of one deal share their cards: the score of the first bot in a deal is the
/// mean of its games, each 1 for a win, ½ for a draw and 0 for a loss. Equal bots would have ½ on average.
///
/// The deals show a difference if the 95% interval around the mean score ([`Mean`], Student's) does not have ½ in it.
/// Otherwise the number of deals that would show it is estimated: the half-width of the interval falls with the square
/// root of the number of deals, so if the mean score and the spread of the deals stay as they are, `n` deals with the
/// half-width `h` and the difference `d` from ½ become enough at `n · (h / d)²` deals.
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
/// // The interval is 0.3 ± 0.22.
/// assert_eq!(lead.clarity(), LeadClarity::Open { more_games: Some(5) });
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
        /// About so many more games would, if the results stay alike; none where both bots have the same score.
        more_games: Option<u64>,
    },
}

/// The fewest deals that all go to one bot which show that it is better.
const ALL_WON: f64 = 6.0;

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
        if difference < EQUAL {
            return LeadClarity::Open { more_games: None };
        }
        let deals = self.complete as f64;
        let enough = match self.deals.plus_minus() {
            Some(half) => deals * (half / difference).powi(2),
            // All deals went the same way.
            None => ALL_WON,
        };
        if enough <= deals {
            return LeadClarity::Shown;
        }
        let games_per_deal = self.games as f64 / deals;
        let more = ((enough - deals) * games_per_deal).ceil();
        LeadClarity::Open { more_games: Some(more as u64) }
    }
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

    #[test]
    fn a_narrow_lead_needs_many_more_games() {
        let games: Vec<(u64, f64)> =
            (0..20).map(|deal| (deal, if deal < 9 { 0.0 } else { 1.0 })).collect();
        let LeadClarity::Open { more_games: Some(more) } = clarity(&games) else {
            panic!("11 of 20 show nothing")
        };
        // 0.55 ± 0.239 becomes ± 0.05 with 20 · (0.239 / 0.05)² games.
        assert!((430..=450).contains(&more), "{more}");
    }
}
