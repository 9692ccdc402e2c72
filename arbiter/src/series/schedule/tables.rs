//! The tables of a tournament: which players sit at each, in which orders, on which deals.

use rules::{PerSeat, Seed};

use super::combination::{combination, combinations, ordered, orders};
use super::drawn::Drawn;
use super::shuffled::shuffled;
use super::{
    Format, MOST_GAMES, MOST_SEATS_FOR_ALL_ORDERS, NoSchedule, Orders, ScheduleLine, Seating, Shard,
};
use rules::Digest;

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
    /// The draw of the tables, where not every one is there.
    drawn: Option<Drawn>,
    /// What is drawn with, which everyone may know.
    key: [u8; 32],
    shard: Option<Shard>,
}

impl Tables {
    pub(super) fn new(
        line: &ScheduleLine,
        seats: usize,
        players: usize,
        key: [u8; 32],
    ) -> Result<Tables, NoSchedule> {
        let ScheduleLine { format, orders, deals, tables, shard, first_deal } = *line;
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
        let few = line.spelt(seats, players).tables;
        let every = every_table(format, seats, players);
        let drawn = few.map(|few| Drawn::new(line, few, seats, players, key)).transpose()?;
        let per_deal = few.or(every).ok_or(NoSchedule::TooManyGames)?;
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
        };
        let games = per_deal
            .checked_mul(tables.orders_of_table())
            .and_then(|games| games.checked_mul(deals));
        let is_countable = games.is_some_and(|games| games <= MOST_GAMES)
            && first_deal.checked_add(deals).is_some_and(|end| end <= MOST_GAMES);
        if is_countable { Ok(tables) } else { Err(NoSchedule::TooManyGames) }
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
        let own_deal = game / self.games_per_deal();
        let deal = self.first_deal + own_deal;
        let (table, order) = {
            let of_deal = game % self.games_per_deal();
            (of_deal / self.orders_of_table(), of_deal % self.orders_of_table())
        };
        let mut players = match &self.drawn {
            None => self.table(table),
            Some(drawn) => drawn.table(own_deal, table),
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
        *players = shuffled(std::mem::take(players), &mut chance);
    }
}

/// How many different tables there are, if they can be counted.
pub(super) fn every_table(format: Format, seats: usize, players: usize) -> Option<u64> {
    match format {
        Format::RoundRobin => combinations(players, seats),
        Format::Gauntlet => combinations(players.checked_sub(1)?, seats.checked_sub(1)?),
    }
}
