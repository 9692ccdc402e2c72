//! The tables of a tournament: which players sit at each, in which orders, on which deals.

use std::num::NonZeroU32;

use rules::{Nature, PerSeat, Seed};

use super::combination::{combination, combinations, ordered, orders};
use super::{
    Block, Format, MOST_GAMES, MOST_SEATS_FOR_ALL_ORDERS, NoSchedule, Orders, ScheduleLine,
    Seating, Shard,
};
use rules::Digest;

/// How often a table is drawn anew that is there already.
const DRAWS: usize = 16;

/// The games of a tournament, deal by deal, table by table, order by order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tables {
    format: Format,
    orders: Orders,
    deals: u64,
    /// The number of the first of them.
    first_deal: u64,
    seats: usize,
    players: usize,
    /// How many tables there are for each deal.
    per_deal: u64,
    /// How many are drawn for each deal, where not every one is there.
    drawn: Option<u64>,
    /// What is drawn with, which everyone may know.
    key: [u8; 32],
    shard: Option<Shard>,
    block: Option<Block>,
}

impl Tables {
    pub(super) fn new(
        line: &ScheduleLine,
        seats: usize,
        players: usize,
        key: [u8; 32],
    ) -> Result<Tables, NoSchedule> {
        let ScheduleLine { format, orders, deals, tables, shard, block, first_deal } = *line;
        if players < seats {
            return Err(NoSchedule::TooFewPlayers { players, seats });
        }
        if orders == Orders::All && seats > MOST_SEATS_FOR_ALL_ORDERS {
            return Err(NoSchedule::TooManyOrders(seats));
        }
        if deals == 0 {
            return Err(NoSchedule::None("deals"));
        }
        if tables == Some(0) {
            return Err(NoSchedule::None("tables"));
        }
        if let Some(shard) = shard.filter(|shard| !shard.exists()) {
            return Err(NoSchedule::NoShard(shard));
        }
        // Where as many are asked for as there are, nothing is left to chance.
        let drawn = line.spelt(seats, players).tables;
        let every = every_table(format, seats, players);
        let per_deal = drawn.or(every).ok_or(NoSchedule::TooManyGames)?;
        let tables = Tables {
            format,
            orders,
            deals,
            first_deal,
            seats,
            players,
            per_deal,
            drawn,
            key,
            shard,
            block,
        };
        let games = per_deal
            .checked_mul(tables.orders_of_table())
            .and_then(|games| games.checked_mul(deals));
        let is_countable = games.is_some_and(|games| games <= MOST_GAMES)
            && first_deal.checked_add(deals).is_some_and(|end| end <= MOST_GAMES);
        if !is_countable {
            return Err(NoSchedule::TooManyGames);
        }
        if let Some(block) = block.filter(|block| block.range(deals).0 >= deals) {
            return Err(NoSchedule::NoBlock { number: block.number, deals: block.deals });
        }
        // The last block may have fewer tables than shards: then some have nothing to do in it.
        let most = per_deal * block.map_or(deals, |block| block.deals.min(deals));
        match shard.filter(|shard| shard.of > most) {
            None => Ok(tables),
            Some(Shard { of: shards, .. }) => Err(NoSchedule::TooManyShards { shards, most }),
        }
    }

    /// The first of the tables of this shard, and the first after them, counted over all deals.
    fn own_tables(&self) -> (u64, u64) {
        let (first, last) = self.block.map_or((0, self.deals), |block| block.range(self.deals));
        let (start, end) = (first * self.per_deal, last * self.per_deal);
        match self.shard {
            None => (start, end),
            Some(shard) => (start + shard.start(end - start), start + shard.end(end - start)),
        }
    }

    pub(super) fn seats(&self) -> usize {
        self.seats
    }

    pub(super) fn games_per_deal(&self) -> u64 {
        self.per_deal * self.orders_of_table()
    }

    pub(super) fn games(&self) -> u64 {
        self.games_per_deal() * self.deals
    }

    pub(super) fn own_games(&self) -> u64 {
        let (start, end) = self.own_tables();
        (end - start) * self.orders_of_table()
    }

    pub(super) fn own_from(&self, game: u64) -> u64 {
        let (start, end) = self.own_tables();
        let own = game.max(start * self.orders_of_table());
        if own < end * self.orders_of_table() { own } else { self.games() }
    }

