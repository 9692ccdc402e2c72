//! The command line: the list of commands, and what each exit code means.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::ExitCode;

use bots::programs;
use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use rules::GameKind;
use text::printable;

use crate::commands::check::CheckArgs;
use crate::commands::diff::DiffArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::export::{CompressArgs, ExportArgs};
use crate::commands::league::LeagueArgs;
use crate::commands::lists::{BotsArgs, GamesArgs};
use crate::commands::matches::MatchArgs;
use crate::commands::new::{BuildArgs, NewArgs};
use crate::commands::play::PlayArgs;
use crate::commands::request::RequestArgs;
use crate::commands::rerun::RerunArgs;
use crate::commands::review::{PuzzlesArgs, ReviewArgs};
use crate::commands::sandbox::SandboxArgs;
use crate::commands::seed::SeedArgs;
use crate::commands::serve::{ReportArgs, ServeArgs};
use crate::commands::show::ShowArgs;
use crate::commands::simulate::SimulateArgs;
use crate::commands::tournament::TournamentArgs;
use crate::commands::verify::{HeadArgs, VerifyArgs};
use contest::setup;
use sandbox::guard;
#[cfg(target_os = "linux")]
use sandbox::keeper;
use text::failure::{EXIT_CODES, Failure};
use text::terminal::say;

mod generated;
#[cfg(test)]
mod list_lengths;
use generated::{CompletionsArgs, ManArgs, grouped};

/// A referee for card games played by bots.
///
/// It deals the cards and keeps the state of the game. For each move it starts the bot, sends it
/// everything its seat is allowed to know, and reads back one line. Anyone can verify the games from
/// the log.
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
    Diff(DiffArgs),
    /// Print the head of a log: the hash that identifies it
    Head(HeadArgs),
    /// Compress finished logs
    Compress(CompressArgs),
    /// Create a seed file and print its commitment
    Seed(SeedArgs),
    /// Export moves as a table for machine learning
    Export(ExportArgs),
    /// Write a static website: standings, faults and a game viewer
    Report(ReportArgs),
    /// Serve leagues and tournaments as live web pages
    Serve(ServeArgs),
    /// Check that a bot follows the protocol, or that a custom game obeys its rules
    Check(Box<CheckArgs>),
    /// Create a bot or a custom game from a template
    New(NewArgs),
    /// Build a bot with the command in its bot.toml
    Build(BuildArgs),
    /// Show the sandbox layers, inspect a bot's sandbox or run a command in it
    Sandbox(SandboxArgs),
    /// List the built-in bots and their options
    Bots(BotsArgs),
    /// List the built-in games and their options
    Games(GamesArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the manual page, or write one per command
    Man(ManArgs),
    /// Clean up after a referee that died; the referee starts this itself
    #[command(name = guard::SUBCOMMAND, hide = true)]
    Guard,
}

/// Runs the program with these arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // First, because a game waits for the answer.
    if let Some(code) = run_bot_at_once(&arguments) {
        return code;
    }
    setup::announce_bots(BOT);
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
        Command::Diff(arguments) => arguments.run(out),
        Command::Head(arguments) => arguments.run(out),
        Command::Compress(arguments) => arguments.run(out),
        Command::Seed(arguments) => arguments.run(out),
        Command::Export(arguments) => arguments.run(out),
        Command::Report(arguments) => arguments.run(out),
        Command::Serve(arguments) => arguments.run(out),
        Command::Check(arguments) => arguments.run(out),
        Command::New(arguments) => arguments.run(out),
        Command::Build(arguments) => arguments.run(out),
        Command::Sandbox(arguments) => arguments.run(out),
        Command::Bots(arguments) => arguments.run(out),
        Command::Games(arguments) => arguments.run(out),
        Command::Completions(arguments) => arguments.run(&CommandLine::command(), out),
        Command::Man(arguments) => arguments.run(&CommandLine::command(), out),
        Command::Guard => {
            guard::watch(io::stdin());
            Ok(())
        }
    }
}

/// The subcommand that makes this program a bot.
const BOT: &str = "bot";

/// Exit code of wrong usage.
const MISUSED: u8 = 2;

const BOT_HELP: &str =
    "You rarely need this: in matches, write just `greedy`. Options go after the name of the bot.

Examples:
  arbiter bot greedy --help
  arbiter bot greedy < request.txt
  arbiter match --game tablic random greedy";

/// The bot that this program is to be, and its options.
#[derive(Debug, Args)]
#[command(after_help = BOT_HELP)]
struct BotArgs {
    /// Built-in bot
    #[arg(value_name = "BOT", value_parser = names())]
    name: String,
    /// Options of the bot (see `arbiter bot BOT --help`)
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

impl BotArgs {
    /// Runs the bot on the standard streams.
    fn run(self) -> ExitCode {
        played(&self.name, self.options).unwrap_or(ExitCode::from(MISUSED))
    }
}

/// Runs the bot of this command line, if it is one of a bot.
///
/// It asks clap nothing, because a bot may be started for every move: clap alone takes longer than an answer.
fn run_bot_at_once(arguments: &[OsString]) -> Option<ExitCode> {
    let [_, command, name, options @ ..] = arguments else { return None };
    let name = name.to_str().filter(|_| command == OsStr::new(BOT))?;
    played(name, options.to_vec())
}

fn played(name: &str, options: Vec<OsString>) -> Option<ExitCode> {
    programs::run_named(name, &format!("arbiter {BOT} {name}"), options)
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(programs::ALL.map(|bot| bot.name))
}
