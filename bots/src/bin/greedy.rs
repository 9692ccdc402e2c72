//! The program `greedy`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::run(&bots::programs::GREEDY)
}
