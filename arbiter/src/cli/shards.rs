//! The commands on tournaments that are played in shards.

use std::path::PathBuf;
use std::time::Duration;

use super::arguments::number;
use clap::Args;

use super::tournament_options::{RunArgs, TournamentPlanArgs};
use crate::commands::tournament::{
    AskedShard, MergeRequest, PlanRequest, RunOptions, RunShardRequest, TournamentOutput,
};
use sandbox::duration;
use text::failure::Failure;

pub(super) const PLAN_HELP: &str = "DIR holds the plan and the digests of the bots. `run-shard` \
plays a shard on any machine that can read DIR; `merge` joins them into one tournament. Bot paths \
are relative to the parent of DIR. The seed is stored in DIR, unless --seed-file is given: then \
`run-shard` and `merge` need that file. For the options, see `arbiter tournament --help`.

Examples:
  arbiter tournament plan cup --game tablic --deals 200 --shards 50 random greedy ./my-bot
  arbiter tournament plan cup --shards 50 contest.toml
  arbiter tournament plan test --game coup --shards 8 --block-deals 25 --sprt elo1=10 ./new ./old";

pub(super) const RUN_SHARD_HELP: &str = "Starts or resumes the shard; does nothing if it is \
finished. `auto` supports Slurm, HyperQueue, Kubernetes, GNU parallel, SGE and PBS.

Exits with 75 (try again later) while another run plays the shard or the previous block is unmerged.

Examples:
  arbiter tournament run-shard cup --shard 7
  sbatch --array=0-49 --wrap \"arbiter tournament run-shard cup\"
  seq 50 | parallel -N0 arbiter tournament run-shard cup";

pub(super) const MERGE_HELP: &str = "Turns DIR into a complete tournament, as if played on one \
machine. Lists each missing, unfinished or foreign shard with the command that fixes it. Exits \
with 75 if some shards are merely unfinished.

Examples:
  arbiter tournament merge cup
  arbiter tournament merge cup --verify";

#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Folder of the planned tournament
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Also verify every game
    #[arg(long)]
    verify: bool,
    /// Seed file, if the plan holds only the commitment
    #[arg(long, value_name = "FILE")]
    seed_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// Folder to create
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of shards
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of shards", 1..))]
    shards: Option<u64>,
    /// Apply disqualification and the sequential test after every N deals [default: only after
    /// merging]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of deals", 1..))]
    block_deals: Option<u64>,
    /// Suppress output
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    asked: TournamentPlanArgs,
}

#[derive(Debug, Args)]
pub(super) struct RunShardArgs {
    /// Folder of the planned tournament
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Shard number, from 0, or `auto` to read it from the job scheduler
    #[arg(long, value_name = "I|auto", default_value = "auto")]
    shard: AskedShard,
    /// How long to wait for another run of the same shard
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = wait)]
    wait_lock: Duration,
    /// How long to wait for the previous block
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = wait)]
    wait_block: Duration,
    /// How long running games may continue after SIGTERM or Ctrl-C
    #[arg(long, value_name = "DURATION", default_value = "20s", value_parser = duration)]
    grace: Duration,
    /// Seed file, if the plan holds only the commitment
    #[arg(long, value_name = "FILE")]
    seed_file: Option<PathBuf>,
    /// Machine name for logs [default: host name]
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
