//! `dist/try-bot`, which the action for participants calls: a bot is built, checked and plays, and the
//! summary of the job says how.

use tests::bench::{Bench, Ended, run};
use tests::search_path::search_path;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../dist/try-bot");

/// Tries the bot in the folder `my-bot` with two games of Coup against each of two others.
fn tried(bench: &Bench) -> Ended {
    let programs = bench.program("arbiter").parent().expect("a folder").to_owned();
    let mut script = bench.command(SCRIPT);
    script
        .env("PATH", search_path())
        .env("ARBITER_PROGRAMS", programs)
        .env("ARBITER_BOT", "my-bot")
        .env("ARBITER_GAME", "coup")
        .env("ARBITER_AGAINST", "random greedy")
        .env("ARBITER_GAMES", "2");
    run(&mut script)
}

#[test]
fn a_bot_plays_against_others_if_it_passes() {
    let bench = Bench::new();
    bench.succeed(["new", "my-bot", "--language", "shell", "--game", "coup"]);
    let ended = tried(&bench).with_code(0);
    assert!(ended.stdout.contains("\nmy-bot passes: "), "{}", ended.stdout);
    let standings = ended.stdout.split("### Games").nth(1).expect("a heading");
    assert!(standings.contains("4 games"), "{standings}");
    for bot in ["my-bot", "random", "greedy"] {
        assert!(standings.lines().any(|row| row.contains(&format!("| {bot} |"))), "{standings}");
    }
    bench.write("my-bot/random.sh", "echo KS\n");
    let ended = tried(&bench).with_code(5);
    assert!(ended.stdout.contains("my-bot does not pass: "), "{}", ended.stdout);
    assert!(!ended.stdout.contains("### Games"), "{}", ended.stdout);
}
