//! The script by which a browser checks the log of a league.

use std::fs;
use std::path::Path;
use std::process::Command;

use tests::bench::run;
use tests::chain::{chain, contents};
use tests::installed::is_there;
use tests::league::{loud, play};
use tests::published::{ARCHIVE, offer};
use tests::served::Served;

/// Runs the script on a file, and prints what it finds.
const RUN: &str = r#"
const [script, file, head] = process.argv.slice(1);
const check = require(script);
check(new Blob([require("fs").readFileSync(file)]), head).then(
  (found) => console.log(found.join("\n")),
  (problem) => { console.log(problem.message); process.exitCode = 1; },
);"#;

const ROUND: &str = "league/rounds/1/games.jsonl";
const LEAGUE: &str = "league/league.jsonl";

/// The place of the seed in a log.
fn seed_at(log: &str) -> usize {
    log.rfind("\"seed\":\"").expect("a seed") + 8
}

fn score(log: &str) -> String {
    log.replacen("\"ending\":\"played\"", "\"ending\":\"walkover\"", 1)
}

fn without_last(log: &str) -> String {
    let lines = contents(log);
    chain(&lines[..lines.len() - 1])
}

fn without_heads(log: &str) -> String {
    let lines = contents(log).into_iter().map(|line| match line.split_once(",\"head\":\"") {
        Some((before, after)) => before.to_owned() + &after[65..],
        None => line,
    });
    chain(&lines.collect::<Vec<_>>())
}

fn other_seed(log: &str) -> String {
    let mut lines = contents(log);
    let end = lines.last_mut().expect("an end");
    let at = seed_at(end);
    let other = if end[at..].starts_with('0') { "1" } else { "0" };
    end.replace_range(at..=at, other);
    chain(&lines)
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
    let first = first.trim_end();
    bench.ok("league publish class -o league");
    let script = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = script.join("../arbiter/web/src/assets/check-log.js");
    let checked = |file: &str, head: &str, is_right: bool, all: &[&str]| {
        let mut node = Command::new("node");
        node.current_dir(bench.path("")).args(["-e", RUN, "--"]).arg(&script).args([file, head]);
        let ended = run(&mut node);
        let told = ended.stdout + &ended.stderr;
        assert_eq!(ended.code == Some(0), is_right, "{file}: {told}");
        for words in all {
            assert!(told.contains(words), "{file}: {words}: {told}");
        }
    };
    let packed = |name: &str| {
        run(bench.command("tar").args(["cf", name, "league"])).with_code(0);
    };
    let served = Served::start(&bench, &["class"]);
    bench.write("served.tar", served.get(ARCHIVE, &[]).bytes);
    let own = ["of 2 rounds are consistent", "Your head is in this log"];
    checked("served.tar", first, true, &own);
    // Compressed logs, and one log alone.
    bench.ok("compress class");
    bench.write("compressed.tar", served.get(ARCHIVE, &[]).bytes);
    checked("compressed.tar", "", true, &[]);
    let alone = "The seed matches its commitment";
    checked("league/rounds/0/games.jsonl", "", true, &[alone]);
    checked("class/rounds/0/games.jsonl.gz", "", true, &[]);

    let head = format!("the head {first}");
    type Change = fn(&str) -> String;
    let wrong: [(&str, Change, &str); 6] = [
        (ROUND, score, "round 1: line "),
        (ROUND, score, "was changed"),
        // A forger makes the chain anew.
        (
            ROUND,
            |log| chain(&contents(&score(log))),
            "round 1: its head differs from the one in the league's log",
        ),
        (LEAGUE, without_last, &head),
        (
            LEAGUE,
            without_heads,
            "round 0: it has ended, but the league's log does not hold its head",
        ),
        (LEAGUE, |log| log.trim_end().to_owned(), "its last line is truncated"),
    ];
    for (file, change, expected) in wrong {
        let before = bench.text(file);
        bench.write(file, change(&before));
        packed("changed.tar");
        checked("changed.tar", first, false, &[expected]);
        bench.write(file, before);
    }
    bench.write("seed.jsonl", other_seed(&bench.text(ROUND)));
    checked("seed.jsonl", "", false, &["the seed does not match its commitment"]);

    // A round without a log was aborted before its first game, and its seed is in the log of the league.
    let seed_of = |round: u64| {
        let log = bench.text(&format!("league/rounds/{round}/games.jsonl"));
        log[seed_at(&log)..seed_at(&log) + 64].to_owned()
    };
    let before = bench.text(LEAGUE);
    let aborted = |line: String| match line.strip_prefix("{\"over\":{\"round\":") {
        Some(rest) => {
            let round = rest.split(',').next().and_then(|it| it.parse().ok()).expect("a number");
            let broken = format!("{{\"why\":\"forged\",\"seed\":\"{}\"}}", seed_of(round));
            format!("{{\"over\":{{\"round\":{round},\"games\":0,\"broken\":{broken}}}")
        }
        None => line,
    };
    let forged: Vec<String> = contents(&before).into_iter().map(aborted).collect();
    bench.write(LEAGUE, chain(&forged));
    packed("forged.tar");
    let unchecked = [
        "compare the head below with one",
        "Round 1 was not checked: it was aborted before",
        "No log of a round was checked",
    ];
    checked("forged.tar", "", true, &unchecked);
    checked("forged.tar", first, false, &["it is a different log or was modified"]);
    bench.write(LEAGUE, before);
    fs::remove_file(bench.path(ROUND)).expect("the folder is ours");
    packed("missing.tar");
    checked("missing.tar", "", false, &["round 1: its log is missing"]);
    let whole = served.get(ARCHIVE, &[]).bytes;
    bench.write("half.tar", &whole[..whole.len() / 2]);
    checked("half.tar", "", false, &["the archive is truncated"]);
}
