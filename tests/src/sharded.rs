//! Tournaments in shards.

use crate::bench::{Bench, Ended};
use crate::tournament::SEED;

/// Plans a tournament of Coup on this number of deals, with these options and bots.
pub fn plan(bench: &Bench, folder: &str, deals: u64, more: &str) {
    let words = format!("tournament plan {folder} --game coup --deals {deals} --seed {SEED}");
    bench.ok(&format!("{words} --quiet {more}"));
}

/// Plays what is left of a shard.
pub fn run(bench: &Bench, folder: &str, shard: u64) -> Ended {
    bench.line(&format!("tournament run-shard {folder} --shard {shard} --workers 1 --quiet"))
}

/// Plays what is left of a shard, about which there is nothing to say.
pub fn played(bench: &Bench, folder: &str, shard: u64) {
    let ended = run(bench, folder, shard);
    assert_eq!((ended.code, &*ended.stderr, &*ended.stdout), (Some(0), "", ""), "{ended:?}");
}

/// Merges shards.
pub fn merged(bench: &Bench, words: &str) -> Ended {
    bench.line(&format!("tournament merge {words}"))
}
