//! `arbiter league` on the command line.

use std::io::Write;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::game::{self, GameName};
use super::isolation::IsolationArgs;
use super::limits::LimitArgs;
use super::number::number;
use super::organise::OrganiseCommand;
use super::tournament::{RunArgs, formats_of_standings, standings_format};
use super::{report_format, share};
use crate::commands::league::{
    AddRequest, AskedFormat, FoundRequest, Looks, Missing, PlanRoundRequest, Printed, RunRequest,
    Seeds, ShownBots, StageRequest, TakeRoundRequest, Until, WatchRequest, add, end_stage, found,
    pairings, plan_round, retire, run, seeds, stage, stage_name, stages, standings, standings_line,
    status, take_round, watch,
};
use crate::commands::tournament::Shown;
use conditions::bot::limits::duration;
use conditions::bot::{BadBot, BotSpec};
use conditions::failure::Failure;
use conditions::{Conditions, Treatment};
use contest::setup::AskedGame;
use contest::tournament::plan_file::RoundsFile;
use league::stage::{Groups, StageFormat};
use standings::pairing::knockout::Third;
use standings::pairing::tie_break::TieBreak;

const HELP: &str = "A league stays open: bots can enter and leave at any time, even while games are \
played. A bot that enters again under the same name becomes a new version, such as anna@2, with a new \
rating. Half of the tables of a round go to bots whose order is still open, the other half to bots \
that have met least often.

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
    /// Create a league without bots
    #[command(
        after_help = "Example: arbiter league new class --game tablic --seats 3 --time-limit 1s"
    )]
    New(Box<NewArgs>),
    /// Enter bots, or new versions of bots; each is copied, built and checked
    #[command(
        after_help = "A BOT is named as in `arbiter match`. If it is a folder, it is copied into the league's folder.\n\n\
                      Example: arbiter league add class ./anna \"ben=python3 ben.py\" greedy"
    )]
    Add {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The bots
        #[arg(value_name = "BOT", required = true)]
        bots: Vec<String>,
        /// The number of bots built and checked at once [default: the number of cores]
        #[arg(long, value_name = "N", value_parser = number::<u16>("a number of bots", 1..=1024))]
        workers: Option<u16>,
    },
    /// Retire bots; their games still count for the others
    #[command(after_help = "Example: arbiter league retire class ben")]
    Retire {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The names of the bots, without versions
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    #[command(flatten)]
    Organise(OrganiseCommand),
    /// Watch a folder, and enter each bot in it when it is new or has changed
    #[command(
        after_help = "FOLDER holds a folder with a bot.toml, a .zip, a .tar.gz or a single source for\n\
                      each bot. Each is copied, built and checked under the conditions of the league,\n\
                      and then enters or is refused; a report is written beside it. It counts as\n\
                      complete once two scans in a row see the same contents. The league can be played\n\
                      in another terminal at the same time.\n\n\
                      Example: arbiter league watch class handed-in --every 10s"
    )]
    Watch {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The folder that holds the bots
        #[arg(value_name = "FOLDER")]
        from: PathBuf,
        /// The number of bots built and checked at once; games of the league may be played meanwhile
        #[arg(long, value_name = "N", default_value = "1", value_parser = number::<u16>("a number of bots", 1..=1024))]
        workers: u16,
        /// The time between scans
        #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
        every: Duration,
        /// Scan once, and accept the contents as they are
        #[arg(long, conflicts_with = "every")]
        once: bool,
        /// Print a line of JSON for each bot
        #[arg(long)]
        json: bool,
    },
    /// Announce a stage: a Swiss system, a knockout, or groups and a knockout
    #[command(
        after_help = "The next rounds of the league are those of the stage. Their tables follow from\n\
                      the results by a written rule, which `arbiter verify` checks. The bots play with\n\
                      the versions that they have now.\n\n\
                      Examples:\n  arbiter league stage class --format swiss --rounds 7\n  \
                      arbiter league stage class --format knockout --top 16 --third-place --name final\n  \
                      arbiter league stage class --format groups --groups 8 --first 2"
    )]
    Stage(StageArgs),
    /// Show the stages of a league: matches, results and places
    #[command(after_help = "Example: arbiter league stages class")]
    Stages {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The number of a stage, from 0 [default: all]
        #[arg(long, value_name = "N", value_parser = number::<u64>("a number of a stage", 0..))]
        stage: Option<u64>,
        /// Print a line of JSON for each
        #[arg(long)]
        json: bool,
    },
    /// Play rounds until a limit is reached or you stop it
    #[command(
        after_help = "Ctrl-C stops once the current games are over; the next run resumes the round.\n\n\
                      Examples:\n  arbiter league run class --games 1000\n  arbiter league run class --until-sure --for 2h"
    )]
    Run(RunLeagueArgs),
    /// Announce the next round and plan it in shards, for several machines
    #[command(
        after_help = "`arbiter tournament run-shard DIR/rounds/N --shard I` plays a shard, on any machine that\n\
                      can read DIR, and `arbiter league take-round DIR` ends the round. A round with fewer\n\
                      tables than N has fewer shards. A round that is planned already stays as it is.\n\n\
                      Example: arbiter league plan-round class --shards 64"
    )]
    PlanRound {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The number of shards, at most one for each table of each deal
        #[arg(long, value_name = "N", value_parser = number::<u64>("a number of shards", 1..))]
        shards: u64,
        /// Print only the number of shards and the folder of the round, for scripts
        #[arg(long)]
        plain: bool,
    },
    /// Merge the shards of a planned round, recompute its games, and end the round
    #[command(
        after_help = "If shards are missing, unfinished or belong to another round, each is listed with the\n\
                      command that fixes it, and the league stays as it is; exit code 75 means that you only\n\
                      need to wait, or to finish playing the shards. A round that is over stays as it is.\n\n\
                      Example: arbiter league take-round class"
    )]
    TakeRound {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Break the round off if it cannot be finished, for example because a bot is gone; the games
        /// before the first unfinished shard count
        #[arg(long)]
        break_off: bool,
        /// Print nothing
        #[arg(long, short, conflicts_with = "json")]
        quiet: bool,
        /// Print lines of JSON, as `arbiter league run`
        #[arg(long)]
        json: bool,
    },
    /// Print the standings of the active bots
    #[command(after_help = "Example: arbiter league standings class --all --format csv")]
    Standings {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Include every version of every bot, even if it has left
        #[arg(long)]
        all: bool,
        /// The format of the standings
        #[arg(long, default_value = "text", value_parser = formats_of_standings())]
        format: String,
        /// Print a line of JSON, as `arbiter league run`
        #[arg(long, conflicts_with = "format")]
        json: bool,
    },
    /// Show the bots and the progress of a league
    #[command(after_help = "Example: arbiter league status class")]
    Status {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Print a line of JSON
        #[arg(long)]
        json: bool,
    },
    /// Show which bots meet in a round, and why
    #[command(after_help = "Example: arbiter league pairings class --round 3")]
    Pairings {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The number of the round, from 0 [default: the last one]
        #[arg(long, value_name = "N", value_parser = number::<u64>("a number of a round", 0..))]
        round: Option<u64>,
        /// Print a line of JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
struct NewArgs {
    /// A new folder for the league
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The game: a built-in one, or a game of your own by its folder, its module or its command
    #[arg(long, value_name = "GAME", value_parser = GameName)]
    game: String,
    /// The number of seats at a table [default: the usual number]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Other options of the game, as in `arbiter match`
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// The number of deals per table in a round, each played in every rotation of seats
    /// [default: 10]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of deals", 1..=10_000))]
    round_deals: Option<u32>,
    /// The number of tables in a round [default: the number of bots]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of tables", 1..=10_000))]
    round_tables: Option<usize>,
    #[command(flatten)]
    treatment: Treatment,
    /// Leave a bot out of the rest of a round if more than this share of its games have a fault, once
    /// it has played 8 games; or `never` [default: 25%]
    #[arg(long, value_name = "PERCENT")]
    disqualify_after: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

#[derive(Debug, Args)]
struct RunLeagueArgs {
    /// The folder of the league
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Stop after this number of games; the last round is made smaller to fit, but a round of a stage
    /// is played in full
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of games", 1..=1_000_000_000))]
    games: Option<u64>,
    /// Stop after this time, such as 90s or 2h
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Stop when every bot is better than the next one in the standings with 95% confidence
    #[arg(long)]
    until_sure: bool,
    /// Stop when the open stage is over
    #[arg(long)]
    stage: bool,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, Args)]
struct StageArgs {
    /// The folder of the league
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The format
    #[arg(long, value_name = "FORMAT", required_unless_present = "end", value_parser = ["swiss", "knockout", "groups"])]
    format: Option<String>,
    /// End the open stage before its last round, for example because a bot is gone
    #[arg(long, exclusive = false, conflicts_with_all = ["format", "name", "top", "deals", "rounds", "groups", "first", "third_place", "tie_break"])]
    end: bool,
    /// The name of the stage [default: its number]
    #[arg(long, value_name = "NAME", value_parser = stage_name)]
    name: Option<String>,
    /// The number of bots, the first ones of the seeds [default: all]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of bots", 2..=1024))]
    top: Option<usize>,
    /// The order of the seeds: `standings`, `entry`, or the places of an earlier stage by its number
    #[arg(long, value_name = "ORDER", default_value = "standings", value_parser = seeds)]
    seeds: Seeds,
    /// The number of deals of each match, each played in both rotations of seats
    /// [default: `deals` of league.toml]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of deals", 1..=10_000))]
    deals: Option<u64>,
    /// The number of rounds of a Swiss system [default: as many as a knockout has]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of rounds", 1..=255))]
    rounds: Option<usize>,
    /// The number of groups
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of groups", 1..=512))]
    groups: Option<usize>,
    /// The number of bots of each group that go on to the knockout [default: 2]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of bots", 1..=256))]
    first: Option<usize>,
    /// Let the losers of the semifinals play for the third place
    #[arg(long)]
    third_place: bool,
    /// How bots with equal points are ordered; repeat for the next ones [default: direct-encounter,
    /// buchholz-cut-1, buchholz, margin]
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
            "swiss" => AskedFormat::Swiss(self.rounds),
            "knockout" => AskedFormat::Whole(StageFormat::Knockout { third }),
            _ => {
                let groups = self.groups.and_then(NonZeroUsize::new).ok_or_else(|| {
                    Failure::Usage("no number of groups: pass --groups N".to_owned())
                })?;
                let first = self.first.and_then(NonZeroUsize::new);
                let first = first.unwrap_or(NonZeroUsize::MIN.saturating_add(1));
                AskedFormat::Whole(StageFormat::Groups(Groups { groups, first, third }))
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
            Command::New(args) => found(args.request()?, out),
            Command::Add { dir, bots, workers } => {
                let bots: Result<Vec<BotSpec>, _> = bots.iter().map(|bot| bot.parse()).collect();
                let bots = bots.map_err(|error: BadBot| Failure::Usage(error.to_string()))?;
                let workers = workers.and_then(|workers| NonZeroUsize::new(workers.into()));
                add(AddRequest { folder: dir, bots, workers }, out)
            }
            Command::Retire { dir, names } => retire(&dir, &names, out),
            Command::Organise(command) => command.run(out),
            Command::Watch { dir, from, workers, every, once, json } => {
                let looks = if once { Looks::One } else { Looks::Every(every) };
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
                let printed = if plain { Printed::Plain } else { Printed::Text };
                plan_round(PlanRoundRequest { folder: dir, shards, printed }, out)
            }
            Command::TakeRound { dir, break_off, quiet, json } => {
                let missing = if break_off { Missing::GivenUp } else { Missing::Awaited };
                let shown = match (json, quiet) {
                    (true, _) => Shown::Json,
                    (_, true) => Shown::Nothing,
                    _ => Shown::Progress,
                };
                take_round(TakeRoundRequest { folder: dir, missing, shown }, out)
            }
            Command::Standings { dir, all, format, json } => {
                let shown = if all { ShownBots::All } else { ShownBots::Active };
                match json {
                    true => standings_line(&dir, shown, out),
                    false => standings(&dir, shown, standings_format(&format), out),
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
    fn request(self) -> Result<FoundRequest, Failure> {
        Ok(FoundRequest {
            folder: self.dir,
            game: AskedGame {
                kind: game::opened(&self.game)?,
                seats: self.seats,
                options: self.options,
            },
            conditions: Conditions {
                treatment: self.treatment,
                disqualify_after: share(self.disqualify_after.as_deref())?,
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
            until: Until {
                games: self.games.and_then(NonZeroU64::new),
                time: self.time,
                sure: self.until_sure,
                stage: self.stage,
            },
            options: self.run.options(),
        }
    }
}
