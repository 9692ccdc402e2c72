//! The knockout of a stage after some rounds: its bracket, its tied matches, and the next round.

use std::collections::BTreeMap;

use standings::Entrant;
use standings::pairing::knockout::{Bracket, Match, Place, Third};

use crate::stage::decision::{Decision, Decisions};
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
    pub(super) bracket: Bracket,
    matches: BTreeMap<Place, PlayedMatch>,
}

#[derive(Debug)]
struct PlayedMatch {
    table: StageTable,
    games: TableResult,
    /// The results of pairs of games on extra deals.
    extra: Vec<TableResult>,
    decision: Option<Decision>,
}

impl Knockout {
    /// Returns the knockout of these bots, the best seed first, after these rounds.
    pub(super) fn after(
        seeds: &[usize],
        rule: KnockoutRule,
        rounds: &[StageRound],
    ) -> Result<Knockout, StageError> {
        let entrants: Vec<Entrant> = seeds.iter().copied().map(Entrant).collect();
        let bracket = Bracket::new(&entrants, rule.third).map_err(stage_error)?;
        let mut knockout = Knockout { rule, bracket, matches: BTreeMap::new() };
        let places: BTreeMap<usize, usize> = seeds.iter().copied().zip(0..).collect();
        for round in rounds {
            let next = knockout.bracket.next_matches();
            for (table, result) in round.played() {
                let it = next.iter().find(|it| it.bots.map(|bot| bot.0) == table.bots);
                let Some(it) = it else {
                    return Err(StageError("it has a match that is not next".to_owned()));
                };
                let better = usize::from(places.get(&table.bots[0]) > places.get(&table.bots[1]));
                knockout.add(it, table, result, better)?;
            }
        }
        Ok(knockout)
    }

    /// Adds a table of a match that is not decided; `better` is the side of the better seed.
    fn add(
        &mut self,
        of: &Match,
        table: StageTable,
        result: TableResult,
        better: usize,
    ) -> Result<(), StageError> {
        let played = self.matches.entry(of.place).or_insert_with(|| PlayedMatch {
            table: StageTable { decider: None, ..table },
            games: TableResult::default(),
            extra: Vec::new(),
            decision: None,
        });
        match table.decider {
            None => played.games = result,
            Some(_) => played.extra.push(result),
        }
        let deciders = self.rule.deciders;
        played.decision = Decision::of_knockout(played.games, &played.extra, deciders, better);
        match played.decision.and_then(|it| it.side) {
            Some(side) => self.bracket.decide(of.place, of.bots[side]).map_err(stage_error),
            None => Ok(()),
        }
    }

    /// Returns the next round: extra deals of tied matches, or else the matches of the earliest round of the bracket
    /// that is not over.
    pub(super) fn next(&self) -> NextRound {
        let next = self.bracket.next_matches();
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

    /// The round of the bracket in which a match is played; that for the third place is beside the final.
    fn round(&self, place: Place) -> usize {
        match place {
            Place::Tree { round, .. } => round,
            Place::Third => self.bracket.rounds() - 1,
        }
    }

    fn table(&self, it: &Match) -> StageTable {
        let of = match it.place {
            Place::Tree { round, .. } => StageMatch::Knockout(1 << (self.bracket.rounds() - round)),
            Place::Third => StageMatch::Third,
        };
        StageTable { bots: it.bots.map(|bot| bot.0), of, decider: None }
    }

    pub(super) fn add_decisions(&self, decisions: &mut Decisions) {
        for played in self.matches.values() {
            if let Some(decision) = played.decision {
                decisions.add(&played.table, decision);
            }
        }
    }
}
