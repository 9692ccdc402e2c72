//! Double elimination: a bot is out once it has lost twice.
//!
//! The winners' bracket is that of a [`knockout`](super::knockout). A bot that loses there drops into the losers' bracket,
//! and one that loses there is out. In the first round of the losers' bracket, the losers of the first round meet;
//! from then on, rounds in which its winners meet those that have just dropped alternate with rounds among its winners.
//! The winners of both brackets meet in the grand final. If it goes to the one from the losers' bracket, both have lost
//! once, and a second final decides.
//!
//! Bots that have met should meet again as late as possible. The losers of round r of the winners' bracket, from 0,
//! drop into their own half of the losers' bracket if bit 0 of r is 0, else into the other half, into their own
//! quarter of it or the other one by bit 1, and so on. If one bot drops from a round and the other one, which beat it
//! there, from the next, they can meet again only once the losers' bracket has two or three bots left.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use super::knockout::{Match, SideState, check_seeds, check_winner, standard_order};
use crate::Entrant;
use crate::game::StandingsError;

/// A stage by double elimination with the winners so far.
///
/// ```
/// use standings::Entrant;
/// use standings::pairing::double_elimination::{DoubleEliminationBracket, DoubleEliminationPlace};
///
/// let mut bracket = DoubleEliminationBracket::new(&[7, 4].map(Entrant))?;
/// bracket.decide(DoubleEliminationPlace::Winners { round: 0, number: 0 }, Entrant(7))?;
/// // It has lost once, as the other one then.
/// bracket.decide(DoubleEliminationPlace::Final, Entrant(4))?;
/// assert_eq!(bracket.winner(), None);
/// bracket.decide(DoubleEliminationPlace::SecondFinal, Entrant(4))?;
/// assert_eq!(bracket.winner(), Some(Entrant(4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoubleEliminationBracket {
    /// Number of rounds of the winners' bracket.
    rounds: usize,
    sides: BTreeMap<DoubleEliminationPlace, [SideState; 2]>,
    winners: BTreeMap<DoubleEliminationPlace, Entrant>,
    /// Bots that went on without a match.
    byes: Vec<(DoubleEliminationPlace, Entrant)>,
    /// Number of matches of each round of the losers' bracket, without byes.
    losers: Vec<usize>,
}

/// The place of a match in the brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DoubleEliminationPlace {
    /// A match of the winners' bracket.
    Winners {
        /// Number of its round, from 0.
        round: usize,
        /// Its number in the round from the top of the bracket, from 0; byes are counted.
        number: usize,
    },
    /// A match of the losers' bracket.
    Losers {
        /// Number of its round, from 0.
        round: usize,
        /// Likewise.
        number: usize,
    },
    /// The grand final.
    Final,
    /// The second final, if the winner of the losers' bracket has won the first.
    SecondFinal,
}

impl fmt::Display for DoubleEliminationPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bracket, round, number) = match self {
            DoubleEliminationPlace::Winners { round, number } => ("winners'", round, number),
            DoubleEliminationPlace::Losers { round, number } => ("losers'", round, number),
            DoubleEliminationPlace::Final => return f.write_str("the grand final"),
            DoubleEliminationPlace::SecondFinal => return f.write_str("the second final"),
        };
        let (number, round) = (number.saturating_add(1), round.saturating_add(1));
        write!(f, "match {number} of round {round} of the {bracket} bracket")
    }
}

