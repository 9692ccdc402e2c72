//! `arbiter tournament` on the command line.

use std::ffi::OsStr;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use rules::GameKind;
use text::printable;

use super::game::{self, GameName};
use super::isolation::{AllowArgs, IsolationArgs};
use super::limits::LimitArgs;
use super::number::number;
use super::shards::{MERGE_HELP, MergeArgs, PLAN_HELP, PlanArgs, RUN_SHARD_HELP, RunShardArgs};
use super::{asked_seed, parsed, report_format, share};
use crate::commands::tournament::{
    AskedTournament, BeginRequest, ExtendRequest, LogForm, RunOptions, Shown, Source,
    StandingsFormat, begin, extend, merge, plan, resume, run_shard, standings, standings_line,
    status,
};
use conditions::bot::{BadBot, BotSpec, spelt_as_names};
use conditions::failure::Failure;
use conditions::series::given_seed::GivenSeed;
use conditions::series::schedule::{Format, Orders, ScheduleLine};
use conditions::{Conditions, Treatment};
use contest::setup::AskedGame;
use contest::tournament::copies::Copies;
use contest::tournament::plan_file::DEALS;
use standings::Sprt;
use standings::pairing::tie_break::TieBreak;

const HELP: &str = "A BOT is named as in `arbiter match`. Every deal is played by every table in \
every rotation of its seats. DIR holds the plan with the seed, the log and the standings; keep it \
secret until the end. Ctrl-C stops once the current games are over, and a second Ctrl-C stops at once; \
`resume` continues in either case.

Examples:
  arbiter tournament --game tablic --dir cup --deals 50 random greedy minimax \"py=python3 my_bot.py\"
  arbiter tournament --game coup --dir coup --rounds 10 greedy minimax ./my-bot
  arbiter tournament --game durak --seats 3 --dir cup --submissions handed-in random
  arbiter tournament --game tablic --dir test --deals 10000 --sprt elo0=0,elo1=10 new=./new old=./old
  arbiter tournament --game coup --dir cup --deals 10000 --compress greedy minimax ./my-bot
  arbiter tournament plan.toml
  arbiter tournament resume cup
  arbiter tournament standings cup --format markdown";

