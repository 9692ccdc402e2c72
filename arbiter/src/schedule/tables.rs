//! The tables of a tournament: which players sit at each, in which orders, on which deals.

use std::num::NonZeroU32;

use rules::{PerSeat, Seed};

use super::combination::{combination, combinations, ordered, orders};
use super::{
    Format, MOST_GAMES, MOST_SEATS_FOR_ALL_ORDERS, NoSchedule, Orders, ScheduleLine, Seating, Shard,
};

/// The games of a tournament, deal by deal, table by table, order by order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tables {
    format: Format,
    orders: Orders,
    deals: u64,
    seats: usize,
    players: usize,
    /// How many tables there are for each deal.
    per_deal: u64,
    /// What they are drawn with, where not every one is there.
    drawn: Option<Seed>,
    shard: Option<Shard>,
}

impl Tables {
    pub(super) fn new(
        line: &ScheduleLine,
        seats: usize,
        players: usize,
        key: [u8; 32],
    ) -> Result<Tables, NoSchedule> {
        let ScheduleLine { format, orders, deals, tables, shard } = *line;
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
        let every = every_table(format, seats, players);
        // Where as many are asked for as there are, nothing is left to chance.
        let per_deal = tables.filter(|tables| every.is_none_or(|every| *tables < every));
        let drawn = per_deal.map(|_| Seed(key));
        let per_deal = per_deal.or(every).ok_or(NoSchedule::TooManyGames)?;
        let tables = Tables { format, orders, deals, seats, players, per_deal, drawn, shard };
        let games = per_deal
            .checked_mul(tables.orders_of_table())
            .and_then(|games| games.checked_mul(deals));
        match games.is_some_and(|games| games <= MOST_GAMES) {
            true => Ok(tables),
            false => Err(NoSchedule::TooManyGames),
        }
    }

    pub(super) fn games_per_deal(&self) -> u64 {
        self.per_deal * self.orders_of_table()
    }

    pub(super) fn games(&self) -> u64 {
        self.games_per_deal() * self.deals
    }

    pub(super) fn own_games(&self) -> u64 {
        let own_deals = match self.shard {
            None => self.deals,
            Some(Shard { index, of }) => self.deals / of + u64::from(index < self.deals % of),
        };
        own_deals * self.games_per_deal()
    }

    pub(super) fn own_from(&self, game: u64) -> u64 {
        let Some(Shard { index, of }) = self.shard else { return game };
        let deal = game / self.games_per_deal();
        match (index + of - deal % of) % of {
            0 => game,
            until => (deal + until).saturating_mul(self.games_per_deal()),
        }
    }

    pub(super) fn seating(&self, game: u64) -> Seating {
        let deal = game / self.games_per_deal();
        let (table, order) = {
            let of_deal = game % self.games_per_deal();
            (of_deal / self.orders_of_table(), of_deal % self.orders_of_table())
        };
        let mut players = match &self.drawn {
            None => self.table(table),
            Some(key) => self.drawn_table(key, deal, table),
        };
        match self.orders {
            Orders::Rotations => players.rotate_left(order as usize),
            Orders::All => players = ordered(order, &players),
        }
        Seating { deal, players: PerSeat::from(players) }
    }

    fn orders_of_table(&self) -> u64 {
        match self.orders {
            Orders::Rotations => self.seats as u64,
            Orders::All => orders(self.seats),
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

    /// The players of a table that is drawn.
    ///
    /// For every seat those come into question who sat least often on this deal so far, so within
    /// a deal nobody sits more than one table more often than another; chance decides between
    /// them.
    fn drawn_table(&self, key: &Seed, deal: u64, number: u64) -> Vec<usize> {
        let mut chance = key.order(deal);
        let mut sat = vec![0u64; self.players];
        let always: &[usize] = match self.format {
            Format::RoundRobin => &[],
            Format::Gauntlet => &[0],
        };
        let mut table = Vec::new();
        for _ in 0..=number {
            table = always.to_vec();
            while table.len() < self.seats {
                let free = || (0..self.players).filter(|place| !table.contains(place));
                let least = free().map(|place| sat[place]).min();
                let rarest: Vec<usize> =
                    free().filter(|place| Some(sat[*place]) == least).collect();
                let bound = NonZeroU32::new(rarest.len() as u32).unwrap_or(NonZeroU32::MIN);
                table.extend(rarest.get(chance.below(bound) as usize));
            }
            table.iter().for_each(|place| sat[*place] += 1);
        }
        table.sort_unstable();
        // The first bot of a gauntlet comes first anyway.
        table
    }
}

/// How many different tables there are, if so many can be counted.
fn every_table(format: Format, seats: usize, players: usize) -> Option<u64> {
    match format {
        Format::RoundRobin => combinations(players, seats),
        Format::Gauntlet => combinations(players - 1, seats - 1),
    }
}
