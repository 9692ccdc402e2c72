//! The brackets of a knockout, with one elimination or two.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use standings::Entrant;
use standings::pairing::double_elimination;
use standings::pairing::knockout::{self, Match, Third};

use crate::stage::line::{StageError, StageMatch, stage_error};

/// Number of matches that a bot may lose before it is out.
#[derive(Debug, Clone, Copy)]
pub(super) enum Elimination {
    Single(Third),
    Double,
}

#[derive(Debug)]
pub(super) enum Brackets {
    /// Fewer than two bots are left.
    Alone(Option<Entrant>),
    Single(knockout::Bracket),
    Double(double_elimination::Bracket),
}

/// The place of a match; those of a bot are in the order of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BracketPlace {
    Single(knockout::Place),
    Double(double_elimination::Place),
}

impl Brackets {
    /// Returns the brackets of these bots, the best seed first. Few bots have no match for the third place.
    pub(super) fn new(seeds: &[Entrant], elimination: Elimination) -> Result<Brackets, StageError> {
        match elimination {
            _ if seeds.len() < 2 => Ok(Brackets::Alone(seeds.first().copied())),
            Elimination::Single(third) => {
                let third = if seeds.len() < 4 { Third::Shared } else { third };
                knockout::Bracket::new(seeds, third).map(Brackets::Single).map_err(stage_error)
            }
            Elimination::Double => {
                double_elimination::Bracket::new(seeds).map(Brackets::Double).map_err(stage_error)
            }
        }
    }

    pub(super) fn next_matches(&self) -> Vec<Match<BracketPlace>> {
        fn placed<P>(it: Match<P>, place: fn(P) -> BracketPlace) -> Match<BracketPlace> {
            Match { place: place(it.place), bots: it.bots }
        }
        match self {
            Brackets::Alone(_) => Vec::new(),
            Brackets::Single(it) => {
                it.next_matches().into_iter().map(|it| placed(it, BracketPlace::Single)).collect()
            }
            Brackets::Double(it) => {
                it.next_matches().into_iter().map(|it| placed(it, BracketPlace::Double)).collect()
            }
        }
    }

    pub(super) fn decide(
        &mut self,
        place: BracketPlace,
        winner: Entrant,
    ) -> Result<(), StageError> {
        match (self, place) {
            (Brackets::Single(it), BracketPlace::Single(place)) => {
                it.decide(place, winner).map_err(stage_error)
            }
            (Brackets::Double(it), BracketPlace::Double(place)) => {
                it.decide(place, winner).map_err(stage_error)
            }
            _ => Err(StageError("it has a match of another format".to_owned())),
        }
    }

    pub(super) fn ranks(&self) -> BTreeMap<Entrant, RangeInclusive<usize>> {
        match self {
            Brackets::Alone(bot) => bot.iter().map(|bot| (*bot, 1..=1)).collect(),
            Brackets::Single(it) => it.ranks(),
            Brackets::Double(it) => it.ranks(),
        }
    }

    /// Number of rounds of the winners' bracket; of a single elimination, all rounds.
    fn rounds(&self) -> usize {
        match self {
            Brackets::Alone(_) => 0,
            Brackets::Single(it) => it.rounds(),
            Brackets::Double(it) => it.rounds(),
        }
    }

    /// Returns the match at a place.
    pub(super) fn match_at(&self, place: BracketPlace) -> StageMatch {
        use double_elimination::Place as Double;
        let rounds = self.rounds();
        match place {
            BracketPlace::Single(knockout::Place::Tree { round, .. }) => {
                StageMatch::Knockout(1 << (rounds - round))
            }
            BracketPlace::Single(knockout::Place::Third) => StageMatch::Third,
            BracketPlace::Double(Double::Winners { round, .. }) => {
                StageMatch::Winners(1 << (rounds - round))
            }
            BracketPlace::Double(Double::Losers { round, .. }) => {
                StageMatch::Losers { round: round + 1, of: 2 * (rounds - 1) }
            }
            BracketPlace::Double(Double::Final) => StageMatch::Final,
            BracketPlace::Double(Double::SecondFinal) => StageMatch::SecondFinal,
        }
    }

    /// Returns the place of a match in the order of play; the match for the third place is beside the final.
    pub(super) fn step(&self, place: BracketPlace) -> usize {
        match (self, place) {
            (Brackets::Double(it), BracketPlace::Double(place)) => it.step(place),
            (_, BracketPlace::Single(knockout::Place::Tree { round, .. })) => round,
            _ => self.rounds().saturating_sub(1),
        }
    }

    /// Returns the bots without an opponent so far in rounds that are played beside this one, which is given by one of its
    /// matches.
    pub(super) fn byes_beside(&self, of: StageMatch) -> Vec<usize> {
        let byes: Vec<Entrant> = match self {
            Brackets::Alone(_) => Vec::new(),
            Brackets::Single(it) => {
                let is_first = of == StageMatch::Knockout(1 << it.rounds());
                it.byes().filter(|_| is_first).collect()
            }
            Brackets::Double(it) => {
                let step = |place: double_elimination::Place| it.step(place);
                let own = |place| self.match_at(BracketPlace::Double(place)) == of;
                let own = it.places().find(|place| own(*place)).map(step);
                let byes = it.byes().iter().filter(|(place, _)| Some(step(*place)) == own);
                byes.map(|(_, bot)| *bot).collect()
            }
        };
        byes.into_iter().map(|bot| bot.0).collect()
    }
}
