//! The program `random`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    bots::programs::random()
}
