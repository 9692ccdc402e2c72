//! Stages of a league: rounds whose tables follow from the results of the rounds before, by a written rule.
//!
//! # Theory of operation
//!
//! **A stage is announced by a line in the log** of the league, with its format and its bots in the order of their
//! seeds. The versions are frozen: a bot that enters again meanwhile plays the stage with the version that is listed.
//!
//! **Its rounds are rounds of the league.** While a stage is open there are no others. The line at the end of each has
//! the result of every table, so [`Stage::next`] is a pure function of the log of the league: every reader of the log
//! checks that the tables of each round are those of the rule. `arbiter verify` computes the results from the games.
//!
//! **A table is a match of two bots** over some deals, each in both orders of the seats. It goes to the bot with more
//! games won; a drawn game is half of one for each. In a knockout, a tie goes to the bot with more points, then to the
//! better seed.

mod format;
pub mod output;
mod places;
mod result;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use standings::Entrant;
use standings::pairing::knockout::{Bracket, Place};
use standings::pairing::swiss::{self, PlayedRound, PlayedTable};
use standings::pairing::tie_break::{Entry, Meeting, Ranking, ranks};
use standings::pairing::{Outcome, groups};
use thiserror::Error;

use crate::version::BotVersion;
pub use format::{Groups, StageFormat, usual_rounds};
pub use places::Placed;
use places::half_points;
pub use result::{TableResult, results};
use standings::pairing::knockout::Third;
use standings::pairing::tie_break::TieBreak;

/// The most games of a round.
const MOST_GAMES: u64 = 1 << 30;

/// The line that announces a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageLine {
    /// Its number, from 0.
    pub stage: u64,
    /// Its name, for people.
    pub name: String,
    /// Its format.
    pub format: StageFormat,
    /// The bots in the order of their seeds, the best first.
    pub bots: Vec<BotVersion>,
    /// Number of deals of each table.
    pub deals: u64,
    /// The order of bots with equal scores.
    pub tie_breaks: Vec<TieBreak>,
}

/// The tie-breaks of a stage that names none.
pub const TIE_BREAKS: [TieBreak; 4] =
    [TieBreak::DirectEncounter, TieBreak::BuchholzCut1, TieBreak::Buchholz, TieBreak::Margin];

/// A stage, with the results so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// Its line in the log.
    pub line: StageLine,
    rounds: Vec<StageRound>,
    /// The next round after those that are over: a pairing takes a moment.
    next: Result<Next, NoStage>,
    /// The seeds of the knockout after groups, once these are over.
    seeds: Option<Vec<usize>>,
}

/// The most bots of a stage.
pub const MOST_BOTS: usize = Bracket::MOST_BOTS;

/// A round of a stage.
#[derive(Debug, Clone, PartialEq)]
pub struct StageRound {
    /// Its number among the rounds of the league.
    pub round: u64,
    /// Its tables, by the rule of the stage.
    pub tables: Vec<StageTable>,
    /// The bot without an opponent in a Swiss round, by its seed from 0.
    pub bye: Option<usize>,
    /// The results of the tables; none while it is played.
    pub results: Option<Vec<TableResult>>,
}

/// Two bots that meet, by their seeds from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageTable {
    /// The bots.
    pub bots: [usize; 2],
    /// Their match.
    pub of: StageMatch,
}

/// The match of a table in its stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StageMatch {
    /// One of a Swiss round, by its number from 1.
    Swiss(usize),
    /// One of a group, by its number from 1.
    Group(usize),
    /// One of a knockout: the number of bots that its round has room for, 2 in the final.
    Knockout(usize),
    /// The match for the third place.
    Third,
}

/// Reason why a stage cannot begin or go on; one line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NoStage(pub String);

/// A next round, or the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// These tables are played.
    Round {
        /// The tables.
        tables: Vec<StageTable>,
        /// The bot without an opponent in a Swiss round.
        bye: Option<usize>,
    },
    /// The stage is over.
    Over,
}

