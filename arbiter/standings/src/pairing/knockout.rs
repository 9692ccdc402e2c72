//! Knockout stages: the winner of each match goes on.
//!
//! The bracket has the standard order: the sum of the seeds of a match of the first round is the
//! same for all, 1 against 16 and 8 against 9, and if the better seed always wins, that holds in each
//! later round. So seeds 1 and 2 can meet in the final only, and seeds 1 to 4 not before the
//! semifinals. If the number of bots is no power of two, the best seeds have a bye in the first round.
//!
//! A [`Bracket`] is what was drawn together with the winners so far. It takes winners only of matches
//! whose bots are known, so each bracket is one that can come about.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::Entrant;
use crate::game::{StandingsError, refused};

/// A knockout stage with the winners so far.
///
/// ```
/// use standings::Entrant;
/// use standings::pairing::knockout::{Bracket, Match, MatchPlace, ThirdPlace};
///
/// let seeds = [4, 0, 3].map(Entrant);
/// let mut bracket = Bracket::new(&seeds, ThirdPlace::Shared)?;
/// assert_eq!(bracket.byes().collect::<Vec<_>>(), [Entrant(4)]);
///
/// let first = MatchPlace::Tree { round: 0, number: 1 };
/// assert_eq!(bracket.next_matches(), [Match { place: first, bots: [Entrant(0), Entrant(3)] }]);
/// bracket.decide(first, Entrant(3))?;
///
/// let last = MatchPlace::Tree { round: 1, number: 0 };
/// bracket.decide(last, Entrant(4))?;
/// assert_eq!(bracket.winner(), Some(Entrant(4)));
/// assert_eq!(bracket.ranks()[&Entrant(3)], 2..=2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bracket {
    /// The bots of the first round, from top to bottom; none is a bye.
    slots: Vec<Option<Entrant>>,
    third: ThirdPlace,
    /// The winners of matches whose bots are known.
    winners: BTreeMap<MatchPlace, Entrant>,
}

/// What becomes of those that lose the semifinals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThirdPlace {
    /// They play for the third rank.
    Played,
    /// They share ranks 3 and 4.
    Shared,
}

/// The place of a match in the bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchPlace {
    /// A match whose winner goes on, or wins the stage.
    Tree {
        /// Number of its round, from 0.
        round: usize,
        /// Its number in the round from the top of the bracket, from 0; byes are counted.
        number: usize,
    },
    /// The match for the third rank.
    Third,
}

impl fmt::Display for MatchPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchPlace::Tree { round, number } => {
                write!(f, "match {} of round {}", number.saturating_add(1), round.saturating_add(1))
            }
            MatchPlace::Third => f.write_str("the match for the third rank"),
        }
    }
}

/// A match that can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match<P = MatchPlace> {
    /// Its place in the bracket.
    pub place: P,
    /// The bots, the one of the upper half first.
    pub bots: [Entrant; 2],
}

/// What is known of a side of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SideState {
    Bot(Entrant),
    Bye,
    /// The winner of a match that is to come.
    Open,
}

impl Bracket {
    /// The greatest number of bots.
    pub const MOST_BOTS: usize = 1024;

    /// The bracket of these bots, the best seed first.
    ///
    /// # Errors
    ///
    /// [`StandingsError`], where there are too few or too many bots, or one of them twice.
    pub fn new(seeds: &[Entrant], third: ThirdPlace) -> Result<Bracket, StandingsError> {
        check_seeds(seeds)?;
        if third == ThirdPlace::Played && seeds.len() < 4 {
            let bots = seeds.len();
            return Err(refused(format_args!(
                "a third-place match needs at least 4 bots, not {bots}"
            )));
        }
        let slots = standard_order(seeds.len()).into_iter().map(|seed| seeds.get(seed).copied());
        Ok(Bracket { slots: slots.collect(), third, winners: BTreeMap::new() })
    }

    /// Number of rounds, where the first one may have byes.
    pub fn rounds(&self) -> usize {
        self.slots.len().ilog2() as usize
    }

