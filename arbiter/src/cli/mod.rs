//! The command line: the only code that knows clap.

use crate::cli::arguments::report_format;
use std::ffi::OsString;
use std::io::{self, Write};
#[cfg(target_os = "linux")]
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, Parser, Subcommand};
use rules::GameKind;
use text::printable;

use crate::commands::build::{self, BuildRequest};
use crate::commands::log_target::{self};
use crate::commands::{compress, diff, head, lists, seed};
use ::bot::limits::duration;
use ::sandbox::guard;
#[cfg(target_os = "linux")]
use ::sandbox::keeper;
use contest::setup::{self};
use text::failure::{EXIT_CODES, Failure};
use text::terminal::say;

mod arguments;
mod bot;
mod check;
mod disputes;
mod export;
mod game;
mod generated;
mod isolation;
mod league;
mod limits;
#[cfg(test)]
mod list_lengths;
mod matches;
mod new;
mod organise;
mod play;
mod review;
mod serve;
mod shards;
mod simulate;
mod tournament;
mod tournament_options;
use bot::BotArgs;
use check::CheckArgs;
use disputes::{ExplainArgs, RequestArgs, RerunArgs, ShowArgs, VerifyArgs};
use export::ExportArgs;
use game::RulesArgs;
use generated::{CompletionsArgs, ManArgs};
use isolation::{IsolationArgs, SandboxArgs};
use league::LeagueArgs;
use matches::MatchArgs;
use new::NewArgs;
use play::PlayArgs;
use review::{PuzzlesArgs, ReviewArgs};
use simulate::SimulateArgs;
use tournament::TournamentArgs;

/// A referee for card games played by programs.
///
/// It deals the cards and keeps the state of the game. For each move it starts a bot as a program,
/// sends it everything that its seat may know, and reads one line back. Anyone can verify the games
/// from the log.
#[derive(Debug, Parser)]
#[command(version = VERSION, max_term_width = 100, after_help = exit_codes())]
struct CommandLine {
    #[command(subcommand)]
    role: ProgramRole,
}

/// What this program is to be.
#[derive(Debug, Subcommand)]
enum ProgramRole {
    #[command(flatten)]
    Referee(Command),
    /// Be a built-in bot: read requests from standard input, and print a move for each
    Bot(BotArgs),
}

/// The version; a release adds its commit and date.
const VERSION: &str = env!("ARBITER_VERSION");

fn exit_codes() -> String {
    let codes = EXIT_CODES.map(|(code, meaning)| format!("{code} {meaning}"));
    format!("Exit codes: {}.", codes.join(", "))
}

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
    New(NewArgs),
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
    let command = match command_line.role {
        ProgramRole::Referee(command) => command,
        ProgramRole::Bot(bot) => return bot.run(),
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
        Command::Match(arguments) => arguments.run(out),
        Command::Play(arguments) => arguments.run(out),
        Command::Simulate(arguments) => arguments.run(out),
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
        Command::Head { log } => head::run(&log_target::or_last(log)?, out),
        Command::Compress { logs } => compress::run(&logs, out).map_err(Failure::or_undone),
        Command::Seed { file } => seed::run(&file, out),
        Command::Export(arguments) => arguments.run(out),
        Command::Report(arguments) => arguments.run(out),
        Command::Serve(arguments) => arguments.run(out),
        Command::Check(arguments) => arguments.run(out),
        Command::New(arguments) => arguments.run(out),
        Command::Build { folder, time_limit: time, isolation } => {
            let isolation = isolation.asked()?;
            build::run(&BuildRequest { folder, time, isolation }, out)
        }
        Command::Sandbox(arguments) => arguments.run(out),
        Command::Bots { json } => lists::bots(report_format(json), out),
        Command::Games { json } => lists::games(report_format(json), out),
        Command::Completions(arguments) => arguments.run(&CommandLine::command(), out),
        Command::Man(arguments) => arguments.run(&CommandLine::command(), out),
        Command::Guard => {
            guard::watch(io::stdin());
            Ok(())
        }
    }
}