impl Stage {
    /// Begins a stage.
    ///
    /// # Errors
    ///
    /// [`NoStage`] if the format does not fit the number of bots.
    pub fn begin(line: StageLine) -> Result<Stage, NoStage> {
        let bots = line.bots.len();
        if line.bots.iter().map(|bot| &bot.bot).collect::<BTreeSet<_>>().len() < bots {
            return Err(NoStage("it lists a bot twice".to_owned()));
        }
        if line.deals == 0 {
            return Err(NoStage("it has no deals".to_owned()));
        }
        if bots > MOST_BOTS {
            return Err(NoStage(format!("{bots} bots: at most {MOST_BOTS}")));
        }
        let mut stage = Stage { line, rounds: Vec::new(), next: Ok(Next::Over), seeds: None };
        match &stage.line.format {
            StageFormat::Swiss { rounds } => {
                swiss::Stage::new(bots, *rounds).map(drop).map_err(no)?
            }
            StageFormat::Knockout { third } => {
                Bracket::new(&entrants(bots), *third).map(drop).map_err(no)?;
            }
            StageFormat::Groups(Groups { groups, first, third }) => {
                let drawn = groups::draw(&entrants(bots), *groups).map_err(no)?;
                let least = drawn.iter().map(Vec::len).min().unwrap_or(0);
                let on = groups.get().saturating_mul(first.get());
                if first.get() > least || on > groups::MOST_SEEDS {
                    let most = groups::MOST_SEEDS;
                    return Err(NoStage(format!(
                        "{first} qualifiers from each of {groups} groups: at most {most} in all, \
                         and no more than the {least} bots of the smallest group"
                    )));
                }
                Bracket::new(&entrants(on), *third).map(drop).map_err(no)?;
            }
        }
        stage.next = stage.found();
        let most = match &stage.next {
            Ok(Next::Round { tables, .. }) => tables.len() as u64,
            Ok(Next::Over) | Err(_) => 0,
        };
        // The first round has the most tables, each in both orders of the seats.
        let games = most.saturating_mul(stage.line.deals).saturating_mul(2);
        if games > MOST_GAMES {
            let problem = format!("its first round has {games} games: at most {MOST_GAMES}");
            return Err(NoStage(problem));
        }
        Ok(stage)
    }

    /// The winner of a match with this result, by its seed; none after a draw.
    pub fn winner(&self, table: &StageTable, result: &TableResult) -> Option<usize> {
        let [one, other] = table.bots;
        let outcome = match table.of {
            StageMatch::Swiss(_) | StageMatch::Group(_) => result.outcome(),
            StageMatch::Knockout(_) | StageMatch::Third => {
                let seed = |bot| self.seeds.as_ref().map_or(bot, |seeds| seed_in(seeds, bot));
                result.winner(seed(one) < seed(other))
            }
        };
        match outcome {
            Outcome::One => Some(one),
            Outcome::Other => Some(other),
            Outcome::Draw => None,
        }
    }

    /// The rounds so far.
    pub fn rounds(&self) -> &[StageRound] {
        &self.rounds
    }

    /// The version with this seed.
    pub fn bot(&self, seed: usize) -> Option<&BotVersion> {
        self.line.bots.get(seed)
    }

    /// The round that is next by the rule, or that is being played.
    ///
    /// # Errors
    ///
    /// [`NoStage`] if there is no pairing.
    pub fn next(&self) -> Result<&Next, &NoStage> {
        self.next.as_ref()
    }

    fn found(&self) -> Result<Next, NoStage> {
        match &self.line.format {
            StageFormat::Swiss { rounds } => self.next_swiss(*rounds),
            StageFormat::Knockout { third } => {
                let all: Vec<usize> = (0..self.line.bots.len()).collect();
                self.next_of_knockout(&all, *third, &self.rounds)
            }
            StageFormat::Groups(format) => match self.rounds.split_first() {
                None => self.group_tables(format.groups),
                Some((_, later)) => {
                    let seeds = self.seeds.as_deref().unwrap_or_default();
                    self.next_of_knockout(seeds, format.third, later)
                }
            },
        }
    }

