//! Which bots meet: in a league, and in contests that end.
//!
//! Contests have stages: [`swiss`], [`groups`], [`knockout`] and [`double_elimination`]; [`tie_break`] orders bots of equal
//! score. The rest of this page is about leagues.
//!
//! A league is a competition that stays open, where bots enter, leave and change. It is played in
//! rounds. Before each, [`choose`] takes what is known of the bots and names
//! the tables: the sets of bots that play the same deals, each deal in all rotations of seats. It
//! is a pure function: the same arguments give the same tables.
//!
//! A league looks for an order of strength, so most is learned from two bots whose order is
//! not known. But a choice that follows results spoils the numbers that are computed from them. If
//! two bots that seem ordered stop meeting, luck at the start is never corrected: bots that were
//! lucky stay on top. In simulations, intervals under such a rule held the true rating of equal bots in
//! 50% instead of 95%, and 43% of the pairs of equal bots were called different
//! (`docs/statistics.md`). So the choice here looks at results as little as it can and still saves
//! games: *half and half*.
//!
//! Let `D` be the number of deals on which two bots met at one table, those of the tables
//! chosen so far for this round included. Ratings are taken for independent and normal, so two bots
//! `i` and `j` with the ratings `r` and standard errors `s` before the round are in the wrong order
//! with the probability
//!
//! ```text
//! Φ(−|rᵢ − rⱼ| / √(sᵢ² + sⱼ²))
//! ```
//!
//! where Φ is the distribution function of the standard normal; without a strength, it is one half. A
//! pair is *open* where that is more than Φ(−2.5), which is [`OPEN`].
//!
//! 1. The first half of the tables go to the open pairs with the least `D`. Where no table of an open
//!    pair is left, they go to the pairs of the second half.
//! 2. The second half go to the pairs with the least `D` of all, open or not.
//!
//! With an odd number of tables, the halves have the greater part in turn, round by round. Of pairs
//! with equal `D`, the one that has played fewer deals is first, and then the seed decides. No table
//! is in a round twice. With three seats or more, the pair is joined by the bot with the least sum of
//! `D` to those at the table, one seat after another; in the first half, bots come last whose order
//! with more of those at the table is settled.
//!
//! Among open pairs the choice does not look at results at all, and the second half brings back pairs
//! that seemed ordered; that is why early luck is corrected.
//!
//! New bots have met no other bot, so their `D` is 0 and they come first, but as many pairs of them have
//! met as rarely. So before the deals and the seed decide between pairs with equal `D`, those are first
//! that join two groups of bots without a chain of meetings between them, and then those of a bot with
//! deals and a new one, spread over the ladder: first the third of the bots with deals, by rating, that the
//! new bot has met on the fewest deals. A table of new bots alone comes last of all if one of them would
//! have fewer tables in this round with one of the others than without. Where all bots have deals and a
//! chain of meetings connects them, none of this makes a difference.

pub mod double_elimination;
pub mod groups;
pub mod knockout;
mod matching;
pub mod swiss;
pub mod tie_break;

pub use groups::{AvailableBot, Meetings, Outcome, Strength, Table, TableSize};

use std::collections::{BTreeMap, BTreeSet};
use std::num::{NonZeroU32, NonZeroUsize};

use rules::{Nature, Seed};

use crate::Entrant;
use crate::game::{StandingsError, refused};

/// The order of two bots is open if it is wrong with more than this probability: that of a standard
/// normal below −2.5. With 2 instead of 2.5, too many equal bots were called different in simulations.
pub const OPEN: f64 = 0.006_209_665_325_776_132;

/// Number and size of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundSpec {
    /// Its number, from 0; it says what is drawn where pairs are equal, and whether the odd table of a
    /// round belongs to the open pairs or to all pairs.
    pub number: u64,
    /// Number of seats of a table.
    pub seats: TableSize,
    /// Number of tables, none of them twice.
    pub tables: NonZeroUsize,
    /// Number of deals of a table, each in all rotations of seats.
    pub deals: NonZeroU32,
}

/// A table of a round, and why it is there.
#[derive(Debug, Clone, PartialEq)]
pub struct ChosenTable {
    /// The table.
    pub table: Table,
    /// Why it is there.
    pub reason: Reason,
}

/// Why a table is in a round. The two bots named are its first pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reason {
    /// The order of these two by rating is wrong with this probability, which leaves it open; of all
    /// open pairs they have met least.
    Open([Entrant; 2], f64),
    /// These two have met least of all pairs: on this number of deals, those of the tables before in
    /// the same round included.
    LeastMet([Entrant; 2], u64),
}