const EXTEND_HELP: &str =
    "The games played so far still count. The extension gets its own plan and log, in a folder \
inside DIR; `status`, `standings`, `verify`, `report` and `export` of DIR cover all parts. An unfinished \
tournament keeps its seed and continues with the first deal that has not begun; a finished one needs a \
new seed, because the old one is known. If a bot has changed, enter it under another name. Limits apply \
to new bots only.

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
    /// Resume a stopped tournament
    #[command(after_help = "Example: arbiter tournament resume cup")]
    Resume {
        /// The folder of the tournament
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Extend a tournament with other bots or more deals
    #[command(after_help = EXTEND_HELP)]
    Extend(Box<ExtendArgs>),
    /// Show the progress of a tournament
    #[command(after_help = "Example: arbiter tournament status cup")]
    Status {
        /// The folder of the tournament
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Print a line of JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the standings of a tournament, even while it runs
    #[command(after_help = "Example: arbiter tournament standings cup --format csv")]
    Standings {
        /// The folder of the tournament
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The format of the standings
        #[arg(long, default_value = "text", value_parser = formats_of_standings())]
        format: String,
        /// Print a line of JSON, as `arbiter tournament`
        #[arg(long, conflicts_with = "format")]
        json: bool,
    },
    /// Plan a tournament to be played in shards, on several machines, without playing it
    #[command(after_help = PLAN_HELP)]
    Plan(Box<PlanArgs>),
    /// Play one shard of a planned tournament, or finish it
    #[command(after_help = RUN_SHARD_HELP)]
    RunShard(RunShardArgs),
    /// Merge the shards of a tournament into one
    #[command(after_help = MERGE_HELP)]
    Merge(MergeArgs),
}

#[derive(Debug, Args)]
struct ExtendArgs {
    /// The folder of the tournament
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The number of deals from now on [default: the remaining deals]
    #[arg(long, value_name = "N", visible_alias = "rounds", value_parser = number::<u64>("a number of deals", 1..=1_000_000_000))]
    deals: Option<u64>,
    /// Leave this bot out from now on; its games so far still count
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// The seed of the new deals, if the tournament is over: 64 hexadecimal digits, or a short number
    /// for practice, which can be guessed [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// Read this seed from a file, written by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Mix the words of a participant into this seed; repeat for each participant
    #[arg(long, value_name = "TEXT")]
    entropy: Vec<String>,
    #[command(flatten)]
    run: RunArgs,
    /// New bots
    #[arg(value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    allow: AllowArgs,
}

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// The number of games played at once; it does not affect the results [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of games at once", 1..=1024))]
    workers: Option<u16>,
    /// Print nothing
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Print a line of JSON for each event
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
    /// Write the log compressed, as games.jsonl.gz
    #[arg(long)]
    compress: bool,
    #[command(flatten)]
    asked: AskedArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// Options that are allowed with a plan.
const BESIDE_A_PLAN: [&str; 4] = ["seed_file", "submissions", "no_copies", "bots"];

/// The tournament to play or plan.
#[derive(Debug, Args)]
pub(super) struct AskedArgs {
    /// Before all others, which take from what was typed.
    #[command(flatten)]
    typed: Typed,
    /// The game: a built-in one, or a game of your own by its folder, its module or its command
    #[arg(long, value_name = "GAME", value_parser = GameName)]
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
    /// The pairing: all bots meet each other, or the first bot meets all others; a plan can also list
    /// tables
    /// [default: round-robin]
    #[arg(long, value_parser = PossibleValuesParser::new(Format::OF_COMMAND_LINE.map(Format::name)))]
    format: Option<String>,
    /// With `--format gauntlet`, the number of bots that meet all others and not each other, the first
    /// ones [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of bots", 1..=1_000))]
    gauntlets: Option<usize>,
    /// The orders of seats in which a table plays each deal
    /// [default: rotations]
    #[arg(long, value_parser = PossibleValuesParser::new(Orders::OF_TOURNAMENTS.map(Orders::name)))]
    orders: Option<String>,
    /// Play only this many tables for each deal, drawn at random and balanced between bots
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of tables", 1..))]
    tables: Option<u64>,
    /// The seed of all deals: 64 hexadecimal digits, or a short number for practice, which can be
    /// guessed [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// Read the seed from this file, written by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Mix the words of a participant into the seed, after its commitment is published; repeat for
    /// each participant
    #[arg(long, value_name = "TEXT")]
    entropy: Vec<String>,
    #[command(flatten)]
    treatment: Treatment,
    /// Disqualify a bot if more than this share of its games have a fault, once it has played 8
    /// games; or `never` [default: 25%]
    #[arg(long, value_name = "PERCENT")]
    disqualify_after: Option<String>,
    /// Stop as soon as this sequential test of two bots is decided, such as
    /// elo0=0,elo1=10,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// How bots with equal ratings and scores are ordered: direct-encounter, buchholz,
    /// buchholz-cut-1, sonneborn-berger, wins, points or margin; repeat for the next ones, in
    /// order [default: they share a rank]
    #[arg(long, value_name = "NAME")]
    tie_break: Vec<TieBreak>,
    /// Let programs of the classic dialect keep the files in their working folder from game to game, as in a
    /// match; games of one of them are then played one after another
    #[arg(long)]
    keep_files: bool,
    /// Enter every bot in this folder (a folder, a .zip, a .tar.gz or a source) that builds and passes
    /// a check under the conditions of the tournament, and write a report next to each
    #[arg(long, value_name = "FOLDER")]
    pub(super) submissions: Option<PathBuf>,
    /// Do not copy the bots that are folders into the folder of the tournament
    #[arg(long)]
    no_copies: bool,
    /// The bots, or the file of a plan, whose name ends in .toml
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
        let copies = self.asked.copies();
        let source = self.asked.source()?;
        let log = if self.compress { LogForm::Compressed } else { LogForm::Plain };
        Ok(BeginRequest { source, folder: self.dir, submissions, copies, log, options })
    }
}

