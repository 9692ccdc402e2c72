//! Programs that a test needs and that need not be there.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::bench::Bench;
use crate::missing;

/// Python with the packages that `.ci/run` installs; if it is not there, says so.
///
/// `ARBITER_TEST_ENGINES` names another folder for it than the one beside the programs.
pub fn python_with_packages(bench: &Bench) -> Option<PathBuf> {
    let beside = || Some(bench.program("arbiter").parent()?.parent()?.join("engines"));
    let folder = env::var_os("ARBITER_TEST_ENGINES").map(PathBuf::from).or_else(beside)?;
    let python = folder.join("bin/python");
    if python.exists() {
        return Some(python);
    }
    missing::tell(&format!("no Python with packages for tests in {}", folder.display()));
    None
}

/// Whether a program is installed; if not, says so. What it says of its version does not matter:
/// `go` and `lua` do not know the option.
pub fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let is_there = command.status().is_ok();
    if !is_there {
        missing::tell(&format!("no {program}"));
    }
    is_there
}