/// Chooses the tables of a round by the rules of this [module](self), those of open pairs first.
///
/// A bot is its place in the list of candidates.
///
/// ```
/// use std::num::{NonZeroU32, NonZeroUsize};
///
/// use standings::pairing::{AvailableBot, Meetings, RoundSpec, Strength, Table, choose};
/// use standings::Entrant;
/// use rules::Seed;
///
/// let bot = |rating| -> Result<AvailableBot, Box<dyn std::error::Error>> {
///     Ok(AvailableBot { deals: 100, strength: Some(Strength::new(rating, 20.0)?) })
/// };
/// // Only the order of the first and the last is open.
/// let bots = [bot(200.0)?, bot(-100.0)?, bot(190.0)?];
/// let round = RoundSpec {
///     number: 0,
///     seats: 2.try_into()?,
///     tables: NonZeroUsize::MIN,
///     deals: NonZeroU32::MIN,
/// };
/// let tables = choose(&bots, &Meetings::default(), &round, &Seed([7; 32]))?;
/// assert_eq!(tables[0].table, Table::new([Entrant(0), Entrant(2)])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`StandingsError`], where there are too few bots, or meetings of others.
pub fn choose(
    candidates: &[AvailableBot],
    meetings: &Meetings,
    round: &RoundSpec,
    seed: &Seed,
) -> Result<Vec<ChosenTable>, StandingsError> {
    let (count, seats, tables) = (candidates.len(), round.seats.count(), round.tables.get());
    if count < seats {
        return Err(refused(format_args!("{count} bots for tables of {seats}: add bots")));
    }
    if let Some(bot) = meetings.last().filter(|bot| bot.0 >= count) {
        let bot = bot.0;
        let text = format_args!(
            "bot {bot} has met an unknown bot, expected one of {count} bots counted from 0"
        );
        return Err(refused(text));
    }
    let possible = combinations(count, seats);
    if tables > possible {
        let text = format_args!("{tables} tables per round: only {possible} different ones exist");
        return Err(refused(text));
    }
    let mut choice = RoundBuilder::new(candidates, meetings, round, seed.order(round.number));
    // Rounds with an odd number of tables give the odd one to either half in turn.
    let of_all = tables / 2 + tables % 2 * (round.number % 2) as usize;
    let halves = [(PairScope::OpenPairs, tables - of_all), (PairScope::AllPairs, of_all)];
    for (part, tables) in halves {
        for _ in 0..tables {
            choice.add_table(part);
        }
    }
    Ok(choice.tables)
}

/// Number of sets of this size, at most the greatest number there is.
fn combinations(of: usize, size: usize) -> usize {
    let ways = (0..size as u128)
        .try_fold(1u128, |ways, next| Some(ways.checked_mul(of as u128 - next)? / (next + 1)));
    ways.and_then(|ways| ways.try_into().ok()).unwrap_or(usize::MAX)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PairScope {
    /// The tables of pairs whose order is open.
    OpenPairs,
    /// The tables of the least-met of all pairs.
    AllPairs,
}

/// A round that is being chosen.
struct RoundBuilder<'a> {
    round: &'a RoundSpec,
    nature: Nature,
    /// The bots; the deals of the tables so far count as played.
    bots: Vec<AvailableBot>,
    /// Meetings of the bots, the tables so far included.
    meetings: Meetings,
    /// The pairs whose order was open before the round, with the probability that it is wrong.
    open: BTreeMap<[Entrant; 2], f64>,
    newcomers: Newcomers,
    /// By bot, its group: a chain of meetings connects the bots of one.
    groups: Vec<usize>,
    tables: Vec<ChosenTable>,
    taken: BTreeSet<Table>,
}

/// The place of a pair, or of a bot at a table that is being filled, among others: the least is first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PairRank {
    /// Whether a new bot at the table would meet too few rated ones in this round.
    is_left_alone: bool,
    /// Of how many at the table the order with this bot is not open; 0 where that does not matter.
    settled: usize,
    /// On how many deals the bot has met those at the table.
    met: u64,
    /// With how many of them a chain of meetings connects the bot.
    connected: usize,
    /// With how many of them it shares that it has a strength, or that it has none.
    alike: usize,
    /// On how many deals the new ones of these pairs have met the third of the ladder of the other.
    third: u64,
    /// Deals that all of them have played.
    deals: u64,
    drawn: [u32; 2],
}

