//! The commands on tournaments that are played in shards.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::number::number;
use super::tournament::{AskedArgs, RunArgs};
use crate::bot::limits::duration;
use crate::commands::tournament::{
    AskedShard, MergeRequest, PlanRequest, RunOptions, RunShardRequest, Shown,
};
use crate::failure::Failure;

pub(super) const PLAN_HELP: &str = "DIR holds the plan and the digests of the bots; `run-shard` plays the \
shards, on any machine that sees DIR, and `merge` makes one tournament of them. Paths of bots start at \
the folder that DIR lies in. The seed lies in DIR; with --seed-file it stays in that file, and every \
`run-shard` and `merge` needs it.

Examples:
  arbiter tournament plan cup --game tablic --deals 200 --shards 50 random greedy ./my-bot
  arbiter tournament plan cup --shards 50 contest.toml
  arbiter tournament plan test --game coup --deals 5000 --shards 8 --block-deals 50 \
--sprt elo0=0,elo1=10 new=./new old=./old";

pub(super) const RUN_SHARD_HELP: &str = "Plays a shard that is new, interrupted or finished: then there is \
nothing to do. `auto` reads the index that Slurm, HyperQueue, Kubernetes, GNU parallel, SGE or PBS gives.

Exit code 75 means \"try again later\": another run has the shard, or the block before is not \
merged yet.

Examples:
  arbiter tournament run-shard cup --shard 7
  sbatch --array=0-49 --wrap \"arbiter tournament run-shard cup\"
  seq 50 | parallel -N0 arbiter tournament run-shard cup";

pub(super) const MERGE_HELP: &str = "DIR becomes the whole tournament, as one machine would have played it. If \
shards are missing, not over or not of this tournament, each is listed with the command that mends it; \
exit code 75 means that waiting or playing on is enough.

Examples:
  arbiter tournament merge cup
  arbiter tournament merge cup --verify
  arbiter tournament merge cup-0 cup-1 --into cup";

#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// The folder of a planned tournament; or with --into, the folders of all shards
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// A new folder, for shards that were played by `--shard`
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Derive every game again, as `arbiter verify` does
    #[arg(long)]
    verify: bool,
    /// The file with the seed, if the plan has only its commitment
    #[arg(long, value_name = "FILE")]
    seed_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// A new folder for the tournament
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The number of shards
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of shards", 1..))]
    shards: Option<u64>,
    /// Decide after this number of deals who is out or whether a test is over, before the next are
    /// played [default: only when all shards are merged]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of deals", 1..))]
    block_deals: Option<u64>,
    /// Show nothing
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    asked: AskedArgs,
}

#[derive(Debug, Args)]
pub(super) struct RunShardArgs {
    /// The folder of the planned tournament
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The number of the shard, from 0; or `auto`, the index that the engine gives
    #[arg(long, value_name = "I|auto", default_value = "auto")]
    shard: AskedShard,
    /// Wait this long for a run of the same shard that may have just ended
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = wait)]
    wait_lock: Duration,
    /// Wait this long for the other shards of the block before
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = wait)]
    wait_block: Duration,
    /// Leave games this long to finish after the first SIGTERM or Ctrl-C; then stop at once
    #[arg(long, value_name = "DURATION", default_value = "20s", value_parser = duration)]
    grace: Duration,
    /// The file with the seed, if the plan has only its commitment
    #[arg(long, value_name = "FILE")]
    seed_file: Option<PathBuf>,
    /// What this machine is called in logs [default: its host name]
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    #[command(flatten)]
    run: RunArgs,
}

/// Parses a waiting time; `0s` is none.
fn wait(text: &str) -> Result<Duration, String> {
    let expected = "expected a duration, such as 0s, 500ms or 2m";
    humantime::parse_duration(text).map_err(|error| format!("{error}; {expected}"))
}

impl PlanArgs {
    pub(super) fn request(self) -> Result<PlanRequest, Failure> {
        let submissions = self.asked.submissions.clone();
        let source = self.asked.source(None)?;
        Ok(PlanRequest {
            folder: self.dir,
            source,
            submissions,
            shards: self.shards,
            block_deals: self.block_deals,
            shown: if self.quiet { Shown::Nothing } else { Shown::Progress },
        })
    }
}

impl RunShardArgs {
    pub(super) fn request(self) -> RunShardRequest {
        let options = RunOptions { grace: Some(self.grace), ..self.run.options() };
        RunShardRequest {
            folder: self.dir,
            shard: self.shard,
            wait_lock: self.wait_lock,
            wait_block: self.wait_block,
            seed_file: self.seed_file,
            machine: self.machine,
            options,
        }
    }
}

impl MergeArgs {
    pub(super) fn request(self) -> MergeRequest {
        let MergeArgs { dirs: folders, into, verify, seed_file } = self;
        MergeRequest { folders, into, verify, seed_file }
    }
}
