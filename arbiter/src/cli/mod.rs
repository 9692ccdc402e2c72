//! The command line: the only code that knows clap.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use bots::simulation::Order;
use clap::{Args, Parser, Subcommand, builder::PossibleValue, builder::PossibleValuesParser};
use rules::tablic::Tablic;
use rules::{GameKind, NotText};
use text::printable;

use crate::commands::asked_log::{self, AskedLog, Existing};
use crate::commands::build::{self, BuildRequest};
use crate::commands::matches::{self, MatchRequest, Shown};
use crate::commands::new::{self, New, NewRequest};
use crate::commands::simulate::{self, SimulationRequest};
use crate::commands::{compress, diff, head, lists, seed};
use ::sandbox::guard;
#[cfg(target_os = "linux")]
use ::sandbox::keeper;
use conditions::bot::BotSpec;
use conditions::bot::limits::duration;
use conditions::bot::starter::Starter;
use conditions::failure::Failure;
use conditions::series::given_seed::GivenSeed;
use conditions::series::progress::FaultShare;
use conditions::{Conditions, Treatment, disqualify_after};
use contest::setup::{self, AskedSeed};
use games::starter::GameStarter;
use text::terminal::say;

mod bot;
mod check;
mod disputes;
mod export;
mod game;
mod generated;
mod isolation;
mod league;
mod limits;
mod number;
mod organise;
mod play;
mod review;
mod serve;
mod shards;
mod tournament;
use bot::BotArgs;
use check::CheckArgs;
use disputes::{ExplainArgs, RequestArgs, RerunArgs, ShowArgs, VerifyArgs};
use export::ExportArgs;
use game::{GameArgs, GameName, RulesArgs};
use generated::{CompletionsArgs, ManArgs};
use isolation::{IsolationArgs, SandboxArgs};
use league::LeagueArgs;
use limits::LimitArgs;
use number::number;
use play::PlayArgs;
use review::{PuzzlesArgs, ReviewArgs};
use tournament::TournamentArgs;

/// A referee for card games played by programs.
///
/// It deals the cards and keeps the state of the game. For each move it starts a bot as a program,
/// sends it everything that its seat may know, and reads one line back. Anyone can verify the games
/// from the log.
#[derive(Debug, Parser)]
#[command(version = VERSION, max_term_width = 100, after_help = EXIT_CODES)]
struct CommandLine {
    #[command(subcommand)]
    asked: Asked,
}

/// What this program is to be.
#[derive(Debug, Subcommand)]
enum Asked {
    #[command(flatten)]
    Referee(Command),
    /// Be a built-in bot: read requests from standard input, and print a move for each
    Bot(BotArgs),
}

/// The version; a release adds its commit and date.
const VERSION: &str = env!("ARBITER_VERSION");

