//! `arbiter league` on the command line.

use std::io::Write;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::game::game_names;
use super::isolation::IsolationArgs;
use super::limits::LimitArgs;
use super::number::number;
use super::tournament::{RunArgs, formats_of_standings, standings_format};
use super::{parsed, report_format};
use crate::bot::limits::duration;
use crate::bot::{BadBot, BotSpec};
use crate::commands::league::{
    AddRequest, FoundRequest, InviteRequest, Invited, Looks, RunRequest, ShownBots, Sure, Until,
    WatchRequest, add, found, invite, pairings, retire, run, standings, status, watch,
};
use crate::commands::setup::AskedGame;
use crate::failure::Failure;
use crate::series::SuspectGames;
use crate::tournament::plan_file::RoundsFile;

const HELP: &str = "A league stays open: bots enter and leave at any time, also while it is played. A \
bot that enters again under its name is a new version, such as anna@2, with a new rating. Each round \
is chosen from the standings so far: new bots first, then those whose order is least certain.

Examples:
  arbiter league new class --game tablic
  arbiter league add class ./anna ./ben greedy
  arbiter league run class --for 2h
  arbiter league standings class";

/// What is done with leagues.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct LeagueArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a league without bots
    #[command(
        after_help = "Example: arbiter league new class --game tablic --seats 3 --time-limit 1s"
    )]
    New(Box<NewArgs>),
    /// Enter bots, or new versions of bots: each is copied, built and checked
    #[command(
        after_help = "A BOT is named as in `arbiter match`. One that is a folder is copied into that of the league.\n\n\
                      Example: arbiter league add class ./anna \"ben=python3 ben.py\" greedy"
    )]
    Add {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The bots
        #[arg(value_name = "BOT", required = true)]
        bots: Vec<String>,
    },
    /// Let bots leave; their games still count for others
    #[command(after_help = "Example: arbiter league retire class ben")]
    Retire {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The names of the bots, without versions
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    /// Let a participant hand in bots over the page: prints a new token, once
    #[command(
        after_help = "A bot that is handed in with the token enters under NAME. Another invitation makes a former token\n\
                      void. `arbiter serve DIR --submit` serves the page.\n\n\
                      Example: arbiter league invite class anna"
    )]
    Invite {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The name of the participant, which is that of the bots
        #[arg(value_name = "NAME")]
        name: String,
        /// Make the token void; bots that have entered stay
        #[arg(long)]
        revoke: bool,
    },
    /// Enter bots from a folder by themselves, once they are new or have changed
    #[command(
        after_help = "FOLDER has a folder for each bot. One that has a bot.toml is copied, built and checked under the\n\
                      conditions of the league, and enters or is refused; either way a report lies beside it. It is\n\
                      complete once two looks find the same. What becomes of it can be seen while the league is\n\
                      played in another terminal.\n\n\
                      Example: arbiter league watch class handed-in --every 10s"
    )]
    Watch {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The folder with a folder for each bot
        #[arg(value_name = "FOLDER")]
        from: PathBuf,
        /// The time from one look to the next
        #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
        every: Duration,
        /// Look one time, and take what is there as complete
        #[arg(long, conflicts_with = "every")]
        once: bool,
        /// Write a line of JSON for each bot
        #[arg(long)]
        json: bool,
    },
    /// Play rounds, until it is stopped or what is asked for is reached
    #[command(
        after_help = "Ctrl-C stops after the games that are being played; the round is resumed next time.\n\n\
                      Examples:\n  arbiter league run class --games 1000\n  arbiter league run class --until-sure --for 2h"
    )]
    Run(RunLeagueArgs),
    /// Write the standings of the bots that play
    #[command(after_help = "Example: arbiter league standings class --all --format csv")]
    Standings {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Show every version of every bot, also those that have left
        #[arg(long)]
        all: bool,
        /// The format of the standings
        #[arg(long, default_value = "text", value_parser = formats_of_standings())]
        format: String,
    },
    /// Show the bots and the progress of a league
    #[command(after_help = "Example: arbiter league status class")]
    Status {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Show a line of JSON
        #[arg(long)]
        json: bool,
    },
    /// Show who meets whom in a round, and why
    #[command(after_help = "Example: arbiter league pairings class --round 3")]
    Pairings {
        /// The folder of the league
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The number of the round, from 0 [default: the last one]
        #[arg(long, value_name = "N", value_parser = number::<u64>("a number of a round", 0..))]
        round: Option<u64>,
        /// Show a line of JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
struct NewArgs {
    /// A new folder for the league
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The game
    #[arg(long, value_parser = game_names())]
    game: String,
    /// The number of seats at a table [default: the usual number]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Other options of the game, as in `arbiter match`
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// The number of deals that a table plays in a round, each in all rotations of seats
    /// [default: 10]
    #[arg(long, value_name = "N", value_parser = number::<u32>("a number of deals", 1..=10_000))]
    round_deals: Option<u32>,
    /// The number of tables in a round [default: as many as there are bots]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of tables", 1..=10_000))]
    round_tables: Option<usize>,
    /// A bot with fewer deals is new, and plays before others [default: 30]
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of deals", 0..=1_000_000))]
    new_below: Option<u64>,
    /// The number of further chances at a move after an illegal or malformed answer
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u32>("a number of chances", 0..=100))]
    retries: u32,
    /// Play a game again, at most three times, if a bot was late while others had the processors
    #[arg(long)]
    replay_suspect: bool,
    /// Leave a bot out of the rest of a round with a fault in more than this share of its games, once
    /// it has played 8; or `never` [default: 25%]
    #[arg(long, value_name = "PERCENT")]
    disqualify_after: Option<String>,
    /// Let resident bots think while others have their turns, and not only while they have their own
    #[arg(long)]
    ponder: bool,
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
    /// Stop once this number of games was played; the last round is made smaller to fit
    #[arg(long, value_name = "N", value_parser = number::<u64>("a number of games", 1..=1_000_000_000))]
    games: Option<u64>,
    /// Stop after this time, such as 90s or 2h
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Stop once of every two neighbours in the standings the first is better with 95%
    #[arg(long)]
    until_sure: bool,
    #[command(flatten)]
    run: RunArgs,
}

