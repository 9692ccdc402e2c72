//! `arbiter export --features expert`: a row for each choice.

use serde_json::Value;
use tests::bench::Bench;

use super::{bench, short_game, simulated};

/// A row of a table by the names of its columns.
fn objects(bench: &Bench, features: &str, log: &str) -> Vec<Value> {
    let text = bench.succeed(["export", "--format", "jsonl", "--features", features, log]);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn the_choices_that_were_made_are_the_moves() {
    let bench = bench();
    for game in ["tablic", "coup", "durak"] {
        let log = simulated(&bench, game);
        let told = |row: &Value, text: &str| {
            let keys = ["game", "deal", "seat", "player", "move", text, "final_points", "place"];
            keys.map(|key| row[key].clone())
        };
        let moves = objects(&bench, "moves", &log);
        let choices = objects(&bench, "expert", &log);
        assert!(choices.len() > moves.len());
        let made = choices.iter().filter(|row| row["chosen"] == 1);
        let made: Vec<_> = made.map(|row| told(row, "choice")).collect();
        let moves: Vec<_> = moves.iter().map(|row| told(row, "text")).collect();
        assert_eq!(made, moves, "{game}");
    }
}

/// By hand: the first decision of the short game, where seat 0 holds 2H 2S 4S 9S 10C 10S on the table
/// 3D 4C 5S KD.
#[test]
fn expert_features_of_a_short_game() {
    let bench = bench();
    let found = objects(&bench, "expert", &short_game(&bench));
    let first: Vec<&Value> = found.iter().filter(|row| row["move"] == 0).collect();
    // 4S was laid down, which greedy would not have done; the 9 takes 4C 5S.
    let choices: Vec<&str> = first.iter().filter_map(|row| row["choice"].as_str()).collect();
    assert_eq!(choices, ["2S", "4S", "9S 4C 5S", "10C"]);
    let told = |key: &str| first.iter().map(|row| row[key].clone()).collect::<Vec<_>>();
    let numbers = |numbers: [f64; 4]| numbers.map(Value::from).to_vec();
    assert_eq!(told("chosen"), [0, 1, 0, 0].map(Value::from));
    assert_eq!(told("deals_left"), [3, 3, 3, 3].map(Value::from));
    assert_eq!(told("value_0_first_cards"), numbers([4.0; 4]));
    // The king on the table.
    assert_eq!(told("value_0_first_points"), numbers([1.0; 4]));
    assert_eq!(told("value_1_end"), numbers([1.0; 4]));
    assert_eq!(told("move_captures"), numbers([0.0, 0.0, 1.0, 0.0]));
    assert_eq!(told("move_cards"), numbers([0.0, 0.0, 2.0, 0.0]));
    // A 10 is worth a point.
    assert_eq!(told("move_laid_points"), numbers([0.0, 0.0, 0.0, -1.0]));
    assert_eq!(told("move_laid_value"), numbers([0.2, 0.4, 0.0, 1.0]));
    // Three 2s but not of clubs, three 4s beside the one on the table, four 9s, three 10s but not of
    // diamonds; one of each is played.
    assert_eq!(told("move_unseen_alike"), numbers([2.0, 2.0, 3.0, 2.0]));
    assert_eq!(told("move_own_alike"), numbers([1.0, 0.0, 0.0, 1.0]));
}

#[test]
fn experts_features_of_two_games_make_no_table() {
    let bench = bench();
    let logs = ["coup", "durak"].map(|game| simulated(&bench, game));
    let ended = bench.run(["export", "--features", "expert", &logs[0], &logs[1]]);
    let problem = "error: durak: games of durak and coup have different `expert` columns: export \
                   them separately\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), problem));
}
