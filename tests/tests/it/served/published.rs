//! The log of a league as a download, and the script by which a browser checks it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::Command;

use tests::bench::{Bench, run};
use tests::chain::{chain, contents};
use tests::installed::is_there;
use tests::league::{loud, play};
use tests::served::{Answer, Served};

/// Where the archive lies.
const ARCHIVE: &str = "api/v1/log.tar";
/// Runs the script on a file, and prints what it finds.
const RUN: &str = r#"
const [script, file, head] = process.argv.slice(1);
const check = require(script);
check(new Blob([require("fs").readFileSync(file)]), head).then(
  (found) => console.log(found.join("\n")),
  (problem) => { console.log(problem.message); process.exitCode = 1; },
);"#;

fn offer(bench: &Bench) {
    let mut file = OpenOptions::new().append(true).open(bench.path("class/league.toml"));
    let file = file.as_mut().expect("settings");
    file.write_all(b"\n[pages]\nlog-download = true\n").expect("the folder is ours");
}

#[test]
fn the_log_is_a_download_where_the_organiser_offers_it() {
    let bench = loud();
    let served = Served::start(&bench, &["class"]);
    let refused = served.get(ARCHIVE, &[]);
    assert_eq!(refused.status, 404, "{}", refused.text);
    assert!(refused.text.contains("the organiser does not offer the log"), "{}", refused.text);
    assert!(served.text("log.html").contains("There is no download"), "it says so");
    offer(&bench);
    assert!(served.text("log.html").contains(ARCHIVE));

    let Answer { status, bytes, .. } = served.get(ARCHIVE, &[]);
    assert_eq!(status, 200);
    bench.write("league.tar", &bytes);
    let text = String::from_utf8_lossy(&bytes);
    for private in ["secret-of-mine", "noted-by-mine"] {
        assert!(!text.contains(private), "{private}");
    }
    let unpacked = run(bench.command("tar").args(["xf", "league.tar"]));
    assert_eq!(unpacked.code, Some(0), "{unpacked:?}");
    let head = bench.ok("head class");
    let verified = bench.succeed(["verify", "--head", head.trim_end(), "league"]);
    assert!(verified.contains("4 games"), "{verified}");
    let names: Vec<_> = fs::read_dir(bench.path("league")).expect("a folder").collect();
    assert_eq!(names.len(), 2, "{names:?}");

    // A log of an earlier version has standard error in its lines.
    let log = bench.path("class/rounds/0/games.jsonl");
    let old = fs::read_to_string(&log).expect("a log").replacen(
        "\"stderr\":{",
        "\"stderr\":\"x\",\"y\":{",
        1,
    );
    fs::write(&log, old).expect("the folder is ours");
    let other = Served::start(&bench, &["class"]);
    let refused = other.get(ARCHIVE, &[]);
    assert_eq!(refused.status, 404, "{}", refused.text);
    assert!(refused.text.contains("the log of round 0 holds standard error"), "{}", refused.text);
}