    pub(super) fn seating(&self, game: u64) -> Seating {
        let deal = self.first_deal + game / self.games_per_deal();
        let (table, order) = {
            let of_deal = game % self.games_per_deal();
            (of_deal / self.orders_of_table(), of_deal % self.orders_of_table())
        };
        let mut players = match self.drawn {
            None => self.table(table),
            Some(_) => self.drawn_table(deal, table),
        };
        self.arrange(&mut players, deal * self.per_deal + table);
        match self.orders {
            Orders::Rotations | Orders::ListedRotations => players.rotate_left(order as usize),
            Orders::All => players = ordered(order, &players),
            Orders::Reversed => players.reverse(),
            Orders::Listed | Orders::Drawn => {}
        }
        Seating { deal, players: PerSeat::from(players) }
    }

    fn orders_of_table(&self) -> u64 {
        match self.orders {
            Orders::Rotations | Orders::ListedRotations => self.seats as u64,
            Orders::All => orders(self.seats),
            Orders::Listed | Orders::Reversed | Orders::Drawn => 1,
        }
    }

    /// The players of a table by its number, where there is every one.
    fn table(&self, number: u64) -> Vec<usize> {
        match self.format {
            Format::RoundRobin => combination(number, self.players, self.seats),
            Format::Gauntlet => {
                let others = combination(number, self.players - 1, self.seats - 1);
                [0].into_iter().chain(others.into_iter().map(|place| place + 1)).collect()
            }
        }
    }

    /// Puts the players of a table into the order that its orders start from.
    ///
    /// Rotations keep the same neighbours. With three seats or more that is an advantage for one of
    /// two equal bots, so the neighbours are drawn for every table of every deal.
    fn arrange(&self, players: &mut Vec<usize>, number: u64) {
        let is_drawn = match self.orders {
            Orders::Rotations => self.seats > 2,
            Orders::Drawn => true,
            Orders::All | Orders::ListedRotations | Orders::Listed | Orders::Reversed => false,
        };
        if !is_drawn {
            return;
        }
        // Apart from the draw of tables.
        let mut chance = Seed(Digest::hash(&self.key).bytes()).order(number);
        let mut left = std::mem::take(players);
        while !left.is_empty() {
            players.push(left.remove(below(&mut chance, left.len())));
        }
    }

    /// The players of a table that is drawn.
    ///
    /// Each seat is drawn from the players that sat least often on this deal so far, so within a
    /// deal no two players differ by more than one table. A table that was drawn before would be
    /// the same games again, so it is drawn anew, a few times.
    fn drawn_table(&self, deal: u64, number: u64) -> Vec<usize> {
        let mut chance = Seed(self.key).order(deal);
        let mut sat = vec![0u64; self.players];
        let mut tables: Vec<Vec<usize>> = Vec::new();
        while tables.len() as u64 <= number {
            let mut table = self.draw(&sat, &mut chance);
            for _ in 0..DRAWS {
                if tables.contains(&table) {
                    table = self.draw(&sat, &mut chance);
                }
            }
            table.iter().for_each(|place| sat[*place] += 1);
            tables.push(table);
        }
        tables.pop().unwrap_or_default()
    }

    fn draw(&self, sat: &[u64], chance: &mut Nature) -> Vec<usize> {
        let mut table = match self.format {
            Format::RoundRobin => Vec::new(),
            Format::Gauntlet => vec![0],
        };
        while table.len() < self.seats {
            let free = || (0..self.players).filter(|place| !table.contains(place));
            let least = free().map(|place| sat[place]).min();
            let rarest: Vec<usize> = free().filter(|place| Some(sat[*place]) == least).collect();
            table.push(rarest[below(chance, rarest.len())]);
        }
        // The first bot of a gauntlet comes first anyway.
        table.sort_unstable();
        table
    }
}

/// A place below `count`, which is at least 1.
fn below(chance: &mut Nature, count: usize) -> usize {
    let bound = u32::try_from(count).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN);
    chance.below(bound) as usize
}

/// How many different tables there are, if they can be counted.
pub(super) fn every_table(format: Format, seats: usize, players: usize) -> Option<u64> {
    match format {
        Format::RoundRobin => combinations(players, seats),
        Format::Gauntlet => combinations(players.checked_sub(1)?, seats.checked_sub(1)?),
    }
}
