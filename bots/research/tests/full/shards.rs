//! The program `shards`: what it simulates, and whether that is what its estimate says.

use std::num::NonZeroU32;
use std::process::Command;

use research::shards::Setting;
use research::shards::estimate::enough;
use research::shards::table::{EXAMPLE, Row};
use rules::Seed;

const SEED: Seed = Seed([7; 32]);

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("it is not 0")
}

fn simulated(setting: &Setting) -> Row {
    Row::simulate(setting, &SEED, number(4))
}

/// Asserts that two times are as close as this share of the second.
fn assert_close(setting: &Setting, what: &str, found: f64, expected: f64, share: f64) {
    let is_close = (found - expected).abs() <= share * expected;
    assert!(is_close, "{what}: {found} and on paper {expected} hours, with {setting:?}");
}

#[test]
fn the_simulation_is_as_long_as_on_paper() {
    for (machines, shards, spread) in [
        (400, 2000, 5.0),
        (400, 10_000, 5.0),
        (100, 10_000, 5.0),
        (1000, 10_000, 5.0),
        (400, 4000, 1.5),
    ] {
        let setting =
            Setting { machines: number(machines), shards: number(shards), spread, ..EXAMPLE };
        let Row { mean, estimate, .. } = simulated(&setting);
        assert_close(&setting, "end", mean.end, estimate.end, 0.03);
        let tails = [mean.end - mean.most, estimate.end - estimate.most];
        assert_close(&setting, "90% to end", tails[0], tails[1], 0.1);
        let tails = [mean.end - mean.nearly_all, estimate.end - estimate.nearly_all];
        assert_close(&setting, "99% to end", tails[0], tails[1], 0.35);
        assert_close(&setting, "lost work", mean.lost, estimate.lost, 0.3);
    }
}

#[test]
fn as_many_shards_as_are_enough_keep_the_tail_short() {
    // Deaths and starts take their own time, so there is none of either.
    let still = Setting { deaths: 1e-12, start: 1e-12, ..EXAMPLE };
    for share in [0.1, 0.05] {
        let shards = number(enough(&still, share).ceil() as u32);
        let row = simulated(&Setting { shards, ..still.clone() });
        let over = row.mean.end / still.ideal - 1.0;
        assert!((over / share - 1.0).abs() < 0.15, "{shards} shards: {over} instead of {share}");
        assert_eq!(row.mean.deaths, 0);
    }
}

/// A machine that dies on average every hour plays a shard of 10 hours nonetheless.
#[test]
fn shards_longer_than_the_life_of_machines_are_finished() {
    let setting =
        Setting { machines: number(20), shards: number(20), games: 20_000, deaths: 1.0, ..EXAMPLE };
    let row = simulated(&setting);
    assert!(row.mean.deaths > 100 && row.mean.end < 100.0, "{row:?}");
    assert!(row.mean.lost < 0.01, "only games in progress are lost: {row:?}");
}

#[test]
fn a_seed_gives_a_table() {
    let table = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shards"));
        let output = command.args(["--runs", "2", "--machines", "50"]).args(words).output();
        let output = output.expect("the program runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (text(output.stdout), text(output.stderr))
    };
    let (text, errors) = table(&["--shards", "500,1000"]);
    assert_eq!(errors, "");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[2].starts_with("| 50 | 10 | 500 | 10.0 | "), "{text}");
    assert_eq!(table(&["--shards", "500,1000"]).0, text);
    assert_ne!(table(&["--shards", "500,1000", "--seed", "ab"]).0, text);
    for (words, problem) in [
        (&["--shards", "0"][..], "error: invalid value '0' for '--shards <N,…>'"),
        (
            &["--deaths=-1"],
            "error: invalid value '-1' for '--deaths <X>': expected a number above 0",
        ),
        (&["--shards", "9", "--games", "8"], "shards: 9 shards for 8 games"),
        (&["--colour", "red"], "error: unexpected argument '--colour' found"),
        (&["--seed"], "error: a value is required for '--seed <DIGITS>'"),
    ] {
        let (text, errors) = table(words);
        assert!(errors.starts_with(problem), "{errors}");
        assert_eq!(text, "");
    }
}
