//! The knockout of a stage, with one elimination or two, after some rounds: its bracket, its tied matches, and the next round.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Serialize;
use standings::Entrant;
use standings::pairing::knockout::{self, Match, ThirdPlace};
use standings::pairing::{Outcome, double_elimination};

use crate::stage::line::{NextRound, StageMatch, StageRound, StageTable, TableResult};

#[derive(Debug, Clone, Copy)]
pub(super) struct KnockoutFormat {
    pub(super) elimination: Elimination,
    pub(super) deals: u64,
    /// Most pairs of games on extra deals.
    pub(super) deciders: u64,
}

/// A knockout after some rounds.
#[derive(Debug)]
pub(super) struct Knockout {
    rule: KnockoutFormat,
    brackets: Brackets,
    seeds: Vec<usize>,
    matches: BTreeMap<BracketPlace, PlayedMatch>,
}

#[derive(Debug)]
struct PlayedMatch {
    table: StageTable,
    /// The result of the match itself; none if it was not played.
    games: Option<TableResult>,
    /// The results of pairs of games on extra deals.
    extra: Vec<TableResult>,
    decision: Option<Decision>,
}

impl Knockout {
    /// Returns the knockout of these bots, the best seed first, after these rounds, the first of which has this place in
    /// the stage.
    pub(super) fn new(
        seeds: Vec<usize>,
        rule: KnockoutFormat,
        first: usize,
        rounds: &[StageRound],
        leavers: &Leavers,
    ) -> Result<Knockout, String> {
        let entrants: Vec<Entrant> = seeds.iter().copied().map(Entrant).collect();
        let brackets = Brackets::new(&entrants, rule.elimination)?;
        let mut knockout = Knockout { rule, brackets, seeds, matches: BTreeMap::new() };
        for (place, round) in (first..).zip(rounds) {
            knockout.withdraw(leavers, place)?;
            let next = knockout.brackets.next_matches();
            for (table, result) in round.played() {
                let it = next.iter().find(|it| it.bots.map(|bot| bot.0) == table.bots);
                let Some(it) = it else {
                    return Err("it has a match that is not next".to_owned());
                };
                knockout.add(it, &table, result);
                let left = leavers.side_left(table.bots, |leaver| leaver.over <= place);
                match left {
                    Some(side) => knockout.decide_without(it, side)?,
                    None => knockout.decide(it)?,
                }
            }
        }
        knockout.withdraw(leavers, first + rounds.len())?;
        Ok(knockout)
    }

    /// Decides matches with bots that left before this round was announced, as far as both bots are known.
    fn withdraw(&mut self, leavers: &Leavers, round: usize) -> Result<(), String> {
        loop {
            let side = |it: &Match<BracketPlace>| {
                leavers.side_left(it.bots.map(|bot| bot.0), |leaver| leaver.announced <= round)
            };
            let next = self.brackets.next_matches();
            let Some((it, side)) = next.iter().find_map(|it| Some((it, side(it)?))) else {
                return Ok(());
            };
            self.decide_without(it, side)?;
        }
    }

    fn played(&mut self, it: &Match<BracketPlace>) -> &mut PlayedMatch {
        let table = self.table(it);
        self.matches.entry(it.place).or_insert_with(|| PlayedMatch {
            table,
            games: None,
            extra: Vec::new(),
            decision: None,
        })
    }

    /// Adds a table of a match that is not decided.
    fn add(&mut self, it: &Match<BracketPlace>, table: &StageTable, result: TableResult) {
        let played = self.played(it);
        match table.decider {
            None => played.games = Some(result),
            Some(_) => played.extra.push(result),
        }
    }

    /// Decides a match by its games, unless it is tied.
    fn decide(&mut self, it: &Match<BracketPlace>) -> Result<(), String> {
        let place = |bot: Entrant| self.seeds.iter().position(|seed| *seed == bot.0);
        let better = usize::from(place(it.bots[0]) > place(it.bots[1]));
        let deciders = self.rule.deciders;
        let played = self.played(it);
        let games = played.games.unwrap_or_default();
        match Decision::of_knockout(games, &played.extra, deciders, better) {
            Some(decision) => self.set(it, decision),
            None => Ok(()),
        }
    }

    /// Decides a match for this side, because the other one left.
    fn decide_without(&mut self, it: &Match<BracketPlace>, side: usize) -> Result<(), String> {
        let games = self.played(it).games.unwrap_or_default();
        self.set(it, Decision::by_withdrawal(games, Some(side)))
    }

