//! A program of this package: its name, its players, its command line.

use std::io::{self, Write};
use std::process::ExitCode;

use rules::GameKind;

use crate::player::Answers;
use crate::serve::serve;

/// A program of this package, as data.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Its name, which is that of its binary.
    pub name: &'static str,
    /// How it plays, in one line.
    pub about: &'static str,
    /// Its player of each game.
    pub player: fn(GameKind) -> Box<dyn Answers>,
}

/// The exit code for arguments that are not understood, as is usual.
const MISUSED: u8 = 2;

/// Runs a program on the arguments and the standard streams of this process.
///
/// The arguments are read by hand: a bot that is started for every move must start fast.
pub fn run(program: &Program) -> ExitCode {
    let Program { name, about, .. } = program;
    let arguments: Vec<_> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let known = ["-h", "--help", "--version"];
    let text = match arguments.first().map(String::as_str) {
        None => return answer(program),
        Some("-h" | "--help") if arguments.len() == 1 => format!(
            "{name}: {about}\n\n\
             Usage: {name} < REQUEST\n\n\
             Reads requests of arbiter's protocol from standard input, each up to its line\n\
             `end`, and prints one move for each, until the input ends.\n\n\
             Games: {}",
            GameKind::ALL.map(GameKind::name).join(", ")
        ),
        Some("--version") if arguments.len() == 1 => {
            format!("{name} {}", env!("CARGO_PKG_VERSION"))
        }
        Some(first) => {
            let unknown = if known.contains(&first) { arguments.get(1) } else { None };
            let unknown = unknown.map_or(first, String::as_str).escape_debug();
            complain(name, &format!("unknown argument `{unknown}`, try --help"));
            return ExitCode::from(MISUSED);
        }
    };
    // Nobody is left to be told where the output is closed.
    let _ = writeln!(io::stdout(), "{text}");
    ExitCode::SUCCESS
}

fn answer(program: &Program) -> ExitCode {
    match serve(program, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(program.name, &failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn complain(name: &str, problem: &str) {
    let _ = writeln!(io::stderr(), "{name}: {problem}");
}