const EXIT_CODES: &str = "Exit codes: 0 success, 1 the referee or the machine failed, 2 wrong usage, \
3 a log does not verify, 4 a bot cannot be built or started, 5 a check failed (`check`, `sandbox`, `review --by`), \
6 two runs differ, 7 the rules of a game of your own fail, 75 try again later (shards), 129, 130 or 143 stopped by a signal.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a match between bots
    Match(Box<MatchArgs>),
    /// Play against bots at this terminal
    Play(Box<PlayArgs>),
    /// Measure the strength of built-in players in many games, played within one process
    Simulate(SimulateArgs),
    /// Play a tournament between bots, many games at once; it can be resumed after any interruption
    Tournament(Box<TournamentArgs>),
    /// Run a league that stays open: bots can enter, leave and change at any time
    League(Box<LeagueArgs>),
    /// Verify logs and tournaments by recomputing every deal, move and result
    Verify(VerifyArgs),
    /// Show the games of a log as readable text
    Show(ShowArgs),
    /// Print the request that a bot got for a move, byte for byte
    Request(RequestArgs),
    /// Explain a fault: the request, the bot's output and the legal moves
    Explain(ExplainArgs),
    /// Send the requests of a log to the bots again, and compare the answers
    Rerun(RerunArgs),
    /// Show what each move was worth, what bots give away, and their typical mistakes
    Review(Box<ReviewArgs>),
    /// Collect decisions with one clearly best move, to practise on or to test a bot
    Puzzles(PuzzlesArgs),
    /// Show the first difference between the games of two logs, ignoring times
    #[command(
        after_help = "The exit code is 6 if the games differ.\n\nExample: arbiter diff a.jsonl b.jsonl"
    )]
    Diff {
        /// A log, or the folder of a tournament
        #[arg(value_name = "LOG|DIR")]
        one: PathBuf,
        /// The other log, or folder of a tournament
        #[arg(value_name = "LOG|DIR")]
        other: PathBuf,
        #[command(flatten)]
        rules: RulesArgs,
    },
    /// Print the head of a log: a digest to publish, which identifies the complete log
    #[command(after_help = "Example: arbiter head match.jsonl")]
    Head {
        /// The log, or the folder of a tournament [default: the log of the last match]
        #[arg(value_name = "LOG|DIR")]
        log: Option<PathBuf>,
    },
    /// Compress finished logs to between a quarter and a third; every command reads them as before
    #[command(after_help = COMPRESS_HELP)]
    Compress {
        /// The logs, or the folders of tournaments or leagues
        #[arg(value_name = "LOG|DIR", required = true)]
        logs: Vec<PathBuf>,
    },
    /// Draw a random seed, and print a commitment to publish before you play
    #[command(after_help = SEED_HELP)]
    Seed {
        /// A new file for the seed
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Export the moves of logs as a table for machine learning, one row per move
    Export(ExportArgs),
    /// Make web pages from logs and tournaments: standings, faults and a viewer for every game
    Report(serve::ReportArgs),
    /// Serve live web pages of leagues and tournaments, and tables for people who play against bots
    Serve(serve::ServeArgs),
    /// Check that a bot follows the protocol, or that the rules of a game do
    Check(Box<CheckArgs>),
    /// Create a folder with a small bot or a small game in the language of your choice
    #[command(after_help = NEW_HELP)]
    New {
        /// The folder, new or empty; the bot or the game is named after it
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// The language
        #[arg(long, value_parser = languages())]
        language: String,
        /// The game to name in bot.toml [default: tablic]; without a value, create a game
        #[arg(long, value_name = "GAME", num_args = 0..=1, value_parser = GameName)]
        game: Option<Option<String>>,
    },
    /// Build a bot with the build command in its bot.toml
    #[command(after_help = BUILD_HELP)]
    Build {
        /// The folder of the bot
        #[arg(value_name = "FOLDER")]
        folder: String,
        /// The time limit of the build
        #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = duration)]
        time_limit: Duration,
        #[command(flatten)]
        isolation: IsolationArgs,
    },
    /// Show which sandbox layers work here and what a bot can see, or run a command in its sandbox
    Sandbox(SandboxArgs),
    /// List the built-in bots
    #[command(after_help = BOTS_HELP)]
    Bots {
        /// Print a line of JSON for each bot
        #[arg(long)]
        json: bool,
    },
    /// List the games with their options
    #[command(after_help = "Example: arbiter games")]
    Games {
        /// Print a line of JSON for each game
        #[arg(long)]
        json: bool,
    },
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page of the program, or write a page for every command
    Man(ManArgs),
    /// Clean up after a referee that died; the referee starts this itself
    #[command(name = guard::SUBCOMMAND, hide = true)]
    Guard,
}

#[derive(Debug, Args)]
#[command(after_help = MATCH_HELP)]
struct MatchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The number of games; the seats rotate from game to game
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = number::<u64>("a number of games", 1..=1_000_000_000))]
    games: u64,
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
    /// Write the log of the match to this new file; even without a log, `explain`, `show` and other
    /// commands can read the last match
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Replace the log if it exists
    #[arg(long, requires = "log")]
    overwrite: bool,
    /// Show every move [default for a single game on a terminal]
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    watch: bool,
    /// Print nothing
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Print a line of JSON for each game and one for the match
    #[arg(long)]
    json: bool,
    /// The bots, in the order of their turns in the first game
    #[arg(required = true, value_name = "BOT", num_args = 2..)]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

