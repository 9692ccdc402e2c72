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
use rules::NotText;
use rules::text::printable;

use crate::bot::BotSpec;
use crate::bot::limits::duration;
use crate::bot::starter::Starter;
use crate::commands::build::{self, BuildRequest};
use crate::commands::matches::{self, MatchRequest, Shown};
use crate::commands::new::{self, NewRequest};
use crate::commands::setup::AskedSeed;
use crate::commands::simulate::{self, Format, SimulationRequest};
use crate::commands::{diff, head, lists, seed};
use crate::failure::Failure;
use crate::process::guard;
#[cfg(target_os = "linux")]
use crate::process::keeper;
use crate::series::SuspectGames;
use crate::series::given_seed::GivenSeed;
use crate::text::notice::say;

mod check;
mod disputes;
mod export;
mod game;
mod generated;
mod isolation;
mod league;
mod limits;
mod number;
mod play;
mod report;
mod sandbox;
mod serve;
mod shards;
mod tournament;
use check::CheckArgs;
use disputes::{ExplainArgs, RequestArgs, RerunArgs, ShowArgs, VerifyArgs};
use export::ExportArgs;
use game::GameArgs;
use generated::{CompletionsArgs, ManArgs};
use isolation::IsolationArgs;
use league::LeagueArgs;
use limits::LimitArgs;
use number::number;
use play::PlayArgs;
use sandbox::SandboxArgs;
use tournament::TournamentArgs;

/// A referee for card games played by programs.
///
/// It owns the deck and the state of the game. For each move it starts a bot as a program, tells it
/// what its seat may know, and reads one line back. Anyone can verify the games from the log.
#[derive(Debug, Parser)]
#[command(version = VERSION, max_term_width = 100, after_help = EXIT_CODES)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// The version; a release also says of which commit it is, and of which day.
const VERSION: &str = env!("ARBITER_VERSION");

const EXIT_CODES: &str = "Exit codes: 0 fine, 1 the referee or the machine failed, 2 wrong usage, \
3 a log is not verified, 4 a bot cannot be built or started, 5 a bot does not pass its check, \
or a machine that of `sandbox`, 6 two runs that should be the same are not, 130 or 143 stopped by a signal.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a match between bots
    Match(Box<MatchArgs>),
    /// Play against bots yourself, at a terminal
    Play(Box<PlayArgs>),
    /// Play many games between built-in players in one process, to measure their strength
    Simulate(SimulateArgs),
    /// Play a tournament between bots, on several threads; it can be resumed after any stop
    Tournament(Box<TournamentArgs>),
    /// Play a league between bots, which stays open: they enter, leave and change at any time
    League(Box<LeagueArgs>),
    /// Verify logs and tournaments: derive every deal, move and result again
    Verify(VerifyArgs),
    /// Show the games of a log as running text
    Show(ShowArgs),
    /// Write what a bot was asked at a move, byte for byte
    Request(RequestArgs),
    /// Explain why an answer was a fault: what was asked, printed, legal
    Explain(ExplainArgs),
    /// Ask bots again what a log says they were asked, and compare the answers
    Rerun(RerunArgs),
    /// Name the first difference between the games of two logs; times do not count
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
    },
    /// Print the head of a log: a digest to publish, which identifies the whole log
    #[command(after_help = "Example: arbiter head match.jsonl")]
    Head {
        /// The log, or the folder of a tournament
        #[arg(value_name = "LOG|DIR")]
        log: PathBuf,
    },
    /// Draw a seed for a match or a tournament, and print a commitment to publish before you play
    #[command(after_help = SEED_HELP)]
    Seed {
        /// A new file for the seed
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Write the moves of logs as a table for machine learning, one row for each move
    Export(ExportArgs),
    /// Make web pages of logs and tournaments: standings, faults, and a viewer of every game
    Report(report::ReportArgs),
    /// Serve the pages of leagues and tournaments, alive: they change while games are played
    Serve(serve::ServeArgs),
    /// Check that a bot keeps to the protocol
    Check(Box<CheckArgs>),
    /// Start a bot of your own: a folder with a small bot in the language of your choice
    #[command(after_help = NEW_HELP)]
    New {
        /// The folder, new or empty; the bot gets its name
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// The language
        #[arg(long, value_parser = languages())]
        language: String,
    },
    /// Build the bot in a folder with the build command of its bot.toml
    #[command(after_help = BUILD_HELP)]
    Build {
        /// The folder
        #[arg(value_name = "FOLDER")]
        folder: String,
        /// The time limit of the build
        #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = duration)]
        time_limit: Duration,
        #[command(flatten)]
        isolation: IsolationArgs,
    },
    /// Tell how far this machine keeps bots apart, what a bot sees, or run a command in its place
    Sandbox(SandboxArgs),
    /// List the built-in bots
    #[command(after_help = "Example: arbiter bots")]
    Bots {
        /// Show a line of JSON for each bot
        #[arg(long)]
        json: bool,
    },
    /// List the games with their options
    #[command(after_help = "Example: arbiter games")]
    Games {
        /// Show a line of JSON for each game
        #[arg(long)]
        json: bool,
    },
    /// Write completions of this command line for a shell
    Completions(CompletionsArgs),
    /// Write the manual page of the program, or those of all commands
    Man(ManArgs),
    /// Clean up after a referee that is gone; a referee starts this itself
    #[command(name = guard::SUBCOMMAND, hide = true)]
    Guard,
}

