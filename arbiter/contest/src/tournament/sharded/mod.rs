//! A tournament that is planned in one place and played in others.
//!
//! # Theory of operation
//!
//! **The plan comes first.** Its folder holds the plan of the whole, with the number of shards, and the
//! digests of the bots. Nothing is played there. The tables of all deals stand in a row that is cut
//! into shards ([`Shard`]), so a shard is known by its number alone, and no shard knows of another.
//!
//! **A shard is a tournament of its own**, in a folder inside that of the plan. It has a plan, a log and a
//! lock, and it can be resumed after a crash like any other tournament. An engine that starts the
//! processes needs only the folder and the number of a shard, on any machine.
//!
//! **A disqualification or the end of a test** depends on many games, so no shard can see it. A plan in
//! *blocks* of deals decides it between them: each block is cut into all shards; the shards of the
//! next one begin when those of the last one are [merged](merging), with every game derived again, and
//! their headers say the decision. So at most one block of games is played in vain. Without blocks
//! all games are played, and merging drops those that would have been skipped.
//!
//! **Merging gives the log of one machine**, byte for byte except for measurements: the games of all
//! pieces in order, without those that are skipped. Shards beside a merged log are verified
//! with it, and compared with it game by game (`beside.rs`).

use std::path::{Path, PathBuf, absolute};

use crate::tournament::folder::holds_plan;
use crate::tournament::plan::Plan;
use conditions::series::schedule::{Block, Shard};
use conditions::series::{Decided, Series};
use text::shell::word;

pub(crate) mod beside;
pub mod differing;
pub mod merging;
pub mod survey;

/// Name of the folder of shards, in the folder of the plan.
const SHARDS: &str = "shards";

/// Returns true if some shard of the tournament in this folder was begun.
pub(crate) fn has_shards(whole: &Path) -> bool {
    shards(whole).is_some()
}

/// Returns the folder of the shards of a tournament; none if no shard was begun.
pub fn shards(whole: &Path) -> Option<PathBuf> {
    Some(whole.join(SHARDS)).filter(|shards| shards.exists())
}

/// Returns the folder of the plan to which the shard in this folder belongs.
pub fn whole_of(shard: &Path) -> Option<PathBuf> {
    let shard = absolute(shard).ok()?;
    let whole = shard.parent().filter(|shards| shards.ends_with(SHARDS))?.parent()?;
    holds_plan(whole).then(|| whole.to_owned())
}

/// Returns the command that plays the rest of a shard.
pub fn run_command(whole: &Path, plan: &Plan, index: u64) -> String {
    let seed = match plan.settings().seed.known() {
        Some(_) => "",
        None => " --seed-file FILE",
    };
    format!("arbiter tournament run-shard {} --shard {index}{seed}", word(whole))
}

/// Spread of a plan's games over shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sharding {
    /// Number of shards.
    pub shards: u64,
    /// Number of deals after which bots may be out; by default nothing is decided before all shards are merged.
    pub block_deals: Option<u64>,
}

/// One log of a tournament in shards: the games of a shard, in one block of deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The shard.
    pub shard: Shard,
    /// The block, if the plan has blocks.
    pub block: Option<Block>,
}

impl Sharding {
    /// Returns the blocks of this number of deals, in order: one of all deals, if the plan has none.
    pub fn blocks(self, deals: u64) -> impl Iterator<Item = Option<Block>> {
        let number = self.block_deals.map_or(1, |block| deals.div_ceil(block.max(1)));
        (0..number).map(move |number| self.block_deals.map(|deals| Block { number, deals }))
    }

    /// Returns the pieces of a block, in the order of their games.
    pub fn pieces(self, block: Option<Block>) -> impl Iterator<Item = Piece> {
        (0..self.shards).map(move |index| self.piece(block, index))
    }

    /// Returns the piece of the shard with this number, from 0.
    pub fn piece(self, block: Option<Block>, index: u64) -> Piece {
        Piece { shard: Shard { index, of: self.shards }, block }
    }
}

impl Piece {
    /// Returns its folder, in the folder of the plan.
    pub fn folder(self, whole: &Path) -> PathBuf {
        let Piece { shard: Shard { index, .. }, block } = self;
        whole.join(SHARDS).join(match block {
            None => index.to_string(),
            Some(block) => format!("{}-{index}", block.number),
        })
    }

    /// Returns its plan, after the decisions of the blocks before.
    pub fn plan(self, whole: &Plan, decided: Option<Decided>) -> Plan {
        whole.piece(self, decided)
    }

    /// Returns the first game of the piece; none if the last block has too few tables for all shards.
    pub fn first_game(self, whole: &Plan) -> Option<u64> {
        self.schedule(whole).and_then(|schedule| schedule.own_from(0))
    }

    /// Returns its number of games, if none is skipped.
    pub fn games(self, whole: &Plan) -> u64 {
        self.schedule(whole).map_or(0, |schedule| schedule.own_games())
    }

    fn schedule(self, whole: &Plan) -> Option<conditions::series::schedule::Schedule> {
        self.plan(whole, None).schedule()
    }

    /// Returns its name for messages.
    pub fn name(self) -> String {
        match self.block {
            None => format!("shard {}", self.shard),
            Some(block) => format!("shard {} of block {}", self.shard, block.number),
        }
    }
}

/// Returns the first game after a block; none for the last block.
pub(crate) fn end_of_block(series: &Series, block: Option<Block>) -> Option<u64> {
    let block = block?;
    let next = block.deals.saturating_mul(block.number.saturating_add(1));
    let game = next.saturating_mul(series.schedule().games_per_deal());
    (game < series.schedule().games()).then_some(game)
}
