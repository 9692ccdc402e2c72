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
pub(super) struct RunArgs {
    /// Concurrent games; does not affect results [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of games at once", 1..=1024))]
    workers: Option<u16>,
    /// Suppress output
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Print JSON, one line per event
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
    /// Folder to create for the tournament [default: the plan's name]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Write a compressed log (games.jsonl.gz)
    #[arg(long)]
    compress: bool,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    asked: AskedArgs,
}

/// Options that are allowed with a plan.
const BESIDE_A_PLAN: [&str; 4] = ["seed_file", "submissions", "no_copies", "bots"];

/// The tournament to play or plan.
#[derive(Debug, Args)]
pub(super) struct AskedArgs {
    /// Before all others, which take from what was typed.
    #[command(flatten)]
    typed: Typed,
    /// Built-in or custom game: a name, a folder, a .wasm module or a command
    #[arg(long, value_name = "GAME", value_parser = GameName)]
    game: Option<String>,
    /// Seats per table [default: the game's usual number]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Game options (see `arbiter games`)
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// Number of deals [default: 100]
    #[arg(long, value_name = "N", visible_alias = "rounds", value_parser = number::<u64>("a number of deals", 1..=1_000_000_000))]
    deals: Option<u64>,
    /// Round robin, or the first bot against all others (gauntlet) [default: round-robin]
    #[arg(long, value_parser = PossibleValuesParser::new(Format::OF_COMMAND_LINE.map(Format::name)))]
    format: Option<String>,
    /// Number of gauntlet challengers: the first N bots play all others, but not each other
    /// [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of bots", 1..=1_000))]
    gauntlets: Option<usize>,
    /// Seatings per deal: all rotations, or all permutations (`all`) [default: rotations]
    #[arg(long, value_parser = PossibleValuesParser::new(Orders::OF_TOURNAMENTS.map(Orders::name)))]
    orders: Option<String>,
    /// Play N random tables per deal, balanced between bots, instead of all
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of tables", 1..))]
    tables: Option<u64>,
    /// Seed: 64 hex digits, or a number for practice only (guessable) [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// Read the seed from a file created by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Mix a participant's entropy into the seed, after publishing its commitment; repeatable
    #[arg(long, value_name = "TEXT")]
    entropy: Vec<String>,
    #[command(flatten)]
    treatment: Treatment,
    /// Disqualify a bot with faults in more than this share of its games, after its first 8 games;
    /// or `never` [default: 25%]
    #[arg(long, value_name = "PERCENT")]
    disqualify_after: Option<String>,
    /// Stop when a sequential test (SPRT) of two bots is decided, such as
    /// elo0=0,elo1=10,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Tie-break, by name; repeatable, in order [default: shared ranks]
    #[arg(long, value_name = "NAME")]
    tie_break: Vec<TieBreak>,
    /// Keep the working folders of classic-dialect bots between games; their games then run one at
    /// a time
    #[arg(long)]
    keep_files: bool,
    /// Enter every submission in FOLDER that builds and passes the check; write a report beside
    /// each
    #[arg(long, value_name = "FOLDER")]
    pub(super) submissions: Option<PathBuf>,
    /// Do not copy bot folders into the tournament folder
    #[arg(long)]
    no_copies: bool,
    /// Bots, or a plan file (.toml)
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
            return Err(Failure::Usage("no game, expected --game GAME or a plan".to_owned()));
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