#[derive(Debug, Args)]
#[command(after_help = MATCH_HELP)]
struct MatchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The number of games; the order of turns rotates from game to game
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = number::<u64>("a number of games", 1..=1_000_000_000))]
    games: u64,
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
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u32>("a number of chances", 0..=100))]
    retries: u32,
    /// Play a game again, at most three times, if a bot was late while others had the processors
    #[arg(long)]
    replay_suspect: bool,
    /// Let resident bots think while others have their turns, and not only while they have their own
    #[arg(long)]
    ponder: bool,
    /// Write the log of the match to this new file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Show every move [default for one game on a terminal]
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    watch: bool,
    /// Show nothing
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Show a line of JSON for each game and one for the match
    #[arg(long)]
    json: bool,
    /// The bots, in the order of turns of the first game
    #[arg(required = true, value_name = "BOT", num_args = 2..)]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

const SEED_HELP: &str = "Publish the commitment, then collect words from the participants, so that neither you nor they can choose the deals. Keep the file secret until the end.

Example:
  arbiter seed cup.seed
  arbiter match --game coup --seed-file cup.seed --entropy blue --entropy 42 ./ann ./bob";

const NEW_HELP: &str = "Example: arbiter new my-bot --language python && arbiter check ./my-bot";

const BUILD_HELP: &str =
    "The command runs without input, kept apart from the rest of the machine like a bot: it works in a \
copy of the folder, sees the programs on PATH, finds its home folder empty, and has no network unless \
--allow NAME:network grants it. What it has made is taken over if it succeeds. With --isolation off it \
runs in the folder itself, with your environment. \
Prints the SHA-256 digests of the bot's files, which the log of a match holds too.

Examples:
  arbiter build ./my-bot
  arbiter build ./my-bot --allow my-bot:network";

