//! The output of a tournament: to a person at a terminal, through a pipe, and to programs.

#[cfg(target_os = "linux")]
use std::fs;

#[cfg(target_os = "linux")]
use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
#[cfg(target_os = "linux")]
use tests::screen::{Screen, is_wrapped, rows};
use tests::tournament::{SEED, coup};
#[cfg(target_os = "linux")]
use tests::typing::Typing;

fn bench() -> Bench {
    Bench::new()
}

#[test]
fn through_a_pipe_there_are_the_standings_alone() {
    let bench = bench();
    let ended = bench.run([&coup("cup", "2")[..], &["random", "greedy"]].concat());
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    assert!(ended.stdout.starts_with("seed commitment: "), "{ended:?}");
    assert!(ended.stdout.contains("standings: 4 games, 2 deals"), "{ended:?}");
    assert!(ended.stdout.ends_with("verify: arbiter verify cup\n"), "{ended:?}");
    assert!(!ended.stdout.contains('\u{1b}'), "{ended:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_the_standings_are_drawn_as_they_change() {
    let bench = bench();
    let bad = format!("bad={}", bench.faulty("only-on 4 0 crash"));
    let mut screen = start_held(&bench, "cup", &["greedy", "random", &bad], (40, 120));
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

/// A tournament of Coup on a terminal of this size, with one deal for every two bots unless an option
/// among the bots says something else.
/// The last one of them answers only when there is no file `hold` any more; then it plays its first
/// legal move.
#[cfg(target_os = "linux")]
fn start_held(bench: &Bench, folder: &str, bots: &[&str], (rows, columns): (u16, u16)) -> Screen {
    Screen::start(&mut held(bench, folder, bots), rows, columns)
}

#[cfg(target_os = "linux")]
fn held(bench: &Bench, folder: &str, bots: &[&str]) -> std::process::Command {
    let hold = bench.write("hold", "").display().to_string();
    let answer = "sed -n '/^legal /{n;p;}'";
    bench.write("held.sh", format!("while [ -e '{hold}' ]; do sleep 0.02; done\n{answer}\n"));
    let words = ["tournament", "--game", "coup", "--deals", "1", "--seed", SEED, "--workers", "2"];
    // An isolated bot does not see what comes of a file outside of its scratch folder.
    let more = ["--isolation", "off", "--time-limit", "10min", "--dir", folder];
    bench.arbiter([&words[..], &more, bots, &["held=sh held.sh"]].concat())
}

/// The names of twelve bots but the last, one of them as long as a name can be.
#[cfg(target_os = "linux")]
fn eleven() -> Vec<String> {
    let names = (1..11).map(|number| format!("bot-{number}=random"));
    names.chain([format!("{}=random", "long-name".repeat(4)[..32].to_owned())]).collect()
}

/// Asserts, sooner or later, that a table of twelve bots is drawn for just this size.
#[cfg(target_os = "linux")]
fn until_it_fits(screen: &mut Screen, (height, width): (u16, u16)) {
    let (rows_there, columns) = (usize::from(height), usize::from(width));
    screen.until(&format!("a table of {columns} columns and {rows_there} rows"), |screen| {
        let lines = rows(screen);
        let last = lines.iter().rposition(|line| !line.is_empty()).unwrap_or_default();
        let is_bot = |line: &&String| line.contains("  bot-") || line.contains("  long-name");
        let is_held = |line: &&String| line.contains("  held");
        let seen = lines.iter().filter(|line| is_bot(line) || is_held(line)).count();
        let more = lines.iter().find_map(|line| line.strip_prefix("… and ")?.strip_suffix(" more"));
        let more = more.and_then(|count| count.parse().ok()).unwrap_or(0);
        let bar = lines.iter().find(|line| line.contains('░'));
        screen.alternate_screen()
            && !is_wrapped(screen)
            && lines[last].contains(" of 24 games")
            && seen + more == 12
            && lines.iter().any(|line| line.starts_with("rank") && line.contains("score"))
            // Below seven rows there is no room for it; where it is, it is as wide as all.
            && bar.map_or(rows_there < 7, |bar| bar.chars().count() == columns)
    });
}

/// All that is drawn fits into a window of any size, and nothing of it is left.
#[cfg(target_os = "linux")]
#[test]
fn the_live_table_fits_every_terminal_and_follows_its_size() {
    let bench = bench();
    let bots = eleven();
    let bots: Vec<&str> =
        ["--tables", "12"].into_iter().chain(bots.iter().map(String::as_str)).collect();
    let first = (60, 200);
    let mut screen = start_held(&bench, "cup", &bots, first);
    until_it_fits(&mut screen, first);
    // After a large one a small one, which the rest of the large one would not fit.
    for size in [(24, 80), (6, 40), (50, 200), (8, 40), (24, 80), (7, 250), (40, 40), (6, 41)] {
        screen.resize(size.0, size.1);
        until_it_fits(&mut screen, size);
    }
    let colours = |screen: &vt100::Screen| screen.cell(0, 0).is_some_and(vt100::Cell::bold);
    screen.until("colours", colours);

    let (rows_at_the_end, columns) = (150, 200);
    screen.resize(rows_at_the_end, columns);
    fs::remove_file(bench.path("hold")).expect("it is ours");
    let (status, screen) = screen.end();
    assert!(status.success(), "{}", screen.contents());
    assert!(!screen.alternate_screen() && !screen.hide_cursor());
    let standings = bench.succeed(["tournament", "standings", "cup"]);
    let end = format!("{standings}\nverify: arbiter verify cup");
    let lines = |text: &str| text.lines().map(|it| it.trim_end().to_owned()).collect::<Vec<_>>();
    let left = lines(&screen.contents());
    // The line above was cut when the terminal was narrow.
    let begin = format!("seed commitment: {}", commitment());
    assert!(left[0].starts_with("isolation: "), "{}", left[0]);
    assert_eq!(left[1], begin[..40]);
    assert_eq!(left[2], "coup seats=2 rules=contest: 12 bots, 24");
    assert_eq!(left[3], "");
    assert_eq!(left[4..], lines(&end), "nothing else is left");
}

#[cfg(target_os = "linux")]
#[test]
fn the_live_table_has_no_colours_where_none_are_wanted() {
    let bench = bench();
    let mut command = held(&bench, "cup", &["a=random", "b=random"]);
    let mut screen = Screen::start(command.env("NO_COLOR", "1"), 24, 80);
    screen.until("a table", |screen| rows(screen)[0].starts_with("standings: "));
    let is_plain = |screen: &vt100::Screen, row, column| {
        screen.cell(row, column).is_none_or(|cell| {
            !cell.bold() && !cell.dim() && cell.fgcolor() == vt100::Color::Default
        })
    };
    screen.until("a table without colours", |screen| {
        (0..24).all(|row| (0..80).all(|column| is_plain(screen, row, column)))
    });
    fs::remove_file(bench.path("hold")).expect("it is ours");
    assert!(screen.end().0.success());

    // A terminal that knows no escape sequences gets none.
    let mut command = held(&bench, "dumb", &["a=random"]);
    fs::remove_file(bench.path("hold")).expect("it is ours");
    let typing = Typing::start_on("dumb", &mut command);
    let (status, seen) = typing.end();
    assert!(status.success() && !seen.contains('\x1b'), "{seen:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_tournament_leaves_the_terminal_as_it_was() {
    for signal in [Signal::INT, Signal::TERM] {
        let bench = bench();
        let mut screen = start_held(&bench, "cup", &["a=random", "b=random"], (24, 120));
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
        let code = if signal == Signal::INT { 130 } else { 143 };
        assert_eq!(status.code(), Some(code), "{}", screen.contents());
        assert!(!screen.alternate_screen() && !screen.hide_cursor());
        fs::remove_file(bench.path("hold")).expect("it is ours");
        bench.succeed(["tournament", "resume", "cup", "--quiet"]);
    }
}

/// Programs read this: it changes only with a reason.
#[test]
fn the_shape_of_json() {
    let bench = bench();
    let bad = format!("bad={}", bench.faulty("crash"));
    let bots = ["--workers", "1", "--json", "random", &bad];
    let lines = bench.run([&coup("cup", "5")[..], &bots].concat()).json();
    let keys: Vec<&String> =
        lines.iter().filter_map(|line| line.as_object()?.keys().next()).collect();
    assert_eq!(keys[0], "start");
    assert_eq!(keys[1..9], ["game"; 8]);
    assert_eq!(keys[9..], ["out", "result"]);
    let start = serde_json::json!({
        "game": "coup", "options": "seats=2 rules=contest", "bots": ["random", "bad"], "games": 10,
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
    rules::Digest::hash(&seed.0).to_string()
}
