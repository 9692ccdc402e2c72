//! `arbiter league` on the command line.

use std::io::Write;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::arguments::{fault_share, number, report_format};
use super::corrections::CorrectionCommand;
use super::game::{self, GameName};
use super::isolation::IsolationArgs;
use super::limits::LimitArgs;
use super::organise::OrganiseCommand;
use super::tournament_options::{RunArgs, formats_of_standings, standings_format};
use crate::commands::league::{
    AddRequest, CountedGames, NewLeagueRequest, PlanOutput, PlanRoundRequest, RunRequest, RunUntil,
    ScanCount, SeedOrder, ShownBots, StageFormatOptions, StageRequest, TakeRoundRequest,
    UnfinishedShards, WatchRequest, add, end_stage, new_league, pairings, plan_round, run, seeds,
    stage, stage_name, stages, standings, standings_line, status, take_round, watch,
};
use crate::commands::tournament::TournamentOutput;
use bot::limits::duration;
use bot::{BadBot, BotSpec};
use contest::setup::AskedGame;
use contest::tournament::plan_file::RoundsFile;
use league::stage::{GroupFormat, StageFormat};
use series::{Conditions, Treatment};
use standings::pairing::knockout::Third;
use standings::pairing::tie_break::TieBreak;
use text::failure::Failure;

const HELP: &str = "Bots can enter and leave at any time, even during a round. A bot that enters \
again becomes a new version, such as anna@2, with a new rating. Half of the tables of each round \
go to undecided pairs, half to the pairs that have met least.

Examples:
  arbiter league new class --game tablic
  arbiter league add class ./anna ./ben greedy
  arbiter league run class --for 2h
  arbiter league standings class";

/// `arbiter league`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct LeagueArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a league
    #[command(
        after_help = "Example: arbiter league new class --game tablic --seats 3 --time-limit 1s"
    )]
    New(Box<NewArgs>),
    /// Add bots or new versions: copy, build and check each
    #[command(
        after_help = "For BOT, see `arbiter match --help`. Bot folders are copied into the league.

Example: arbiter league add class ./anna \"ben=python3 ben.py\" greedy"
    )]
    Add {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Bots to add
        #[arg(value_name = "BOT", required = true)]
        bots: Vec<String>,
        /// Bots to build and check in parallel [default: one per core]
        #[arg(long, value_name = "N", value_parser = number::<u16>("a number of bots", 1..=1024))]
        workers: Option<u16>,
    },
    #[command(flatten)]
    Correct(CorrectionCommand),
    #[command(flatten)]
    Organise(OrganiseCommand),
    /// Watch a folder and enter new or changed bots
    #[command(
        after_help = "Each bot in FOLDER is a folder with a bot.toml, a .zip, a .tar.gz or a \
single source file. It is checked under the rules of the league and enters or is rejected; a \
report is written beside it. A bot is picked up once two scans in a row see the same contents. \
`arbiter league run` can run at the same time.

Example: arbiter league watch class inbox --every 10s"
    )]
    Watch {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Folder to watch
        #[arg(value_name = "FOLDER")]
        from: PathBuf,
        /// Bots to build and check in parallel, beside running games
        #[arg(long, value_name = "N", default_value = "1", value_parser = number::<u16>("a number of bots", 1..=1024))]
        workers: u16,
        /// Scan interval
        #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
        every: Duration,
        /// Scan once and exit, without waiting for stable contents
        #[arg(long, conflicts_with = "every")]
        once: bool,
        /// Print JSON, one line per bot
        #[arg(long)]
        json: bool,
    },
    /// Announce a stage: Swiss, knockout, or groups plus knockout
    #[command(
        after_help = "The next rounds of the league belong to the stage. Pairings follow fixed \
rules, which `arbiter verify` checks. Bots are locked to their current versions.

Examples:
  arbiter league stage class --format swiss --rounds 7
  arbiter league stage class --format knockout --top 16 --third-place --name final
  arbiter league stage class --format groups --groups 8 --first 2"
    )]
    Stage(StageArgs),
    /// Show stages: matches, results and places
    #[command(after_help = "Example: arbiter league stages class")]
    Stages {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Stage number, from 0 [default: all]
        #[arg(long, value_name = "N", value_parser = number::<u64>("a number of a stage", 0..))]
        stage: Option<u64>,
        /// Print JSON, one line per stage
        #[arg(long)]
        json: bool,
    },
    /// Play rounds until a limit or Ctrl-C
    #[command(after_help = "Ctrl-C stops after the current games; the next run resumes the round.

Examples:
  arbiter league run class --games 1000
  arbiter league run class --until-sure --for 2h")]
    Run(RunLeagueArgs),
    /// Plan the next round in shards for several machines
    #[command(
        after_help = "Play each shard with `arbiter tournament run-shard DIR/rounds/N --shard I` \
on any machine that can read DIR, then finish the round with `arbiter league take-round DIR`. A \
round has at most one shard per table and deal. An already planned round is left unchanged.