    /// Returns true once its last round is over.
    pub fn is_over(&self) -> bool {
        // Without a pairing it does not go on either.
        !matches!(self.next, Ok(Next::Round { .. }))
    }

    /// Adds a round of the league, which has the tables of [`next`](Stage::next).
    pub(super) fn announce(&mut self, round: u64) {
        if let Ok(Next::Round { tables, bye }) = &self.next {
            let (tables, bye) = (tables.clone(), *bye);
            self.rounds.push(StageRound { round, tables, bye, results: None });
        }
    }

    /// Ends its last round with a result for each table.
    pub(super) fn end(&mut self, results: Vec<TableResult>) {
        if let Some(round) = self.rounds.last_mut() {
            round.results = Some(results);
        }
        if let StageFormat::Groups(format) = self.line.format
            && self.rounds.len() == 1
        {
            self.seeds = self.seeds_from_groups(&format).ok();
        }
        // A stage that was ended has no next round.
        if !self.is_over() {
            self.next = self.found();
        }
    }

    /// Takes its last round back, which was broken off: its tables are played again.
    pub(super) fn take_back(&mut self) {
        self.rounds.pop();
    }

    /// Ends the stage before its last round.
    pub(super) fn end_early(&mut self) {
        self.next = Ok(Next::Over);
    }

    fn next_swiss(&self, rounds: usize) -> Result<Next, NoStage> {
        if self.rounds.len() >= rounds {
            return Ok(Next::Over);
        }
        let stage = swiss::Stage::new(self.line.bots.len(), rounds).map_err(no)?;
        let played: Vec<PlayedRound> = self.rounds.iter().map(played).collect();
        let number = self.rounds.len() + 1;
        match swiss::pair(stage, &played) {
            Ok(pairing) => {
                let table = |[one, other]: &[Entrant; 2]| StageTable {
                    bots: [one.0, other.0],
                    of: StageMatch::Swiss(number),
                };
                let tables = pairing.tables.iter().map(table).collect();
                Ok(Next::Round { tables, bye: pairing.bye.map(|bot| bot.0) })
            }
            Err(why) => Err(no(why)),
        }
    }

    fn group_tables(&self, groups: NonZeroUsize) -> Result<Next, NoStage> {
        let drawn = groups::draw(&entrants(self.line.bots.len()), groups).map_err(no)?;
        let tables = drawn.iter().enumerate().flat_map(|(group, bots)| {
            let of = StageMatch::Group(group + 1);
            groups::rounds(bots).into_iter().flat_map(move |round| {
                round
                    .tables
                    .into_iter()
                    .map(move |[one, other]| StageTable { bots: [one.0, other.0], of })
            })
        });
        Ok(Next::Round { tables: tables.collect(), bye: None })
    }

    /// The next round of a knockout: the matches of its earliest round that is not over.
    fn next_of_knockout(
        &self,
        seeds: &[usize],
        third: Third,
        rounds: &[StageRound],
    ) -> Result<Next, NoStage> {
        let bracket = self.bracket(seeds, third, rounds)?;
        let next = bracket.next_matches();
        let round = |place: Place| match place {
            Place::Tree { round, .. } => round,
            Place::Third => bracket.rounds() - 1,
        };
        let Some(first) = next.iter().map(|it| round(it.place)).min() else {
            return Ok(Next::Over);
        };
        let table = |it: &standings::pairing::knockout::Match| StageTable {
            bots: it.bots.map(|bot| bot.0),
            of: match it.place {
                Place::Tree { round, .. } => StageMatch::Knockout(1 << (bracket.rounds() - round)),
                Place::Third => StageMatch::Third,
            },
        };
        let tables = next.iter().filter(|it| round(it.place) == first).map(table).collect();
        Ok(Next::Round { tables, bye: None })
    }