impl DoubleEliminationBracket {
    /// The brackets of these bots, the best seed first.
    ///
    /// # Errors
    ///
    /// [`StandingsError`], where there are too few or too many bots, or one of them twice.
    pub fn new(seeds: &[Entrant]) -> Result<DoubleEliminationBracket, StandingsError> {
        check_seeds(seeds)?;
        let slots = standard_order(seeds.len());
        let rounds = slots.len().ilog2() as usize;
        let mut bracket = DoubleEliminationBracket {
            rounds,
            sides: BTreeMap::new(),
            winners: BTreeMap::new(),
            byes: Vec::new(),
            losers: Vec::new(),
        };
        for (slot, seed) in slots.into_iter().enumerate() {
            let side = seeds.get(seed).map_or(SideState::Bye, |bot| SideState::Bot(*bot));
            let place = DoubleEliminationPlace::Winners { round: 0, number: slot / 2 };
            bracket.place(place, slot % 2, side);
        }
        let is_match = |place: &DoubleEliminationPlace| {
            bracket.sides.get(place).is_none_or(|sides| !sides.contains(&SideState::Bye))
        };
        let matches = |round: usize| {
            let places = (0..1 << (rounds - 2 - round / 2))
                .map(|number| DoubleEliminationPlace::Losers { round, number });
            places.filter(is_match).count()
        };
        bracket.losers = (0..bracket.losers_rounds()).map(matches).collect();
        Ok(bracket)
    }

    /// Number of rounds of the winners' bracket, where the first one may have byes.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Number of rounds of the losers' bracket.
    pub fn losers_rounds(&self) -> usize {
        2 * (self.rounds - 1)
    }

    /// The place of a match in the order of play, from 0: a round of the winners' bracket is played beside the one
    /// of the losers' bracket before that into which its losers drop.
    pub fn step(&self, place: DoubleEliminationPlace) -> usize {
        match place {
            DoubleEliminationPlace::Winners { round, .. } => (2 * round).saturating_sub(1),
            DoubleEliminationPlace::Losers { round, .. } => round + 1,
            DoubleEliminationPlace::Final => 2 * self.rounds - 1,
            DoubleEliminationPlace::SecondFinal => 2 * self.rounds,
        }
    }

