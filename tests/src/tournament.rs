//! A tournament's folder, looked at from outside.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::bench::Bench;
use crate::log;

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
