//! The command line: the only code that knows clap.

use crate::cli::arguments::report_format;
use std::ffi::OsString;
use std::io::{self, Write};
#[cfg(target_os = "linux")]
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
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
mod corrections;
mod disputes;
mod export;
mod game;
mod generated;
mod groups;
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
use groups::grouped;
use isolation::{IsolationArgs, SandboxArgs};
use league::LeagueArgs;
use matches::MatchArgs;
use new::NewArgs;
use play::PlayArgs;
use review::{PuzzlesArgs, ReviewArgs};
use simulate::SimulateArgs;
use tournament::TournamentArgs;

/// A referee for card games played by bots.
///
/// It deals the cards and keeps the state of the game. For each move it starts the bot, sends it
/// everything its seat may know, and reads back one line. Anyone can verify the games from the log.
#[derive(Debug, Parser)]
#[command(version = VERSION, max_term_width = 100, after_help = MORE_HELP, after_long_help = exit_codes())]
struct CommandLine {
    #[command(subcommand)]
    role: ProgramRole,
}

/// What this program is to be.
#[derive(Debug, Subcommand)]
enum ProgramRole {
    #[command(flatten)]
    Referee(Command),
    /// Run a built-in bot on standard input and output
    Bot(BotArgs),
}

/// The version; a release adds its commit and date.
const VERSION: &str = env!("ARBITER_VERSION");

const MORE_HELP: &str = "Run `arbiter COMMAND --help` for options and examples.";

fn exit_codes() -> String {
    let codes = EXIT_CODES.map(|(code, meaning)| format!("\n  {code:3}  {meaning}"));
    format!("{MORE_HELP}\n\nExit codes:{}", codes.concat())
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a match between bots
    Match(Box<MatchArgs>),
    /// Play against bots in this terminal
    Play(Box<PlayArgs>),
    /// Play many games between built-in bots in one process
    Simulate(SimulateArgs),
    /// Run a tournament: play, resume, extend, shard
    Tournament(Box<TournamentArgs>),
    /// Run a continuous league that bots can join, update and leave at any time
    League(Box<LeagueArgs>),
    /// Verify logs and tournaments by recomputing every deal, move and result
    Verify(VerifyArgs),
    /// Print the games of a log
    Show(ShowArgs),
    /// Print the exact request that a bot received for a move
    Request(RequestArgs),
    /// Explain a fault: the request, the output and the legal moves
    Explain(ExplainArgs),
    /// Replay the requests of a log to the bots and compare the answers
    Rerun(RerunArgs),
    /// Rate every move: losses, recurring mistakes and blunders
    Review(Box<ReviewArgs>),
    /// Collect positions with one clearly best move
    Puzzles(PuzzlesArgs),
    /// Show the first difference between two logs, ignoring times
    #[command(after_help = "Exits with 6 if the games differ.

Example: arbiter diff a.jsonl b.jsonl")]
    Diff {
        /// Log or tournament folder
        #[arg(value_name = "LOG|DIR")]
        one: PathBuf,
        /// Second log or tournament folder
        #[arg(value_name = "LOG|DIR")]
        other: PathBuf,
        #[command(flatten)]
        rules: RulesArgs,
    },
    /// Print the head of a log: the hash that identifies it
    #[command(after_help = "Example: arbiter head match.jsonl")]
    Head {
        /// Log or tournament folder [default: the last match]
        #[arg(value_name = "LOG|DIR")]
        log: Option<PathBuf>,
    },
    /// Compress finished logs
    #[command(after_help = COMPRESS_HELP)]
    Compress {
        /// Logs, or tournament or league folders
        #[arg(value_name = "LOG|DIR", required = true)]
        logs: Vec<PathBuf>,
    },
    /// Create a seed file and print its commitment
    #[command(after_help = SEED_HELP)]
    Seed {
        /// Seed file to create
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Export moves as a table for machine learning
    Export(ExportArgs),
    /// Write a static website: standings, faults and a game viewer
    Report(serve::ReportArgs),
    /// Serve leagues and tournaments as live web pages
    Serve(serve::ServeArgs),
    /// Check that a bot follows the protocol, or that a custom game obeys its rules
    Check(Box<CheckArgs>),
    /// Create a bot or a custom game from a template
    New(NewArgs),
    /// Build a bot with the command in its bot.toml
    #[command(after_help = BUILD_HELP)]
    Build {
        /// Bot folder
        #[arg(value_name = "FOLDER")]
        folder: String,
        /// Time limit for the build
        #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = duration)]
        time_limit: Duration,
        #[command(flatten)]
        isolation: IsolationArgs,
    },
    /// Show the sandbox layers, inspect a bot's sandbox or run a command in it
    Sandbox(SandboxArgs),
    /// List the built-in bots and their options
    #[command(after_help = BOTS_HELP)]
    Bots {
        /// Print JSON, one line per bot
        #[arg(long)]
        json: bool,
    },
    /// List the built-in games and their options
    #[command(after_help = "Example: arbiter games")]
    Games {
        /// Print JSON, one line per game
        #[arg(long)]
        json: bool,
    },
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the manual page, or write one per command
    Man(ManArgs),
    /// Clean up after a referee that died; the referee starts this itself
    #[command(name = guard::SUBCOMMAND, hide = true)]
    Guard,
}

const COMPRESS_HELP: &str = "Writes LOG.gz, reads it back and compares it, then removes LOG. The \
head stays the same, and every command reads compressed logs. In a tournament, compresses the logs \
of all parts and shards; in a league, those of finished rounds. Use `gunzip` to decompress. `--log \
FILE.gz` compresses a new log directly. Typical size: a quarter to a third.

Examples:
  arbiter compress cup
  arbiter compress match.jsonl
  arbiter match --game tablic --log match.jsonl.gz random greedy";

const SEED_HELP: &str = "Publish the commitment, then collect entropy (any words) from the \
participants: then neither you nor they can choose the deals. Keep FILE secret until the end.

Examples:
  arbiter seed cup.seed
  arbiter match --game coup --seed-file cup.seed --entropy blue --entropy 42 ./ann ./bob";

const BUILD_HELP: &str =
    "The build runs in a sandbox: in a copy of the folder, with the programs on PATH, an empty home \
folder, no input, and no network unless you pass --allow NAME:network. On success, new files are \
copied back. With --isolation off, it runs in the folder itself, in your environment.

Prints the SHA-256 digests of the bot's files, which match logs also contain.

Examples:
  arbiter build ./my-bot
  arbiter build ./my-bot --allow my-bot:network";

const BOTS_HELP: &str = "`arbiter bot NAME` runs one of them by hand.

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
    let command_line = match parsed_line(arguments) {
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

fn parsed_line(arguments: Vec<OsString>) -> Result<CommandLine, clap::Error> {
    let mut command = grouped(CommandLine::command());
    let matches = command.try_get_matches_from_mut(arguments)?;
    CommandLine::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
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
