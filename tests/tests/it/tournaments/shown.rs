//! The output of a tournament: to a person at a terminal, through a pipe, and to programs.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};
use tests::bench::Bench;
use tests::screen::{Screen, rows};
use tests::tournament::{commitment, cup, held};

#[test]
fn through_a_pipe_there_are_the_standings_alone() {
    let bench = Bench::new();
    let ended = bench.line(&cup("cup", 2, "random greedy")).without_error();
    assert!(ended.stdout.starts_with("seed commitment: "), "{ended:?}");
    assert!(ended.stdout.contains("standings: 4 games, 2 deals"), "{ended:?}");
    assert!(ended.stdout.ends_with("verify: arbiter verify cup\n"), "{ended:?}");
    assert!(!ended.stdout.contains('\u{1b}'), "{ended:?}");
}

#[test]
fn on_a_terminal_the_standings_are_drawn_as_they_change() {
    let bench = Bench::new();
    let bots = format!("greedy random {}", bench.bad("bad", "only-on 4 0 crash"));
    let mut screen = Screen::start(&mut held(&bench, "cup", &bots), 40, 120);
    let rate = |row: &String| row.contains(" of 12 games, ") && row.contains(" per second");
    screen.until("how far and how fast it is", |screen| rows(screen).iter().any(rate));
    screen.until("the standings", |screen| {
        let rows = rows(screen);
        let row_of = |name: &str| rows.iter().any(|row| row.contains(&format!("  {name} ")));
        rows[0].starts_with("standings: ") && ["greedy", "random", "bad"].into_iter().all(row_of)
    });
    screen.until("the last faults", |screen| screen.contents().contains(": bad, crash\n"));
    fs::remove_file(bench.path("hold")).expect("it is ours");
    let (status, screen) = screen.end();
    assert!(status.success(), "{}", screen.contents());
    assert!(screen.contents().ends_with("verify: arbiter verify cup"));
}

#[test]
fn a_stopped_tournament_leaves_the_terminal_as_it_was() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let bench = Bench::new();
        let mut screen = Screen::start(&mut held(&bench, "cup", "a=random b=random"), 24, 120);
        screen.until("the table", |screen| {
            screen.alternate_screen() && rows(screen)[0].starts_with("standings: ")
        });
        screen.signal(signal);
        screen.until("that it is stopping", |screen| {
            let text = screen.contents();
            !screen.alternate_screen() && text.contains("\nstopping, ") && !text.contains("rank")
        });
        // The games that are held would never end.
        screen.signal(signal);
        let (status, screen) = screen.end();
        assert_eq!(status.code(), Some(code), "{}", screen.contents());
        assert!(!screen.alternate_screen() && !screen.hide_cursor());
        fs::remove_file(bench.path("hold")).expect("it is ours");
        bench.ok("tournament resume cup --quiet");
    }
}

/// Programs read this: it changes only with a reason.
#[test]
fn the_shape_of_json() {
    let bench = Bench::new();
    let bad = bench.bad("bad", "crash");
    let lines = bench.line(&cup("cup", 5, &format!("--workers 1 --json random {bad}"))).json();
    let keys: Vec<&String> =
        lines.iter().filter_map(|line| line.as_object()?.keys().next()).collect();
    assert_eq!(keys[0], "start");
    assert_eq!(keys[1..9], ["game"; 8]);
    assert_eq!(keys[9..], ["out", "result"]);
    let start = json!({
        "game": "coup", "options": "seats=2 rules=contest", "bots": ["random", "bad"], "games": 10,
        "played": 0, "commitment": commitment(),
    });
    assert_eq!(lines[0]["start"], start);
    let game = json!({
        "number": 0, "attempt": 0, "deal": 0, "counts": true,
        "seats": [
            {"name": "random", "points": lines[1]["game"]["seats"][0]["points"], "fault": null},
            {"name": "bad", "points": 0, "fault": "crash"},
        ],
    });
    assert_eq!(lines[1]["game"], game);
    assert_eq!(lines[9]["out"], json!({"name": "bad", "after": 7}));
    let result = &lines[10]["result"];
    assert_eq!((&result["played"], &result["skipped"]), (&Value::from(8), &Value::from(2)));
    assert_eq!(result["standings"]["all"]["rows"][0]["name"], "random");
}
