//! Games of one's own, as the examples have them.

use std::path::Path;

use crate::bench::Bench;
use crate::missing;

/// A copy of Leduc poker whose rules are a Python program, in the folder `game` of a bench, where a log beside it
/// finds its rules; none where there is no Python.
pub fn leduc(bench: &Bench) -> Option<&'static str> {
    let runs = bench.command("python3").args(["-c", ""]).status();
    if !runs.is_ok_and(|status| status.success()) {
        missing::tell("no python3");
        return None;
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/games/leduc/python");
    let copied = bench.command("cp").arg("-r").arg(example).arg(bench.path("game")).status();
    assert!(copied.is_ok_and(|status| status.success()), "a copy of the game");
    Some("game")
}
