//! A program of this package: its name, its players, its command line.

use std::io;
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
    let Some(argument) = std::env::args_os().nth(1) else { return answer(program) };
    let Program { name, about, .. } = program;
    match argument.to_str() {
        Some("-h" | "--help") => {
            println!(
                "{name}: {about}\n\n\
                 Usage: {name} < REQUEST\n\n\
                 Reads requests of arbiter's protocol from standard input, each up to its line\n\
                 `end`, and prints one move for each, until the input ends.\n\n\
                 Games: {}",
                GameKind::ALL.map(GameKind::name).join(", ")
            );
            ExitCode::SUCCESS
        }
        Some("--version") => {
            println!("{name} {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        _ => {
            let argument = argument.to_string_lossy();
            eprintln!("{name}: unknown argument `{}`; try --help", argument.escape_debug());
            ExitCode::from(MISUSED)
        }
    }
}

fn answer(program: &Program) -> ExitCode {
    match serve(program, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{}: {failure}", program.name);
            ExitCode::FAILURE
        }
    }
}
