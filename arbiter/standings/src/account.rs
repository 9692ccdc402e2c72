//! The sums over the games of one view, all games or those without forfeits, and what each game adds to them.
//!
//! These columns are computed whenever standings are made. Replicates of the bootstrap need the
//! weights of deals that have their parts in sums, and get them from a table.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use rules::Verdict;
use serde::{Deserialize, Serialize};

use super::column::{MeetingSums, WeightedSums};
use super::estimate::{BootstrapSeed, IntervalMethod, WeightedSum, Weighting, Weights};
use super::game::{Entrant, Game, PentanomialCounts};
use super::setup::{ChoiceSet, GameChoices, Model, StandingsSetup};

/// Everything that is kept of games; its size does not depend on their number.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Totals {
    pub(super) games: u64,
    pub(super) forfeited: u64,
    pub(super) deals: DealSet,
    pub(super) bots: Vec<BotAccount>,
    /// By the lower number of both bots, then the higher one.
    pub(super) pairs: BTreeMap<(Entrant, Entrant), PairAccount>,
    pub(super) counts: PentanomialCounts,
    pub(super) sums: GameSums,
}

/// Figures of a bot besides sums.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct BotAccount {
    pub(super) games: u64,
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    /// Games by its place, from the first to the last; none before the first game.
    pub(super) places: Vec<u64>,
    /// In sixtieths.
    pub(super) points: i64,
    /// Of all others together, in sixtieths.
    pub(super) points_of_others: i64,
    pub(super) forfeits: BTreeMap<Verdict, u64>,
    pub(super) deals: DealCountSketch,
}

/// Figures of two bots besides sums.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct PairAccount {
    /// Of each, in sixtieths.
    pub(super) points: [i64; 2],
    pub(super) deals: DealCountSketch,
}

impl Totals {
    pub(super) fn new(setup: &StandingsSetup) -> Totals {
        Totals {
            games: 0,
            forfeited: 0,
            deals: DealSet::default(),
            bots: vec![BotAccount::default(); setup.names.len()],
            pairs: BTreeMap::new(),
            counts: PentanomialCounts::default(),
            sums: GameSums::default(),
        }
    }

    /// Makes room for bots that come later.
    pub(super) fn enter(&mut self, entrants: usize) {
        self.bots.resize_with(entrants.max(self.bots.len()), BotAccount::default);
    }

    /// Returns true if it can belong to this number of bots; a file may hold anything.
    pub(super) fn is_of(&self, entrants: usize, setup: &StandingsSetup) -> bool {
        let has_places =
            |bot: &BotAccount| bot.places.is_empty() || bot.places.len() == setup.seats;
        self.bots.len() == entrants
            && self.bots.iter().all(has_places)
            && self.pairs.keys().all(|(one, other)| one < other && other.0 < entrants)
            && self.sums.is_of(entrants, setup.replicates.count())
    }

    pub(super) fn add(
        &mut self,
        game: &Game,
        contribution: &GameContribution,
        weights: &mut Weights,
    ) {
        self.games += 1;
        self.forfeited += u64::from(game.is_forfeited());
        self.deals.insert(game.deal());
        self.add_bots(game);
        self.add_pairs(game);
        self.sums.add(contribution, game.deal(), weights);
    }

    fn add_bots(&mut self, game: &Game) {
        let places = game.places();
        let all: i64 = game.scores().values().iter().map(|score| score.sixtieths()).sum();
        for (seat, entrant) in game.seats().iter() {
            let bot = &mut self.bots[entrant.0];
            let points = game.scores()[seat].sixtieths();
            bot.games += 1;
            bot.points += points;
            bot.points_of_others += all - points;
            bot.deals.insert(game.deal());
            match game.compare_to_all(seat) {
                Ordering::Greater => bot.won += 1,
                Ordering::Equal => bot.drawn += 1,
                Ordering::Less => bot.lost += 1,
            }
            bot.places.resize(game.seats().count(), 0);
            bot.places[places[seat] - 1] += 1;
            if let Some(fault) = game.fault(seat) {
                *bot.forfeits.entry(fault).or_default() += 1;
            }
        }
    }

