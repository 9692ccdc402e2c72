//! Tables that are drawn for each deal, where a tournament does not play every one.
//!
//! After any table each bot has sat as often as every other one, or once more. Within this, the
//! sum of the squares of how often each two bots have met is made small; it is least where all
//! pairs have met equally often. That is the second step of (M,S)-optimality (Eccleston and
//! Hedayat, Annals of Statistics 2, 1974). The method is the interchange of Nguyen (Technometrics
//! 36, 1994): beginning with tables at random, two bots of different tables change places as long
//! as that lowers the sum. Bots change places only within a round, in which each sits once, as in
//! the search of Dotú and Van Hentenryck for social golfers (CPAIOR 2005); so games stay balanced.
//! Round follows round, and each takes the earlier ones as they are. So pairs are balanced after
//! every deal, also in a tournament that ends early. Designs that are made of differences (Bose
//! 1939, John 1966) need no search, but balance the games only at their end.
//!
//! With 6 seats, 100 bots, 20 tables and 50 deals, each pair meets at 3.03 tables in the mean. The
//! least and the most with 20 keys (32 equal bytes, 0 to 19), where a table is 6 games:
//!
//! | | tables of a bot | tables at which a pair meets |
//! | --- | --- | --- |
//! | only the games of each deal balanced | 52 to 70 | 0 to 13 |
//! | this draw | 60 | 2 to 5 |
//!
//! Up to the end of the first cycle, the pair that met most often was ahead of the one that met least
//! often by 2 tables at most with 2 seats, 3 with 3, 4 with 4 and 5, 6 with 6 and 8, and 11 with 12,
//! after every deal of 3,000 tables with 6 to 100 bots. Later cycles add to this as independent draws
//! do, while the mean grows by as much in each.
//!
//! The draw is a function of the number of the deal, and a deal in the middle must not cost the
//! work of all before it. So deals are drawn in cycles of at least [`SEATS_OF_CYCLE`] seats, each
//! from a stream of its own, and pairs are balanced within a cycle. The balance of games goes on
//! over the ends of cycles: a round that is cut there is divided by the stream of the later cycle,
//! so neither cycle needs to know the tables of the other one. `cycle.rs` draws a cycle,
//! and [`RecentCache`] keeps the cycles that were needed last.
//!
//! For n bots there are n² numbers of meetings, and n² divided by the seats of a table for a round;
//! one pass over a round looks at n²/2 changes of places. [`MOST_PLAYERS`] and [`MOST_SEATS`] bound
//! time and memory.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rules::{Nature, Seed};

use super::cycle::{self, SetSizes, combination, combinations, number_of, shuffled};
use super::line::{Format, ScheduleLine};

/// The fewest seats of a cycle: with 6 seats and 100 bots each pair meets 16 times.
const SEATS_OF_CYCLE: usize = 1 << 15;

/// The fewest rounds of a cycle: one of them is whole, though the first and the last may be cut.
const ROUNDS_OF_CYCLE: usize = 3;

/// The most bots that tables are drawn from: all their pairs are counted.
const MOST_PLAYERS: usize = 1 << 12;

/// The most seats that are drawn for each deal: its tables are drawn together.
const MOST_SEATS: u64 = 1 << 17;

/// The tables of all deals, each a function of its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DrawnTables {
    format: Format,
    sets: SetSizes,
    /// The part of a table that is drawn. Of large tables the absent players are drawn, so that every round has several
    /// sets to choose between.
    seated: DrawnPart,
    /// The part of the tables of a deal that is drawn. If a deal has most of them, the missing ones are drawn, since the last
    /// ones could hardly be drawn without drawing one twice.
    listed: DrawnPart,
    /// The number of the first deal, which the first cycle begins with.
    first_deal: u64,
    deals: u64,
    key: [u8; 32],
    recent: RecentCache<CycleTables>,
}

/// The part of a whole that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DrawnPart {
    Wanted,
    LeftOut,
}

#[derive(Debug)]
enum CycleTables {
    Tables(Vec<Vec<usize>>),
    /// For each deal the numbers of the tables that it lacks, ascending.
    Lacking(Vec<Vec<u64>>),
}

impl DrawnTables {
    /// The draw of this number of tables for each deal, which is smaller than that of all tables.
    pub(super) fn new(
        line: &ScheduleLine,
        tables: u64,
        seats: usize,
        players: usize,
        key: [u8; 32],
    ) -> Result<DrawnTables, String> {
        if players > MOST_PLAYERS {
            return Err(format!("cannot draw tables from {players} bots: at most {MOST_PLAYERS}"));
        }
        let most = MOST_SEATS / (seats as u64).max(1);
        if tables > most {
            return Err(format!("{tables} tables per deal: there are only {most} different ones"));
        }
        let always = match line.format {
            // No tables are drawn beside listed ones.
            Format::RoundRobin | Format::Listed => 0,
            Format::Gauntlet => 1,
        };
        let of = players.saturating_sub(always);
        let (seats, away) = (seats.saturating_sub(always), players.saturating_sub(seats));
        let (seated, size) = match away < seats {
            true => (DrawnPart::LeftOut, away),
            false => (DrawnPart::Wanted, seats),
        };
        let (listed, per_deal) = match combinations(of, size) {
            Some(every) if tables > every / 2 => (DrawnPart::LeftOut, every.saturating_sub(tables)),
            _ => (DrawnPart::Wanted, tables),
        };
        // At most the tables that are played, which are few.
        let per_deal = per_deal as usize;
        let fewest = SEATS_OF_CYCLE.max(ROUNDS_OF_CYCLE * of);
        let deals_of_cycle = fewest.div_ceil((per_deal * size).max(1));
        Ok(DrawnTables {
            format: line.format,
            sets: SetSizes { of, size, per_deal, deals_of_cycle },
            seated,
            listed,
            first_deal: line.first_deal,
            deals: line.deals,
            key,
            recent: RecentCache::default(),
        })
    }

