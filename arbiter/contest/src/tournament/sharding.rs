//! The division of a tournament into shards and blocks.

use std::path::{Path, PathBuf};

use series::schedule::{Block, Shard};

/// Name of the folder of shards, in the folder of the plan.
pub(super) const SHARDS: &str = "shards";

/// Spread of a plan's games over shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sharding {
    pub shards: u64,
    /// Number of deals after which bots may be out; by default nothing is decided before all shards are merged.
    pub block_deals: Option<u64>,
}

/// One log of a tournament in shards: the games of a shard, in one block of deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub shard: Shard,
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

    /// Returns its name for messages.
    pub fn name(self) -> String {
        match self.block {
            None => format!("shard {}", self.shard),
            Some(block) => format!("shard {} of block {}", self.shard, block.number),
        }
    }
}
