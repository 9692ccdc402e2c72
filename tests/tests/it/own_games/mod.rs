//! Games of one's own: rules that are a program or a module, in everything that plays and reads games.

use std::path::{Path, PathBuf};

use tests::bench::Bench;
use tests::installed::is_there;

mod commands;
mod competitions;
mod faults;
mod hostile;
mod logs;

const FAULTY: &str = env!("CARGO_BIN_EXE_faulty");

/// A folder for one test; none where there is no Python, in which the games of these tests are written.
fn bench() -> Option<Bench> {
    is_there("python3").then(|| Bench::new(FAULTY))
}

/// A file or folder of this project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The folder of a game among the examples, as a word of a command.
fn example(name: &str) -> String {
    project("examples/games").join(name).display().to_string()
}

/// Rules of Leduc poker with a fault, as a game.
fn faulty(fault: &str) -> String {
    format!("python3 '{}' {fault}", project("tests/games/faulty.py").display())
}
