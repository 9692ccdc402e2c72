//! Finds out which commit a release is built from, for `arbiter --version`.
//!
//! Where there is a repository, Git says so. A source archive has none, but `git archive` has written
//! the commit into `commit.txt`. The date is that of the commit, so that the same commit gives the same
//! program. It does not look whether files differ from the commit: `dist/build` refuses those. Builds for
//! development name no commit, since each new one would compile them again.

#![forbid(unsafe_code)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many digits of a commit are told. Git's own short form depends on what else a clone holds.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=commit.txt");
    let package = env!("CARGO_PKG_VERSION");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let version = match is_release.then(commit).flatten() {
        Some(commit) => format!("{package} ({commit})"),
        None => package.to_owned(),
    };
    println!("cargo::rustc-env=ARBITER_VERSION={version}");
}

/// The commit and its date.
fn commit() -> Option<String> {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let told = fs::read_to_string(own.join("commit.txt")).ok().as_deref().and_then(read);
    told.or_else(|| read(&ask_git(own.parent()?)?))
}

/// Reads `HASH DATE`. What `git archive` has not filled in is neither.
fn read(text: &str) -> Option<String> {
    let (hash, date) = text.trim().split_once(' ')?;
    let is_hash = hash.len() >= DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| format!("{} {date}", &hash[..DIGITS]))
}

/// What Git says of the repository in this folder, and of none above it.
fn ask_git(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(root).env("GIT_CEILING_DIRECTORIES", root.parent()?);
        // The repository may belong to another user, whom Git would not trust.
        let output = command
            .args(["-c", "safe.directory=*", "-c", "log.showSignature=false"])
            .args(arguments)
            .output()
            .ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
    };
    // It changes whenever another commit is checked out, or one is made.
    if let Some(path) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        let path = root.join(path.trim());
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(&["log", "-1", "--format=%H %cs"])
}
