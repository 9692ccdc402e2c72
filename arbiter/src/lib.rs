//! The program: its command line, what each command does, and what it prints.
//!
//! It is thin. It stands on `contest`, which plays matches and tournaments, on `league`, on `report` and `web`, which
//! make and serve pages, and on the crates below them. Its folders are floors: each uses those below it and none above
//! it, in the order of `arbiter/tests/it/tree.rs`, which checks it. Only `options`, `commands` and `cli` know clap.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::print_stderr, clippy::print_stdout))]

mod cli;
mod commands;
mod disputes;
mod options;
pub mod output;

pub use cli::run;
