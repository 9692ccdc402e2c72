//! Sums over games, with the deals weighed otherwise.
//!
//! These columns are computed whenever standings are made. Replicates of the bootstrap need the
//! weights of deals that have their parts in sums, and get them from a table.

use std::borrow::Cow;

use super::account::{Account, Sums};
use super::bootstrap::{BootstrapSeed, Weights};
use super::column::Column;
use super::estimate::Method;
use super::setup::Setup;
use super::weighted_sum::Weighting;

/// The bytes of a table of weights.
const TABLE: usize = 16 << 20;

/// Sums with deals weighed otherwise.
#[derive(Debug)]
pub(super) struct Resamples<'a> {
    sums: &'a Sums,
    ways: ResampleData,
}

/// The way in which deals weigh otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResampleKind {
    /// One of them does not count, each in turn; the columns are of this one alone.
    Jackknife,
    /// They count as often as chance would have it.
    Bootstrap,
}

#[derive(Debug)]
enum ResampleData {
    /// The deals, in ascending order.
    Jackknife(Vec<u64>),
    Bootstrap(Bootstrap),
}

#[derive(Debug)]
struct Bootstrap {
    seed: BootstrapSeed,
    replicates: usize,
    /// The bytes of a table of weights: if all of them need more, one is made for some replicates at
    /// a time.
    most: usize,
    /// The deals that have their parts in any sum, in ascending order.
    deals: Vec<u64>,
    /// The place among them of each part of each sum, one after the other.
    places: Vec<usize>,
    /// The table of all replicates, if it fits.
    all: Option<WeightTable>,
}

/// Weights of deals in some replicates.
#[derive(Debug, Clone)]
struct WeightTable {
    first: usize,
    /// By deal, one replicate after the other.
    weights: Vec<u8>,
}

impl<'a> Resamples<'a> {
    pub(super) fn new(account: &'a Account, setup: &Setup) -> Resamples<'a> {
        let sums = &account.sums;
        let ways = match account.deals.up_to(Method::MANY_DEALS - 1) {
            Some(deals) => ResampleData::Jackknife(deals),
            None => ResampleData::Bootstrap(Bootstrap::new(sums, setup, TABLE)),
        };
        Resamples { sums, ways }
    }

    pub(super) fn kind(&self) -> ResampleKind {
        match self.ways {
            ResampleData::Jackknife(_) => ResampleKind::Jackknife,
            ResampleData::Bootstrap(_) => ResampleKind::Bootstrap,
        }
    }

    /// Number of columns.
    pub(super) fn count(&self) -> usize {
        match &self.ways {
            ResampleData::Jackknife(deals) => deals.len(),
            ResampleData::Bootstrap(bootstrap) => bootstrap.replicates,
        }
    }

    /// The sums of each deal alone, or of each replicate.
    pub(super) fn columns(&self) -> Box<dyn Iterator<Item = Column<'a>> + '_> {
        let sums = self.sums;
        match &self.ways {
            ResampleData::Jackknife(deals) => {
                Box::new(deals.iter().map(move |deal| sums.column(Weighting::Alone(*deal))))
            }
            ResampleData::Bootstrap(bootstrap) => Box::new(bootstrap.columns(sums)),
        }
    }
}

impl Bootstrap {
    fn new(sums: &Sums, setup: &Setup, most: usize) -> Bootstrap {
        let (seed, replicates) = (setup.seed, setup.replicates.count());
        let mut deals: Vec<u64> = sums.deals().collect();
        deals.sort_unstable();
        deals.dedup();
        // Each of them is there, so either result of the search is its place.
        let place = |deal| deals.binary_search(&deal).unwrap_or_else(|place| place);
        let places = sums.deals().map(place).collect();
        let mut bootstrap = Bootstrap { seed, replicates, most, deals, places, all: None };
        if bootstrap.a_table() >= replicates {
            bootstrap.all = Some(bootstrap.table(0));
        }
        bootstrap
    }

    /// Number of replicates of a table.
    fn a_table(&self) -> usize {
        (self.most / self.deals.len().max(1)).max(1)
    }

    fn table(&self, first: usize) -> WeightTable {
        let replicates = first..self.replicates.min(first.saturating_add(self.a_table()));
        let mut weights = vec![0; replicates.len() * self.deals.len()];
        let mut of_deal = Weights::new(self.seed, replicates);
        for (place, deal) in self.deals.iter().enumerate() {
            let column = weights.iter_mut().skip(place).step_by(self.deals.len());
            column.zip(of_deal.for_deal(*deal)).for_each(|(to, weight)| *to = *weight);
        }
        WeightTable { first, weights }
    }

    fn columns<'a>(&self, sums: &'a Sums) -> impl Iterator<Item = Column<'a>> {
        (0..self.replicates).step_by(self.a_table()).flat_map(move |first| {
            let table =
                self.all.as_ref().map_or_else(|| Cow::Owned(self.table(first)), Cow::Borrowed);
            let last = self.replicates.min(first.saturating_add(self.a_table()));
            (first..last).map(move |number| {
                let from = (number - table.first) * self.deals.len();
                sums.column(Weighting::Replicate {
                    number,
                    weights: &table.weights[from..from + self.deals.len()],
                    places: self.places.iter(),
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Entrant, Game};
    use crate::tally::Tally;
    use rules::Score;

    #[test]
    fn small_tables_give_what_a_large_one_gives() {
        let names = (0..6).map(|bot| bot.to_string()).collect();
        let mut tally = Tally::new(Setup::new(names, 3));
        for deal in 0..100usize {
            let seats = [0, 1 + deal % 2, 3 + deal % 3].map(Entrant).to_vec();
            let scores = [deal % 5, deal % 7, 3].map(|points| Score::points(points as i32));
            let game = Game::new(deal as u64, seats.into(), scores.to_vec().into(), &[]).unwrap();
            tally.add(&game).unwrap();
        }
        let (sums, setup) = (&tally.all.sums, &tally.setup);
        let large = Bootstrap::new(sums, setup, TABLE);
        assert!(large.all.is_some() && !large.places.is_empty());
        for most in [0, 700, 99_000] {
            let small = Bootstrap::new(sums, setup, most);
            assert!(small.all.is_none());
            assert!(small.columns(sums).eq(large.columns(sums)), "{most}");
        }
    }
}
