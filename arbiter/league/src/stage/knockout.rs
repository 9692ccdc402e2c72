//! The knockout of a stage after some rounds: its bracket, its tied matches, and the next round.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use standings::Entrant;
use standings::pairing::knockout::{Bracket, Match, Place, Third};

use crate::stage::decision::{Decision, Decisions};
use crate::stage::leavers::Leavers;
use crate::stage::line::{StageMatch, TableResult};
use crate::stage::round::{NextRound, StageError, StageRound, StageTable, stage_error};

/// Format of a knockout.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnockoutRule {
    pub(super) third: Third,
    /// Number of deals of a match.
    pub(super) deals: u64,
    /// Most pairs of games on extra deals.
    pub(super) deciders: u64,
}

/// A knockout after some rounds.
#[derive(Debug)]
pub(super) struct Knockout {
    rule: KnockoutRule,
    /// None if fewer than two bots are left.
    bracket: Option<Bracket>,
    seeds: Vec<usize>,
    matches: BTreeMap<Place, PlayedMatch>,
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
    pub(super) fn after(
        seeds: Vec<usize>,
        rule: KnockoutRule,
        first: usize,
        rounds: &[StageRound],
        leavers: &Leavers,
    ) -> Result<Knockout, StageError> {
        let entrants: Vec<Entrant> = seeds.iter().copied().map(Entrant).collect();
        let third = if entrants.len() < 4 { Third::Shared } else { rule.third };
        let bracket = match entrants.len() {
            0 | 1 => None,
            _ => Some(Bracket::new(&entrants, third).map_err(stage_error)?),
        };
        let mut knockout = Knockout { rule, bracket, seeds, matches: BTreeMap::new() };
        for (place, round) in (first..).zip(rounds) {
            knockout.withdraw(leavers, place)?;
            let next = knockout.next_matches();
            for (table, result) in round.played() {
                let it = next.iter().find(|it| it.bots.map(|bot| bot.0) == table.bots);
                let Some(it) = it else {
                    return Err(StageError("it has a match that is not next".to_owned()));
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
    fn withdraw(&mut self, leavers: &Leavers, round: usize) -> Result<(), StageError> {
        loop {
            let side = |it: &Match| {
                leavers.side_left(it.bots.map(|bot| bot.0), |leaver| leaver.announced <= round)
            };
            let next = self.next_matches();
            let Some((it, side)) = next.iter().find_map(|it| Some((it, side(it)?))) else {
                return Ok(());
            };
            self.decide_without(it, side)?;
        }
    }

    fn next_matches(&self) -> Vec<Match> {
        self.bracket.as_ref().map_or_else(Vec::new, Bracket::next_matches)
    }

    fn played(&mut self, it: &Match) -> &mut PlayedMatch {
        let table = self.table(it);
        self.matches.entry(it.place).or_insert_with(|| PlayedMatch {
            table,
            games: None,
            extra: Vec::new(),
            decision: None,
        })
    }

    /// Adds a table of a match that is not decided.
    fn add(&mut self, it: &Match, table: &StageTable, result: TableResult) {
        let played = self.played(it);
        match table.decider {
            None => played.games = Some(result),
            Some(_) => played.extra.push(result),
        }
    }

    /// Decides a match by its games, unless it is tied.
    fn decide(&mut self, it: &Match) -> Result<(), StageError> {
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
    fn decide_without(&mut self, it: &Match, side: usize) -> Result<(), StageError> {
        let games = self.played(it).games.unwrap_or_default();
        self.set(it, Decision::by_withdrawal(games, Some(side)))
    }

    fn set(&mut self, it: &Match, decision: Decision) -> Result<(), StageError> {
        self.played(it).decision = Some(decision);
        match (decision.side, &mut self.bracket) {
            (Some(side), Some(bracket)) => {
                bracket.decide(it.place, it.bots[side]).map_err(stage_error)
            }
            _ => Ok(()),
        }
    }

    /// Returns the next round: extra deals of tied matches, or else the matches of the earliest round of the bracket
    /// that is not over.
    pub(super) fn next(&self) -> NextRound {
        let next = self.next_matches();
        let tied = next
            .iter()
            .filter_map(|it| self.matches.get(&it.place))
            .map(|it| StageTable { decider: Some(it.extra.len() as u64 + 1), ..it.table });
        let tied: Vec<StageTable> = tied.collect();
        if !tied.is_empty() {
            return NextRound::Round { tables: tied, deals: 1, bye: None };
        }
        let Some(first) = next.iter().map(|it| self.round(it.place)).min() else {
            return NextRound::Over;
        };
        let of_round = next.iter().filter(|it| self.round(it.place) == first);
        let tables = of_round.map(|it| self.table(it)).collect();
        NextRound::Round { tables, deals: self.rule.deals, bye: None }
    }

    /// Number of rounds of the bracket.
    fn rounds(&self) -> usize {
        self.bracket.as_ref().map_or(0, Bracket::rounds)
    }

    /// The round of the bracket in which a match is played; that for the third place is beside the final.
    fn round(&self, place: Place) -> usize {
        match place {
            Place::Tree { round, .. } => round,
            Place::Third => self.rounds().saturating_sub(1),
        }
    }

    fn table(&self, it: &Match) -> StageTable {
        let of = match it.place {
            Place::Tree { round, .. } => StageMatch::Knockout(1 << (self.rounds() - round)),
            Place::Third => StageMatch::Third,
        };
        StageTable { bots: it.bots.map(|bot| bot.0), of, decider: None }
    }

    /// Returns the ranks of the bots that are out, or have won.
    pub(super) fn ranks(&self) -> BTreeMap<Entrant, RangeInclusive<usize>> {
        match &self.bracket {
            Some(bracket) => bracket.ranks(),
            None => self.seeds.iter().map(|seed| (Entrant(*seed), 1..=1)).collect(),
        }
    }

    /// Returns the bots that have a bye in the first round.
    pub(super) fn byes(&self) -> Vec<usize> {
        self.bracket.iter().flat_map(Bracket::byes).map(|bot| bot.0).collect()
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
