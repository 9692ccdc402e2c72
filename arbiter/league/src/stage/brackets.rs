//! The brackets of a knockout, with one elimination or two, and decisions of its matches.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use standings::Entrant;
use standings::pairing::knockout::{self, Match, Third};
use standings::pairing::{Outcome, double_elimination};

use crate::stage::line::{StageMatch, StageTable, TableResult};
use serde::Serialize;

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
    pub(super) fn new(seeds: &[Entrant], elimination: Elimination) -> Result<Brackets, String> {
        match elimination {
            _ if seeds.len() < 2 => Ok(Brackets::Alone(seeds.first().copied())),
            Elimination::Single(third) => {
                let third = if seeds.len() < 4 { Third::Shared } else { third };
                knockout::Bracket::new(seeds, third)
                    .map(Brackets::Single)
                    .map_err(|why| why.to_string())
            }
            Elimination::Double => double_elimination::Bracket::new(seeds)
                .map(Brackets::Double)
                .map_err(|why| why.to_string()),
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

    pub(super) fn decide(&mut self, place: BracketPlace, winner: Entrant) -> Result<(), String> {
        match (self, place) {
            (Brackets::Single(it), BracketPlace::Single(place)) => {
                it.decide(place, winner).map_err(|why| why.to_string())
            }
            (Brackets::Double(it), BracketPlace::Double(place)) => {
                it.decide(place, winner).map_err(|why| why.to_string())
            }
            _ => Err("it has a match of another format".to_owned()),
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

/// The decisions of the matches of a stage, those of a knockout by round.
#[derive(Debug, Clone, Default)]
pub struct Decisions {
    all: Vec<(StageTable, Decision)>,
    places: BTreeMap<(StageMatch, [usize; 2]), usize>,
}

impl Decisions {
    /// Returns the decision of the match of a table, which may be one of its extra deals.
    pub fn of_table(&self, table: &StageTable) -> Option<&Decision> {
        let place = self.places.get(&(table.of, table.bots))?;
        self.all.get(*place).map(|(_, decision)| decision)
    }

    /// Returns all of them, with the tables of the matches.
    pub fn all(&self) -> &[(StageTable, Decision)] {
        &self.all
    }

    pub(super) fn add(&mut self, table: &StageTable, decision: Decision) {
        self.places.insert((table.of, table.bots), self.all.len());
        self.all.push((*table, decision));
    }
}

/// The end of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Its winner by its side of the table, 0 or 1; none after a draw.
    pub side: Option<usize>,
    /// That which decided it.
    pub by: DecidedBy,
    /// The games of the match; those on extra deals if they decided it.
    pub games: TableResult,
}

/// That which decided a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// More games won, or a draw if both have won as many.
    Games,
    /// More games won on extra deals.
    Deciders,
    /// More points in all games.
    Points,
    /// The better seed.
    Seed,
    /// Games that the other one forfeited: in those that were played to their end, it was not behind.
    Forfeit,
    /// Every game was forfeited, by the one or the other.
    NeitherAnswered,
    /// One of the bots left the stage before the match was over, or both did.
    Withdrawal,
}

impl Decision {
    /// The decision of a match that may be a draw.
    pub(super) fn by_games(games: TableResult) -> Decision {
        let by = match side(games) {
            Some(winner) => by_play(DecidedBy::Games, games, winner),
            None if is_forfeited(games) => DecidedBy::NeitherAnswered,
            None => DecidedBy::Games,
        };
        Decision { side: side(games), by, games }
    }

    /// The decision of a match that was not over when one of its bots left, for this side, or for none.
    pub(super) fn by_withdrawal(games: TableResult, side: Option<usize>) -> Decision {
        Decision { side, by: DecidedBy::Withdrawal, games }
    }

    /// The decision of a match that must have a winner, after pairs of games on extra deals; none if another pair is
    /// played. `better` is the side of the better seed.
    pub(super) fn of_knockout(
        games: TableResult,
        extra: &[TableResult],
        deciders: u64,
        better: usize,
    ) -> Option<Decision> {
        if side(games).is_some() {
            return Some(Decision::by_games(games));
        }
        let on_extra = extra.iter().fold(TableResult::default(), |sum, it| sum + *it);
        if let Some(winner) = side(on_extra) {
            let by = by_play(DecidedBy::Deciders, on_extra, winner);
            return Some(Decision { side: Some(winner), by, games: on_extra });
        }
        if (extra.len() as u64) < deciders {
            return None;
        }
        let games = games + on_extra;
        let (winner, by) = match games.points[0].cmp(&games.points[1]) {
            _ if is_forfeited(games) => (better, DecidedBy::NeitherAnswered),
            std::cmp::Ordering::Greater => (0, DecidedBy::Points),
            std::cmp::Ordering::Less => (1, DecidedBy::Points),
            std::cmp::Ordering::Equal => (better, DecidedBy::Seed),
        };
        Some(Decision { side: Some(winner), by, games })
    }
}

/// The side with more games won.
fn side(games: TableResult) -> Option<usize> {
    match games.outcome() {
        Outcome::One => Some(0),
        Outcome::Draw => None,
        Outcome::Other => Some(1),
    }
}

/// What decided for the side with more games won: `by`, or the forfeits of the other one.
fn by_play(by: DecidedBy, games: TableResult, winner: usize) -> DecidedBy {
    let forfeited = games.forfeited.unwrap_or_default();
    let won = |side: usize| games.won[side].saturating_sub(forfeited[1 - side]);
    match won(winner) > won(1 - winner) {
        true => by,
        false => DecidedBy::Forfeit,
    }
}

fn is_forfeited(games: TableResult) -> bool {
    let all = games.won[0].saturating_add(games.won[1]).saturating_add(games.drawn);
    let forfeited = games.forfeited.unwrap_or_default();
    forfeited.iter().all(|games| *games > 0) && forfeited[0].saturating_add(forfeited[1]) >= all
}
