//! The common parts of the end-to-end tests: finding programs, running them, reading their results.

#![forbid(unsafe_code)]

#[cfg(not(unix))]
compile_error!("the end-to-end tests need Unix, leave them out with `--workspace --exclude tests`");

pub mod bench;
pub mod binaries;
pub mod browser;
pub mod chain;
pub mod classic;
pub mod immutable;
pub mod installed;
pub mod keeping;
pub mod log;
pub mod missing;
pub mod own_games;
pub mod plan;
pub mod playing;
pub mod processes;
pub mod proxy;
pub mod real;
pub mod running;
pub mod screen;
pub mod search_path;
pub mod served;
pub mod shared_browser;
pub mod sources;
pub mod tournament;
pub mod typing;
