//! `arbiter tournament`: many games between many bots.

use std::io::Write;

use clap::{Args, Subcommand};

use begin::{BeginArgs, ResumeArgs};
use display::{StandingsArgs, StatusArgs};
use extend::ExtendArgs;
use run_shard::RunShardArgs;
use shards::{MergeArgs, PlanArgs};
use text::failure::Failure;

mod begin;
mod display;
mod extend;
mod options;
mod run;
mod run_shard;
mod shards;
mod submissions;

pub(super) use display::{formats_of_standings, standings_format};
pub(super) use run::{ReadyBots, RunOptions, TournamentOutput, TournamentRunArgs, failed, seed_of};
pub(super) use shards::{merged, merged_so_far, obstructed};

const HELP: &str = "For BOT, see `arbiter match --help`. Every table plays every deal in every \
seat rotation. DIR contains the seed: keep it secret until the end. Ctrl-C stops after the current \
games, a second Ctrl-C at once; `resume` continues either way.

Tie-breaks: direct-encounter, buchholz, buchholz-cut-1, sonneborn-berger, wins, points, margin. A plan file \
can also list the tables.

Examples:
  arbiter tournament --game tablic --dir cup --deals 50 random greedy minimax \"py=python3 my_bot.py\"
  arbiter tournament --game coup --dir coup --rounds 10 greedy minimax ./my-bot
  arbiter tournament --game durak --seats 3 --dir cup --submissions inbox random
  arbiter tournament --game tablic --dir test --deals 10000 --sprt elo1=10 new=./new old=./old
  arbiter tournament --game coup --dir cup --deals 10000 --compress greedy minimax ./my-bot
  arbiter tournament plan.toml
  arbiter tournament resume cup
  arbiter tournament standings cup --format markdown";

/// `arbiter tournament`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, after_help = HELP)]
pub(crate) struct TournamentArgs {
    #[command(subcommand)]
    command: Option<TournamentCommand>,
    #[command(flatten)]
    begin: BeginArgs,
}

#[derive(Debug, Subcommand)]
enum TournamentCommand {
    /// Resume an interrupted tournament
    Resume(ResumeArgs),
    /// Add bots or deals to a tournament
    Extend(Box<ExtendArgs>),
    /// Show the progress of a tournament
    Status(StatusArgs),
    /// Print the standings, also during play
    Standings(StandingsArgs),
    /// Plan a tournament in shards for several machines
    Plan(Box<PlanArgs>),
    /// Play or resume one shard
    RunShard(RunShardArgs),
    /// Merge finished shards
    Merge(MergeArgs),
}

impl TournamentArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            None => self.begin.run(out),
            Some(TournamentCommand::Resume(arguments)) => arguments.run(out),
            Some(TournamentCommand::Extend(arguments)) => arguments.run(out),
            Some(TournamentCommand::Status(arguments)) => arguments.run(out),
            Some(TournamentCommand::Standings(arguments)) => arguments.run(out),
            Some(TournamentCommand::Plan(arguments)) => arguments.run(out),
            Some(TournamentCommand::RunShard(arguments)) => arguments.run(out),
            Some(TournamentCommand::Merge(arguments)) => arguments.run(out),
        }
    }
}