const COMPRESS_HELP: &str = "The compressed log has the ending `.gz` and the same head. It is read back and \
compared before the plain file is removed. In a tournament the logs of all parts and shards are compressed, in a \
league those of the rounds that are over. `gunzip` makes them plain again. The option --log writes a compressed log \
by itself if the name of the file ends in `.gz`.

Examples:
  arbiter compress cup
  arbiter compress match.jsonl
  arbiter match --game tablic --log match.jsonl.gz random greedy";

const SEED_HELP: &str = "Publish the commitment, then collect words from the participants, so that neither you nor they can choose the deals. Keep the file secret until the end.

Example:
  arbiter seed cup.seed
  arbiter match --game coup --seed-file cup.seed --entropy blue --entropy 42 ./ann ./bob";

const NEW_HELP: &str =
    "A game of your own starts as a small poker, in python, c, rust or assemblyscript.

Examples:
  arbiter new my-bot --language python && arbiter check ./my-bot
  arbiter new my-game --language python --game && arbiter check --game ./my-game
  arbiter new my-bot --language python --game ./my-game";

const BUILD_HELP: &str =
    "The build command runs in a sandbox, as bots do, without input: it works in a copy of the folder, \
sees the programs on PATH and an empty home folder, and has no network unless --allow NAME:network \
grants it. If it succeeds, the files it made are copied back. With --isolation off it runs in the \
folder itself, with your environment.

Afterwards the SHA-256 digests of the bot's files are printed; the log of a match holds them, too.

Examples:
  arbiter build ./my-bot
  arbiter build ./my-bot --allow my-bot:network";

const BOTS_HELP: &str =
    "Each is also `arbiter bot NAME`, a program that reads requests and prints moves.

Example: arbiter bots";

const MATCH_HELP: &str = "A BOT is [NAME=]COMMAND [ARGS…], quoted as one word: a built-in bot, the path \
of a program, a program with arguments, or a folder with a bot.toml. Without NAME, the bot is named \
after its script or program: mybot for `python3 -u bots/mybot.py`. A bot runs in a scratch folder of \
its own, but arguments that name files still work.

Write `resident:` before a command to keep the program running for a whole game instead of one move. \
Write `dialect=classic` before a program that speaks the classic dialect of Coup (`dialect=classic \
lenient=on` for the winner of its contest), unless its bot.toml says so.

Examples:
  arbiter match --game tablic random greedy
  arbiter match --game tablic --games 20 --log match.jsonl \"py=python3 my_bot.py\" greedy
  arbiter match --game tablic --seats 3 a=random b=random c=./my-bot
  arbiter match --game tablic --games 20 ./folder-of-a-bot greedy
  arbiter match --game durak --options \"deck=24 transfer=on\" random greedy
  arbiter match --game coup \"dialect=classic py=python3 my_bot.py\" greedy
  arbiter match --game tablic --games 100 \"py=resident:python3 my_bot.py\" resident:greedy
  arbiter match --game tablic --time-limit 1s --time-limit java=3s java=./my-bot greedy";

#[derive(Debug, Args)]
#[command(after_help = SIMULATE_HELP)]
struct SimulateArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The number of deals
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>("a number of deals", 1..=1_000_000_000))]
    deals: u64,
    /// How the bots are seated in a deal: in the given order, in reverse, in every rotation (one game
    /// each), or in an order drawn from the seed
    #[arg(long, default_value = "rotate", value_parser = order_names())]
    order: String,
    /// The seed of deals and bots: 64 hexadecimal digits, or a short number for practice, which can be
    /// guessed [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// The number of threads; it affects the results only if a time limit cuts a search short, which
    /// is reported [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of threads", 1..=1024))]
    workers: Option<u16>,
    /// Write a log to this new file: like the log of a match, but without times
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Replace the log if it exists
    #[arg(long, requires = "log")]
    overwrite: bool,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
    /// The bots
    #[arg(required = true, value_name = "BOT", num_args = 2..)]
    bots: Vec<String>,
}