impl LeagueArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            Command::New(args) => found(args.request()?, out),
            Command::Add { dir, bots } => {
                let bots: Result<Vec<BotSpec>, _> = bots.iter().map(|bot| bot.parse()).collect();
                let bots = bots.map_err(|error: BadBot| Failure::Usage(error.to_string()))?;
                add(AddRequest { folder: dir, bots }, out)
            }
            Command::Retire { dir, names } => retire(&dir, &names, out),
            Command::Invite { dir, name, revoke } => {
                let becomes = if revoke { Invited::Revoked } else { Invited::Invited };
                invite(InviteRequest { folder: dir, name, becomes }, out)
            }
            Command::Watch { dir, from, every, once, json } => {
                let looks = if once { Looks::One } else { Looks::Every(every) };
                let format = report_format(json);
                watch(WatchRequest { folder: dir, from, looks, format }, out)
            }
            Command::Run(args) => run(args.request(), out),
            Command::Standings { dir, all, format } => {
                let shown = if all { ShownBots::All } else { ShownBots::Active };
                standings(&dir, shown, standings_format(&format), out)
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
            game: AskedGame { kind: parsed(&self.game)?, seats: self.seats, options: self.options },
            retries: self.retries,
            suspect_games: match self.replay_suspect {
                true => SuspectGames::PlayAgain,
                false => SuspectGames::Count,
            },
            disqualify_after: self.disqualify_after,
            limits: self.limits.asked(),
            isolation: self.isolation.asked()?,
            ponder: self.ponder.into(),
            rounds: RoundsFile {
                deals: self.round_deals.and_then(NonZeroU32::new),
                tables: self.round_tables.and_then(NonZeroUsize::new),
                new_below: self.new_below,
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
                sure: self.until_sure.then_some(Sure),
            },
            options: self.run.options(),
        }
    }
}