    fn set(&mut self, it: &Match<BracketPlace>, decision: Decision) -> Result<(), String> {
        self.played(it).decision = Some(decision);
        match decision.side {
            Some(side) => self.brackets.decide(it.place, it.bots[side]),
            None => Ok(()),
        }
    }

    /// Returns the next round: extra deals of tied matches, or else the matches of the earliest round of the bracket
    /// that is not over, beside those of the losers' bracket.
    pub(super) fn next(&self) -> NextRound {
        let next = self.brackets.next_matches();
        let tied = next
            .iter()
            .filter_map(|it| self.matches.get(&it.place))
            .map(|it| StageTable { decider: Some(it.extra.len() as u64 + 1), ..it.table });
        let tied: Vec<StageTable> = tied.collect();
        if !tied.is_empty() {
            return NextRound::Round { tables: tied, deals: 1, bye: None };
        }
        let step = |it: &Match<BracketPlace>| self.brackets.step(it.place);
        let Some(first) = next.iter().map(step).min() else {
            return NextRound::Over;
        };
        let of_round = next.iter().filter(|it| step(it) == first);
        let tables = of_round.map(|it| self.table(it)).collect();
        NextRound::Round { tables, deals: self.rule.deals, bye: None }
    }

    fn table(&self, it: &Match<BracketPlace>) -> StageTable {
        let of = self.brackets.match_at(it.place);
        StageTable { bots: it.bots.map(|bot| bot.0), of, decider: None }
    }

    /// Returns the ranks of the bots that are out, or have won.
    pub(super) fn ranks(&self) -> BTreeMap<Entrant, RangeInclusive<usize>> {
        self.brackets.ranks()
    }

    /// Returns the bots that have no opponent in the round of a match.
    pub(super) fn byes_beside(&self, of: StageMatch) -> Vec<usize> {
        self.brackets.byes_beside(of)
    }

    /// Returns the matches that were decided without a game.
    pub(super) fn walkovers(&self) -> impl Iterator<Item = StageTable> + '_ {
        let unplayed = |it: &&PlayedMatch| it.games.is_none() && it.decision.is_some();
        self.matches.values().filter(unplayed).map(|it| it.table)
    }

    pub(super) fn add_decisions(&self, decisions: &mut Decisions) {
        for played in self.matches.values() {
            if let Some(decision) = played.decision {
                decisions.add(&played.table, decision);
            }
        }
    }
}

/// A bot that left a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaver {
    /// Its seed, from 0.
    pub seed: usize,
    /// Number of rounds of the stage that were over.
    pub over: usize,
    /// Number of rounds of the stage that were announced: one more if one was being played.
    pub(super) announced: usize,
    pub how: LeavingMode,
    /// Reason of the organiser, or the problem with its files.
    pub reason: Option<String>,
}

/// The way in which a bot leaves a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LeavingMode {
    /// It left the league, or its files are gone.
    Withdrawn,
    Disqualified,
}

/// The bots that left a stage, in the order in which they left.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Leavers(Vec<Leaver>);

impl Leavers {
    pub fn all(&self) -> &[Leaver] {
        &self.0
    }

    /// Returns true if this bot left.
    pub fn has(&self, seed: usize) -> bool {
        self.0.iter().any(|it| it.seed == seed)
    }

    /// Returns those that left before this round of the stage was announced, by its place from 0.
    pub(super) fn left_before(&self, round: usize) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().filter(move |it| it.announced <= round).map(|it| it.seed)
    }

    /// Returns true if a bot left before the end of this round.
    pub(super) fn is_gone(&self, seed: usize, round: usize) -> bool {
        self.0.iter().any(|it| it.seed == seed && it.over <= round)
    }

    /// Returns the side of a match that advances because the other one left; if both did, the one that left later.
    pub(super) fn side_left(
        &self,
        bots: [usize; 2],
        is_out: impl Fn(&Leaver) -> bool,
    ) -> Option<usize> {
        let place = |bot: usize| self.0.iter().position(|it| it.seed == bot && is_out(it));
        match bots.map(place) {
            [None, None] => None,
            [Some(_), None] => Some(1),
            [None, Some(_)] => Some(0),
            [Some(one), Some(other)] => Some(usize::from(one < other)),
        }
    }

    /// Adds a bot. One that left already may still be disqualified.
    pub(super) fn add(&mut self, leaver: Leaver) {
        match self.0.iter_mut().find(|it| it.seed == leaver.seed) {
            Some(known) => (known.how, known.reason) = (leaver.how, leaver.reason),
            None => self.0.push(leaver),
        }
    }

    /// Takes rounds after this number back: they are played again without those that have left.
    pub(super) fn take_back(&mut self, rounds: usize) {
        for leaver in &mut self.0 {
            leaver.over = leaver.over.min(rounds);
            leaver.announced = leaver.announced.min(rounds);
        }
    }
}