Example: arbiter league plan-round class --shards 64"
    )]
    PlanRound {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Number of shards, at most one per table and deal
        #[arg(long, value_name = "N", value_parser = number::<u64>("a number of shards", 1..))]
        shards: u64,
        /// Print only the number of shards and the round folder, for scripts
        #[arg(long)]
        plain: bool,
    },
    /// Merge, verify and finish a planned round
    #[command(
        visible_alias = "finish-round",
        after_help = "Lists each missing, unfinished or foreign shard with the command that fixes \
it, and changes nothing. Exits with 75 if some shards are merely unfinished. Does nothing if the \
round is already finished.

Example: arbiter league take-round class"
    )]
    TakeRound {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Abort a round that cannot be finished; games before the first unfinished shard stay
        /// rated
        #[arg(long)]
        break_off: bool,
        /// Suppress output
        #[arg(long, short, conflicts_with = "json")]
        quiet: bool,
        /// Print JSON lines, as `arbiter league run --json` does
        #[arg(long)]
        json: bool,
    },
    /// Print the standings
    #[command(after_help = "Example: arbiter league standings class --all --format csv")]
    Standings {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Count void games, as they were played
        #[arg(long)]
        as_played: bool,
        /// Include all versions and retired bots
        #[arg(long)]
        all: bool,
        /// Output format
        #[arg(long, default_value = "text", value_parser = formats_of_standings())]
        format: String,
        /// Print JSON, as `arbiter league run --json` does
        #[arg(long, conflicts_with = "format")]
        json: bool,
    },
    /// Show bots and progress
    #[command(after_help = "Example: arbiter league status class")]
    Status {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the pairings of a round with reasons
    #[command(after_help = "Example: arbiter league pairings class --round 3")]
    Pairings {
        /// League folder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Round number, from 0 [default: the last]
        #[arg(long, value_name = "N", value_parser = number::<u64>("a number of a round", 0..))]
        round: Option<u64>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
struct NewArgs {
    /// Folder to create
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Built-in or custom game: a name, a folder, a .wasm module or a command
    #[arg(long, value_name = "GAME", value_parser = GameName)]
    game: String,
    /// Seats per table [default: the game's usual number]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Game options (see `arbiter games`)
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// Deals per table and round, each in every seat rotation [default: 10]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of deals", 1..=10_000))]
    round_deals: Option<u32>,
    /// Tables per round [default: number of bots]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of tables", 1..=10_000))]
    round_tables: Option<usize>,
    #[command(flatten)]
    treatment: Treatment,
    /// Disqualify a bot for the round with faults in more than this share of its games, after 8
    /// games; or `never` [default: 25%]
    #[arg(long, value_name = "PERCENT")]
    disqualify_after: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

#[derive(Debug, Args)]
struct RunLeagueArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Stop after N games; the last round is shortened to fit, unless it belongs to a stage
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of games", 1..=1_000_000_000))]
    games: Option<u64>,
    /// Stop after a duration, such as 90s or 2h
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Stop when the order of all bots is decided at 95% confidence
    #[arg(long)]
    until_sure: bool,
    /// Stop at the end of the current stage
    #[arg(long)]
    stage: bool,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, Args)]
struct StageArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Format of the stage
    #[arg(long, value_name = "FORMAT", required_unless_present = "end", value_parser = ["swiss", "knockout", "groups"])]
    format: Option<String>,
    /// End the current stage early, for example because a bot has gone missing
    #[arg(long, exclusive = false, conflicts_with_all = ["format", "name", "top", "deals", "rounds", "groups", "first", "third_place", "tie_break"])]
    end: bool,
    /// Stage name [default: its number]
    #[arg(long, value_name = "NAME", value_parser = stage_name)]
    name: Option<String>,
    /// Number of bots, from the top of the seeding [default: all]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of bots", 2..=1024))]
    top: Option<usize>,
    /// Seeding: `standings`, `entry` (order of entry), or the number of an earlier stage
    #[arg(long, value_name = "ORDER", default_value = "standings", value_parser = seeds)]
    seeds: SeedOrder,
    /// Deals per match, each with both seatings [default: `deals` of league.toml]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of deals", 1..=10_000))]
    deals: Option<u64>,
    /// Rounds of a Swiss stage [default: as many as a knockout]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of rounds", 1..=255))]
    rounds: Option<usize>,
    /// Number of groups
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of groups", 1..=512))]
    groups: Option<usize>,
    /// Qualifiers per group [default: 2]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of bots", 1..=256))]
    first: Option<usize>,
    /// Play a third-place match
    #[arg(long)]
    third_place: bool,
    /// Tie-break for equal points; repeatable, in order [default: direct-encounter, buchholz-cut-1,
    /// buchholz, margin]
    #[arg(long, value_name = "NAME")]
    tie_break: Vec<TieBreak>,
}

