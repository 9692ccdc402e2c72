//! What a tournament shows: to a person at a terminal, through a pipe, and to programs.

use serde_json::Value;
use tests::bench::{Bench, run};
use tests::tournament::{SEED, words};

fn bench() -> Bench {
    Bench::new(env!("CARGO_BIN_EXE_faulty"))
}

#[test]
fn through_a_pipe_there_are_the_standings_alone() {
    let bench = bench();
    let ended = bench.run([&words("cup", "2")[..], &["random", "greedy"]].concat());
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    assert!(ended.stdout.starts_with("commitment to the seed: "), "{ended:?}");
    assert!(ended.stdout.contains("standings: 4 games, 2 deals"), "{ended:?}");
    assert!(ended.stdout.ends_with("to verify it: arbiter verify cup\n"), "{ended:?}");
    assert!(!ended.stdout.contains('\u{1b}'), "{ended:?}");
}

#[test]
fn on_a_terminal_the_standings_are_drawn_as_they_change() {
    let bench = bench();
    let arbiter = bench.program("arbiter").display().to_string();
    let bad = format!("bad={}", bench.faulty("only-on 4 0 crash"));
    // Long enough for the table to be drawn more than once.
    let words = [&words("cup", "60")[..], &["greedy", "random", &bad]].concat();
    let quoted = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" ");
    let mut command = bench.command("script");
    command.args(["-qec", &format!("'{arbiter}' {quoted}"), "/dev/null"]).env("TERM", "xterm");
    if bench.command("script").arg("--version").output().is_err() {
        println!("skipped: there is no `script` to make a terminal");
        return;
    }
    let ended = run(&mut command);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let drawn = ended.stdout.matches("standings: ").count();
    assert!(drawn >= 2, "drawn {drawn} times");
    for (what, shown) in [
        ("how far it is", " of 360 games, "),
        ("how fast it is", " a second, "),
        ("the last faults", ": bad, crash"),
        ("the end", "to verify it: arbiter verify cup"),
    ] {
        assert!(ended.stdout.contains(shown), "{what} is not shown");
    }
}

/// Programs read this: it changes only with a reason.
#[test]
fn the_shape_of_json() {
    let bench = bench();
    let bad = format!("bad={}", bench.faulty("crash"));
    let bots = ["--workers", "1", "--json", "random", &bad];
    let lines = bench.run([&words("cup", "5")[..], &bots].concat()).json();
    let keys: Vec<&String> =
        lines.iter().filter_map(|line| line.as_object()?.keys().next()).collect();
    assert_eq!(keys[0], "start");
    assert_eq!(keys[1..9], ["game"; 8]);
    assert_eq!(keys[9..], ["out", "result"]);
    let start = serde_json::json!({
        "game": "tablic", "options": "seats=2", "bots": ["random", "bad"], "games": 10,
        "played": 0, "commitment": commitment(),
    });
    assert_eq!(lines[0]["start"], start);
    let game = serde_json::json!({
        "number": 0, "attempt": 0, "deal": 0, "counts": true,
        "seats": [
            {"name": "random", "points": lines[1]["game"]["seats"][0]["points"], "fault": null},
            {"name": "bad", "points": 0, "fault": "crash"},
        ],
    });
    assert_eq!(lines[1]["game"], game);
    assert_eq!(lines[9]["out"], serde_json::json!({"name": "bad", "after": 7}));
    let result = &lines[10]["result"];
    assert_eq!((&result["played"], &result["skipped"]), (&Value::from(8), &Value::from(2)));
    assert_eq!(result["standings"]["all"]["rows"][0]["name"], "random");
}

fn commitment() -> String {
    let seed: rules::Seed = SEED.parse().expect("a seed");
    rules::Digest::of(&seed.0).to_string()
}
