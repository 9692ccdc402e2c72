//! The commands on tournaments that are played in shards.

use std::path::PathBuf;
use std::time::Duration;

use super::arguments::number;
use clap::Args;

use super::tournament_options::{RunArgs, TournamentPlanArgs};
use crate::commands::tournament::{
    AskedShard, MergeRequest, PlanRequest, RunOptions, RunShardRequest, TournamentOutput,
};
use bot::limits::duration;
use text::failure::Failure;

pub(super) const PLAN_HELP: &str = "DIR holds the plan and the digests of the bots. `run-shard` plays a \
shard, on any machine that can read DIR, and `merge` makes one tournament of them. Paths of bots are \
relative to the folder that contains DIR. The seed is written to DIR; with --seed-file it stays in its \
file, which every `run-shard` and `merge` then needs.

Examples:
  arbiter tournament plan cup --game tablic --deals 200 --shards 50 random greedy ./my-bot
  arbiter tournament plan cup --shards 50 contest.toml
  arbiter tournament plan test --game coup --deals 5000 --shards 8 --block-deals 50 \
--sprt elo0=0,elo1=10 new=./new old=./old";

pub(super) const RUN_SHARD_HELP: &str = "Starts or resumes the shard; for a finished shard it does nothing. \
`auto` takes the index from Slurm, HyperQueue, Kubernetes, GNU parallel, SGE or PBS.

Exit code 75 means \"try again later\": another run is playing the shard, or the previous block is not \
merged yet.

Examples:
  arbiter tournament run-shard cup --shard 7
  sbatch --array=0-49 --wrap \"arbiter tournament run-shard cup\"
  seq 50 | parallel -N0 arbiter tournament run-shard cup";

pub(super) const MERGE_HELP: &str = "DIR becomes the whole tournament, as if one machine had played it. If \
shards are missing, unfinished or belong to another tournament, each is listed with the command that \
fixes it; exit code 75 means that you only need to wait, or to finish playing the shards.

Examples:
  arbiter tournament merge cup
  arbiter tournament merge cup --verify";

#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// The folder of the planned tournament
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Recompute every game, as `arbiter verify` does
    #[arg(long)]
    verify: bool,
    /// The file with the seed, if the plan holds only its commitment
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
    /// Stop after every block of this many deals to disqualify bots and decide a test, before the
    /// next block is played [default: decide only when all shards are merged]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of deals", 1..))]
    block_deals: Option<u64>,
    /// Print nothing
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    asked: TournamentPlanArgs,
}

#[derive(Debug, Args)]
pub(super) struct RunShardArgs {
    /// The folder of the planned tournament
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The number of the shard, from 0, or `auto` for the index that the engine sets
    #[arg(long, value_name = "I|auto", default_value = "auto")]
    shard: AskedShard,
    /// Wait this long for another run of the same shard to end
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = wait)]
    wait_lock: Duration,
    /// Wait this long for the other shards of the previous block
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = wait)]
    wait_block: Duration,
    /// After SIGTERM or Ctrl-C, give games this long to finish before stopping at once
    #[arg(long, value_name = "DURATION", default_value = "20s", value_parser = duration)]
    grace: Duration,
    /// The file with the seed, if the plan holds only its commitment
    #[arg(long, value_name = "FILE")]
    seed_file: Option<PathBuf>,
    /// The name of this machine in logs [default: its host name]
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    #[command(flatten)]
    run: RunArgs,
}

/// Parses a waiting time, which may be `0s`.
fn wait(text: &str) -> Result<Duration, String> {
    let expected = "expected a duration, such as 0s, 500ms or 2m";
    humantime::parse_duration(text).map_err(|error| format!("{error}; {expected}"))
}

impl PlanArgs {
    pub(super) fn request(self) -> Result<PlanRequest, Failure> {
        let submissions = self.asked.submissions.clone();
        let copies = self.asked.copies();
        let source = self.asked.source()?;
        Ok(PlanRequest {
            folder: self.dir,
            source,
            submissions,
            shards: self.shards,
            block_deals: self.block_deals,
            copies,
            shown: if self.quiet { TournamentOutput::Nothing } else { TournamentOutput::Progress },
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
        let MergeArgs { dir: folder, verify, seed_file } = self;
        MergeRequest { folder, verify, seed_file }
    }
}
