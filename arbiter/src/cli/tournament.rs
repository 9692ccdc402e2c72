//! `arbiter tournament` on the command line.

use std::ffi::OsStr;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use rules::GameKind;
use rules::text::printable;

use super::game::game_names;
use super::isolation::{AllowArgs, IsolationArgs};
use super::limits::LimitArgs;
use super::number::number;
use super::shards::{MERGE_HELP, MergeArgs, PLAN_HELP, PlanArgs, RUN_SHARD_HELP, RunShardArgs};
use super::{asked_seed, parsed, report_format};
use crate::bot::{BadBot, BotSpec, spelt_as_names};
use crate::commands::setup::AskedGame;
use crate::commands::tournament::{
    AskedTournament, BeginRequest, ExtendRequest, RunOptions, Shown, Source, StandingsFormat,
    begin, extend, merge, plan, resume, run_shard, standings, status,
};
use crate::failure::Failure;
use crate::series::SuspectGames;
use crate::series::given_seed::GivenSeed;
use crate::series::schedule::{Format, Orders, ScheduleLine, Shard};
use crate::standings::Sprt;
use crate::tournament::plan_file::DEALS;

const HELP: &str = "A BOT is named as in `arbiter match`. Every deal is played by every table in \
every rotation of its seats. DIR holds the plan with the seed, the log and the standings; keep it \
secret until the end. Ctrl-C stops after the games that are being played, a second Ctrl-C stops at \
once; `resume` continues in either case.

Examples:
  arbiter tournament --game tablic --dir cup --deals 50 random greedy minimax \"py=python3 my_bot.py\"
  arbiter tournament --game coup --dir coup --rounds 10 greedy minimax ./my-bot
  arbiter tournament --game durak --seats 3 --dir cup --submissions handed-in random
  arbiter tournament --game tablic --dir test --deals 10000 --sprt elo0=0,elo1=10 new=./new old=./old
  arbiter tournament plan.toml
  arbiter tournament resume cup
  arbiter tournament standings cup --format markdown";

const EXTEND_HELP: &str =
    "The games played so far stay as they are and count. The extension has a plan \
and a log of its own, in a folder inside DIR; `status`, `standings`, `verify`, `report` and `export` of \
DIR cover all parts. A tournament that is not over keeps its seed and continues with the first deal \
that was not begun; one that is over needs a new seed, because the old one is known. A bot that has \
changed can play under another name. Limits apply to new bots only.

Examples:
  arbiter tournament extend cup --deals 50
  arbiter tournament extend cup --without ann
  arbiter tournament extend cup --without ann \"ann-2=python3 ann.py\"";

/// What is done with tournaments.
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
    /// Resume a stopped tournament
    #[command(after_help = "Example: arbiter tournament resume cup")]
    Resume {
        /// Its folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Extend a tournament with other bots or more deals than planned
    #[command(after_help = EXTEND_HELP)]
    Extend(Box<ExtendArgs>),
    /// Show the progress of a tournament
    #[command(after_help = "Example: arbiter tournament status cup")]
    Status {
        /// Its folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Show a line of JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the standings of a tournament, even while it runs
    #[command(after_help = "Example: arbiter tournament standings cup --format csv")]
    Standings {
        /// Its folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The format of the standings
        #[arg(long, default_value = "text", value_parser = formats_of_standings())]
        format: String,
    },
    /// Plan a tournament that is played in shards, on several machines; play nothing
    #[command(after_help = PLAN_HELP)]
    Plan(Box<PlanArgs>),
    /// Play what is left of one shard of a planned tournament
    #[command(after_help = RUN_SHARD_HELP)]
    RunShard(RunShardArgs),
    /// Merge the shards of a tournament into one
    #[command(after_help = MERGE_HELP)]
    Merge(MergeArgs),
}

#[derive(Debug, Args)]
struct ExtendArgs {
    /// Its folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The number of deals from now on [default: those that are left]
    #[arg(long, value_name = "N", visible_alias = "rounds", value_parser = number::<u64>("a number of deals", 1..=1_000_000_000))]
    deals: Option<u64>,
    /// Leave out this bot; its games so far still count
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// The seed of the new deals, if the old one is known: 64 hexadecimal digits, or for practice a
    /// number, which can be guessed [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// The file with this seed, as `arbiter seed FILE` writes it
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Mix these words of a participant into this seed; repeat for each participant
    #[arg(long, value_name = "TEXT")]
    entropy: Vec<String>,
    #[command(flatten)]
    run: RunArgs,
    /// Bots that play from now on
    #[arg(value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    allow: AllowArgs,
}

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// The number of games played at once; results do not depend on it [default: one for each core]
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of games at once", 1..=1024))]
    workers: Option<u16>,
    /// Show nothing
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Show a line of JSON for each event
    #[arg(long)]
    json: bool,
}

