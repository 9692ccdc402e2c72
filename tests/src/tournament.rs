//! A tournament's folder, looked at from outside.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;

use rules::{Digest, Seed};
use serde_json::Value;

use crate::bench::Bench;
use crate::running::Running;
use crate::{binaries, log};

/// The seed of tournaments in tests.
pub const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// The words that begin a tournament of Tablić in a folder, before its bots.
pub fn words<'a>(folder: &'a str, deals: &'a str) -> Vec<&'a str> {
    vec!["tournament", "--game", "tablic", "--dir", folder, "--deals", deals, "--seed", SEED]
}

/// Like [`words`] for Coup, whose games are shorter: for tests of any game.
pub fn coup<'a>(folder: &'a str, deals: &'a str) -> Vec<&'a str> {
    vec!["tournament", "--game", "coup", "--dir", folder, "--deals", deals, "--seed", SEED]
}

/// The part of a tournament that does not depend on how it was played: its log without times,
/// machines and digests, and its standings.
pub fn result(folder: &Path) -> (Vec<Value>, String) {
    let mut lines = log::lines(&folder.join("games.jsonl"));
    for line in &mut lines {
        let line = line.as_object_mut().expect("an object");
        line.remove("previous");
        line.remove("sha256");
        if let Some(game) = line.get_mut("game").and_then(Value::as_object_mut) {
            game.remove("measured");
            game.remove("machine");
        }
    }
    (lines, fs::read_to_string(folder.join("standings.json")).expect("it is over"))
}

/// Asserts that a tournament verifies.
pub fn verify(bench: &Bench, folder: &str) {
    let ended = bench.run(["verify", folder]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
}

/// Starts a tournament whose events and errors go to files of these names.
pub fn start(bench: &Bench, words: &[&str]) -> Running {
    let events = File::create(bench.path("events")).expect("the folder is ours");
    let mut command = bench.arbiter(words.iter().chain(&["--json"]));
    let errors = File::create(bench.path("errors")).expect("the folder is ours");
    Running::start(command.stdout(events).stderr(errors).process_group(0))
}

/// The seed of a test, which repeats its random choices where it fails.
pub fn drawn_seed(test: &str) -> Seed {
    let given = std::env::var("ARBITER_TEST_SEED").ok();
    let seed = given.unwrap_or_else(|| {
        let bytes: [u8; 32] = fs::read("/proc/sys/kernel/random/uuid")
            .map(|text| Digest::hash(&text).bytes())
            .expect("random bytes");
        Seed(bytes).to_string()
    });
    println!("to repeat: ARBITER_TEST_SEED={seed} {} {test}", binaries::again());
    seed.parse().expect("64 hexadecimal digits")
}
