//! The common parts of the end-to-end tests: finding programs, running them, reading their results.

#![forbid(unsafe_code)]

#[cfg(not(unix))]
compile_error!("the end-to-end tests need Unix, leave them out with `--workspace --exclude tests`");

#[expect(missing_docs, reason = "a test of another package has it, too")]
#[path = "../../arbiter/bot/tests/it/unpacking/archives.rs"]
pub mod archives;
pub mod axe;
pub mod bench;
pub mod binaries;
pub mod browser;
pub mod chain;
pub mod check;
pub mod classic;
pub mod command_lines;
pub mod console;
pub mod documented;
pub mod faults;
pub mod first_bot;
pub mod forging;
pub mod handing_in;
pub mod hostile;
pub mod immutable;
pub mod installed;
pub mod keeping;
pub mod kills;
pub mod league;
pub mod load;
pub mod log;
pub mod look;
pub mod missing;
pub mod own_games;
pub mod page;
pub mod plan;
pub mod playing;
pub mod processes;
pub mod proxy;
pub mod published;
pub mod real;
pub mod running;
pub mod screen;
pub mod search_path;
pub mod served;
pub mod sharded;
pub mod shared_browser;
pub mod sources;
pub mod starter;
pub mod submitted;
pub mod table;
pub mod texts;
pub mod tournament;
pub mod typing;
