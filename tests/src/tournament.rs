//! A tournament's folder, looked at from outside.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rules::{Digest, Seed};
use serde_json::Value;

use crate::bench::Bench;
use crate::command_lines::words as words_of;
use crate::running::{Running, wait_until};
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

/// The line that begins a tournament of Coup in a folder, with these options and bots.
pub fn cup(folder: &str, deals: u64, more: &str) -> String {
    format!("tournament --game coup --dir {folder} --deals {deals} --seed {SEED} {more}")
}

/// Plays a tournament of [`cup`] to its end with `--quiet`.
pub fn play_cup(bench: &Bench, folder: &str, deals: u64, more: &str) {
    assert_eq!(bench.ok(&cup(folder, deals, &format!("--quiet {more}"))), "", "nothing is shown");
}

/// The games of a tournament in a folder.
pub fn games(bench: &Bench, folder: &str) -> Vec<Value> {
    log::games(&bench.path(folder).join("games.jsonl"))
}

/// Takes the end and all but this number of games from a tournament that is over.
pub fn cut(bench: &Bench, folder: &str, games: usize) {
    let log = format!("{folder}/games.jsonl");
    let kept: String = bench.text(&log).split_inclusive('\n').take(1 + games).collect();
    bench.write(&log, kept);
    fs::remove_file(bench.path(folder).join("standings.json")).expect("it was over");
}

/// The standings of a tournament, as a value.
pub fn standings(bench: &Bench, folder: &str) -> Value {
    let text = bench.ok(&format!("tournament standings {folder} --format json"));
    serde_json::from_str(&text).expect("JSON")
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
    bench.run(["verify", folder]).without_error();
}

/// Starts a tournament whose events and errors go to files of these names.
pub fn start(bench: &Bench, words: &[&str]) -> Running {
    let events = File::create(bench.path("events")).expect("the folder is ours");
    let mut command = bench.arbiter(words.iter().chain(&["--json"]));
    let errors = File::create(bench.path("errors")).expect("the folder is ours");
    Running::start(command.stdout(events).stderr(errors).process_group(0))
}

/// The line for a tournament of 18 games in which a bot does as this mode says while there is a folder `go`.
fn with_slow_bot(bench: &Bench, folder: &str, mode: &str) -> String {
    let (go, reached) = (bench.path("go"), bench.path("reached"));
    let mode = format!("on-call '{}' '{}' {mode}", go.display(), reached.display());
    let bots = format!("random greedy {}", bench.bad("bad", &mode));
    cup(folder, 3, &format!("--time-limit 10min --workers 2 --isolation off {bots}"))
}

/// This tournament while the bot is slow, so that it runs for as long as anybody wants. The first two
/// games are without that bot.
pub fn held_up(bench: &Bench, mode: &str) -> Running {
    // A file in the command of a bot must stay as it was, a folder need not.
    fs::create_dir(bench.path("go")).expect("the folder is ours");
    let running = bench.start(&format!("{} --json", with_slow_bot(bench, "cup", mode)));
    wait_until("two games are in the log", || {
        let text = fs::read_to_string(bench.path("cup/games.jsonl")).unwrap_or_default();
        text.matches('\n').count() > 2
    });
    wait_until("the bot is slow", || bench.path("reached").exists());
    running
}

/// Waits until this tournament says that it is being stopped.
pub fn wait_until_it_is_stopping(bench: &Bench) {
    wait_until("it is stopping", || bench.text("output").contains("\"stopping\""));
}

/// Resumes this tournament, and compares it with one that was not stopped.
#[track_caller]
pub fn assert_resumed_as_never_stopped(bench: &Bench) {
    bench.ok("tournament resume cup --quiet");
    bench.ok(&format!("{} --quiet", with_slow_bot(bench, "whole", "slow-start")));
    assert_eq!(result(&bench.path("cup")), result(&bench.path("whole")));
}

/// A tournament of Coup with a deal for every two of these bots, and with a bot that answers only once there is no file
/// `hold` any more; then it plays its first legal move.
pub fn held(bench: &Bench, folder: &str, bots: &str) -> Command {
    let hold = bench.write("hold", "").display().to_string();
    let answer = "sed -n '/^legal /{n;p;}'";
    bench.write("held.sh", format!("while [ -e '{hold}' ]; do sleep 0.02; done\n{answer}\n"));
    // An isolated bot does not see what comes of a file outside of its scratch folder.
    let more = format!("--workers 2 --isolation off --time-limit 10min {bots} 'held=sh held.sh'");
    bench.arbiter(words_of(&cup(folder, 1, &more)))
}

/// The commitment to the seed of tournaments in tests.
pub fn commitment() -> String {
    let seed: Seed = SEED.parse().expect("a seed");
    Digest::hash(&seed.0).to_string()
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
