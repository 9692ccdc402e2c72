//! Programs that a test needs and that need not be there.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::bench::{Bench, run};
use crate::missing;

/// Python with the packages that `.ci/run` installs; if it is not there, says so.
///
/// `ARBITER_TEST_ENGINES` names another folder for it than the one beside the programs.
pub fn python_with_packages(bench: &Bench) -> Option<PathBuf> {
    let folder = environment(bench)?;
    let python = folder.join("bin/python");
    if python.exists() {
        return Some(python);
    }
    missing::tell(&format!("no Python with packages for tests in {}", folder.display()));
    None
}

/// A program on `PATH`, or one of a package that `.ci/run` installs; if it is not there, says so.
pub fn program_with_packages(bench: &Bench, name: &str) -> Option<PathBuf> {
    let folder = environment(bench)?.join("bin");
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&path).chain([folder.clone()]);
    let program = folders.find_map(|folder| Some(folder.join(name)).filter(|it| it.is_file()));
    if program.is_none() {
        missing::tell(&format!("no {name} on PATH or in {}", folder.display()));
    }
    program
}

/// The folder of the packages that `.ci/run` installs.
fn environment(bench: &Bench) -> Option<PathBuf> {
    let beside = || Some(bench.program("arbiter").parent()?.parent()?.join("engines"));
    env::var_os("ARBITER_TEST_ENGINES").map(PathBuf::from).or_else(beside)
}

/// The folder of programs of an empty environment of Python, with nothing but pip, in the folder of a test; if this
/// Python cannot make one, says so.
pub fn empty_environment(bench: &Bench) -> Option<PathBuf> {
    if !is_there("python3") {
        return None;
    }
    let has = bench.command("python3").args(["-c", "import ensurepip, venv"]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        missing::tell("no venv and ensurepip in Python");
        return None;
    }
    run(bench.command("python3").args(["-m", "venv", "environment"])).with_code(0);
    Some(bench.path("environment/bin"))
}

/// A folder for a test that needs a program; if it is not installed, says so.
pub fn bench_with(program: &str) -> Option<Bench> {
    is_there(program).then(Bench::new)
}

/// Returns true if a program is installed; if not, says so. Its exit code does not matter: `go` and
/// `lua` do not know the option.
pub fn is_there(program: &str) -> bool {
    let is_there = starts(program);
    if !is_there {
        missing::tell(&format!("no {program}"));
    }
    is_there
}

/// Like [`is_there`], but the program may be missing on any machine.
pub fn is_there_by_chance(program: &str) -> bool {
    let is_there = starts(program);
    if !is_there {
        println!("skipped: no {program}, which `dist/check` installs");
    }
    is_there
}

fn starts(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}