const MATCH_HELP: &str = "A BOT is [NAME=]COMMAND [ARGS…], quoted as one word: a built-in bot, a path, \
or a program with arguments. Without NAME, the bot is named after its script or program: mybot for \
`python3 -u bots/mybot.py`. It runs in a scratch folder of its own, but arguments that name files \
still work. A folder with a bot.toml is a bot, too. Write `dialect=classic` before a program of the \
classic dialect of Coup (`dialect=classic lenient=on` for the winner of its contest), unless its bot.toml \
says so, and `resident:` before the command of a program that is to live for a whole game instead of one \
move.

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
    /// Who sits where in a deal: the bots in the order given, in reverse, in every rotation (a game
    /// for each), or in an order drawn from the seed
    #[arg(long, default_value = "rotate", value_parser = order_names())]
    order: String,
    /// The seed of deals and bots: 64 hexadecimal digits, or for practice a number, which can be guessed
    /// [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// The number of threads; it changes the result only if a player's time limit cuts a search,
    /// which is then reported [default: one for each core]
    #[arg(long, value_name = "N", value_parser = number::<u16>("a number of threads", 1..=1024))]
    workers: Option<u16>,
    /// Write a log to FILE, which must not exist: with every request and answer, as that of a match, but
    /// no times
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Show one line of JSON
    #[arg(long)]
    json: bool,
    /// The bots
    #[arg(required = true, value_name = "BOT", num_args = 2..)]
    bots: Vec<String>,
}

const SIMULATE_HELP: &str = "A BOT is [NAME=]PLAYER [OPTIONS…], quoted as one word; `arbiter bots` lists \
the players and their options. They play the same moves as their programs do in a match, and the same \
seed gives the same games, unless a player's time limit cuts its search. In Tablić with four or more \
seats, minimax uses all of its time: half of 5s for each move by default.

Examples:
  arbiter simulate --game tablic greedy random
  arbiter simulate --game tablic --deals 10000 --order random a=greedy b=greedy c=random
  arbiter simulate --game tablic --deals 10 \"minimax --time 50ms\" greedy greedy random
  arbiter simulate --game durak --deals 1000 --log games.jsonl greedy \"minimax --depth 1\"";

fn languages() -> PossibleValuesParser {
    let names = Starter::ALL.map(|it| PossibleValue::new(it.language).aliases(it.aliases));
    PossibleValuesParser::new(names)
}

fn order_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Order::ALL.map(Order::name))
}

/// Runs the program with these arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    #[cfg(target_os = "linux")]
    {
        // Games wait for keepers: this is the whole command line of one.
        if arguments.get(1..).is_some_and(|words| words == [keeper::SUBCOMMAND]) {
            return keeper::serve().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
        }
        keeper::announce(Path::new("/proc/self/exe"));
    }
    let command_line = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(error) => {
            // A closed pipe is all that can go wrong here, and then no one reads the help.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let mut out = io::stdout().lock();
    let done = dispatch(command_line.command, &mut out)
        .and_then(|()| out.flush().map_err(Failure::Output));
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
        Command::Diff { one, other } => diff::run(&one, &other, out).map_err(Failure::or_undone),
        Command::Head { log } => head::run(&log, out),
        Command::Seed { file } => seed::run(&file, out),
        Command::Export(arguments) => arguments.run(out),
        Command::Report(arguments) => arguments.run(out),
        Command::Serve(arguments) => arguments.run(out),
        Command::Check(arguments) => arguments.run(out),
        Command::New { folder, language } => {
            new::run(&NewRequest { folder, starter: starter(&language)? }, out)
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
            entropy: self.entropy,
            retries: self.retries,
            suspect_games: if self.replay_suspect {
                SuspectGames::PlayAgain
            } else {
                SuspectGames::Count
            },
            limits: self.limits.asked(),
            isolation: self.isolation.asked()?,
            ponder: self.ponder.into(),
            log: self.log,
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
            log: self.log,
            format: if self.json { Format::Json } else { Format::Table },
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

fn report_format(json: bool) -> crate::output::Format {
    if json { crate::output::Format::Json } else { crate::output::Format::Text }
}

fn starter(language: &str) -> Result<Starter, Failure> {
    Starter::named(language)
        .ok_or_else(|| Failure::Usage(format!("unknown language `{}`", printable(language))))
}

/// A word that clap has found to be one of those that there are.
fn parsed<T: FromStr<Err = NotText>>(word: &str) -> Result<T, Failure> {
    word.parse().map_err(|error: NotText| Failure::Usage(error.to_string()))
}
