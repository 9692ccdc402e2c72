//! What the programs of this package have in common: their words, their help and how they end.

use std::process::ExitCode;

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