impl RunArgs {
    pub(super) fn options(&self) -> RunOptions {
        RunOptions {
            workers: self.workers.and_then(|workers| NonZeroUsize::new(workers.into())),
            grace: None,
            shown: match (self.json, self.quiet) {
                (true, _) => Shown::Json,
                (_, true) => Shown::Nothing,
                _ => Shown::Progress,
            },
        }
    }
}

#[derive(Debug, Args)]
struct BeginArgs {
    /// A new folder for the tournament [default: named after the plan]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Play only piece I of N of the tables of all deals; needs --seed or --seed-file
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    asked: AskedArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// What is played, however it is carried out.
#[derive(Debug, Args)]
pub(super) struct AskedArgs {
    /// The game
    #[arg(long, value_parser = game_names())]
    game: Option<String>,
    /// The number of seats at a table [default: the usual number]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Other options of the game, as in `arbiter match`
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// The number of deals [default: 100]
    #[arg(long, value_name = "N", visible_alias = "rounds", value_parser = number::<u64>("a number of deals", 1..=1_000_000_000))]
    deals: Option<u64>,
    /// Who meets whom: all bots meet each other, or the first bot meets all others; a plan can also
    /// list tables
    /// [default: round-robin]
    #[arg(long, value_parser = PossibleValuesParser::new(Format::OF_COMMAND_LINE.map(Format::name)))]
    format: Option<String>,
    /// The orders of seats in which a table plays each deal
    /// [default: rotations]
    #[arg(long, value_parser = PossibleValuesParser::new(Orders::OF_TOURNAMENTS.map(Orders::name)))]
    orders: Option<String>,
    /// Draw this many tables for each deal, balanced, instead of playing all
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of tables", 1..))]
    tables: Option<u64>,
    /// The seed of all deals: 64 hexadecimal digits, or for practice a number, which can be guessed
    /// [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// The file with the seed, as `arbiter seed FILE` writes it
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Mix these words of a participant into the seed, once its commitment is published; repeat
    /// for each participant
    #[arg(long, value_name = "TEXT")]
    entropy: Vec<String>,
    /// The number of further chances at a move after an illegal or malformed answer
    /// [default: 0]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of chances", 0..=100))]
    retries: Option<u32>,
    /// Play a game again, at most three times, if a bot was late while others had the processors
    #[arg(long)]
    replay_suspect: bool,
    /// Disqualify a bot with a fault in more than this share of its games, once it has played 8;
    /// or `never` [default: 25%]
    #[arg(long, value_name = "PERCENT")]
    disqualify_after: Option<String>,
    /// Two bots only: stop once this test is decided, such as elo0=0,elo1=10,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Let resident bots think while others have their turns, and not only while they have their own
    #[arg(long)]
    ponder: bool,
    /// Enter every folder in this one that builds and passes a check under the conditions of the
    /// tournament; write a report next to each
    #[arg(long, value_name = "FOLDER")]
    pub(super) submissions: Option<PathBuf>,
    /// The bots, or a plan: one file whose name ends in .toml
    #[arg(value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

pub(super) fn formats_of_standings() -> PossibleValuesParser {
    PossibleValuesParser::new(StandingsFormat::ALL.map(StandingsFormat::name))
}

/// The format of standings of this name, which clap has checked.
pub(super) fn standings_format(name: &str) -> StandingsFormat {
    let found = StandingsFormat::ALL.into_iter().find(|it| it.name() == name);
    found.unwrap_or(StandingsFormat::Text)
}

impl TournamentArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            None => begin(self.begin.request()?, out),
            Some(Command::Resume { dir, run }) => resume(&dir, run.options(), out),
            Some(Command::Extend(args)) => extend(args.request()?, out),
            Some(Command::Status { dir, json }) => status(&dir, report_format(json), out),
            Some(Command::Standings { dir, format }) => {
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
            bots: bots.map_err(|error: BadBot| Failure::Usage(error.to_string()))?,
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
        let source = self.asked.source(self.shard)?;
        Ok(BeginRequest { source, folder: self.dir, submissions, options })
    }
}

impl AskedArgs {
    /// The plan of a file, or the one that these options make, with this shard of it.
    pub(super) fn source(self, shard: Option<Shard>) -> Result<Source, Failure> {
        match self.plan(shard)? {
            Some(plan) => Ok(Source::Plan(plan, asked_seed(None, self.seed_file))),
            None => Ok(Source::Asked(Box::new(self.asked(shard)?))),
        }
    }