    fn add_pairs(&mut self, game: &Game) {
        let mut seated: Vec<_> = game.seats().iter().map(|(seat, bot)| (*bot, seat)).collect();
        seated.sort();
        for (place, (first, first_seat)) in seated.iter().enumerate() {
            for (second, second_seat) in &seated[place + 1..] {
                let pair = self.pairs.entry((*first, *second)).or_default();
                pair.points[0] += game.scores()[*first_seat].sixtieths();
                pair.points[1] += game.scores()[*second_seat].sixtieths();
                pair.deals.insert(game.deal());
            }
        }
    }
}

/// A set of deals, kept as ranges of numbers.
///
/// A tournament deals in order, so that however many deals there are, the ranges are no more than
/// the deals that are under way.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct DealSet {
    /// The last number of each range by its first.
    ranges: BTreeMap<u64, u64>,
    count: u64,
}

impl DealSet {
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// All of them in ascending order, if they are no more than this.
    pub(super) fn up_to(&self, most: u64) -> Option<Vec<u64>> {
        let is_few = self.count <= most;
        let deals = self.ranges.iter().flat_map(|(first, last)| *first..=*last);
        // The ranges that a file has may hold others than it counts.
        is_few.then(|| deals.zip(0..self.count).map(|(deal, _)| deal).collect())
    }

    pub(super) fn insert(&mut self, deal: u64) {
        let before = self.ranges.range(..=deal).next_back().map(|(first, last)| (*first, *last));
        if before.is_some_and(|(_, last)| last >= deal) {
            return;
        }
        self.count += 1;
        let joins = |(_, last): &(u64, u64)| last.checked_add(1) == Some(deal);
        let first = before.filter(joins).map_or(deal, |(first, _)| first);
        let next = deal.checked_add(1).and_then(|next| self.ranges.remove(&next));
        self.ranges.insert(first, next.unwrap_or(deal));
    }
}

/// About how many different deals there were, in little memory and for any numbers.
///
/// It keeps the smallest hashes of the deals. As long as there are fewer than [`KEPT`] the number
/// is exact, and beyond that the greatest of them gives their density: the estimator of the k
/// minimum values (Bar-Yossef and others 2002, "Counting distinct elements in a data stream"). That
/// is enough for its only use, the degrees of freedom of a t distribution.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct DealCountSketch {
    /// In ascending order.
    smallest: Vec<u64>,
}

const KEPT: usize = 64;

impl DealCountSketch {
    pub(super) fn insert(&mut self, deal: u64) {
        let hash = mixed(deal);
        let is_full = self.smallest.len() == KEPT;
        if is_full && self.smallest.last().is_some_and(|greatest| hash >= *greatest) {
            return;
        }
        if let Err(place) = self.smallest.binary_search(&hash) {
            self.smallest.truncate(KEPT - 1);
            self.smallest.insert(place, hash);
        }
    }

    pub(super) fn count(&self) -> f64 {
        match self.smallest.last() {
            Some(greatest) if self.smallest.len() == KEPT => {
                let share = (*greatest as f64 / u64::MAX as f64).max(f64::MIN_POSITIVE);
                (KEPT - 1) as f64 / share
            }
            _ => self.smallest.len() as f64,
        }
    }
}

/// The number with its bits mixed, one to one (the finisher of SplitMix64; Steele and others 2014).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Contribution of one game, at any weight.
#[derive(Debug)]
pub(super) struct GameContribution {
    meetings: Vec<PairResult>,
    choices: GameChoices,
}

/// Result of one bot against another in one game.
#[derive(Debug)]
struct PairResult {
    first: Entrant,
    second: Entrant,
    result: Ordering,
    /// In sixtieths of a point.
    margin: i64,
}

