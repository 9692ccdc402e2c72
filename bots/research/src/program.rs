//! Common parts of the programs of this package: start, end, and some options.

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread;

use clap::{Args, Parser};
use rules::Seed;

/// Reads the command line and runs a program with what it says.
///
/// An error goes to standard error, after the name of the program.
pub fn run<P: Parser>(job: impl FnOnce(P) -> Result<(), String>) -> ExitCode {
    match job(P::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{}: {problem}", P::command().get_name());
            ExitCode::FAILURE
        }
    }
}

/// The seed of a program.
#[derive(Debug, Args)]
pub struct SeedArgs {
    /// How the seed begins, up to 64 hexadecimal digits; the others are 0
    #[arg(long, value_name = "DIGITS", value_parser = seed, default_value = "aa")]
    pub seed: Seed,
}

/// The usual seed of the programs of Coup.
pub const COUP_SEED: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// The threads of a program.
#[derive(Debug, Args)]
pub struct WorkerArgs {
    /// How many threads [default: one for each core]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
}

impl WorkerArgs {
    /// The number of threads, one for each core if none was given.
    pub fn count(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.workers.unwrap_or_else(cores)
    }
}

/// The seed that these digits begin, the rest of its digits being zeros.
pub fn seed(digits: &str) -> Result<Seed, String> {
    let seed = format!("{digits:0<64}").parse();
    seed.map_err(|_| "expected up to 64 hexadecimal digits".to_owned())
}

/// A number above 0.
pub fn positive(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_seed_is_zeros() {
        assert_eq!(seed("f0").unwrap().to_string(), format!("f0{}", "0".repeat(62)));
        assert_eq!(seed(COUP_SEED), Ok(Seed([0xaa; 32])));
        assert!(seed("x").is_err() && seed(&"0".repeat(65)).is_err());
    }

    #[test]
    fn only_finite_numbers_above_0_are_taken() {
        assert_eq!(positive("0.5"), Ok(0.5));
        for text in ["0", "-1", "inf", "nan", "x", ""] {
            assert!(positive(text).is_err(), "{text}");
        }
    }
}
