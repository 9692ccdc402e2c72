//! A tournament that is planned in one place and played in others.
//!
//! # Theory of operation
//!
//! **The plan comes first.** Its folder holds the plan of the whole, with the number of shards, and the
//! digests of the bots. Nothing is played there. The tables of all deals stand in a row that is cut
//! into shards ([`Shard`](series::schedule::Shard)), so a shard is known by its number alone, and no shard knows of another.
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
//! with it, and compared with it game by game (`verify.rs`).

use std::path::{Path, PathBuf, absolute};

use crate::tournament::folder::holds_plan;
use crate::tournament::plan::{Plan, SHARDS};
use series::Series;
use series::schedule::Block;
use text::shell::word;

pub mod merging;
pub mod survey;

pub use crate::tournament::plan::{ShardBlock, Sharding};

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
    let seed = match plan.settings().seed.known_seed() {
        Some(_) => "",
        None => " --seed-file FILE",
    };
    format!("arbiter tournament run-shard {} --shard {index}{seed}", word(whole))
}

/// Returns the first game after a block; none for the last block.
pub(crate) fn end_of_block(series: &Series, block: Option<Block>) -> Option<u64> {
    let block = block?;
    let next = block.deals.saturating_mul(block.number.saturating_add(1));
    let game = next.saturating_mul(series.schedule().games_per_deal());
    (game < series.schedule().games()).then_some(game)
}
