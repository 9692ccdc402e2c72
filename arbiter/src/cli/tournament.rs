//! `arbiter tournament` on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::arguments::{asked_seed, number, report_format};
use super::isolation::AllowArgs;
use super::limits::LimitArgs;
use super::shards::{MERGE_HELP, MergeArgs, PLAN_HELP, PlanArgs, RUN_SHARD_HELP, RunShardArgs};
use super::tournament_options::{
    RunArgs, TournamentPlanArgs, formats_of_standings, standings_format,
};
use crate::commands::tournament::{
    BeginRequest, ExtendRequest, LogCompression, begin, extend, merge, plan, resume, run_shard,
    standings, standings_line, status,
};
use bot::{BotSpec, spelt_as_names};
use series::committed_seed::GivenSeed;
use text::failure::Failure;

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

const EXTEND_HELP: &str =
    "Earlier games stay rated. The extension has its own plan and log in a folder inside DIR; \
`status`, `standings`, `verify`, `report` and `export` cover all parts. An unfinished tournament \
keeps its seed and continues with its next deal; a finished one gets a new seed, since the old one \
is public. Add a changed bot under a new name. Limits apply to new bots only.

Examples:
  arbiter tournament extend cup --deals 50
  arbiter tournament extend cup --without ann
  arbiter tournament extend cup --without ann \"ann-2=python3 ann.py\"";

/// `arbiter tournament`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, after_help = HELP)]
pub(super) struct TournamentArgs {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    begin: BeginArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Resume an interrupted tournament
    #[command(after_help = "Example: arbiter tournament resume cup")]
    Resume {
        /// Tournament folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Add bots or deals to a tournament
    #[command(after_help = EXTEND_HELP)]
    Extend(Box<ExtendArgs>),
    /// Show the progress of a tournament
    #[command(after_help = "Example: arbiter tournament status cup")]
    Status {
        /// Tournament folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the standings, also during play
    #[command(after_help = "Example: arbiter tournament standings cup --format csv")]
    Standings {
        /// Tournament folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Output format
        #[arg(long, default_value = "text", value_parser = formats_of_standings())]
        format: String,
        /// Print JSON, as `arbiter tournament --json` does
        #[arg(long, conflicts_with = "format")]
        json: bool,
    },
    /// Plan a tournament in shards for several machines
    #[command(after_help = PLAN_HELP)]
    Plan(Box<PlanArgs>),
    /// Play or resume one shard
    #[command(after_help = RUN_SHARD_HELP)]
    RunShard(RunShardArgs),
    /// Merge finished shards
    #[command(after_help = MERGE_HELP)]
    Merge(MergeArgs),
}

#[derive(Debug, Args)]
struct ExtendArgs {
    /// Tournament folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of further deals [default: the remaining ones]
    #[arg(long, value_name = "N", visible_alias = "rounds", value_parser = number::<u64>("a number of deals", 1..=1_000_000_000))]
    deals: Option<u64>,
    /// Withdraw a bot; its games so far stay rated
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// Seed of the new deals of a finished tournament: 64 hex digits, or a number for practice only
    /// (guessable) [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// Read that seed from a file created by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Mix a participant's entropy into that seed; repeatable
    #[arg(long, value_name = "TEXT")]
    entropy: Vec<String>,
    #[command(flatten)]
    run: RunArgs,
    /// Bots to add
    #[arg(value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    allow: AllowArgs,
}

#[derive(Debug, Args)]
struct BeginArgs {
    /// Folder to create for the tournament [default: the plan's name]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Write a compressed log (games.jsonl.gz)
    #[arg(long)]
    compress: bool,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    asked: TournamentPlanArgs,
}

impl TournamentArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            None => begin(self.begin.request()?, out),
            Some(Command::Resume { dir, run }) => resume(&dir, run.options(), out),
            Some(Command::Extend(args)) => extend(args.request()?, out),
            Some(Command::Status { dir, json }) => status(&dir, report_format(json), out),
            Some(Command::Standings { dir, json: true, .. }) => standings_line(&dir, out),
            Some(Command::Standings { dir, format, .. }) => {
                standings(&dir, standings_format(&format), out)
            }
            Some(Command::Plan(args)) => plan(args.request()?, out),
            Some(Command::RunShard(args)) => run_shard(args.request(), out),
            Some(Command::Merge(args)) => merge(args.request(), out),
        }
    }
}

impl ExtendArgs {
    fn request(self) -> Result<ExtendRequest, Failure> {
        let bots: Result<Vec<BotSpec>, _> = self.bots.iter().map(|bot| bot.parse()).collect();
        Ok(ExtendRequest {
            folder: self.dir,
            deals: self.deals,
            without: self.without.iter().map(|name| spelt_as_names(name)).collect(),
            bots: bots?,
            limits: self.limits.asked(),
            grants: self.allow.granted()?,
            seed: asked_seed(self.seed, self.seed_file),
            entropy: self.entropy,
            options: self.run.options(),
        })
    }
}

impl BeginArgs {
    fn request(self) -> Result<BeginRequest, Failure> {
        let options = self.run.options();
        let submissions = self.asked.submissions.clone();
        let copies = self.asked.copies();
        let source = self.asked.source()?;
        let log = if self.compress { LogCompression::Compressed } else { LogCompression::Plain };
        Ok(BeginRequest { source, folder: self.dir, submissions, copies, log, options })
    }
}
