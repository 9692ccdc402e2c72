//! The referee program as a library: players, matches, logs, tournaments, reports.
//!
//! The rules themselves are in the crate `rules`; this crate is everything that touches the
//! world. Its folders are floors: each uses those below it and none above it, in the order of
//! `arbiter/tests/it/tree.rs`, which checks it. Only [`process`] starts programs, only [`log`]
//! opens match logs, only [`cli`] knows the command line.

#![cfg_attr(not(test), warn(clippy::print_stderr, clippy::print_stdout))]

pub mod bot;
pub mod check;
pub mod cli;
pub mod commands;
pub mod disputes;
pub mod export;
pub mod failure;
pub mod file;
pub mod league;
pub mod log;
pub mod output;
pub mod pairing;
pub mod person;
pub mod playing;
pub mod process;
pub mod report;
pub mod series;
pub mod serve;
pub mod simulation;
pub mod standings;
pub mod text;
pub mod tournament;
pub mod unpacking;