    /// The bots that go on without a match, by their place in the bracket.
    pub fn byes(&self) -> impl Iterator<Item = Entrant> + '_ {
        self.slots.chunks(2).filter_map(|sides| match sides {
            [Some(bot), None] | [None, Some(bot)] => Some(*bot),
            _ => None,
        })
    }

    /// The matches whose bots are known and that have no winner, those of early rounds first.
    ///
    /// They can be of several rounds: bots with byes may be known for a match of the second round
    /// before the first one is over.
    pub fn next_matches(&self) -> Vec<Match> {
        let known =
            self.places().filter_map(|place| Some(Match { place, bots: self.bots(place)? }));
        known.filter(|it| !self.winners.contains_key(&it.place)).collect()
    }

    /// Takes the winner of a match, which then goes on.
    ///
    /// # Errors
    ///
    /// [`StandingsError`], where the match is not one of [`next_matches`](Bracket::next_matches), or the
    /// bot not one of its two.
    pub fn decide(&mut self, place: MatchPlace, winner: Entrant) -> Result<(), StandingsError> {
        check_winner(&place, self.bots(place), self.winners.get(&place), winner)?;
        self.winners.insert(place, winner);
        Ok(())
    }

    /// The winner of the stage, once the final is decided.
    pub fn winner(&self) -> Option<Entrant> {
        match self.side(self.rounds(), 0) {
            SideState::Bot(winner) => Some(winner),
            SideState::Bye | SideState::Open => None,
        }
    }

    /// The ranks of all bots that have played their last match, from 1.
    ///
    /// Bots that lost in the same round share their ranks, for example 5 to 8.
    pub fn ranks(&self) -> BTreeMap<Entrant, RangeInclusive<usize>> {
        let bots = self.slots.iter().flatten().count();
        let mut ranks: BTreeMap<Entrant, RangeInclusive<usize>> = BTreeMap::new();
        for place in self.places() {
            let Some((winner, loser)) = self.decided(place) else { continue };
            let MatchPlace::Tree { round, .. } = place else {
                ranks.extend([(winner, 3..=3), (loser, 4..=4)]);
                continue;
            };
            let matches = self.slots.len() >> (round + 1);
            if matches != 2 || self.third == ThirdPlace::Shared {
                ranks.insert(loser, matches + 1..=bots.min(2 * matches));
            }
        }
        ranks.extend(self.winner().map(|winner| (winner, 1..=1)));
        ranks
    }

    /// All places of matches, by round.
    fn places(&self) -> impl Iterator<Item = MatchPlace> + use<> {
        let slots = self.slots.len();
        let third = (self.third == ThirdPlace::Played).then_some(MatchPlace::Third);
        let tree = (0..self.rounds()).flat_map(move |round| {
            (0..slots >> (round + 1)).map(move |number| MatchPlace::Tree { round, number })
        });
        tree.chain(third)
    }

    /// The bots of a match, where both are known.
    fn bots(&self, place: MatchPlace) -> Option<[Entrant; 2]> {
        match place {
            MatchPlace::Tree { round, number } => {
                let number = number.checked_mul(2).filter(|_| round < self.rounds())?;
                match [self.side(round, number), self.side(round, number + 1)] {
                    [SideState::Bot(one), SideState::Bot(other)] => Some([one, other]),
                    _ => None,
                }
            }
            MatchPlace::Third => {
                let round =
                    self.rounds().checked_sub(2).filter(|_| self.third == ThirdPlace::Played)?;
                let loser =
                    |number| self.decided(MatchPlace::Tree { round, number }).map(|it| it.1);
                Some([loser(0)?, loser(1)?])
            }
        }
    }

    /// What is known of the side with this number in a round.
    fn side(&self, round: usize, number: usize) -> SideState {
        let Some(before) = round.checked_sub(1) else {
            return match self.slots.get(number) {
                Some(Some(bot)) => SideState::Bot(*bot),
                Some(None) => SideState::Bye,
                None => SideState::Open,
            };
        };
        if number >= self.slots.len() {
            return SideState::Open;
        }
        match [self.side(before, 2 * number), self.side(before, 2 * number + 1)] {
            [SideState::Bot(bot), SideState::Bye] | [SideState::Bye, SideState::Bot(bot)] => {
                SideState::Bot(bot)
            }
            _ => match self.winners.get(&MatchPlace::Tree { round: before, number }) {
                Some(winner) => SideState::Bot(*winner),
                None => SideState::Open,
            },
        }
    }

    /// The winner and the loser of a match that is decided.
    fn decided(&self, place: MatchPlace) -> Option<(Entrant, Entrant)> {
        let winner = *self.winners.get(&place)?;
        let [one, other] = self.bots(place)?;
        Some((winner, if winner == one { other } else { one }))
    }
}

/// The seeds from top to bottom of the bracket, from 0; those that are not there are byes.
pub(super) fn standard_order(bots: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < bots {
        let last = 2 * order.len() - 1;
        order = order.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    order
}

/// Checks the seeds of a bracket: neither too few nor too many bots, and none twice.
pub(super) fn check_seeds(seeds: &[Entrant]) -> Result<(), StandingsError> {
    let (bots, most) = (seeds.len(), Bracket::MOST_BOTS);
    if !(2..=most).contains(&bots) {
        return Err(refused(format_args!("a knockout needs 2 to {most} bots, not {bots}")));
    }
    let mut seen = BTreeSet::new();
    match seeds.iter().find(|bot| !seen.insert(**bot)) {
        Some(Entrant(twice)) => {
            Err(refused(format_args!("bot {twice} has two seeds, expected one")))
        }
        None => Ok(()),
    }
}

/// Checks the winner of a match: the match has two known bots, the winner is one of them, and there was none before.
/// Returns the bots.
pub(super) fn check_winner(
    place: &impl fmt::Display,
    bots: Option<[Entrant; 2]>,
    before: Option<&Entrant>,
    winner: Entrant,
) -> Result<[Entrant; 2], StandingsError> {
    let Some(bots) = bots else {
        let text = "is not between two known bots, expected a match that is ready to be played";
        return Err(refused(format_args!("{place} {text}")));
    };
    if let Some(Entrant(before)) = before {
        let text = "already, expected a match without a winner";
        return Err(refused(format_args!("{place} was won by bot {before} {text}")));
    }
    if !bots.contains(&winner) {
        let (Entrant(winner), [Entrant(one), Entrant(other)]) = (winner, bots);
        return Err(refused(format_args!(
            "bot {winner} wins {place}, expected bot {one} or {other}"
        )));
    }
    Ok(bots)
}
