//! The schedule of a tournament, as it stands in its plan and in its log.

use std::fmt;
use std::str::FromStr;

use rules::NotText;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::cycle::combinations;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleLine {
    pub format: Format,
    pub orders: Orders,
    pub deals: u64,
    /// Number of tables drawn for each deal; without it there is every one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<u64>,
    /// The players of each table by their places in the list of players, where tables are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listed: Vec<Vec<usize>>,
    /// The part of the games, if they are spread over several machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The deals that the shard is a part of, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<Block>,
    /// The number of the first deal: 0, but where an older tournament is extended.
    #[serde(default, skip_serializing_if = "is_first")]
    pub first_deal: u64,
}

fn is_first(deal: &u64) -> bool {
    *deal == 0
}

impl ScheduleLine {
    /// A round robin whose tables sit in these orders, from the first deal on.
    pub fn round_robin(orders: Orders, deals: u64) -> ScheduleLine {
        ScheduleLine {
            format: Format::RoundRobin,
            orders,
            deals,
            tables: None,
            listed: Vec::new(),
            shard: None,
            block: None,
            first_deal: 0,
        }
    }

    /// The schedule for this number of players as it stands in a log: without a number of tables,
    /// where every table is there and none is drawn.
    pub fn spelt(&self, seats: usize, players: usize) -> ScheduleLine {
        let every = self.tables_of_deal(seats, players);
        let tables = self.tables.filter(|tables| every.is_none_or(|every| *tables < every));
        ScheduleLine { tables, ..self.clone() }
    }

    /// Number of different tables, if they can be counted.
    pub(super) fn tables_of_deal(&self, seats: usize, players: usize) -> Option<u64> {
        match self.format {
            Format::RoundRobin => combinations(players, seats),
            Format::Gauntlet => combinations(players.checked_sub(1)?, seats.checked_sub(1)?),
            Format::Listed => Some(self.listed.len() as u64),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone meets everyone.
    #[default]
    RoundRobin,
    /// The first bot meets all others.
    Gauntlet,
    /// The bots of each listed table meet.
    Listed,
}

/// In which orders a table sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Orders {
    /// Every rotation: with two seats both orders.
    #[default]
    Rotations,
    /// Every order that there is.
    All,
    /// Every rotation of the order of the list, as in a simulation.
    ListedRotations,
    /// The order of the list alone.
    Listed,
    /// The reverse of that alone.
    Reversed,
    /// One order, drawn for each table and deal.
    Drawn,
}

impl Format {
    /// Formats that need no list, so that the command line can name them.
    pub const OF_COMMAND_LINE: [Format; 2] = [Format::RoundRobin, Format::Gauntlet];

    /// Its name on the command line and in a plan.
    pub fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
            Format::Listed => "listed",
        }
    }
}

impl Orders {
    /// Orders that a tournament can have: in the others, which are for simulations, the bots do not
    /// meet on equal terms.
    pub const OF_TOURNAMENTS: [Orders; 2] = [Orders::Rotations, Orders::All];

    /// Its name on the command line and in a plan.
    pub fn name(self) -> &'static str {
        match self {
            Orders::Rotations => "rotations",
            Orders::All => "all",
            Orders::ListedRotations => "listed-rotations",
            Orders::Listed => "listed",
            Orders::Reversed => "reversed",
            Orders::Drawn => "drawn",
        }
    }
}

impl FromStr for Format {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let found = Format::OF_COMMAND_LINE.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| NotText::new("round-robin or gauntlet", text))
    }
}

impl FromStr for Orders {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let found = Orders::OF_TOURNAMENTS.into_iter().find(|orders| orders.name() == text);
        found.ok_or_else(|| NotText::new("rotations or all", text))
    }
}

/// One of several parts of a tournament, written `I/N`.
///
/// The tables of all deals stand in a row, deal by deal. It is cut into N pieces whose sizes differ by
/// one table at most, and the shard is piece I. A table stays whole: all orders of its seats on a deal
/// are in one shard. Where there is a [`Block`], it is that row for the deals of the block.
///
/// ```
/// use series::schedule::Shard;
///
/// let shard: Shard = "0/4".parse()?;
/// assert_eq!(shard, Shard { index: 0, of: 4 });
/// assert!("4/4".parse::<Shard>().is_err(), "they count from 0");
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    pub index: u64,
    /// Number of shards.
    pub of: u64,
}

impl Shard {
    /// Returns true if there is a shard of this number.
    pub(super) fn exists(self) -> bool {
        self.index < self.of
    }

    /// The first of this number of tables that is in the shard.
    pub(super) fn start(self, tables: u64) -> u64 {
        cut(self.index, self.of, tables)
    }

    /// The first table after those of the shard.
    pub(super) fn end(self, tables: u64) -> u64 {
        cut(self.index + 1, self.of, tables)
    }
}

/// Some of the deals of a tournament, all of which are played before the next ones begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    pub number: u64,
    /// The number of deals each block has; the last one may have fewer.
    pub deals: u64,
}

impl Block {
    /// The first of this number of deals that is in the block, and the first after it.
    pub(super) fn range(self, deals: u64) -> (u64, u64) {
        let start = self.number.saturating_mul(self.deals).min(deals);
        (start, start.saturating_add(self.deals).min(deals))
    }
}

/// The beginning of the piece of this index, if this number of tables is cut into `of` pieces.
fn cut(index: u64, of: u64, tables: u64) -> u64 {
    let place = u128::from(index) * u128::from(tables) / u128::from(of.max(1));
    u64::try_from(place).unwrap_or(tables)
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let read = || {
            let (index, of) = text.split_once('/')?;
            let shard = Shard { index: index.parse().ok()?, of: of.parse().ok()? };
            (shard.exists() && shard.to_string() == text).then_some(shard)
        };
        read().ok_or_else(|| NotText::new("a shard I/N with I from 0 to N - 1", text))
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