    /// The players of a table, ascending. Both numbers count from 0, that of the deal from the
    /// first one of the tournament.
    pub(super) fn table(&self, deal: u64, number: u64) -> Vec<usize> {
        let deals_of_cycle = self.sets.deals_of_cycle as u64;
        let (cycle, deal) = (deal / deals_of_cycle, (deal % deals_of_cycle) as usize);
        let drawn = self.recent.get(cycle, || self.cycle(cycle));
        let table = match &*drawn {
            CycleTables::Tables(tables) => {
                tables.get(deal * self.sets.per_deal + number as usize).cloned().unwrap_or_default()
            }
            CycleTables::Lacking(lacking) => {
                let lacking = lacking.get(deal).map_or(&[][..], |numbers| numbers);
                combination(with_number(number, lacking), self.sets.of, self.seats())
            }
        };
        match self.format {
            Format::RoundRobin | Format::Listed => table,
            Format::Gauntlet => {
                [0].into_iter().chain(table.into_iter().map(|place| place + 1)).collect()
            }
        }
    }

    /// The deals of a cycle, as far as the tournament goes.
    fn cycle(&self, cycle: u64) -> CycleTables {
        let ([_, begin], mut chance) = self.boundary(cycle);
        let ([end, _], _) = self.boundary(cycle + 1);
        let deals_of_cycle = self.sets.deals_of_cycle as u64;
        let deals = self.deals.saturating_sub(cycle * deals_of_cycle).min(deals_of_cycle) as usize;
        let drawn = cycle::draw(self.sets, &begin, &end, deals, &mut chance);
        let tables = drawn.into_iter().map(|set| self.seated(set));
        match self.listed {
            DrawnPart::Wanted => CycleTables::Tables(tables.collect()),
            DrawnPart::LeftOut => {
                let numbers: Vec<u64> =
                    tables.map(|table| number_of(&table, self.sets.of)).collect();
                let ascending = |numbers: &[u64]| {
                    let mut numbers = numbers.to_vec();
                    numbers.sort_unstable();
                    numbers
                };
                CycleTables::Lacking(
                    numbers.chunks(self.sets.per_deal.max(1)).map(ascending).collect(),
                )
            }
        }
    }

    /// The round that is cut where this cycle begins: who sits before it and who after, ascending; and the chance of the cycle
    /// from there on.
    fn boundary(&self, cycle: u64) -> ([Vec<usize>; 2], Nature) {
        let SetSizes { of, size, per_deal, deals_of_cycle } = self.sets;
        let deal = cycle * deals_of_cycle as u64;
        let mut chance = Seed(self.key).order(self.first_deal + deal);
        let mut before = shuffled(0..of, &mut chance);
        let seats = u128::from(deal) * (per_deal * size) as u128;
        let mut after = before.split_off((seats % (of as u128).max(1)) as usize);
        before.sort_unstable();
        after.sort_unstable();
        ([before, after], chance)
    }

    /// The table of a set that is drawn.
    fn seated(&self, drawn: Vec<usize>) -> Vec<usize> {
        match self.seated {
            DrawnPart::Wanted => drawn,
            DrawnPart::LeftOut => {
                (0..self.sets.of).filter(|place| drawn.binary_search(place).is_err()).collect()
            }
        }
    }

    /// Number of seats drawn for at a table.
    fn seats(&self) -> usize {
        match self.seated {
            DrawnPart::Wanted => self.sets.size,
            DrawnPart::LeftOut => self.sets.of - self.sets.size,
        }
    }
}

/// The number with this place among those that are not lacking, which are ascending.
fn with_number(place: u64, lacking: &[u64]) -> u64 {
    let mut number = place;
    for lacks in lacking {
        if *lacks > number {
            break;
        }
        number += 1;
    }
    number
}

/// Number of values kept: threads that work on neighbouring games ask for two at most, and clones
/// share them.
const KEPT: usize = 4;

/// A few values by their numbers. Nothing that can be seen depends on which are kept, so all are
/// equal.
struct RecentCache<T>(Arc<Mutex<Vec<Numbered<T>>>>);

type Numbered<T> = (u64, Cell<T>);

/// A value, or the place where the first who asks for it computes it while others wait.
type Cell<T> = Arc<OnceLock<Arc<T>>>;

impl<T> RecentCache<T> {
    /// The value with this number, which is always computed in the same way.
    fn get(&self, number: u64, compute: impl FnOnce() -> T) -> Arc<T> {
        Arc::clone(self.cell(number).get_or_init(|| Arc::new(compute())))
    }

    /// The cell of a value, which moves to the end; the first one gives way to a new one.
    fn cell(&self, number: u64) -> Cell<T> {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = cells.iter().position(|(of, _)| *of == number);
        let cell = match found {
            Some(place) => cells.remove(place).1,
            None => Cell::default(),
        };
        if cells.len() == KEPT {
            cells.remove(0);
        }
        cells.push((number, Arc::clone(&cell)));
        cell
    }
}

impl<T> Clone for RecentCache<T> {
    fn clone(&self) -> Self {
        RecentCache(Arc::clone(&self.0))
    }
}

impl<T> Default for RecentCache<T> {
    fn default() -> Self {
        RecentCache(Arc::default())
    }
}

impl<T> fmt::Debug for RecentCache<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Recent")
    }
}

impl<T> PartialEq for RecentCache<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for RecentCache<T> {}