    /// The file of the plan, if there is one; then nothing else may say what is played.
    fn plan(&self, shard: Option<Shard>) -> Result<Option<PathBuf>, Failure> {
        let is_plan = |word: &&String| Path::new(word).extension() == Some(OsStr::new("toml"));
        let Some(plan) = self.bots.iter().find(is_plan).filter(|_| self.game.is_none()) else {
            return Ok(None);
        };
        if self.bots.len() > 1 {
            let problem =
                format!("bots beside the plan `{}`, expected them in it", printable(plan));
            return Err(Failure::Usage(problem));
        }
        let others = [
            ("--deals", self.deals.is_some()),
            ("--seats", self.seats.is_some()),
            ("--options", !self.options.is_empty()),
            ("--tables", self.tables.is_some()),
            ("--seed", self.seed.is_some()),
            ("--entropy", !self.entropy.is_empty()),
            ("--retries", self.retries.is_some()),
            ("--format", self.format.is_some()),
            ("--orders", self.orders.is_some()),
            ("--ponder", self.ponder),
            ("--isolation or --allow", !self.isolation.is_empty()),
            ("a limit", !self.limits.is_empty()),
            ("--replay-suspect", self.replay_suspect),
            ("--disqualify-after", self.disqualify_after.is_some()),
            ("--sprt", self.sprt.is_some()),
            ("--shard", shard.is_some()),
        ];
        match others.iter().find(|(_, given)| *given) {
            None => Ok(Some(PathBuf::from(plan))),
            Some((option, _)) => {
                Err(Failure::Usage(format!("{option} beside a plan, expected it in the plan")))
            }
        }
    }

    fn asked(self, shard: Option<Shard>) -> Result<AskedTournament, Failure> {
        let Some(game) = &self.game else {
            return Err(Failure::Usage("no game, expected --game GAME or a plan".to_owned()));
        };
        let kind: GameKind = parsed(game)?;
        let bots: Result<Vec<BotSpec>, _> = self.bots.iter().map(|bot| bot.parse()).collect();
        Ok(AskedTournament {
            game: AskedGame { kind, seats: self.seats, options: self.options },
            schedule: ScheduleLine {
                format: self.format.as_deref().map(parsed).transpose()?.unwrap_or_default(),
                orders: self.orders.as_deref().map(parsed).transpose()?.unwrap_or_default(),
                deals: self.deals.unwrap_or(DEALS),
                tables: self.tables,
                listed: Vec::new(),
                shard,
                block: None,
                first_deal: 0,
            },
            seed: asked_seed(self.seed, self.seed_file),
            entropy: self.entropy,
            retries: self.retries.unwrap_or(0),
            suspect_games: match self.replay_suspect {
                true => SuspectGames::PlayAgain,
                false => SuspectGames::Count,
            },
            disqualify_after: self.disqualify_after,
            sprt: self.sprt,
            limits: self.limits.asked(),
            isolation: self.isolation.asked()?,
            ponder: self.ponder.into(),
            bots: bots.map_err(|error: BadBot| Failure::Usage(error.to_string()))?,
        })
    }
}
