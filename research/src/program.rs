//! What the programs of this package have in common: their words, their help and how they end.

use std::process::ExitCode;
use std::str::FromStr;

use bots::options::{CommandOption, given};
use rules::Seed;

/// Runs a program on the words of its command line, or prints its help where they ask for it.
///
/// An error goes to standard error, after the name of the program.
pub fn run(name: &str, help: &str, job: impl FnOnce(&[String]) -> Result<(), String>) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "-h" || word == "--help") {
        println!("{help}");
        return ExitCode::SUCCESS;
    }
    match job(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{name}: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// The options that the words of a command line give, each with a value.
///
/// # Errors
///
/// Says after which one there is no value.
pub fn options(words: &[String]) -> Result<Vec<CommandOption<'_>>, String> {
    let with_value = |option: CommandOption<'_>| match option.value {
        "" => Err(format!("expected a value after `{}`, try --help", option.name.escape_debug())),
        _ => Ok(()),
    };
    given(words).map(|option| with_value(option).map(|()| option)).collect()
}

/// Says that a program has no such option.
pub fn unknown(option: CommandOption<'_>) -> String {
    format!("{}, try --help", option.unknown())
}

/// A number from 1 that stands after an option.
///
/// # Errors
///
/// Says what was expected.
pub fn number<N: FromStr>(option: &str, text: &str) -> Result<N, String> {
    let found = text.escape_debug();
    text.parse().map_err(|_| format!("expected a number from 1 after `{option}`, found `{found}`"))
}

/// The seed whose first digits stand after `--seed`.
///
/// # Errors
///
/// Says what was expected.
pub fn asked_seed(digits: &str) -> Result<Seed, String> {
    let found = digits.escape_debug();
    seed(digits).ok_or_else(|| {
        format!("expected up to 64 hexadecimal digits after `--seed`, found `{found}`")
    })
}

/// The seed that these digits begin, the rest of its digits being zeros.
pub fn seed(digits: &str) -> Option<Seed> {
    format!("{digits:0<64}").parse().ok()
}