    /// The bracket with the winners of these rounds.
    fn bracket(
        &self,
        seeds: &[usize],
        third: Third,
        rounds: &[StageRound],
    ) -> Result<Bracket, NoStage> {
        let entrants: Vec<Entrant> = seeds.iter().copied().map(Entrant).collect();
        let mut bracket = Bracket::new(&entrants, third).map_err(no)?;
        for (table, result) in rounds.iter().flat_map(StageRound::played) {
            let matches = bracket.next_matches();
            let it = matches.iter().find(|it| it.bots.map(|bot| bot.0) == table.bots);
            let Some(it) = it else {
                return Err(NoStage("it has a match that is not next".to_owned()));
            };
            let [one, other] = table.bots;
            let winner = match result.winner(seed_in(seeds, one) < seed_in(seeds, other)) {
                Outcome::One => one,
                Outcome::Draw | Outcome::Other => other,
            };
            bracket.decide(it.place, Entrant(winner)).map_err(no)?;
        }
        Ok(bracket)
    }

    /// The bots of each group in the order of their ranks; the better seed is first where bots are tied.
    fn ranked_groups(&self, groups: NonZeroUsize) -> Result<Vec<(Vec<Entrant>, Ranking)>, NoStage> {
        let drawn = groups::draw(&entrants(self.line.bots.len()), groups).map_err(no)?;
        let played: Vec<(StageTable, TableResult)> =
            self.rounds.first().into_iter().flat_map(StageRound::played).collect();
        let ranked = drawn.into_iter().enumerate().map(|(group, bots)| {
            let of = StageMatch::Group(group + 1);
            let own: Vec<_> = played.iter().filter(|(table, _)| table.of == of).copied().collect();
            let ranking = self.ranking(&bots, &own, &[])?;
            Ok((ranking.places.iter().map(|(bot, _)| *bot).collect(), ranking))
        });
        ranked.collect()
    }

    fn seeds_from_groups(&self, format: &Groups) -> Result<Vec<usize>, NoStage> {
        let ranked = self.ranked_groups(format.groups)?;
        let bots: Vec<Vec<Entrant>> = ranked.into_iter().map(|(bots, _)| bots).collect();
        let seeds = groups::knockout_seeds(&bots, format.first).map_err(no)?;
        Ok(seeds.into_iter().map(|bot| bot.0).collect())
    }

    fn ranking(
        &self,
        bots: &[Entrant],
        played: &[(StageTable, TableResult)],
        byes: &[usize],
    ) -> Result<Ranking, NoStage> {
        let meeting = |(table, result): &(StageTable, TableResult)| Meeting {
            bots: table.bots.map(Entrant),
            outcome: result.outcome(),
            points: result.points.map(rules::Score::sixtieths),
        };
        let meetings: Vec<Meeting> = played.iter().map(meeting).collect();
        let entry = |bot: &Entrant| {
            let rested = byes.iter().filter(|it| **it == bot.0).count();
            Entry {
                bot: *bot,
                score: half_points(*bot, played, byes),
                byes: u16::try_from(rested).unwrap_or(u16::MAX),
            }
        };
        let entries: Vec<Entry> = bots.iter().map(entry).collect();
        ranks(&entries, &meetings, &self.line.tie_breaks).map_err(no)
    }
}

impl StageRound {
    /// The tables with their results; none while it is played.
    pub fn played(&self) -> impl Iterator<Item = (StageTable, TableResult)> + '_ {
        self.tables.iter().copied().zip(self.results.iter().flatten().copied())
    }
}

/// The seed of a bot in a bracket, which decides last.
fn seed_in(seeds: &[usize], bot: usize) -> usize {
    seeds.iter().position(|seed| *seed == bot).unwrap_or(usize::MAX)
}

/// A Swiss round for the pairing of the next.
fn played(round: &StageRound) -> PlayedRound {
    let table = |(table, result): (StageTable, TableResult)| PlayedTable {
        one: Entrant(table.bots[0]),
        other: Entrant(table.bots[1]),
        outcome: result.outcome(),
    };
    PlayedRound { tables: round.played().map(table).collect(), bye: round.bye.map(Entrant) }
}

fn entrants(bots: usize) -> Vec<Entrant> {
    (0..bots).map(Entrant).collect()
}

fn no(why: impl ToString) -> NoStage {
    NoStage(why.to_string())
}
