//! `arbiter export`: every column of every row, compared with a slow computation of its own.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::log;

mod slow;

/// Compares every column of every row with what a slow computation comes to, and gives the number of
/// rows.
fn compare(bench: &Bench, path: &Path) -> usize {
    let name = path.to_str().expect("text");
    let (mut moves, mut greedy, mut minimax) = (vec![], vec![], vec![]);
    for game in &log::games(path) {
        let scores = game["result"]["scores"].as_array().expect("scores");
        let scores: Vec<u64> = scores.iter().map(|it| it.as_u64().expect("whole points")).collect();
        for moment in slow::moments(game) {
            let legal = moment.legal_moves();
            let seat = moment.seat;
            let place = scores.iter().filter(|score| **score > scores[seat]).count() + 1;
            let cells = [
                json!(name),
                game["number"].clone(),
                game["deal"].clone(),
                json!(seat),
                game["seats"][seat].clone(),
                json!(moment.number),
                json!(moment.text),
                json!(legal.min(1000)),
                json!(u8::from(legal > 1000)),
                json!(moment.points[seat]),
                json!(scores[seat]),
                json!(place),
            ];
            let text = |cell: &Value| cell.as_str().map_or(cell.to_string(), str::to_owned);
            moves.push(cells.iter().map(text).collect::<Vec<String>>());
            greedy.push(moment.greedy());
            minimax.push(moment.minimax());
        }
    }
    for (features, expected) in [("moves", &moves), ("greedy", &greedy), ("minimax", &minimax)] {
        let table = bench.succeed(["export", "--features", features, name]);
        let found: Vec<Vec<&str>> =
            table.lines().skip(1).map(|it| it.split(',').collect()).collect();
        assert_eq!(found.len(), expected.len(), "{features} of {name}");
        for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert_eq!(found, expected, "{features}, row {place}: {:?}", moves[place]);
        }
    }
    moves.len()
}

#[test]
fn games_against_a_slow_computation() {
    for bots in [&["random", "greedy"][..], &["random", "greedy", "other=greedy"]] {
        let bench = Bench::new();
        bench.play("tablic", &["--games", "2"], bots);
        assert_eq!(compare(&bench, &bench.path("log")), 2 * 48, "{bots:?}");
    }
}

/// Two of its seats share a place. Beside it, games in which all goes well.
#[test]
fn a_game_with_a_seat_that_is_out_against_a_slow_computation() {
    let bench = Bench::new();
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples/matches");
    let path = examples.join("tablic-4-seats-one-out.jsonl");
    let games = log::games(&path);
    let answers = games.iter().flat_map(log::answers).filter(|answer| answer["verdict"] == "ok");
    let rows = compare(&bench, &path);
    assert_eq!(rows, answers.count());
    assert!(rows < 48 * games.len(), "the house made no move");
    compare(&bench, &examples.join("tablic-2-seats.jsonl"));
}
