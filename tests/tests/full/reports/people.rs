//! `arbiter report` of games that a person played: a person is no bot, has no limits, and may leave.

use std::fs::{self, File};
use std::path::Path;

use serde_json::Value;
use tests::bench::{Bench, Ended, run};
use tests::texts::assert_says;

/// Plays a game of Coup as `ann` with these lines, and reports it.
fn play(bench: &Bench, lines: &str) -> Ended {
    let input = File::open(bench.write("lines", lines)).expect("a file");
    let words = ["play", "--game", "coup", "--name", "ann", "--log", "log.jsonl", "greedy"];
    run(bench.arbiter(words).stdin(input)).with_code(0);
    bench.run(["report", "log.jsonl", "-o", "report"])
}

fn page(bench: &Bench, name: &str) -> String {
    fs::read_to_string(bench.path("report").join(name)).expect("a page")
}

/// The only row of the list of games.
fn row(list: &Path) -> Value {
    let script = fs::read_to_string(list).expect("a script");
    let (from, to) = (script.find('[').expect("a list"), script.rfind(']').expect("its end"));
    let rows: Value = serde_json::from_str(&script[from..=to]).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(1), "{rows}");
    rows[0].clone()
}

#[test]
fn a_person_is_no_bot_and_has_no_limits() {
    let bench = Bench::new();
    let reported = play(&bench, &"1\n".repeat(500));
    assert_eq!(reported.stdout, "report/index.html: 1 game\n", "{reported:?}");
    let first = page(&bench, "index.html");
    assert_says(&first, &["<dt>human player</dt><dd>1</dd>", "<dt>bot</dt><dd>1</dd>", "person"]);
    let person = page(&bench, "bots/1.html");
    assert!(person.contains("<dt>limits</dt><dd>none</dd>"), "{person}");
    assert!(!person.contains("0 ms, 0 B"), "{person}");
    assert_says(&page(&bench, "bots/2.html"), &["<dt>limits</dt><dd>5000 ms, 1.0 GiB of memory, "]);
}

#[test]
fn a_game_that_a_person_left_is_not_played_again() {
    let bench = Bench::new();
    let reported = play(&bench, "1\nquit\n");
    assert_eq!(reported.stdout, "report/index.html: 0 games, unfinished\n", "{reported:?}");
    let row = row(&bench.path("report/data/list-0.js"));
    assert_eq!((&row["ending"], &row["sequel"]), (&"void".into(), &"left".into()), "{row}");
    assert_eq!(row["reason"], "ann left the game");
    let first = page(&bench, "index.html");
    assert!(first.contains("ann quit the last game, which was not replayed"), "{first}");
    assert!(!first.contains("verify --head"), "a log without an end has no head to keep");
}