#[test]
fn a_script_without_the_program_finds_what_was_changed() {
    if !is_there("node") {
        return tests::missing::tell("no node");
    }
    let bench = loud();
    play(&bench, "4");
    offer(&bench);
    let first = bench.ok("head class");
    bench.ok("league publish class -o league");
    let script = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = script.join("../arbiter/web/src/assets/check-log.js");
    let checked = |file: &str, head: &str| {
        let mut node = Command::new("node");
        node.current_dir(bench.path("")).args(["-e", RUN, "--"]).arg(&script).args([file, head]);
        let told = run(&mut node);
        (told.code == Some(0), told.stdout + &told.stderr)
    };
    let packed = |name: &str| {
        let told = run(bench.command("tar").args(["cf", name, "league"]));
        assert_eq!(told.code, Some(0), "{told:?}");
    };
    let served = Served::start(&bench, &["class"]);
    bench.write("served.tar", served.get(ARCHIVE, &[]).bytes);
    let (is_right, told) = checked("served.tar", first.trim_end());
    assert!(is_right && told.contains("of 2 rounds are consistent"), "{told}");
    assert!(told.contains("Your head is in this log"), "{told}");
    // Compressed logs, and one log alone.
    bench.ok("compress class");
    bench.write("compressed.tar", served.get(ARCHIVE, &[]).bytes);
    let (is_right, told) = checked("compressed.tar", "");
    assert!(is_right, "{told}");
    let (is_right, told) = checked("league/rounds/0/games.jsonl", "");
    assert!(is_right && told.contains("The seed matches its commitment"), "{told}");
    let (is_right, told) = checked("class/rounds/0/games.jsonl.gz", "");
    assert!(is_right, "{told}");

    let wrong = |expected: &str, change: &dyn Fn(String) -> String, file: &str| {
        let path = bench.path(file);
        let before = fs::read_to_string(&path).expect("a log");
        fs::write(&path, change(before.clone())).expect("the folder is ours");
        packed("changed.tar");
        let (is_right, told) = checked("changed.tar", first.trim_end());
        assert!(!is_right && told.contains(expected), "{expected}: {told}");
        fs::write(&path, before).expect("the folder is ours");
    };
    let round = "league/rounds/1/games.jsonl";
    let score = |log: String| log.replacen("\"ending\":\"played\"", "\"ending\":\"walkover\"", 1);
    wrong("round 1: line ", &score, round);
    wrong("was changed", &score, round);
    // A forger makes the chain anew.
    let anew = |log: String| chain(&contents(&score(log)));
    wrong("round 1: its head differs from the one in the league's log", &anew, round);
    let without_last = |log: String| {
        let mut lines = contents(&log);
        lines.pop();
        chain(&lines)
    };
    wrong(&format!("the head {}", first.trim_end()), &without_last, "league/league.jsonl");
    let without_heads = |log: String| {
        let lines = contents(&log).into_iter().map(|line| match line.split_once(",\"head\":\"") {
            Some((before, after)) => before.to_owned() + &after[65..],
            None => line,
        });
        chain(&lines.collect::<Vec<_>>())
    };
    let no_head = "round 0: it has ended, but the league's log does not hold its head";
    wrong(no_head, &without_heads, "league/league.jsonl");
    wrong("its last line is truncated", &|log| log.trim_end().to_owned(), "league/league.jsonl");
    let other_seed = |log: String| {
        let mut lines = contents(&log);
        let end = lines.last_mut().expect("an end");
        let at = end.find("\"seed\":\"").expect("a seed") + 8;
        let other = if end[at..].starts_with('0') { "1" } else { "0" };
        end.replace_range(at..=at, other);
        chain(&lines)
    };
    bench.write("seed.jsonl", other_seed(fs::read_to_string(bench.path(round)).expect("a log")));
    let (is_right, told) = checked("seed.jsonl", "");
    assert!(!is_right && told.contains("the seed does not match its commitment"), "{told}");
    // A round without a log was aborted before its first game, and its seed is in the log of the league.
    let seed_of = |round: u64| {
        let path = bench.path(&format!("league/rounds/{round}/games.jsonl"));
        let log = fs::read_to_string(path).expect("a log");
        let at = log.rfind("\"seed\":\"").expect("a seed") + 8;
        log[at..at + 64].to_owned()
    };
    let path = bench.path("league/league.jsonl");
    let before = fs::read_to_string(&path).expect("a log");
    let aborted = |line: String| match line.strip_prefix("{\"over\":{\"round\":") {
        Some(rest) => {
            let round = rest.split(',').next().and_then(|it| it.parse().ok()).expect("a number");
            let broken = format!("{{\"why\":\"forged\",\"seed\":\"{}\"}}", seed_of(round));
            format!("{{\"over\":{{\"round\":{round},\"games\":0,\"broken\":{broken}}}")
        }
        None => line,
    };
    let forged: Vec<String> = contents(&before).into_iter().map(aborted).collect();
    fs::write(&path, chain(&forged)).expect("the folder is ours");
    packed("forged.tar");
    let (is_right, told) = checked("forged.tar", "");
    assert!(is_right && told.contains("compare the head below with one"), "{told}");
    assert!(told.contains("Round 1 was not checked: it was aborted before"), "{told}");
    assert!(told.contains("No log of a round was checked"), "{told}");
    let (is_right, told) = checked("forged.tar", first.trim_end());
    assert!(!is_right && told.contains("it is a different log or was modified"), "{told}");
    fs::write(&path, before).expect("the folder is ours");
    fs::remove_file(bench.path(round)).expect("the folder is ours");
    packed("missing.tar");
    let (is_right, told) = checked("missing.tar", "");
    assert!(!is_right && told.contains("round 1: its log is missing"), "{told}");
    let whole = served.get(ARCHIVE, &[]).bytes;
    bench.write("half.tar", &whole[..whole.len() / 2]);
    let (is_right, told) = checked("half.tar", "");
    assert!(!is_right && told.contains("the archive is truncated"), "{told}");
}
