//! The program `arbiter`: a thin shell around the library.

#![forbid(unsafe_code)]

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    arbiter::run(env::args_os())
}