const SIMULATE_HELP: &str = "A BOT is [NAME=]PLAYER [OPTIONS…], quoted as one word; `arbiter bots` lists \
the players and their options. A player makes the same moves as its program in a match, and the same \
seed gives the same games, unless a time limit cuts a search short. In Tablić with four or more seats, \
minimax uses all the time it has for a move, by default half of 5s.

Examples:
  arbiter simulate --game tablic greedy random
  arbiter simulate --game tablic --deals 10000 --order random a=greedy b=greedy c=random
  arbiter simulate --game tablic --deals 10 \"minimax --time 50ms\" greedy greedy random
  arbiter simulate --game durak --deals 1000 --log games.jsonl greedy \"minimax --depth 1\"";

fn languages() -> PossibleValuesParser {
    let bots = Starter::ALL.map(|it| PossibleValue::new(it.language).aliases(it.aliases));
    let of_games = GameStarter::ALL.into_iter().map(|it| it.language);
    let games = of_games.filter(|it| Starter::named(it).is_none()).map(PossibleValue::new);
    PossibleValuesParser::new(bots.into_iter().chain(games))
}

fn order_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Order::ALL.map(Order::name))
}

/// Runs the program with these arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // First, because a game waits for the answer.
    if let Some(code) = bot::run_at_once(&arguments) {
        return code;
    }
    setup::announce_bots(bot::SUBCOMMAND);
    #[cfg(target_os = "linux")]
    {
        // Games wait for keepers, too: this is the whole command line of one.
        if arguments.get(1..).is_some_and(|words| words == [keeper::SUBCOMMAND]) {
            return keeper::serve().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
        }
        keeper::announce(Path::new("/proc/self/exe"));
    }
    let command_line = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(error) => {
            // Only a closed pipe can fail here, and then there is no reader.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let command = match command_line.asked {
        Asked::Referee(command) => command,
        Asked::Bot(bot) => return bot.run(),
    };
    let mut out = io::stdout().lock();
    let done = dispatch(command, &mut out).and_then(|()| out.flush().map_err(Failure::Output));
    // Their programs end, and leave nothing.
    GameKind::forget_opened();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.is_silent() {
                say(format!("error: {}", printable(&failure.to_string())));
            }
            failure.exit_code()
        }
    }
}

fn dispatch(command: Command, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        Command::Match(arguments) => matches::run(arguments.request()?, out),
        Command::Play(arguments) => arguments.run(out),
        Command::Simulate(arguments) => simulate::run(arguments.request()?, out),
        Command::Tournament(arguments) => arguments.run(out),
        Command::League(arguments) => arguments.run(out),
        Command::Verify(arguments) => arguments.run(out),
        Command::Show(arguments) => arguments.run(out),
        Command::Request(arguments) => arguments.run(out),
        Command::Explain(arguments) => arguments.run(out),
        Command::Rerun(arguments) => arguments.run(out),
        Command::Review(arguments) => arguments.run(out),
        Command::Puzzles(arguments) => arguments.run(out),
        Command::Diff { one, other, rules } => {
            rules.open().and_then(|()| diff::run(&one, &other, out).map_err(Failure::or_undone))
        }
        Command::Head { log } => head::run(&asked_log::or_last(log)?, out),
        Command::Compress { logs } => compress::run(&logs, out).map_err(Failure::or_undone),
        Command::Seed { file } => seed::run(&file, out),
        Command::Export(arguments) => arguments.run(out),
        Command::Report(arguments) => arguments.run(out),
        Command::Serve(arguments) => arguments.run(out),
        Command::Check(arguments) => arguments.run(out),
        Command::New { folder, language, game } => {
            let asked = match game {
                Some(None) => New::Game(game_starter(&language)?),
                Some(Some(game)) => New::Bot(starter(&language)?, game::opened(&game)?),
                None => New::Bot(starter(&language)?, GameKind::of::<Tablic>()),
            };
            new::run(&NewRequest { folder, asked }, out)
        }
        Command::Build { folder, time_limit: time, isolation } => {
            let isolation = isolation.asked()?;
            build::run(&BuildRequest { folder, time, isolation }, out)
        }
        Command::Sandbox(arguments) => arguments.run(out),
        Command::Bots { json } => lists::bots(report_format(json), out),
        Command::Games { json } => lists::games(report_format(json), out),
        Command::Completions(arguments) => arguments.run(out),
        Command::Man(arguments) => arguments.run(out),
        Command::Guard => {
            guard::watch(io::stdin());
            Ok(())
        }
    }
}