impl GameContribution {
    /// Bots meet in the order of turns in games of two seats, where it is a part of the model, and
    /// otherwise in the order of the tournament.
    pub(super) fn new(game: &Game, model: Model) -> GameContribution {
        let mut seats: Vec<_> = game.seats().seats().collect();
        if model != Model::BradleyTerry {
            seats.sort_by_key(|seat| game.seats()[*seat]);
        }
        let pairs = seats.iter().enumerate().flat_map(|(place, first)| {
            seats[place + 1..].iter().map(move |second| (*first, *second))
        });
        let met = |(first, second)| PairResult {
            first: game.seats()[first],
            second: game.seats()[second],
            result: game.compare(first, second),
            margin: game.scores()[first].sixtieths() - game.scores()[second].sixtieths(),
        };
        let choices = match model {
            Model::PlackettLuce => GameChoices::new(game),
            Model::BradleyTerry | Model::PlackettLucePairs => GameChoices::default(),
        };
        GameContribution { meetings: pairs.map(met).collect(), choices }
    }
}

/// Sums over games: of every two bots that met, and of choices.
///
/// All of them are of whole numbers, so the order of games does not matter.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct GameSums {
    /// Won, drawn, lost and the margin, by the bot that comes first and the one that comes second; only
    /// for those that have met.
    meetings: BTreeMap<(Entrant, Entrant), WeightedSum<4>>,
    chosen: BTreeMap<Entrant, WeightedSum<1>>,
    among: BTreeMap<ChoiceSet, WeightedSum<1>>,
}

impl GameSums {
    /// Returns true if they can belong to this number of bots with this number of replicates.
    pub(super) fn is_of(&self, entrants: usize, replicates: usize) -> bool {
        let is_one = |bot: &Entrant| bot.0 < entrants;
        let mut choices = self.chosen.values().chain(self.among.values());
        self.meetings.values().all(|sum| sum.is_of(replicates))
            && choices.all(|sum| sum.is_of(replicates))
            && self.meetings.keys().all(|(one, other)| is_one(one) && is_one(other) && one != other)
            && self.chosen.keys().all(is_one)
            && self.among.keys().all(|set| set.len() > 1 && set.iter().all(is_one))
    }

    /// Adds a game of this deal.
    pub(super) fn add(&mut self, game: &GameContribution, deal: u64, weights: &mut Weights) {
        for met in &game.meetings {
            let counts = [Ordering::Greater, Ordering::Equal, Ordering::Less];
            let [won, drawn, lost] = counts.map(|result| i64::from(met.result == result));
            let sum = self.meetings.entry((met.first, met.second)).or_default();
            sum.add([won, drawn, lost, met.margin], deal, weights);
        }
        for (bot, parts) in &game.choices.chosen {
            self.chosen.entry(*bot).or_default().add([*parts], deal, weights);
        }
        for (set, parts) in &game.choices.among {
            // Sets are seldom new, and a copy for nothing would cost more than the search.
            match self.among.get_mut(set) {
                Some(sum) => sum.add([*parts], deal, weights),
                None => self.among.entry(set.clone()).or_default().add([*parts], deal, weights),
            }
        }
    }

    /// The deals that have their parts in a sum, one sum after the other.
    pub(super) fn deals(&self) -> impl Iterator<Item = u64> {
        let choices = self.chosen.values().chain(self.among.values());
        self.meetings
            .values()
            .flat_map(WeightedSum::deals)
            .chain(choices.flat_map(WeightedSum::deals))
    }

