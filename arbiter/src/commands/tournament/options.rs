//! The options of a tournament to play or plan.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, FromArgMatches};
use rules::GameKind;
use text::{printable, system_error};

use crate::options::game::{self, GameNameParser};
use crate::options::isolation::IsolationArgs;
use crate::options::isolation::LimitArgs;
use crate::options::{asked_seed, bots, fault_share, number, parse_checked};
use bot::BotSpec;
use contest::setup::{GameSpec, SeedSpec};
use contest::tournament::folder::shown;
use contest::tournament::plan_file::{self, DEALS};
use sandbox::file::{self, LONGEST_TEXT};
use series::header::SeedText;
use series::schedule::{Format, Orders, ScheduleLine};
use series::{BotTreatment, Conditions};
use standings::Sprt;
use standings::pairing::tie_break::TieBreak;
use text::failure::Failure;

/// Options that are allowed with a plan.
const BESIDE_A_PLAN: [&str; 4] = ["seed_file", "submissions", "no_copies", "bots"];

/// The tournament to play or plan.
#[derive(Debug, Args)]
pub(super) struct TournamentSetupArgs {
    /// Before all others, which take from what was typed.
    #[command(flatten)]
    typed: GivenOptions,
    /// Built-in or custom game: a name, a folder, a .wasm module or a command
    #[arg(long, value_name = "GAME", value_parser = GameNameParser)]
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
    seed: Option<SeedText>,
    /// Read the seed from a file created by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Mix a participant's entropy into the seed, after publishing its commitment; repeatable
    #[arg(long, value_name = "TEXT")]
    entropy: Vec<String>,
    #[command(flatten)]
    treatment: BotTreatment,
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
    pub(super) no_copies: bool,
    /// Bots, or a plan file (.toml)
    #[arg(value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl TournamentSetupArgs {
    /// The plan of a file, or the tournament of the options.
    pub(super) fn source(self) -> Result<PlanSource, Failure> {
        match self.plan()? {
            Some(plan) => Ok(PlanSource::Plan(plan, asked_seed(None, self.seed_file))),
            None => Ok(PlanSource::Asked(Box::new(self.into_options()?))),
        }
    }

    /// The file of the plan, if one is given; no other option may change the tournament then.
    fn plan(&self) -> Result<Option<PathBuf>, Failure> {
        let is_plan = |word: &&String| Path::new(word).extension() == Some(OsStr::new("toml"));
        let Some(plan) = self.bots.iter().find(is_plan).filter(|_| self.game.is_none()) else {
            return Ok(None);
        };
        if self.bots.len() > 1 {
            return Err(Failure::Usage(format!(
                "bots and a plan cannot be combined: list the bots in `{}`",
                printable(plan)
            )));
        }
        match self.typed.first_of::<TournamentSetupArgs>(&BESIDE_A_PLAN) {
            None => Ok(Some(PathBuf::from(plan))),
            Some(option) => Err(Failure::Usage(format!(
                "{option} and a plan cannot be combined: set it in the plan"
            ))),
        }
    }

    fn into_options(self) -> Result<TournamentOptions, Failure> {
        let Some(game) = &self.game else {
            return Err(Failure::usage("no game: pass --game GAME or a plan file"));
        };
        let kind: GameKind = game::opened(game)?;
        let bots = bots(&self.bots)?;
        Ok(TournamentOptions {
            game: GameSpec { kind, seats: self.seats, options: self.options },
            schedule: ScheduleLine {
                format: self.format.as_deref().map(parse_checked).transpose()?.unwrap_or_default(),
                orders: self.orders.as_deref().map(parse_checked).transpose()?.unwrap_or_default(),
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
                treatment: self.treatment.of_tournament(),
                disqualify_after: fault_share(self.disqualify_after.as_deref())?,
                sprt: self.sprt,
                tie_breaks: self.tie_break,
                keep_files: self.keep_files.into(),
                isolation: self.isolation.into_spec()?,
                limits: self.limits.into_specs(),
            },
            bots,
        })
    }
}

#[derive(Debug)]
pub(super) enum PlanSource {
    /// A file, with a seed in case the plan names none.
    Plan(PathBuf, SeedSpec),
    /// The command line.
    Asked(Box<TournamentOptions>),
}

#[derive(Debug)]
pub(super) struct TournamentOptions {
    pub(super) game: GameSpec,
    pub(super) schedule: ScheduleLine,
    /// The number of bots that meet all others, if there are several.
    pub(super) gauntlets: Option<usize>,
    pub(super) seed: SeedSpec,
    pub(super) conditions: Conditions,
    pub(super) bots: Vec<BotSpec>,
}

impl PlanSource {
    /// Returns true if its seed can be guessed.
    pub(super) fn has_short_seed(&self) -> Result<bool, Failure> {
        match self {
            PlanSource::Asked(asked) => Ok(asked.seed.can_be_guessed()),
            PlanSource::Plan(file, _) => Ok(plan_file::has_short_seed(&read(file)?)),
        }
    }

    /// The seed of the command line.
    pub(super) fn seed(&self) -> &SeedSpec {
        match self {
            PlanSource::Plan(_, seed) => seed,
            PlanSource::Asked(asked) => &asked.seed,
        }
    }

    pub(super) fn files(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let (plan, seed) = match self {
            PlanSource::Plan(file, seed) => (Some(file), seed),
            PlanSource::Asked(asked) => (None, &mut asked.seed),
        };
        let seed = match seed {
            SeedSpec::InFile(file) => Some(file),
            SeedSpec::Given(_) | SeedSpec::Drawn => None,
        };
        plan.into_iter().chain(seed)
    }
}

pub(super) fn read(path: &Path) -> Result<String, Failure> {
    file::text(path, LONGEST_TEXT).map_err(|error| {
        Failure::Usage(format!("cannot read `{}`: {}", shown(path), system_error(error)))
    })
}

/// The options and arguments that were typed, for commands where some exclude all others.
#[derive(Debug)]
struct GivenOptions(Vec<String>);

impl GivenOptions {
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
impl Args for GivenOptions {
    fn augment_args(command: clap::Command) -> clap::Command {
        command
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command
    }
}

impl FromArgMatches for GivenOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<GivenOptions, clap::Error> {
        let is_typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let ids = matches.ids().map(|id| id.as_str());
        Ok(GivenOptions(ids.filter(is_typed).map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = GivenOptions::from_arg_matches(matches)?;
        Ok(())
    }
}
