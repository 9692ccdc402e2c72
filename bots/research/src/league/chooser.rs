//! Choice of the tables of a round.

use std::fmt;

use rules::{Nature, Seed};
use standings::pairing::{AvailableBot, Meetings, RoundSpec, Table, choose};
use standings::{Entrant, StandingsError};

use super::{LeagueError, earlier};

/// A rule that chooses the tables of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// All tables in turn, in an order that is drawn.
    RoundRobin,
    /// The choice that earlier versions of the program made, for two seats.
    Earlier,
    /// The choice that the program makes, [`choose`].
    HalfAndHalf,
}

impl Rule {
    pub const ALL: [Rule; 3] = [Rule::RoundRobin, Rule::Earlier, Rule::HalfAndHalf];
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::RoundRobin => "round robin",
            Rule::Earlier => "earlier rule",
            Rule::HalfAndHalf => "half and half",
        })
    }
}

/// Chooser of tables, round after round.
#[derive(Debug)]
pub struct Chooser<'a> {
    rule: Rule,
    seed: &'a Seed,
    nature: Nature,
    /// The tables that a round robin has left of this turn, and for how many bots it is.
    left: (usize, Vec<Table>),
}

impl<'a> Chooser<'a> {
    /// A chooser that follows a rule; its draws follow from the seed and the number.
    pub fn new(rule: Rule, seed: &'a Seed, number: u64) -> Chooser<'a> {
        Chooser {
            rule,
            seed,
            nature: seed.order(number << 32 | 0xffff_ffff),
            left: (0, Vec::new()),
        }
    }

    /// The tables of the next round.
    pub fn next(
        &mut self,
        bots: &[AvailableBot],
        meetings: &Meetings,
        round: &RoundSpec,
    ) -> Result<Vec<Table>, LeagueError> {
        Ok(match self.rule {
            Rule::HalfAndHalf => choose(bots, meetings, round, self.seed)?
                .into_iter()
                .map(|chosen| chosen.table)
                .collect(),
            Rule::Earlier => earlier::choose(bots, meetings, round, &mut self.nature)
                .into_iter()
                .map(Table::new)
                .collect::<Result<_, _>>()?,
            Rule::RoundRobin => (0..round.tables.get())
                .map(|_| self.in_turn(bots.len(), round.seats.count()))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The next table of a round robin.
    fn in_turn(&mut self, bots: usize, seats: usize) -> Result<Table, LeagueError> {
        if self.left.1.is_empty() || self.left.0 != bots {
            let tables = sets(bots, seats).into_iter().map(|set| Table::new(set.map(Entrant)));
            self.left = (bots, tables.collect::<Result<_, _>>()?);
        }
        let Some(drawn) = self.nature.choose(&self.left.1).cloned() else {
            let text = format!("{bots} bots for tables of {seats}: add bots");
            return Err(StandingsError(text).into());
        };
        self.left.1.retain(|table| *table != drawn);
        Ok(drawn)
    }
}

/// All sets of this size of the numbers below `of`, as iterators.
fn sets(of: usize, size: usize) -> Vec<impl Iterator<Item = usize>> {
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let with_one_more = sets.iter().flat_map(|set| {
            let first = set.last().map_or(0, |last| last + 1);
            (first..of).map(move |next| [&set[..], &[next]].concat())
        });
        sets = with_one_more.collect();
    }
    sets.into_iter().map(Vec::into_iter).collect()
}
