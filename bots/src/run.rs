//! The command line of a program.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use rules::GameKind;

use crate::options::BadOption;
use crate::player::Failure;
use crate::program::{Program, Runs, games_of};
use crate::serve::serve;

/// The exit code for arguments that are not understood, as is usual.
const MISUSED: u8 = 2;

/// Runs a program on the arguments and the standard streams of this process.
pub(crate) fn run<P: Runs>() -> ExitCode {
    run_as::<P>(P::PROGRAM.name, std::env::args_os().skip(1).collect())
}

/// Runs a program on these arguments and the standard streams of this process. `call` is how its user
/// starts it, for its help.
///
/// The arguments are read by hand: a bot that is started for every move must start fast.
pub(crate) fn run_as<P: Runs>(call: &str, arguments: Vec<OsString>) -> ExitCode {
    let program = &P::PROGRAM;
    let Program { name, about, .. } = program;
    let arguments: Vec<String> =
        arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let asks_for = |option: &str| arguments.iter().any(|argument| argument == option);
    let text = if asks_for("-h") || asks_for("--help") {
        format!(
            "{name}: {about}\n\n\
             Usage: {call} [OPTIONS] < REQUEST\n\n\
             Reads requests from standard input, each ending with the line `end`, and prints\n\
             one move per request.\n\n\
             Options:{}\n\
             Games: {}",
            program.options_text(),
            games_of(|kind| P::answering(kind, &[]).is_ok()).collect::<Vec<_>>().join(", ")
        )
    } else if asks_for("--version") {
        format!("{name} {}", env!("CARGO_PKG_VERSION"))
    } else {
        return answer::<P>(&arguments);
    };
    // A closed output leaves no way to report it.
    let _ = writeln!(io::stdout(), "{text}");
    ExitCode::SUCCESS
}

fn answer<P: Runs>(options: &[String]) -> ExitCode {
    let name = P::PROGRAM.name;
    // Options that no game knows are refused before anything is read.
    let refusals = GameKind::ALL.iter().map(|kind| P::answering(kind, options).err());
    let all: Option<Vec<BadOption>> = refusals.collect();
    // A game that has the option says best what is wrong with its value.
    let known = |all: &[BadOption]| all.iter().position(|bad| matches!(bad, BadOption::Wrong(_)));
    if let Some(bad) = all.and_then(|all| all.get(known(&all).unwrap_or(0)).cloned()) {
        complain(name, &format!("{bad}, try --help"));
        return ExitCode::from(MISUSED);
    }
    match serve::<P>(options, io::stdin().lock(), io::stdout().lock(), io::stderr().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::BadOption(bad)) => {
            complain(name, &format!("{bad}, try --help"));
            ExitCode::from(MISUSED)
        }
        Err(failure) => {
            complain(name, &failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn complain(name: &str, problem: &str) {
    let _ = writeln!(io::stderr(), "{name}: {problem}");
}
