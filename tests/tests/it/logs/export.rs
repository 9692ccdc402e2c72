//! `arbiter export`: compared with values worked by hand for a short game, and for many games with a
//! slow computation of its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tests::bench::{Bench, SEED};
use tests::{chain, log};

mod expert;
mod slow;

fn bench() -> Bench {
    Bench::new()
}

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    root.join(name).to_str().expect("text").to_owned()
}

/// The log of a few games between built-in players.
fn simulated(bench: &Bench, game: &str) -> String {
    let head = ["simulate", "--game", game, "--deals", "5", "--seed", SEED, "--log", game];
    bench.succeed([&head[..], &["random", "greedy"]].concat());
    game.to_owned()
}

/// The rows of an export as CSV, the heading first.
fn rows(bench: &Bench, features: &str, logs: &[&str]) -> Vec<Vec<String>> {
    let text = bench.succeed([&["export", "--features", features], logs].concat());
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// A row of numbers, written with blanks.
fn row(text: &str) -> Vec<String> {
    text.split_whitespace().map(|word| word.replace('-', "")).collect()
}

/// A game of four moves: on the deals of this seed seat 0 plays what is written here, and a card that
/// it does not hold when it is asked for the third time.
///
/// The table is 3D 4C 5S KD, seat 0 holds 2H 2S 4S 9S 10C 10S, and seat 1 2C 2D 4D 4H 10D KS.
fn short_game(bench: &Bench) -> String {
    let script =
        "case $(sed -n 's/^move //p') in 0) echo 4s ;; 2) echo 10S ;; 4) echo KC ;; esac\n";
    bench.write("bot.sh", script);
    let head = ["match", "--game", "tablic", "--quiet", "--seed", SEED, "--log", "short"];
    bench.succeed([&head[..], &["--time-limit", "30s", "short=sh bot.sh", "greedy"]].concat());
    let moves = ["0 4S", "1 KS KD", "0 10S", "1 10D 10S", "out 0 illegal"];
    let events = log::games(&bench.path("short")).remove(0)["events"].take();
    assert_eq!(events.as_array().expect("events")[3..], moves.map(Value::from));
    "short".to_owned()
}

#[test]
fn moves_of_a_short_game() {
    let bench = bench();
    let found = rows(&bench, "moves", &[&short_game(&bench)]);
    let heading = "log game deal seat player move text legal_moves more points final_points place";
    // Legal moves: each of the cards can be laid down. Seat 0 has 6, and the 4 takes 4C, the 9 takes
    // 4C 5S. Seat 1 has 6: the 4s take 4C, 4S or both, which is 6; the king takes KD. In the third
    // position seat 0 has 5, and the 9 takes 4C 5S or 4S 5S. In the fourth seat 1 has 5, and the 4s
    // have 6 again; the 10 of diamonds takes 10S.
    let expected = [
        "short 0 0 0 short 0 4S 8 0 0 0 2",
        "short 0 0 1 greedy 1 KS_KD 13 0 0 25 1",
        "short 0 0 0 short 2 10S 7 0 0 0 2",
        "short 0 0 1 greedy 3 10D_10S 12 0 2 25 1",
    ];
    let expected = expected.map(|line| line.split(' ').map(|it| it.replace('_', " ")).collect());
    assert_eq!(found[0], row(heading));
    assert_eq!(found[1..], expected as [Vec<String>; 4]);
}

#[test]
fn the_columns_are_those_of_moves_unless_others_are_named() {
    let bench = bench();
    let log = short_game(&bench);
    let named = bench.succeed(["export", "--features", "moves", &log]);
    assert_eq!(bench.succeed(["export", &log]), named);
}

#[test]
fn the_help_names_every_column() {
    let bench = bench();
    let help = bench.succeed(["export", "--help"]);
    let (_, help) = help.split_once("Columns of `moves`").expect("columns in the help");
    let words: BTreeSet<&str> = help.split([' ', ',', '\n']).collect();
    let log = short_game(&bench);
    for features in ["moves", "greedy", "minimax"] {
        for column in rows(&bench, features, &[&log]).remove(0) {
            let stem = column.split('_').next().unwrap_or_default();
            let general = match stem {
                "hand" | "table" | "known" | "captured" => format!("{stem}_CLASS"),
                "lacks" => "lacks_K_CLASS".to_owned(),
                "points" | "cards" if column != "points" => format!("{stem}_S"),
                _ => column,
            };
            assert!(words.contains(general.as_str()), "{general} of {features} is not in {help}");
        }
    }
    for game in ["tablic", "coup", "durak"] {
        for column in rows(&bench, "expert", &[&simulated(&bench, game)]).remove(0) {
            let end = |prefix| column.strip_prefix(prefix).map(|end| (prefix, end.to_owned()));
            let seat = |prefix| {
                end(prefix).and_then(|(_, end)| end.split_once('_').map(|it| it.1.to_owned()))
            };
            let named: Vec<String> = match seat("value_") {
                Some(name) => vec!["value_S_".to_owned(), name],
                None => match ["move_", "actor_", "other_", "hand_"].into_iter().find_map(end) {
                    Some(("hand_", _)) => vec!["hand_".to_owned()],
                    Some((prefix, name)) if game != "durak" => vec![prefix.to_owned(), name],
                    _ => vec![column.clone()],
                },
            };
            for name in named {
                let is_there = words.contains(name.as_str()) || words.contains(column.as_str());
                assert!(is_there, "{column} of expert is not in {help}");
            }
        }
    }
}

#[test]
fn greedy_features_of_a_short_game() {
    let bench = bench();
    let found = rows(&bench, "greedy", &[&short_game(&bench)]);
    let classes = "A 2 3 4 5 6 7 8 9 10 J Q K 2C 10D".split(' ');
    let classes = |of: &'static str| classes.clone().map(move |class| format!("{of}_{class}"));
    let heading: Vec<String> =
        classes("hand").chain(classes("table")).chain(["played".to_owned()]).collect();
    assert_eq!(found[0], heading);
    // A 2 3 4 5 6 7 8 9 10 J Q K 2C 10D, twice, and the class of the card played.
    let expected = [
        "0 1 0 1 0 0 0 0 1 1 0 0 0 0 0   0 0 1 1 1 0 0 0 0 0 0 0 1 0 0   3",
        "0 1 0 1 0 0 0 0 0 0 0 0 1 1 1   0 0 1 2 1 0 0 0 0 0 0 0 1 0 0   12",
        "0 1 0 0 0 0 0 0 1 1 0 0 0 0 0   0 0 1 2 1 0 0 0 0 0 0 0 0 0 0   9",
        "0 1 0 1 0 0 0 0 0 0 0 0 0 1 1   0 0 1 2 1 0 0 0 0 1 0 0 0 0 0   14",
    ];
    assert_eq!(found[1..], expected.map(row));
}

/// The table, the own hand and all played cards are known. Assumptions:
///
/// - After 4S, which took nothing, on 3D 4C 5S KD: seat 0 has no 3, 5 or king, each of which would
///   have taken its like, no 7 (3 + 4), 8 (3 + 5), 9 (4 + 5) or jack (3 + 4 + 5 = 12). An ace, a 10
///   and a queen take nothing there, and a 4 was played.
/// - After KS KD, 2 points: seat 1 had nothing better on 3D 4C 4S 5S KD that it may hold, for
///   any card that takes more there gains 1 point.
/// - After 10S, which took nothing, on 3D 4C 4S 5S: besides, no ace (3 + 4 + 4) and no queen
///   (4 + 4 + 5). A 4 as well, but all four have been seen, so that nothing need be assumed.
#[test]
fn minimax_features_of_a_short_game() {
    let bench = bench();
    let found = rows(&bench, "minimax", &[&short_game(&bench)]);
    assert_eq!(found[0].len(), 2 + 2 + 2 + 1 + 15 + 15 + 15 + 15 + 1 + 15);
    let named: Vec<&str> = [0, 1, 2, 5, 6, 7, 22, 37, 52, 67, 68, 82]
        .map(|place: usize| found[0][place].as_str())
        .into();
    assert_eq!(
        named.join(" "),
        "seats seat points_0 cards_1 last known_A lacks_1_A hand_A table_A played captured_A \
         captured_10D"
    );
    let nothing = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0";
    let expected = [
        // seats, seat, points, cards, last; known; lacks; hand; table; played; captured
        [
            "2 0  0 0  0 0  -",
            "0 2 1 2 1 0 0 0 1 2 0 0 1 0 0",
            nothing,
            "0 2 0 1 0 0 0 0 1 2 0 0 0 0 0",
            "0 0 1 1 1 0 0 0 0 0 0 0 1 0 0",
            "3",
            nothing,
        ],
        [
            "2 1  0 0  0 0  -",
            "0 1 1 4 1 0 0 0 0 0 0 0 2 1 1",
            "0 0 1 0 1 0 1 1 1 0 1 0 1 0 0",
            "0 1 0 2 0 0 0 0 0 0 0 0 1 1 1",
            "0 0 1 2 1 0 0 0 0 0 0 0 1 0 0",
            "12",
            "0 0 0 0 0 0 0 0 0 0 0 0 1 0 0",
        ],
        [
            "2 0  0 2  0 2  1",
            "0 2 1 2 1 0 0 0 1 2 0 0 2 0 0",
            nothing,
            "0 2 0 0 0 0 0 0 1 2 0 0 0 0 0",
            "0 0 1 2 1 0 0 0 0 0 0 0 0 0 0",
            "9",
            nothing,
        ],
        [
            "2 1  0 2  0 2  1",
            "0 1 1 4 1 0 0 0 0 1 0 0 2 1 1",
            "1 0 1 0 1 0 1 1 1 0 1 1 1 0 0",
            "0 1 0 2 0 0 0 0 0 0 0 0 0 1 1",
            "0 0 1 2 1 0 0 0 0 1 0 0 0 0 0",
            "14",
            "0 0 0 0 0 0 0 0 0 1 0 0 0 0 0",
        ],
    ];
    assert_eq!(found[1..], expected.map(|parts| row(&parts.join(" "))));
}

/// Plays games between bots, and gives the log.
fn play(bench: &Bench, games: &str, bots: &[&str]) -> PathBuf {
    let head = ["match", "--game", "tablic", "--quiet", "--log", "log", "--games", games];
    bench.succeed([&head[..], &["--seed", SEED, "--time-limit", "30s"], bots].concat());
    bench.path("log")
}

/// Compares every column of every row with what a slow computation comes to, and gives the number of
/// rows.
fn compare(bench: &Bench, path: &Path) -> usize {
    let name = path.to_str().expect("text");
    let games = log::games(path);
    let mut moves = vec![];
    let mut greedy = vec![];
    let mut minimax = vec![];
    for game in &games {
        for moment in slow::moments(game) {
            let scores: Vec<u64> = game["result"]["scores"]
                .as_array()
                .expect("scores")
                .iter()
                .map(|score| score.as_u64().expect("points are whole in Tablić"))
                .collect();
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
        let found = rows(bench, features, &[name]);
        assert_eq!(found.len(), expected.len() + 1, "{features}");
        for (place, (found, expected)) in found[1..].iter().zip(expected).enumerate() {
            assert_eq!(found, expected, "{features}, row {place}: {:?}", moves[place]);
        }
    }
    moves.len()
}

#[test]
fn twenty_games_of_two_seats_against_a_slow_computation() {
    let bench = bench();
    let path = play(&bench, "20", &["random", "greedy"]);
    assert_eq!(compare(&bench, &path), 20 * 48);
}

#[test]
fn twenty_games_of_three_seats_against_a_slow_computation() {
    let bench = bench();
    let path = play(&bench, "20", &["random", "greedy", "other=greedy"]);
    assert_eq!(compare(&bench, &path), 20 * 48);
}

/// Beside games in which all goes well.
#[test]
fn a_game_with_a_seat_that_is_out_against_a_slow_computation() {
    let bench = bench();
    let path = PathBuf::from(example("matches/tablic-4-seats-one-out.jsonl"));
    let games = log::games(&path);
    let answers = games.iter().flat_map(log::answers).filter(|answer| answer["verdict"] == "ok");
    let rows = compare(&bench, &path);
    assert_eq!(rows, answers.count());
    assert!(rows < 48 * games.len(), "the house made no move");
    compare(&bench, &PathBuf::from(example("matches/tablic-2-seats.jsonl")));
}

/// Programs read this: the keys are the columns, in their order.
#[test]
fn lines_of_json() {
    let bench = bench();
    let log = short_game(&bench);
    let text = bench.succeed(["export", &log, "--features", "moves", "--format", "jsonl"]);
    let last = r#"{"log":"short","game":0,"deal":0,"seat":1,"player":"greedy","move":3,"text":"10D 10S","legal_moves":12,"more":0,"points":2,"final_points":25,"place":1}"#;
    assert_eq!(text.lines().last(), Some(last));
    for features in ["moves", "greedy", "minimax"] {
        let table = rows(&bench, features, &[&log]);
        let words = ["export", &log, "--features", features, "--format", "jsonl"];
        for (line, row) in bench.run(words).json().iter().zip(&table[1..]) {
            let object = line.as_object().expect("an object");
            assert_eq!(object.len(), table[0].len());
            for (column, cell) in table[0].iter().zip(row) {
                let value = match &object[column] {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                assert_eq!(value, *cell, "{column}");
            }
        }
    }
}

/// Every answer that counts is a row, in every game and dialect; its text is legal as it stands.
#[test]
fn moves_of_every_game() {
    let bench = bench();
    let logs = ["matches/coup.jsonl", "matches/coup-classic.jsonl", "matches/durak.jsonl"];
    for path in logs.map(example) {
        let games = log::games(Path::new(&path));
        let answers = games.iter().flat_map(log::answers);
        let expected = answers.filter(|answer| answer["verdict"] == "ok").count();
        let rows = rows(&bench, "moves", &[&path]);
        assert!(expected > 10 && rows.len() == expected + 1, "{path}");
        for row in &rows[1..] {
            let game = &games[row[1].parse::<usize>().expect("a number")];
            let seat: usize = row[3].parse().expect("a seat");
            let scores = game["result"]["scores"].as_array().expect("scores");
            assert_eq!(row[10], scores[seat].to_string(), "{path}: {row:?}");
            assert!(row[7] != "0" && row[8] == "0", "{path}: {row:?}");
        }
    }
    // Output of a program of the classic dialect is not the text of a move.
    let classic = rows(&bench, "moves", &[&example("matches/coup-classic.jsonl")]);
    assert!(classic.iter().any(|row| row[6] == "challenge" || row[6] == "pass"), "{classic:?}");
}

#[test]
fn several_logs_and_a_tournament() {
    let bench = bench();
    let (durak, coup) = (example("matches/durak.jsonl"), example("tournaments/coup"));
    let one = rows(&bench, "moves", &[&durak]);
    let other = rows(&bench, "moves", &[&coup]);
    assert_eq!(rows(&bench, "moves", &[&durak, &coup]), [&one[..], &other[1..]].concat());
    let games = log::games(&Path::new(&coup).join("games.jsonl"));
    let answers = games.iter().flat_map(log::answers).filter(|answer| answer["verdict"] == "ok");
    assert_eq!(other.len(), answers.count() + 1);
    let two = example("matches/tablic-2-seats.jsonl");
    let three = example("matches/tablic-3-seats.jsonl");
    assert!(rows(&bench, "greedy", &[&two, &three]).len() > 96);
    let words = ["export", "--features", "minimax", &two, &three];
    bench
        .run(words)
        .assert_refused(2, &["tablic-3-seats", "3 and 2 seats have different `minimax` columns"]);
}

/// A void game is not in the table, however much of it was played.
#[test]
fn games_that_do_not_count_are_left_out() {
    let bench = bench();
    let path = play(&bench, "2", &["random", "greedy"]);
    let mut lines = chain::contents(&fs::read_to_string(&path).expect("a log"));
    // The first game, broken off after its first move, and then played again as it was.
    let mut game: Value = serde_json::from_str(&format!("{}}}", lines[1])).expect("JSON");
    let mut again = game.clone();
    let inputs = game["game"]["inputs"].as_array_mut().expect("inputs");
    let first = inputs.iter().position(|input| input.get("answer").is_some()).expect("an answer");
    inputs.truncate(first + 1);
    game["game"]["events"].as_array_mut().expect("events").truncate(4);
    game["game"]["measured"].as_array_mut().expect("measured").truncate(1);
    game["game"]["result"] = json!({"ending": "void", "reason": "the machine failed"});
    again["game"]["attempt"] = json!(1);
    let content = |value: &Value| {
        let record: rules::GameRecord = serde_json::from_value(value["game"].clone()).expect("it");
        format!("{{\"game\":{}", serde_json::to_string(&record).expect("JSON"))
    };
    lines.splice(1..2, [content(&game), content(&again)]);
    bench.write("void", chain::chain(&lines));
    let (whole, left) = (rows(&bench, "minimax", &["log"]), rows(&bench, "minimax", &["void"]));
    assert_eq!(whole, left);
}

#[test]
fn a_file_is_new_and_whole() {
    let bench = bench();
    let log = short_game(&bench);
    let words = ["export", &log, "--features", "greedy", "-o", "table.csv"];
    assert_eq!(bench.succeed(words), "");
    let text = fs::read_to_string(bench.path("table.csv")).expect("it is written");
    assert_eq!(text, bench.succeed(["export", &log, "--features", "greedy"]));
    bench.run(words).assert_refused(2, &["`table.csv`"]);
    assert_eq!(fs::read_to_string(bench.path("table.csv")).expect("it is there"), text);
    let words = ["export", &log, "--features", "greedy", "--output", "no/table.csv"];
    bench.run(words).assert_refused(2, &["`no/table.csv`"]);
}

/// The rest of a line that a crash cut off does not count, and all before it counts.
#[test]
fn a_log_whose_last_line_is_cut_off() {
    let bench = bench();
    let path = play(&bench, "2", &["random", "greedy"]);
    let whole = fs::read_to_string(&path).expect("a log");
    let ends: Vec<usize> = whole.match_indices('\n').map(|(end, _)| end + 1).collect();
    bench.write("one-game", &whole[..ends[1]]);
    let shown = bench.run(["show", "one-game"]);
    for (name, length, line) in
        [("torn", ends[1] + 5000, "line 3"), ("no-feed", ends[2] - 1, "line 3")]
    {
        bench.write(name, &whole[..length]);
        let says = format!("warning: {name}: ends in the middle of {line}, it is not finished\n");
        for features in ["moves", "greedy", "minimax"] {
            let words = |log| ["export", log, "--features", features, "--format", "jsonl"];
            let torn = bench.run(words(name));
            assert_eq!((torn.code, &torn.stderr), (Some(0), &says));
            assert_eq!(torn.stdout.replace(name, "one-game"), bench.succeed(words("one-game")));
        }
        let torn = bench.run(["show", name]);
        assert_eq!((torn.code, &torn.stderr), (Some(0), &says));
        assert!(torn.stdout == shown.stdout && torn.stdout.contains("result: "));
    }
    let words = ["export", "torn", "--features", "greedy", "-o", "table.csv"];
    assert_eq!(bench.run(words).code, Some(0));
    let rows = fs::read_to_string(bench.path("table.csv")).expect("it is kept").lines().count();
    assert!(rows > 1, "{rows} rows");
    bench.write("no-header", &whole[..100]);
    bench.run(["show", "no-header"]).assert_refused(3, &["line 1"]);
}

#[test]
fn a_log_that_is_wrong() {
    let bench = bench();
    let log = short_game(&bench);
    let whole = fs::read_to_string(bench.path(&log)).expect("a log");
    bench.write("changed", whole.replace("10D 10S", "10D 10C"));
    let mut lines = chain::contents(&whole);
    lines[1] = lines[1].replace("10D 10S", "10D 10C");
    bench.write("forged", chain::chain(&lines));
    for features in ["moves", "greedy", "minimax"] {
        for name in ["changed", "forged"] {
            let words = ["export", name, "--features", features, "-o", "table.csv"];
            bench.run(words).assert_refused(3, &[name, "line 2"]);
            assert!(!bench.path("table.csv").exists(), "a part of a table is left");
        }
    }
    bench.write("empty", "");
    bench.run(["export", "empty", "--features", "moves"]).assert_refused(3, &["empty"]);
}

#[test]
fn wrong_usage() {
    let bench = bench();
    for features in ["greedy", "minimax"] {
        let words = ["export", "--features", features, &example("matches/durak.jsonl")];
        bench.run(words).assert_refused(2, &["durak", features, "tablic"]);
        // Nothing is written of the logs before it either.
        let [fine, other] = ["matches/tablic-2-seats.jsonl", "tournaments/coup"].map(example);
        let words = ["export", "--features", features, &fine, &other];
        bench.run(words).assert_refused(2, &["coup", features, "tablic"]);
    }
    let words = ["export", "--features", "moves", "nowhere"];
    bench.run(words).assert_refused(2, &["nowhere", "cannot be read"]);
    for words in [
        &["export"][..],
        &["export", "log"],
        &["export", "--features", "all", "log"],
        &["export", "--features", "moves"],
        &["export", "--features", "moves", "--format", "xml", "log"],
    ] {
        let ended = bench.run(words);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
    }
    assert!(bench.succeed(["export", "--help"]).contains("Examples:\n  arbiter export "));
}