    /// The sums with deals weighed in this way; those of one tally have the same meetings and choices.
    pub(super) fn column(&self, mut weighing: Weighting<'_>) -> WeightedSums<'_> {
        let meeting = |((first, second), sum): (&(Entrant, Entrant), &WeightedSum<4>)| {
            let [won, drawn, lost, margin] = sum.weighed(&mut weighing).map(|it| it as f64);
            MeetingSums { first: *first, second: *second, won, drawn, lost, margin }
        };
        let meetings = self.meetings.iter().map(meeting).collect();
        let mut one = |sum: &WeightedSum<1>| {
            let [number] = sum.weighed(&mut weighing);
            number as f64
        };
        let chosen = self.chosen.iter().map(|(bot, sum)| (*bot, one(sum))).collect();
        let among = self.among.iter().map(|(set, sum)| (&**set, one(sum))).collect();
        WeightedSums { meetings, chosen, among }
    }
}

/// The bytes of a table of weights.
const TABLE: usize = 16 << 20;

/// Sums with deals weighed otherwise.
#[derive(Debug)]
pub(super) struct Resamples<'a> {
    sums: &'a GameSums,
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
    /// The table of all replicates, if it fits: then it is the only one.
    all: Option<Vec<u8>>,
}

impl<'a> Resamples<'a> {
    pub(super) fn new(account: &'a Totals, setup: &StandingsSetup) -> Resamples<'a> {
        let sums = &account.sums;
        let ways = match account.deals.up_to(IntervalMethod::MANY_DEALS - 1) {
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
    pub(super) fn columns(&self) -> Box<dyn Iterator<Item = WeightedSums<'a>> + '_> {
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
    fn new(sums: &GameSums, setup: &StandingsSetup, most: usize) -> Bootstrap {
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

    /// The table that begins with this replicate: the weights by deal, one replicate after the other.
    fn table(&self, first: usize) -> Vec<u8> {
        let replicates = first..self.replicates.min(first.saturating_add(self.a_table()));
        let mut weights = vec![0; replicates.len() * self.deals.len()];
        let mut of_deal = Weights::new(self.seed, replicates);
        for (place, deal) in self.deals.iter().enumerate() {
            let column = weights.iter_mut().skip(place).step_by(self.deals.len());
            column.zip(of_deal.for_deal(*deal)).for_each(|(to, weight)| *to = *weight);
        }
        weights
    }

    fn columns<'a>(&self, sums: &'a GameSums) -> impl Iterator<Item = WeightedSums<'a>> {
        (0..self.replicates).step_by(self.a_table()).flat_map(move |first| {
            let table =
                self.all.as_deref().map_or_else(|| Cow::Owned(self.table(first)), Cow::Borrowed);
            let last = self.replicates.min(first.saturating_add(self.a_table()));
            (first..last).map(move |number| {
                let from = (number - first) * self.deals.len();
                sums.column(Weighting::Replicate {
                    number,
                    weights: &table[from..from + self.deals.len()],
                    places: self.places.iter(),
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use rules::Score;

    use super::*;
    use crate::game::{Entrant, Game};
    use crate::tally::Tally;

    #[test]
    fn a_set_counts_each_deal_once_and_joins_ranges() {
        let mut deals = DealSet::default();
        for deal in [5, 3, 4, 3, 0, 1, 2, u64::MAX, u64::MAX, 5] {
            deals.insert(deal);
        }
        assert_eq!(deals.count(), 7);
        assert_eq!(deals.ranges, BTreeMap::from([(0, 5), (u64::MAX, u64::MAX)]));
        assert_eq!(deals.up_to(7), Some(vec![0, 1, 2, 3, 4, 5, u64::MAX]));
        assert_eq!(deals.up_to(6), None);
    }

    #[test]
    fn a_sketch_is_exact_for_few_deals_and_near_for_many() {
        let mut sketch = DealCountSketch::default();
        (0..KEPT as u64 - 1).chain(0..9).for_each(|deal| sketch.insert(deal * 1000));
        assert_eq!(sketch.count(), (KEPT - 1) as f64);
        (0..100_000).for_each(|deal| sketch.insert(deal * 1000));
        let count = sketch.count();
        assert!((70_000.0..130_000.0).contains(&count), "{count}");
    }

    #[test]
    fn small_tables_give_what_a_large_one_gives() {
        let names = (0..6).map(|bot| bot.to_string()).collect();
        let mut tally = Tally::new(StandingsSetup::new(names, 3));
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