impl StageArgs {
    fn request(self) -> Result<StageRequest, Failure> {
        let third = if self.third_place { Third::Played } else { Third::Shared };
        let asked = self.format.unwrap_or_default();
        let only_for =
            |is_given: bool, option: &str, format: &str| match is_given && asked != format {
                true => Err(Failure::Usage(format!("`{option}` is for `--format {format}` only"))),
                false => Ok(()),
            };
        only_for(self.rounds.is_some(), "--rounds", "swiss")?;
        only_for(self.groups.is_some(), "--groups", "groups")?;
        only_for(self.first.is_some(), "--first", "groups")?;
        if self.third_place && asked == "swiss" {
            let problem = "`--third-place` is for `--format knockout` and `--format groups` only";
            return Err(Failure::Usage(problem.to_owned()));
        }
        let format = match asked.as_str() {
            "swiss" => StageFormatOptions::Swiss(self.rounds),
            "knockout" => StageFormatOptions::Whole(StageFormat::Knockout { third }),
            _ => {
                let groups = self.groups.and_then(NonZeroUsize::new).ok_or_else(|| {
                    Failure::Usage("no number of groups: pass --groups N".to_owned())
                })?;
                let first = self.first.and_then(NonZeroUsize::new);
                let first = first.unwrap_or(NonZeroUsize::MIN.saturating_add(1));
                StageFormatOptions::Whole(StageFormat::Groups(GroupFormat { groups, first, third }))
            }
        };
        Ok(StageRequest {
            folder: self.dir,
            name: self.name,
            format,
            top: self.top,
            seeds: self.seeds,
            deals: self.deals,
            tie_breaks: self.tie_break,
        })
    }
}

impl LeagueArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            Command::New(args) => new_league(args.request()?, out),
            Command::Add { dir, bots, workers } => {
                let bots: Result<Vec<BotSpec>, _> = bots.iter().map(|bot| bot.parse()).collect();
                let bots = bots.map_err(|error: BadBot| Failure::Usage(error.to_string()))?;
                let workers = workers.and_then(|workers| NonZeroUsize::new(workers.into()));
                add(AddRequest { folder: dir, bots, workers }, out)
            }
            Command::Correct(command) => command.run(out),
            Command::Organise(command) => command.run(out),
            Command::Watch { dir, from, workers, every, once, json } => {
                let looks = if once { ScanCount::One } else { ScanCount::Every(every) };
                let format = report_format(json);
                let workers = NonZeroUsize::new(workers.into()).unwrap_or(NonZeroUsize::MIN);
                watch(WatchRequest { folder: dir, from, looks, workers, format }, out)
            }
            Command::Stage(args) if args.end => end_stage(&args.dir, out),
            Command::Stage(args) => stage(args.request()?, out),
            Command::Stages { dir, stage, json } => stages(&dir, stage, report_format(json), out),
            Command::Run(args) => run(args.request(), out),
            Command::PlanRound { dir, shards, plain } => {
                let shards = NonZeroU64::new(shards).unwrap_or(NonZeroU64::MIN);
                let printed = if plain { PlanOutput::Plain } else { PlanOutput::Text };
                plan_round(PlanRoundRequest { folder: dir, shards, printed }, out)
            }
            Command::TakeRound { dir, break_off, quiet, json } => {
                let missing =
                    if break_off { UnfinishedShards::GivenUp } else { UnfinishedShards::Awaited };
                let shown = match (json, quiet) {
                    (true, _) => TournamentOutput::Json,
                    (_, true) => TournamentOutput::Nothing,
                    _ => TournamentOutput::Progress,
                };
                take_round(TakeRoundRequest { folder: dir, missing, shown }, out)
            }
            Command::Standings { dir, as_played, all, format, json } => {
                let counted =
                    if as_played { CountedGames::AsPlayed } else { CountedGames::Corrected };
                let shown = if all { ShownBots::All } else { ShownBots::Active };
                match json {
                    true => standings_line(&dir, shown, counted, out),
                    false => standings(&dir, shown, counted, standings_format(&format), out),
                }
            }
            Command::Status { dir, json } => status(&dir, report_format(json), out),
            Command::Pairings { dir, round, json } => {
                pairings(&dir, round, report_format(json), out)
            }
        }
    }
}

impl NewArgs {
    fn request(self) -> Result<NewLeagueRequest, Failure> {
        Ok(NewLeagueRequest {
            folder: self.dir,
            game: AskedGame {
                kind: game::opened(&self.game)?,
                seats: self.seats,
                options: self.options,
            },
            conditions: Conditions {
                treatment: self.treatment,
                disqualify_after: fault_share(self.disqualify_after.as_deref())?,
                isolation: self.isolation.asked()?,
                limits: self.limits.asked(),
                ..Conditions::default()
            },
            rounds: RoundsFile {
                deals: self.round_deals.and_then(NonZeroU32::new),
                tables: self.round_tables.and_then(NonZeroUsize::new),
                new_below: None,
            },
        })
    }
}

impl RunLeagueArgs {
    fn request(self) -> RunRequest {
        RunRequest {
            folder: self.dir,
            until: RunUntil {
                games: self.games.and_then(NonZeroU64::new),
                time: self.time,
                sure: self.until_sure,
                stage: self.stage,
            },
            options: self.run.options(),
        }
    }
}
