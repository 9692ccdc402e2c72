//! The referee program as a library: players, runner, logs, reports.
//!
//! The rules themselves are in the crate `rules`; this crate is everything that touches the
//! world. Only [`process`] starts programs, only [`log`] opens match logs, only [`cli`] knows the
//! command line.

#![cfg_attr(not(test), warn(clippy::print_stderr, clippy::print_stdout))]

pub mod advice;
pub mod aside;
pub mod background;
pub mod bot;
pub mod build;
pub mod check;
pub mod classic;
pub mod cli;
pub mod commands;
pub mod committed_seed;
pub mod course;
pub mod excerpt;
pub mod export;
pub mod failure;
pub mod fate;
pub mod faults;
pub mod file;
pub mod fingerprint;
pub mod given_seed;
pub mod interpreter;
pub mod limits;
pub mod log;
pub mod manifest;
pub mod matches;
pub mod pages;
pub mod person;
pub mod player;
pub mod process;
pub mod recall;
pub mod report;
pub mod rerun;
pub mod runner;
pub mod same;
pub mod schedule;
pub mod scratch;
pub mod series;
pub mod sources;
pub mod standings;
pub mod starter;
pub mod statistics;
pub mod stop;
pub mod totals;
pub mod tournament;
pub mod unfinished;
pub mod verify;
mod word;
