//! The program `minimax`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::run(&bots::programs::MINIMAX)
}
