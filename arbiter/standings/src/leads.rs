//! Whether games show that one of several players is better than all others.

use crate::{Lead, LeadClarity};

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
