//! The program `ladder`: its tables, its curve, and what it refuses.

use std::process::Command;

use research::ladder::players;
use rules::GameKind;

/// Runs the program; returns its output and true if it succeeds.
fn ladder(words: &[&str]) -> (String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_ladder")).args(words).output();
    let output = output.expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    match output.status.success() {
        true => {
            assert!(output.stderr.is_empty(), "quiet in a pipe");
            (text(output.stdout), true)
        }
        false => (text(output.stderr), false),
    }
}

fn printed(words: &[&str]) -> String {
    let (text, succeeds) = ladder(words);
    assert!(succeeds, "{text}");
    text
}

const COUP: [&str; 10] = [
    "--game",
    "coup",
    "--deals",
    "30",
    "--seed",
    "aa",
    "--players",
    "random",
    "calculator",
    "greedy",
];

#[test]
fn a_ladder_is_a_table_of_all_pairs() {
    let text = printed(&COUP);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "| | player | mean | 1 | 2 | 3 |");
    assert_eq!(lines[1], "| ---: | --- | ---: | ---: | ---: | ---: |");
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = lines[2..5].iter().map(|line| cells(line)).collect();
    let share = |row: usize, column: usize| -> f64 {
        let cell = &rows[row][4 + column];
        let share = cell.split_once(" ± ").map_or(cell.as_str(), |(share, _)| share);
        share.parse().expect("a share")
    };
    for row in 0..3 {
        assert_eq!(rows[row][1], (row + 1).to_string());
        assert_eq!(rows[row][4 + row], "-");
        for other in (0..3).filter(|other| *other != row) {
            assert!((share(row, other) + share(other, row) - 100.0).abs() < 0.11, "{text}");
        }
    }
    assert_eq!(rows[2][2], "`random`", "{text}");
    let means: Vec<f64> = rows.iter().map(|row| row[3].parse().expect("a mean")).collect();
    assert!(means.is_sorted_by(|one, other| one >= other), "{text}");
    assert!(lines[6].starts_with("coup seats=2 rules=contest: each pair plays 30 deals"), "{text}");
    assert_eq!(lines.len(), 8, "no move was cut: {text}");
}

#[test]
fn the_same_seed_gives_the_same_table_with_any_number_of_threads() {
    let one = [&["--workers", "1"], &COUP[..]].concat();
    let two = [&["--workers", "2"], &COUP[..]].concat();
    assert_eq!(printed(&one), printed(&two));
    let other = COUP.map(|word| if word == "aa" { "ab" } else { word });
    assert_ne!(printed(&one), printed(&other));
    let json = printed(&[&["--json"], &COUP[..]].concat());
    assert_eq!(json, printed(&[&["--json", "--workers", "2"], &COUP[..]].concat()));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["players"][2]["player"], "random");
    assert_eq!(json["players"][2]["against"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_curve_has_a_row_for_each_step() {
    let head = ["--game", "tablic", "--deals", "3", "--against", "greedy"];
    let curve = ["--curve", "expert --worlds {} --time none", "--steps", "1,20"];
    let text = printed(&[&head[..], &curve[..]].concat());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "| `expert --worlds {} --time none` | against `greedy` |");
    assert!(lines[2].starts_with("| 1 | ") && lines[3].starts_with("| 20 | "), "{text}");
    assert_eq!(lines.len(), 7, "no move was cut: {text}");
    assert_eq!(text, printed(&[&head[..], &curve[..]].concat()));
}

#[test]
fn moves_cut_by_time_are_reported() {
    let head = ["--game", "tablic", "--deals", "1", "--against", "greedy"];
    let text = printed(&[&head[..], &["--curve", "expert --time {}", "--steps", "1ms"]].concat());
    assert!(text.contains("`expert --time 1ms`: ran out of time in"), "{text}");
}

#[test]
fn the_usual_players_of_every_game_can_play() {
    for kind in GameKind::ALL {
        let players = players::usual(kind);
        assert!(players.len() > 3, "{kind}: {players:?}");
        for player in players {
            assert_eq!(player.check(kind), Ok(()));
        }
    }
}

#[test]
fn impossible_ladders_are_refused() {
    for (words, problem) in [
        (&["--deals", "3"][..], "--game <GAME>"),
        (&["--game", "coup", "--deals", "0"], "invalid value '0' for '--deals <N>'"),
        (&["--game", "coup", "--players", "greedy"], "expected two players or more"),
        (&["--game", "coup", "--players"], "a value is required for '--players <PLAYER>...'"),
        (&["--game", "coup", "--players", "greedy", "nobody"], "`nobody`: no player of coup"),
        (&["--game", "coup", "--curve", "greedy"], "--steps <STEP,…>\n  --against <PLAYER>"),
        (&["--game", "coup", "--seed", "x"], "expected up to 64 hexadecimal digits"),
        (&["--game", "coup", "--deal", "3"], "unexpected argument '--deal' found"),
        (&["--game"], "a value is required for '--game <GAME>'"),
        (&["--game", "nim"], "expected a game that this build knows, found `nim`"),
        (&["--game", "coup", "--steps", "1", "--players", "greedy", "random"], "--curve <PLAYER>"),
        (
            &["--game", "tablic", "--curve", "expert", "--steps", "1", "--against", "greedy"],
            "after `--curve`: expected `{}` where the steps go, found `expert`",
        ),
    ] {
        let (text, succeeds) = ladder(words);
        assert!(!succeeds && text.contains(problem), "{words:?}: {text}");
    }
}