impl<'a> RoundBuilder<'a> {
    fn new(
        candidates: &[AvailableBot],
        meetings: &Meetings,
        round: &'a RoundSpec,
        nature: Nature,
    ) -> RoundBuilder<'a> {
        let open = every_two(candidates.len()).filter_map(|pair| {
            let probability = wrong_order(pair.map(|bot| candidates[bot.0].strength));
            (probability > OPEN).then_some((pair, probability))
        });
        RoundBuilder {
            round,
            nature,
            bots: candidates.to_vec(),
            meetings: meetings.clone(),
            open: open.collect(),
            newcomers: Newcomers::new(candidates, meetings),
            groups: meetings.groups(candidates.len()),
            tables: Vec::new(),
            taken: BTreeSet::new(),
        }
    }

    /// Adds the first table that is not there, unless all are; where no table of an open pair is left,
    /// the least-met of all pairs is next.
    fn add_table(&mut self, part: PairScope) {
        let drawn = self.drawn();
        let chosen = match part {
            PairScope::OpenPairs => {
                let open: Vec<[Entrant; 2]> = self.open.keys().copied().collect();
                self.first_table(open, part, &drawn)
            }
            PairScope::AllPairs => None,
        };
        let chosen = chosen.or_else(|| {
            self.first_table(every_two(self.bots.len()).collect(), PairScope::AllPairs, &drawn)
        });
        if let Some(chosen) = chosen {
            self.add(chosen);
        }
    }

    /// The table of the first of these pairs that has one which is not there.
    fn first_table(
        &self,
        pairs: Vec<[Entrant; 2]>,
        part: PairScope,
        drawn: &[u32],
    ) -> Option<ChosenTable> {
        let rank = |[one, other]: [Entrant; 2]| self.rank(&[one], other, part, drawn);
        let mut ranked: Vec<(PairRank, [Entrant; 2])> =
            pairs.into_iter().map(|pair| (rank(pair), pair)).collect();
        ranked.sort_unstable();
        ranked.into_iter().find_map(|(rank, pair)| {
            let table = self.filled(pair.to_vec(), part, drawn)?;
            let reason = match self.open.get(&pair) {
                Some(probability) if part == PairScope::OpenPairs => {
                    Reason::Open(pair, *probability)
                }
                _ => Reason::LeastMet(pair, rank.met),
            };
            Some(ChosenTable { table, reason })
        })
    }

    /// By bot, its place in an order that is drawn.
    fn drawn(&mut self) -> Vec<u32> {
        let mut places = vec![0; self.bots.len()];
        let mut left: Vec<usize> = (0..self.bots.len()).collect();
        let mut place = 0;
        while let Some(bot) = self.nature.choose(&left).copied() {
            left.retain(|other| *other != bot);
            places[bot] = place;
            place += 1;
        }
        places
    }

    fn rank(&self, table: &[Entrant], bot: Entrant, part: PairScope, drawn: &[u32]) -> PairRank {
        let place = drawn[bot.0];
        let first = table.first().map_or(place, |first| drawn[first.0]);
        let count = |is_so: &dyn Fn(Entrant) -> bool| {
            table.iter().copied().filter(|other| is_so(*other)).count()
        };
        PairRank {
            is_left_alone: self.newcomers.are_left_alone(table.iter().copied().chain([bot])),
            settled: match part {
                PairScope::OpenPairs => {
                    count(&|other| !self.open.contains_key(&ascending(other, bot)))
                }
                PairScope::AllPairs => 0,
            },
            met: table.iter().map(|other| self.meetings.deals(*other, bot)).sum(),
            connected: count(&|other| self.groups[other.0] == self.groups[bot.0]),
            alike: count(&|other| !self.newcomers.is_one_new(other, bot)),
            third: table.iter().map(|other| self.newcomers.deals_of_third(*other, bot)).sum(),
            deals: table.iter().chain([&bot]).map(|bot| self.bots[bot.0].deals).sum(),
            drawn: [first.min(place), first.max(place)],
        }
    }

    /// The first table with these bots that is not there; none where all are.
    fn filled(&self, seated: Vec<Entrant>, part: PairScope, drawn: &[u32]) -> Option<Table> {
        if seated.len() == self.round.seats.count() {
            return Table::new(seated).ok().filter(|table| !self.taken.contains(table));
        }
        let mut others: Vec<(PairRank, Entrant)> = (0..self.bots.len())
            .map(Entrant)
            .filter(|bot| !seated.contains(bot))
            .map(|bot| (self.rank(&seated, bot, part, drawn), bot))
            .collect();
        others.sort_unstable();
        let with = |bot: Entrant| [&seated[..], &[bot]].concat();
        others.into_iter().find_map(|(_, bot)| self.filled(with(bot), part, drawn))
    }

    fn add(&mut self, chosen: ChosenTable) {
        let deals = u64::from(self.round.deals.get());
        for bot in chosen.table.bots() {
            self.bots[bot.0].deals = self.bots[bot.0].deals.saturating_add(deals);
        }
        self.meetings.add(&chosen.table, deals);
        self.newcomers.add(&chosen.table, deals);
        for [one, other] in chosen.table.pairs() {
            let (from, to) = (self.groups[one.0], self.groups[other.0]);
            self.groups.iter_mut().filter(|it| **it == from).for_each(|it| *it = to);
        }
        self.taken.insert(chosen.table.clone());
        self.tables.push(chosen);
    }
}

