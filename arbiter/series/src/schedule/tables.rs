//! The tables of a tournament: which players sit at each, in which orders, on which deals.

use std::collections::BTreeMap;

use rules::{Digest, PerSeat, Seed};
use text::counted;

use super::cycle::{combination, ordered, orders, shuffled};
use super::drawn::DrawnTables;
use super::line::{Block, Format, Orders, ScheduleLine, Shard};

/// The most games that a tournament can have: more than a machine plays in a year, and few enough
/// for those that are skipped to be counted one by one.
const MOST_GAMES: u64 = 1 << 30;

/// The most seats of which every order is played: 6! games a table and deal are 720 already.
const MOST_SEATS_FOR_ALL_ORDERS: usize = 6;

/// One game of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seating {
    pub deal: u64,
    /// For each seat the place of its player in the list of players.
    pub players: PerSeat<usize>,
}

/// The games of a tournament, deal by deal, table by table, order by order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableSchedule {
    format: Format,
    orders: Orders,
    deals: u64,
    first_deal: u64,
    seats: usize,
    players: usize,
    /// The number of tables for each deal.
    per_deal: u64,
    /// The draw of the tables, where not every one is there.
    drawn: Option<DrawnTables>,
    /// The players of each table, where tables are listed.
    listed: Vec<Vec<usize>>,
    /// The key of the draw, which everyone may know.
    key: [u8; 32],
    shard: Option<Shard>,
    block: Option<Block>,
}

impl TableSchedule {
    pub(super) fn new(
        line: &ScheduleLine,
        seats: usize,
        players: usize,
        key: [u8; 32],
    ) -> Result<TableSchedule, String> {
        let ScheduleLine { format, orders, deals, tables, shard, block, first_deal, .. } = *line;
        check_listed(line, seats, players)?;
        if players < seats {
            let bots = counted(players, "bot", "bots");
            return Err(format!("{bots} for {seats} seats: add bots"));
        }
        if orders == Orders::All && seats > MOST_SEATS_FOR_ALL_ORDERS {
            return Err(format!(
                "{seats} seats in every order: at most {MOST_SEATS_FOR_ALL_ORDERS}"
            ));
        }
        if deals == 0 {
            return Err(zero_message("deals"));
        }
        if tables == Some(0) {
            return Err(zero_message("tables"));
        }
        if let Some(shard) = shard.filter(|shard| !shard.exists()) {
            return Err(format!("invalid shard {shard}: use I/N with I from 0 to N - 1"));
        }
        // If as many are asked for as there are, nothing is left to chance.
        let few = line.spelt(seats, players).tables;
        let every = line.tables_of_deal(seats, players);
        let drawn = few.map(|few| DrawnTables::new(line, few, seats, players, key)).transpose()?;
        let per_deal = few.or(every).ok_or_else(too_many_games)?;
        let tables = TableSchedule {
            format,
            orders,
            deals,
            first_deal,
            seats,
            players,
            per_deal,
            drawn,
            listed: line.listed.clone(),
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
            return Err(too_many_games());
        }
        if let Some(block) = block.filter(|block| block.range(deals).0 >= deals) {
            let deals = counted(block.deals, "deal", "deals");
            return Err(format!(
                "block {} does not exist: the tournament has {deals}",
                block.number
            ));
        }
        // The last block may have fewer tables than shards: then some have nothing to do in it.
        let most = per_deal * block.map_or(deals, |block| block.deals.min(deals));
        match shard.filter(|shard| shard.of > most) {
            None => Ok(tables),
            Some(Shard { of: shards, .. }) => {
                Err(format!("{shards} shards: at most {most} (one per table and deal)"))
            }
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

    /// The players of a table by its number, where none is drawn.
    fn table(&self, number: u64) -> Vec<usize> {
        match self.format {
            Format::RoundRobin => combination(number, self.players, self.seats),
            Format::Gauntlet => {
                let others = combination(number, self.players - 1, self.seats - 1);
                [0].into_iter().chain(others.into_iter().map(|place| place + 1)).collect()
            }
            Format::Listed => self.listed.get(number as usize).cloned().unwrap_or_default(),
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

/// The message about a number that is 0 and must not be.
pub fn zero_message(what: &str) -> String {
    format!("0 {what}: use at least 1")
}

fn too_many_games() -> String {
    format!("more than {MOST_GAMES} games: use fewer deals")
}

/// The most tables that can be listed for a deal.
const MOST_TABLES: usize = 10_000;

/// Checks the list of tables of a schedule, which is empty for other formats. Its messages count tables from 1 and
/// players from 0.
fn check_listed(line: &ScheduleLine, seats: usize, players: usize) -> Result<(), String> {
    let ScheduleLine { format, tables, listed, .. } = line;
    if (*format == Format::Listed) == listed.is_empty() {
        let problem = match format {
            Format::Listed => "no tables listed: list the players of each table",
            Format::RoundRobin | Format::Gauntlet => "listed tables need the format `listed`",
        };
        return Err(problem.to_owned());
    }
    if listed.is_empty() {
        return Ok(());
    }
    if tables.is_some() {
        return Err("drawn and listed tables cannot be combined".to_owned());
    }
    if listed.len() > MOST_TABLES {
        return Err(format!("{} listed tables: at most {MOST_TABLES}", listed.len()));
    }
    let mut known: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    let mut plays = vec![false; players];
    for (table, places) in (1..).zip(listed) {
        if places.len() != seats {
            let players = counted(places.len(), "player", "players");
            return Err(format!("table {table}: {players} for {seats} seats"));
        }
        for place in places {
            match plays.get_mut(*place) {
                Some(plays) => *plays = true,
                None => {
                    let last = players.saturating_sub(1);
                    return Err(format!("table {table}: unknown player {place} (0 to {last})"));
                }
            }
        }
        let mut sorted = places.clone();
        sorted.sort_unstable();
        let twice = sorted.iter().zip(sorted.iter().skip(1)).find(|(one, other)| one == other);
        if let Some((place, _)) = twice {
            return Err(format!("table {table}: player {place} is listed twice"));
        }
        if let Some(first) = known.insert(sorted, table) {
            return Err(format!("table {table} repeats table {first}"));
        }
    }
    match plays.iter().position(|plays| !plays) {
        Some(place) => Err(format!("player {place} is at no table")),
        None => Ok(()),
    }
}
