//! A real log to spoil: three games, with answers, faults and words on standard error.

use std::fs;
use std::path::PathBuf;

use crate::bench::Bench;

/// A seed with which the bots below do what their modes say.
const SEED: &str = "7a317a317a317a317a317a317a317a317a317a317a317a317a317a317a317a31";

/// The log of a match of three games between two bots, as text.
///
/// Seat 1 loses the first game and the third by a fault, and the second is played to its end.
pub fn log() -> String {
    let bench = Bench::new();
    let log = bench.path("match.jsonl");
    let a = format!("a={}", bench.faulty("only-on 0 0 stderr-words"));
    let b = format!("b={}", bench.faulty("only-on 5 1 exit-1"));
    let words = ["match", "--game", "tablic", "--games", "3", "--seed", SEED, "--quiet"];
    let words = words.map(PathBuf::from).into_iter();
    bench.succeed(words.chain(["--log".into(), log.clone(), a.into(), b.into()]));
    fs::read_to_string(log).expect("the log can be read")
}