/// Number of matches that a bot may lose before it is out.
#[derive(Debug, Clone, Copy)]
pub(super) enum Elimination {
    Single(ThirdPlace),
    Double,
}

#[derive(Debug)]
pub(super) enum Brackets {
    /// Fewer than two bots are left.
    Alone(Option<Entrant>),
    Single(knockout::Bracket),
    Double(double_elimination::DoubleEliminationBracket),
}

/// The place of a match; those of a bot are in the order of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BracketPlace {
    Single(knockout::MatchPlace),
    Double(double_elimination::DoubleEliminationPlace),
}

impl Brackets {
    /// Returns the brackets of these bots, the best seed first. Few bots have no match for the third place.
    pub(super) fn new(seeds: &[Entrant], elimination: Elimination) -> Result<Brackets, String> {
        match elimination {
            _ if seeds.len() < 2 => Ok(Brackets::Alone(seeds.first().copied())),
            Elimination::Single(third) => {
                let third = if seeds.len() < 4 { ThirdPlace::Shared } else { third };
                knockout::Bracket::new(seeds, third)
                    .map(Brackets::Single)
                    .map_err(|why| why.to_string())
            }
            Elimination::Double => double_elimination::DoubleEliminationBracket::new(seeds)
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
            _ => Err("it has a match in a different format".to_owned()),
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

    pub(super) fn match_at(&self, place: BracketPlace) -> StageMatch {
        use double_elimination::DoubleEliminationPlace as Double;
        let rounds = self.rounds();
        match place {
            BracketPlace::Single(knockout::MatchPlace::Tree { round, .. }) => {
                StageMatch::Knockout(1 << (rounds - round))
            }
            BracketPlace::Single(knockout::MatchPlace::Third) => StageMatch::Third,
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
            (_, BracketPlace::Single(knockout::MatchPlace::Tree { round, .. })) => round,
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
                let step = |place: double_elimination::DoubleEliminationPlace| it.step(place);
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

    pub fn all(&self) -> &[(StageTable, Decision)] {
        &self.all
    }

    pub(super) fn add(&mut self, table: &StageTable, decision: Decision) {
        self.places.insert((table.of, table.bots), self.all.len());
        self.all.push((*table, decision));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Its winner by its side of the table, 0 or 1; none after a draw.
    pub side: Option<usize>,
    /// That which decided it.
    pub by: DecisionCause,
    /// The games of the match; those on extra deals if they decided it.
    pub games: TableResult,
}

/// That which decided a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecisionCause {
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
            Some(winner) => by_play(DecisionCause::Games, games, winner),
            None if is_forfeited(games) => DecisionCause::NeitherAnswered,
            None => DecisionCause::Games,
        };
        Decision { side: side(games), by, games }
    }

    /// The decision of a match that was not over when one of its bots left, for this side, or for none.
    pub(super) fn by_withdrawal(games: TableResult, side: Option<usize>) -> Decision {
        Decision { side, by: DecisionCause::Withdrawal, games }
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
            let by = by_play(DecisionCause::Deciders, on_extra, winner);
            return Some(Decision { side: Some(winner), by, games: on_extra });
        }
        if (extra.len() as u64) < deciders {
            return None;
        }
        let games = games + on_extra;
        let (winner, by) = match games.points[0].cmp(&games.points[1]) {
            _ if is_forfeited(games) => (better, DecisionCause::NeitherAnswered),
            std::cmp::Ordering::Greater => (0, DecisionCause::Points),
            std::cmp::Ordering::Less => (1, DecisionCause::Points),
            std::cmp::Ordering::Equal => (better, DecisionCause::Seed),
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

/// How the side with more wins got them: `by`, or by forfeits of the other side.
fn by_play(by: DecisionCause, games: TableResult, winner: usize) -> DecisionCause {
    let forfeited = games.forfeited.unwrap_or_default();
    let won = |side: usize| games.won[side].saturating_sub(forfeited[1 - side]);
    match won(winner) > won(1 - winner) {
        true => by,
        false => DecisionCause::Forfeit,
    }
}

fn is_forfeited(games: TableResult) -> bool {
    let all = games.won[0].saturating_add(games.won[1]).saturating_add(games.drawn);
    let forfeited = games.forfeited.unwrap_or_default();
    forfeited.iter().all(|games| *games > 0) && forfeited[0].saturating_add(forfeited[1]) >= all
}
