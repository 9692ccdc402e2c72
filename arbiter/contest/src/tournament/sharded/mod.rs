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
//! **What many games decide**, that a bot is out or that a test is over, no shard can see. A plan in
//! *blocks* of deals decides it between them: each block is cut into all shards; the shards of the
//! next one begin when those of the last one are [merged](merging), with every game derived again, and
//! their headers say what was decided. So at most one block of games is played in vain. Without blocks
//! all games are played, and merging drops those that would have been skipped.
//!
//! **Merging gives the log of one machine**, byte for byte but for what was measured: the games of all
//! pieces in their order, without those that are skipped. Shards that lie beside a merged log are verified
//! with it, and compared with it game by game (`beside.rs`).

use std::path::{Path, PathBuf};

use crate::tournament::plan::Plan;
use conditions::series::schedule::{Block, Shard};
use conditions::series::{Decided, Series};
use text::shell::word;

pub mod beside;
pub mod differing;
pub mod joining;
pub mod merging;
pub mod pace;
pub mod survey;

/// Where the folders of shards lie, in the folder of the plan.
const SHARDS: &str = "shards";

/// Whether some shard of the tournament in this folder was begun.
pub fn has_shards(whole: &Path) -> bool {
    whole.join(SHARDS).exists()
}

/// The command that plays what is left of a shard.
pub fn run_command(whole: &Path, plan: &Plan, index: u64) -> String {
    let seed = match plan.settings().seed.known() {
        Some(_) => "",
        None => " --seed-file FILE",
    };
    format!("arbiter tournament run-shard {} --shard {index}{seed}", word(whole))
}

/// How the games of a plan are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sharding {
    /// Over how many shards.
    pub shards: u64,
    /// How many deals are played before it is decided who plays on; without it nothing is decided
    /// before all shards are merged.
    pub block_deals: Option<u64>,
}

/// What one log of a tournament in shards holds: the games of a shard, in one block of deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The shard.
    pub shard: Shard,
    /// The block, where the plan has some.
    pub block: Option<Block>,
}

impl Sharding {
    /// The blocks of this number of deals, in order: one of all deals, where the plan has none.
    pub fn blocks(self, deals: u64) -> impl Iterator<Item = Option<Block>> {
        let number = self.block_deals.map_or(1, |block| deals.div_ceil(block.max(1)));
        (0..number).map(move |number| self.block_deals.map(|deals| Block { number, deals }))
    }

    /// The pieces of a block, in the order of their games.
    pub fn pieces(self, block: Option<Block>) -> impl Iterator<Item = Piece> {
        (0..self.shards).map(move |index| self.piece(block, index))
    }

    /// The piece of the shard with this number, from 0.
    pub fn piece(self, block: Option<Block>, index: u64) -> Piece {
        Piece { shard: Shard { index, of: self.shards }, block }
    }
}

impl Piece {
    /// Its folder, in the folder of the plan.
    pub fn folder(self, whole: &Path) -> PathBuf {
        let Piece { shard: Shard { index, .. }, block } = self;
        whole.join(SHARDS).join(match block {
            None => index.to_string(),
            Some(block) => format!("{}-{index}", block.number),
        })
    }

    /// What is played in it, after what was decided in the blocks before.
    pub fn plan(self, whole: &Plan, decided: Option<Decided>) -> Plan {
        whole.piece(self, decided)
    }

    /// The first game of the piece; none where the last block has too few tables for all shards.
    pub fn first_game(self, whole: &Plan) -> Option<u64> {
        self.schedule(whole).and_then(|schedule| schedule.own_from(0))
    }

    /// How many games it has, if none is skipped.
    pub fn games(self, whole: &Plan) -> u64 {
        self.schedule(whole).map_or(0, |schedule| schedule.own_games())
    }

    fn schedule(self, whole: &Plan) -> Option<conditions::series::schedule::Schedule> {
        self.plan(whole, None).schedule()
    }

    /// How it is called in messages.
    pub fn name(self) -> String {
        match self.block {
            None => format!("shard {}", self.shard),
            Some(block) => format!("shard {} of block {}", self.shard, block.number),
        }
    }
}

/// The first game after those of a block; none where that is the last one.
pub fn end_of_block(series: &Series, block: Option<Block>) -> Option<u64> {
    let block = block?;
    let next = block.deals.saturating_mul(block.number.saturating_add(1));
    let game = next.saturating_mul(series.schedule().games_per_deal());
    (game < series.schedule().games()).then_some(game)
}