impl AskedArgs {
    /// Tells whether bots are copied.
    pub(super) fn copies(&self) -> Copies {
        if self.no_copies { Copies::LeftOut } else { Copies::Made }
    }

    /// The plan of a file, or the tournament of the options.
    pub(super) fn source(self) -> Result<Source, Failure> {
        match self.plan()? {
            Some(plan) => Ok(Source::Plan(plan, asked_seed(None, self.seed_file))),
            None => Ok(Source::Asked(Box::new(self.asked()?))),
        }
    }

    /// The file of the plan, if one is given; no other option may change the tournament then.
    fn plan(&self) -> Result<Option<PathBuf>, Failure> {
        let is_plan = |word: &&String| Path::new(word).extension() == Some(OsStr::new("toml"));
        let Some(plan) = self.bots.iter().find(is_plan).filter(|_| self.game.is_none()) else {
            return Ok(None);
        };
        if self.bots.len() > 1 {
            let problem = format!(
                "bots and a plan cannot be combined: list the bots in `{}`",
                printable(plan)
            );
            return Err(Failure::Usage(problem));
        }
        match self.typed.first_of::<AskedArgs>(&BESIDE_A_PLAN) {
            None => Ok(Some(PathBuf::from(plan))),
            Some(option) => Err(Failure::Usage(format!(
                "{option} and a plan cannot be combined: set it in the plan"
            ))),
        }
    }

    fn asked(self) -> Result<AskedTournament, Failure> {
        let Some(game) = &self.game else {
            return Err(Failure::Usage("no game: pass --game GAME or a plan file".to_owned()));
        };
        let kind: GameKind = game::opened(game)?;
        let bots: Result<Vec<BotSpec>, _> = self.bots.iter().map(|bot| bot.parse()).collect();
        Ok(AskedTournament {
            game: AskedGame { kind, seats: self.seats, options: self.options },
            schedule: ScheduleLine {
                format: self.format.as_deref().map(parsed).transpose()?.unwrap_or_default(),
                orders: self.orders.as_deref().map(parsed).transpose()?.unwrap_or_default(),
                deals: self.deals.unwrap_or(DEALS),
                tables: self.tables,
                listed: Vec::new(),
                shard: None,
                block: None,
                first_deal: 0,
            },
            gauntlets: self.gauntlets,
            seed: asked_seed(self.seed, self.seed_file),
            conditions: Conditions {
                entropy: self.entropy,
                treatment: self.treatment,
                disqualify_after: share(self.disqualify_after.as_deref())?,
                sprt: self.sprt,
                tie_breaks: self.tie_break,
                keep_files: self.keep_files.into(),
                isolation: self.isolation.asked()?,
                limits: self.limits.asked(),
            },
            bots: bots.map_err(|error: BadBot| Failure::Usage(error.to_string()))?,
        })
    }
}

/// The options and arguments that were typed, for commands where some exclude all others.
#[derive(Debug)]
struct Typed(Vec<String>);

impl Typed {
    /// The first of the options of `T` that was typed, except for some.
    fn first_of<T: Args>(&self, but: &[&str]) -> Option<String> {
        let command = T::augment_args(clap::Command::new("arbiter"));
        let mut options = command.get_arguments().filter(|it| !but.contains(&it.get_id().as_str()));
        let typed =
            options.find(|option| self.0.iter().any(|id| option.get_id() == id.as_str()))?;
        typed.get_long().map(|name| format!("--{name}"))
    }
}

/// It has no option of its own.
impl Args for Typed {
    fn augment_args(command: clap::Command) -> clap::Command {
        command
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command
    }
}

impl FromArgMatches for Typed {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Typed, clap::Error> {
        let is_typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let ids = matches.ids().map(|id| id.as_str());
        Ok(Typed(ids.filter(is_typed).map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Typed::from_arg_matches(matches)?;
        Ok(())
    }
}