    /// The places of matches of which a side is known.
    pub fn places(&self) -> impl Iterator<Item = DoubleEliminationPlace> + '_ {
        self.sides.keys().copied()
    }

    /// The bots that have gone on without a match so far, by the place where they had no opponent.
    pub fn byes(&self) -> &[(DoubleEliminationPlace, Entrant)] {
        &self.byes
    }

    /// The matches whose bots are known and that have no winner.
    pub fn next_matches(&self) -> Vec<Match<DoubleEliminationPlace>> {
        let known = self.sides.iter().filter_map(|(place, sides)| match sides {
            [SideState::Bot(one), SideState::Bot(other)] => {
                Some(Match { place: *place, bots: [*one, *other] })
            }
            _ => None,
        });
        known.filter(|it| !self.winners.contains_key(&it.place)).collect()
    }

    /// Takes the winner of a match. Both go on, unless the other one has lost twice.
    ///
    /// # Errors
    ///
    /// [`StandingsError`], where the match is not one of [`next_matches`](DoubleEliminationBracket::next_matches), or the
    /// bot not one of its two.
    pub fn decide(
        &mut self,
        place: DoubleEliminationPlace,
        winner: Entrant,
    ) -> Result<(), StandingsError> {
        let bots = match self.sides.get(&place) {
            Some([SideState::Bot(one), SideState::Bot(other)]) => Some([*one, *other]),
            _ => None,
        };
        let bots = check_winner(&place, bots, self.winners.get(&place), winner)?;
        let side = usize::from(bots[1] == winner);
        self.winners.insert(place, winner);
        match place {
            DoubleEliminationPlace::Final if side == 1 => {
                self.sides.insert(DoubleEliminationPlace::SecondFinal, bots.map(SideState::Bot));
            }
            _ => self.go_on(place, SideState::Bot(winner), SideState::Bot(bots[1 - side])),
        }
        Ok(())
    }

    /// The winner of the stage, once the last final is decided.
    pub fn winner(&self) -> Option<Entrant> {
        self.last_final().map(|(winner, _)| winner)
    }

    /// The ranks of all bots that have played their last match, from 1.
    ///
    /// Bots that lost in the same round of the losers' bracket share their ranks, for example 5 and 6.
    pub fn ranks(&self) -> BTreeMap<Entrant, RangeInclusive<usize>> {
        let mut ranks = BTreeMap::new();
        let mut next = 3;
        for (round, matches) in self.losers.iter().enumerate().rev() {
            let of_round = |place: &DoubleEliminationPlace| matches!(place, DoubleEliminationPlace::Losers { round: of, .. } if *of == round);
            let decided = self.winners.keys().filter(|place| of_round(place));
            for (_, loser) in decided.filter_map(|place| self.decided(*place)) {
                ranks.insert(loser, next..=next + matches - 1);
            }
            next += matches;
        }
        if let Some((winner, loser)) = self.last_final() {
            ranks.extend([(winner, 1..=1), (loser, 2..=2)]);
        }
        ranks
    }

    /// The winner and the loser of the final that was the last one.
    fn last_final(&self) -> Option<(Entrant, Entrant)> {
        match self.sides.contains_key(&DoubleEliminationPlace::SecondFinal) {
            true => self.decided(DoubleEliminationPlace::SecondFinal),
            false => self.decided(DoubleEliminationPlace::Final),
        }
    }

    /// The winner and the loser of a match that is decided.
    fn decided(&self, place: DoubleEliminationPlace) -> Option<(Entrant, Entrant)> {
        let winner = *self.winners.get(&place)?;
        match *self.sides.get(&place)? {
            [SideState::Bot(one), SideState::Bot(other)] => {
                Some((winner, if winner == one { other } else { one }))
            }
            _ => None,
        }
    }

    /// Puts a bot or a bye to a side of a match. Where the other side is known and one of them is a bye, the match is over.
    fn place(&mut self, place: DoubleEliminationPlace, side: usize, of: SideState) {
        let sides = self.sides.entry(place).or_insert([SideState::Open; 2]);
        sides[side] = of;
        let through = match *sides {
            [SideState::Bye, other] | [other, SideState::Bye] if other != SideState::Open => other,
            _ => return,
        };
        if let SideState::Bot(bot) = through {
            self.byes.push((place, bot));
        }
        self.go_on(place, through, SideState::Bye);
    }

    /// Sends the winner and the loser of a match to where they play next.
    fn go_on(&mut self, place: DoubleEliminationPlace, winner: SideState, loser: SideState) {
        for (next, state) in self.next_places(place).into_iter().zip([winner, loser]) {
            if let Some((place, side)) = next {
                self.place(place, side, state);
            }
        }
    }

    /// The places of the winner and of the loser of a match, each with its side.
    fn next_places(
        &self,
        place: DoubleEliminationPlace,
    ) -> [Option<(DoubleEliminationPlace, usize)>; 2] {
        let last = self.rounds - 1;
        match place {
            DoubleEliminationPlace::Winners { round, number } => {
                let up = match round == last {
                    true => (DoubleEliminationPlace::Final, 0),
                    false => (
                        DoubleEliminationPlace::Winners { round: round + 1, number: number / 2 },
                        number % 2,
                    ),
                };
                let down = match round.checked_sub(1) {
                    None if last == 0 => (DoubleEliminationPlace::Final, 1),
                    None => (
                        DoubleEliminationPlace::Losers { round: 0, number: number / 2 },
                        number % 2,
                    ),
                    Some(before) => {
                        let number = number ^ crossing(round, last - round);
                        (DoubleEliminationPlace::Losers { round: 2 * before + 1, number }, 1)
                    }
                };
                [Some(up), Some(down)]
            }
            DoubleEliminationPlace::Losers { round, number } => {
                let up = match round + 1 {
                    next if next == self.losers_rounds() => (DoubleEliminationPlace::Final, 1),
                    next if next % 2 == 1 => {
                        (DoubleEliminationPlace::Losers { round: next, number }, 0)
                    }
                    next => (
                        DoubleEliminationPlace::Losers { round: next, number: number / 2 },
                        number % 2,
                    ),
                };
                [Some(up), None]
            }
            DoubleEliminationPlace::Final | DoubleEliminationPlace::SecondFinal => [None, None],
        }
    }
}

/// The bits in which a loser's place in the losers' bracket differs from its place in this round of the winners' bracket,
/// whose matches have numbers of so many bits: the lowest bit of the round is the highest one here.
fn crossing(round: usize, bits: usize) -> usize {
    (0..bits).filter(|bit| round >> bit & 1 == 1).map(|bit| 1 << (bits - 1 - bit)).sum()
}
