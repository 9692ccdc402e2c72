//! The setup of a tournament: all that standings need before its first game.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::bootstrap::BootstrapSeed;
use super::choices::{self, MOST_SEATS};
use super::pairing::tie_break::TieBreak;
use super::sprt::Sprt;

/// All that standings need to know of a tournament before its first game.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The names of the bots, none twice.
    pub names: Vec<String>,
    /// The bots that may have received help from outside, by name.
    pub helped: BTreeMap<String, OutsideHelp>,
    /// Number of seats of every game.
    pub seats: usize,
    /// Seed of the weights of the bootstrap.
    pub seed: BootstrapSeed,
    /// Number of replicates of the bootstrap.
    pub replicates: Replicates,
    /// The widest margin that a game can have, where the rules bound it.
    pub widest: Option<f64>,
    /// The test that two bots are put to; with more bots, or with more seats, there is none.
    pub sprt: Option<Sprt>,
    /// Tie-breaks of bots with equal ratings and scores, the first one first.
    pub tie_breaks: Vec<TieBreak>,
}

impl Setup {
    /// A tournament of these bots in games of this number of seats, with the replicates that suit
    /// its size, without a test and without tie-breaks.
    pub fn new(names: Vec<String>, seats: usize) -> Setup {
        let replicates = Replicates::suited(names.len(), seats);
        let (helped, seed) = (BTreeMap::new(), BootstrapSeed::default());
        let (widest, sprt, tie_breaks) = (None, None, Vec::new());
        Setup { names, helped, seats, seed, replicates, widest, sprt, tie_breaks }
    }

    /// Returns true if games are counted in pairs, and can be tested.
    pub fn is_duel(&self) -> bool {
        self.names.len() == 2 && self.seats == 2
    }

    pub(super) fn model(&self) -> Model {
        Model::suited(self.names.len(), self.seats)
    }
}

/// The way in which a bot may have received help from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutsideHelp {
    /// It was granted the network, if only in some of the games.
    Network,
    /// It ran on the machine of its author.
    Remote,
}

impl OutsideHelp {
    /// All of them, in the order of their marks.
    pub const ALL: [OutsideHelp; 2] = [OutsideHelp::Network, OutsideHelp::Remote];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            OutsideHelp::Network => "network",
            OutsideHelp::Remote => "remote",
        }
    }

    /// The mark behind the name of such a bot.
    pub fn mark(self) -> &'static str {
        match self {
            OutsideHelp::Network => " *",
            OutsideHelp::Remote => " †",
        }
    }

    /// The meaning of the mark.
    pub fn meaning(self) -> &'static str {
        match self {
            OutsideHelp::Network => "*: had network access, and may have received help",
            OutsideHelp::Remote => "†: ran on its author's machine (remote)",
        }
    }

    /// Serializes as a key that is true, or as nothing.
    #[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
    pub fn as_key<S: Serializer>(help: &Option<OutsideHelp>, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(usize::from(help.is_some())))?;
        if let Some(help) = help {
            map.serialize_entry(help.name(), &true)?;
        }
        map.end()
    }
}

/// Model that strengths of bots are fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Games of two seats by Bradley and Terry's, with draws and an advantage of the seat.
    BradleyTerry,
    /// Rankings of more seats by Plackett and Luce's.
    PlackettLuce,
    /// From this number of seats or bots on, rankings are taken apart into pairs: in Plackett and
    /// Luce's model either of two is ahead as in Bradley and Terry's, no matter who else plays.
    /// Such a fit gives the same strengths with more random error (Azari Soufiani and others 2013,
    /// "Generalized method-of-moments for rank aggregation").
    PlackettLucePairs,
}

impl Model {
    fn suited(entrants: usize, seats: usize) -> Model {
        match seats {
            ..=2 => Model::BradleyTerry,
            3..=MOST_SEATS if choices::possible_sets(entrants, seats) <= MOST_SETS => {
                Model::PlackettLuce
            }
            _ => Model::PlackettLucePairs,
        }
    }
}

/// Number of replicates of a bootstrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replicates(usize);

/// The bytes that the replicates of one tournament should fit in.
const MEMORY: usize = 64 << 20;

/// The bytes of one number of one replicate.
const NUMBER: usize = size_of::<i64>();

const FEWEST: usize = 200;
const WANTED: usize = 1000;

/// As many sets as fit in [`MEMORY`] with the fewest replicates.
const MOST_SETS: usize = MEMORY / NUMBER / FEWEST;

impl Replicates {
    /// The fewest with which a 95% interval is of use.
    pub const LEAST: Replicates = Replicates(FEWEST);

    /// As many as fit in 64 MiB, at most 1,000 and at least [`Replicates::LEAST`]: fewer than 1,000
    /// from about 50 bots on.
    pub fn suited(entrants: usize, seats: usize) -> Replicates {
        let orders = entrants.saturating_mul(entrants.saturating_sub(1));
        let pairs = if seats == 2 { orders } else { orders / 2 };
        let sets = match Model::suited(entrants, seats) {
            Model::PlackettLuce => choices::possible_sets(entrants, seats),
            Model::BradleyTerry | Model::PlackettLucePairs => 0,
        };
        let numbers = pairs.saturating_mul(4).saturating_add(sets).max(1);
        let fitting = MEMORY / NUMBER / numbers;
        Replicates(fitting.clamp(FEWEST, WANTED))
    }

    /// The number of replicates.
    pub fn count(self) -> usize {
        self.0
    }
}