/// Every two of this number of bots, each pair once and in ascending order.
fn every_two(bots: usize) -> impl Iterator<Item = [Entrant; 2]> {
    (0..bots).flat_map(move |one| (one + 1..bots).map(move |other| [one, other].map(Entrant)))
}

fn ascending(one: Entrant, other: Entrant) -> [Entrant; 2] {
    [one.min(other), one.max(other)]
}

/// The probability that two bots are in the wrong order; one half where a strength is not known.
fn wrong_order([one, other]: [Option<Strength>; 2]) -> f64 {
    one.zip(other).map_or(0.5, |(one, other)| one.wrong_order(other))
}

/// The bots of a round that is being chosen, as far as some are new; and the ladder of those that have games.
///
/// In a young league bots have played and have no rating yet: they stand in the middle of the ladder.
///
/// All pairs of new bots have met equally often: never. By that alone, a batch of them would play among themselves, and
/// their ratings would not be on the scale of the others.
#[derive(Debug)]
struct Newcomers {
    /// By bot, its third of the ladder, the upper one first; none for a new bot.
    thirds: Vec<Option<usize>>,
    /// By bot, the deals that it has played against the bots of each third.
    deals: Vec<[u64; 3]>,
    /// By bot, its tables of this round with a bot that is not new, less those without.
    balance: Vec<i64>,
    are_others_there: bool,
}

impl Newcomers {
    fn new(candidates: &[AvailableBot], meetings: &Meetings) -> Newcomers {
        let ratings: Vec<f64> =
            candidates.iter().filter_map(|it| Some(it.strength?.rating())).collect();
        let middle = ratings.iter().sum::<f64>() / ratings.len().max(1) as f64;
        let mut ladder: Vec<(usize, f64)> = Vec::new();
        for (place, candidate) in candidates.iter().enumerate() {
            if candidate.strength.is_some() || candidate.deals > 0 {
                ladder.push((place, candidate.strength.map_or(middle, Strength::rating)));
            }
        }
        ladder.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let mut thirds = vec![None; candidates.len()];
        for (rung, (place, _)) in ladder.iter().enumerate() {
            thirds[*place] = Some(rung * 3 / ladder.len());
        }
        let mut newcomers = Newcomers {
            thirds,
            deals: vec![[0; 3]; candidates.len()],
            balance: vec![0; candidates.len()],
            are_others_there: !ladder.is_empty(),
        };
        for (pair, deals) in meetings.pairs() {
            newcomers.add_deals(pair, deals);
        }
        newcomers
    }

    /// Returns true if exactly one of two bots is new.
    fn is_one_new(&self, one: Entrant, other: Entrant) -> bool {
        self.thirds[one.0].is_some() != self.thirds[other.0].is_some()
    }

    /// The deals that the new one of two bots has played against the third of the ladder in which the other stands; 0
    /// for other pairs.
    fn deals_of_third(&self, one: Entrant, other: Entrant) -> u64 {
        match (self.thirds[one.0], self.thirds[other.0]) {
            (None, Some(third)) => self.deals[one.0][third],
            (Some(third), None) => self.deals[other.0][third],
            _ => 0,
        }
    }

    /// Returns true if a table of these would leave one of them with more tables of new bots alone than others.
    fn are_left_alone(&self, mut table: impl Iterator<Item = Entrant> + Clone) -> bool {
        self.are_others_there
            && table.clone().all(|bot| self.thirds[bot.0].is_none())
            && table.any(|bot| self.balance[bot.0] < 1)
    }

    fn add(&mut self, table: &Table, deals: u64) {
        let is_mixed = table.bots().any(|bot| self.thirds[bot.0].is_some());
        for bot in table.bots() {
            self.balance[bot.0] += if is_mixed { 1 } else { -1 };
        }
        for pair in table.pairs() {
            self.add_deals(pair, deals);
        }
    }

    fn add_deals(&mut self, [one, other]: [Entrant; 2], deals: u64) {
        for (bot, against) in [(one, other), (other, one)] {
            if let Some(third) = self.thirds[against.0] {
                let sum = &mut self.deals[bot.0][third];
                *sum = sum.saturating_add(deals);
            }
        }
    }
}
