//! The program `random`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::run(&bots::programs::RANDOM)
}