impl MatchArgs {
    fn request(self) -> Result<MatchRequest, Failure> {
        let shown = if self.json {
            Shown::Json
        } else if self.quiet {
            Shown::Nothing
        } else if self.watch || (self.games == 1 && io::stdout().is_terminal()) {
            Shown::Everything
        } else {
            Shown::Totals
        };
        // Not read by clap, whose errors repeat the word as it is, escape sequences and all.
        let bots: Result<Vec<BotSpec>, _> = self.bots.iter().map(|bot| bot.parse()).collect();
        Ok(MatchRequest {
            game: self.game.asked()?,
            games: self.games,
            seed: asked_seed(self.seed, self.seed_file),
            conditions: Conditions {
                entropy: self.entropy,
                treatment: self.treatment,
                isolation: self.isolation.asked()?,
                limits: self.limits.asked(),
                ..Conditions::default()
            },
            log: AskedLog::at(self.log, existing(self.overwrite)),
            shown,
            bots: bots.map_err(|error| Failure::Usage(error.to_string()))?,
        })
    }
}

impl SimulateArgs {
    fn request(self) -> Result<SimulationRequest, Failure> {
        // As in a match: clap's errors repeat the word as it is.
        let bots: Result<Vec<BotSpec>, _> = self.bots.iter().map(|bot| bot.parse()).collect();
        Ok(SimulationRequest {
            game: self.game.asked()?,
            deals: self.deals,
            order: parsed(&self.order)?,
            seed: self.seed,
            workers: self.workers.and_then(|workers| NonZeroUsize::new(workers.into())),
            log: AskedLog::at(self.log, existing(self.overwrite)),
            format: report_format(self.json),
            bots: bots.map_err(|error| Failure::Usage(error.to_string()))?,
        })
    }
}

fn asked_seed(given: Option<GivenSeed>, file: Option<PathBuf>) -> AskedSeed {
    match (given, file) {
        (Some(given), _) => AskedSeed::Given(given),
        (None, Some(file)) => AskedSeed::InFile(file),
        (None, None) => AskedSeed::Drawn,
    }
}

/// The share of faults asked for; the usual one by default.
fn share(text: Option<&str>) -> Result<Option<FaultShare>, Failure> {
    let usual = Conditions::default().disqualify_after;
    let share = text.map_or(Ok(usual), disqualify_after);
    share.map_err(|error| Failure::Usage(error.to_string()))
}

fn existing(overwrite: bool) -> Existing {
    if overwrite { Existing::IsReplaced } else { Existing::Stays }
}

fn report_format(json: bool) -> crate::output::Format {
    if json { crate::output::Format::Json } else { crate::output::Format::Text }
}

fn starter(language: &str) -> Result<Starter, Failure> {
    Starter::named(language).ok_or_else(|| {
        let language = printable(language);
        Failure::Usage(format!(
            "no bot starts in {language}, expected a game: --game without a value"
        ))
    })
}

fn game_starter(language: &str) -> Result<GameStarter, Failure> {
    GameStarter::named(language).ok_or_else(|| {
        let languages = GameStarter::ALL.map(|it| it.language).join(", ");
        let language = printable(language);
        Failure::Usage(format!("no game starts in {language}, expected one of {languages}"))
    })
}

/// A word that clap has already checked.
fn parsed<T: FromStr<Err = NotText>>(word: &str) -> Result<T, Failure> {
    word.parse().map_err(|error: NotText| Failure::Usage(error.to_string()))
}
