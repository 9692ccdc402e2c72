//! `arbiter export`: compared with values worked by hand for a short game, in files, and of damaged logs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tests::bench::{Bench, SEED};
use tests::{chain, log};

const TABLES: [&str; 3] = ["moves", "greedy", "minimax"];

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    root.join(name).to_str().expect("text").to_owned()
}

/// The rows of an export as CSV, the heading first.
fn rows(bench: &Bench, features: &str, logs: &[&str]) -> Vec<Vec<String>> {
    let text = bench.succeed([&["export", "--features", features], logs].concat());
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// The rows of an export by the names of their columns.
fn objects(bench: &Bench, features: &str, log: &str) -> Vec<Value> {
    bench.run(["export", "--format", "jsonl", "--features", features, log]).json()
}

/// A row of numbers, written with blanks, and with bars between its parts.
fn row(text: &str) -> Vec<String> {
    text.split_whitespace()
        .filter(|word| *word != "|")
        .map(|word| word.replace('-', "").replace('_', " "))
        .collect()
}

/// A game of four moves: on the deals of this seed seat 0 plays what is written here, and a card that
/// it does not hold when it is asked for the third time.
///
/// The table is 3D 4C 5S KD, seat 0 holds 2H 2S 4S 9S 10C 10S, and seat 1 2C 2D 4D 4H 10D KS.
fn short_game(bench: &Bench) -> &'static str {
    let script =
        "case $(sed -n 's/^move //p') in 0) echo 4s ;; 2) echo 10S ;; 4) echo KC ;; esac\n";
    bench.write("bot.sh", script);
    let head = ["match", "--game", "tablic", "--quiet", "--seed", SEED, "--log", "short"];
    bench.succeed([&head[..], &["--time-limit", "30s", "short=sh bot.sh", "greedy"]].concat());
    let moves = ["0 4S", "1 KS KD", "0 10S", "1 10D 10S", "out 0 illegal"];
    let events = log::games(&bench.path("short")).remove(0)["events"].take();
    assert_eq!(events.as_array().expect("events")[3..], moves.map(Value::from));
    "short"
}

/// Legal moves: each of the cards can be laid down. Seat 0 has 6, and the 4 takes 4C, the 9 takes
/// 4C 5S. Seat 1 has 6: the 4s take 4C, 4S or both, which is 6; the king takes KD. In the third
/// position seat 0 has 5, and the 9 takes 4C 5S or 4S 5S. In the fourth seat 1 has 5, and the 4s
/// have 6 again; the 10 of diamonds takes 10S.
const MOVES: [&str; 4] = [
    "short 0 0 0 short 0 4S 8 0 0 0 2",
    "short 0 0 1 greedy 1 KS_KD 13 0 0 25 1",
    "short 0 0 0 short 2 10S 7 0 0 0 2",
    "short 0 0 1 greedy 3 10D_10S 12 0 2 25 1",
];

/// Hand and table by classes, A 2 3 4 5 6 7 8 9 10 J Q K 2C 10D, and the class of the card played.
const GREEDY: [&str; 4] = [
    "0 1 0 1 0 0 0 0 1 1 0 0 0 0 0 | 0 0 1 1 1 0 0 0 0 0 0 0 1 0 0 | 3",
    "0 1 0 1 0 0 0 0 0 0 0 0 1 1 1 | 0 0 1 2 1 0 0 0 0 0 0 0 1 0 0 | 12",
    "0 1 0 0 0 0 0 0 1 1 0 0 0 0 0 | 0 0 1 2 1 0 0 0 0 0 0 0 0 0 0 | 9",
    "0 1 0 1 0 0 0 0 0 0 0 0 0 1 1 | 0 0 1 2 1 0 0 0 0 1 0 0 0 0 0 | 14",
];

/// Seats, seat, points, cards, last | known | lacks | hand | table | played | captured.
///
/// The table, the own hand and all played cards are known. Assumptions:
///
/// - After 4S, which took nothing, on 3D 4C 5S KD: seat 0 has no 3, 5 or king, each of which would
///   have taken its like, no 7 (3 + 4), 8 (3 + 5), 9 (4 + 5) or jack (3 + 4 + 5 = 12). An ace, a 10
///   and a queen take nothing there, and a 4 was played.
/// - After KS KD, 2 points: seat 1 had nothing better on 3D 4C 4S 5S KD that it may hold, for
///   any card that takes more there gains 1 point.
/// - After 10S, which took nothing, on 3D 4C 4S 5S: besides, no ace (3 + 4 + 4) and no queen
///   (4 + 4 + 5). A 4 as well, but all four have been seen, so that nothing need be assumed.
const MINIMAX: [&str; 4] = [
    "2 0  0 0  0 0  - | 0 2 1 2 1 0 0 0 1 2 0 0 1 0 0 | 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 |
     0 2 0 1 0 0 0 0 1 2 0 0 0 0 0 | 0 0 1 1 1 0 0 0 0 0 0 0 1 0 0 | 3 | 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
    "2 1  0 0  0 0  - | 0 1 1 4 1 0 0 0 0 0 0 0 2 1 1 | 0 0 1 0 1 0 1 1 1 0 1 0 1 0 0 |
     0 1 0 2 0 0 0 0 0 0 0 0 1 1 1 | 0 0 1 2 1 0 0 0 0 0 0 0 1 0 0 | 12 | 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0",
    "2 0  0 2  0 2  1 | 0 2 1 2 1 0 0 0 1 2 0 0 2 0 0 | 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 |
     0 2 0 0 0 0 0 0 1 2 0 0 0 0 0 | 0 0 1 2 1 0 0 0 0 0 0 0 0 0 0 | 9 | 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
    "2 1  0 2  0 2  1 | 0 1 1 4 1 0 0 0 0 1 0 0 2 1 1 | 1 0 1 0 1 0 1 1 1 0 1 1 1 0 0 |
     0 1 0 2 0 0 0 0 0 0 0 0 0 1 1 | 0 0 1 2 1 0 0 0 0 1 0 0 0 0 0 | 14 | 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0",
];

#[test]
fn tables_of_a_short_game() {
    let bench = Bench::new();
    let log = short_game(&bench);
    let [moves, greedy, minimax] = TABLES.map(|features| rows(&bench, features, &[log]));
    let heading = "log game deal seat player move text legal_moves more points final_points place";
    assert_eq!(moves[0].join(" "), heading);
    assert_eq!(moves[1..], MOVES.map(row));
    assert_eq!(bench.succeed(["export", log]), bench.ok(&format!("export --features moves {log}")));
    let classes = "A 2 3 4 5 6 7 8 9 10 J Q K 2C 10D".split(' ');
    let classes = |of: &'static str| classes.clone().map(move |class| format!("{of}_{class}"));
    let heading = classes("hand").chain(classes("table")).chain(["played".to_owned()]);
    assert_eq!(greedy[0], heading.collect::<Vec<_>>());
    assert_eq!(greedy[1..], GREEDY.map(row));
    assert_eq!(minimax[0].len(), 2 + 2 + 2 + 1 + 15 + 15 + 15 + 15 + 1 + 15);
    let named = [0, 1, 2, 5, 6, 7, 22, 37, 52, 67, 68, 82].map(|place| minimax[0][place].as_str());
    let heading = "seats seat points_0 cards_1 last known_A lacks_1_A hand_A table_A played captured_A \
                   captured_10D";
    assert_eq!(named.join(" "), heading);
    assert_eq!(minimax[1..], MINIMAX.map(row));
    // Programs read lines of JSON: the keys are the columns, in their order.
    let text = bench.succeed(["export", log, "--features", "moves", "--format", "jsonl"]);
    let last = r#"{"log":"short","game":0,"deal":0,"seat":1,"player":"greedy","move":3,"text":"10D 10S","legal_moves":12,"more":0,"points":2,"final_points":25,"place":1}"#;
    assert_eq!(text.lines().last(), Some(last));
    for (features, table) in TABLES.into_iter().zip([moves, greedy, minimax]) {
        for (line, row) in objects(&bench, features, log).iter().zip(&table[1..]) {
            assert_eq!(line.as_object().map(|it| it.len()), Some(table[0].len()));
            for (column, cell) in table[0].iter().zip(row) {
                let value = match &line[column] {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                assert_eq!(value, *cell, "{column}");
            }
        }
    }
}

/// By hand: the first decision of the short game, where seat 0 holds 2H 2S 4S 9S 10C 10S on the table
/// 3D 4C 5S KD.
#[test]
fn expert_features_of_a_short_game() {
    let bench = Bench::new();
    let found = objects(&bench, "expert", short_game(&bench));
    let first: Vec<&Value> = found.iter().filter(|row| row["move"] == 0).collect();
    let told = |key: &str| first.iter().map(|row| row[key].clone()).collect::<Vec<_>>();
    // 4S was laid down, which greedy would not have done; the 9 takes 4C 5S.
    assert_eq!(told("choice"), ["2S", "4S", "9S 4C 5S", "10C"].map(Value::from));
    for (key, values) in [("chosen", [0, 1, 0, 0]), ("deals_left", [3, 3, 3, 3])] {
        assert_eq!(told(key), values.map(Value::from), "{key}");
    }
    for (key, values) in [
        ("value_0_first_cards", [4.0; 4]),
        // The king on the table.
        ("value_0_first_points", [1.0; 4]),
        ("value_1_end", [1.0; 4]),
        ("move_captures", [0.0, 0.0, 1.0, 0.0]),
        ("move_cards", [0.0, 0.0, 2.0, 0.0]),
        // A 10 is worth a point.
        ("move_laid_points", [0.0, 0.0, 0.0, -1.0]),
        ("move_laid_value", [0.2, 0.4, 0.0, 1.0]),
        // Three 2s but not of clubs, three 4s beside the one on the table, four 9s, three 10s but not of
        // diamonds; one of each is played.
        ("move_unseen_alike", [2.0, 2.0, 3.0, 2.0]),
        ("move_own_alike", [1.0, 0.0, 0.0, 1.0]),
    ] {
        assert_eq!(told(key), values.map(Value::from), "{key}");
    }
}

/// The help names every column, and the choices that were made are the moves.
#[test]
fn tables_of_every_game() {
    let bench = Bench::new();
    let help = bench.succeed(["export", "--help"]);
    assert!(help.contains("Examples:\n  arbiter export "), "{help}");
    let (_, help) = help.split_once("Columns of `moves`").expect("columns in the help");
    let words: BTreeSet<&str> = help.split([' ', ',', '\n']).collect();
    for features in TABLES {
        for column in rows(&bench, features, &[&example("matches/tablic-2-seats.jsonl")]).remove(0)
        {
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
        let head = ["simulate", "--game", game, "--deals", "2", "--seed", SEED, "--log", game];
        bench.succeed([&head[..], &["random", "greedy"]].concat());
        let [moves, choices] = ["moves", "expert"].map(|features| objects(&bench, features, game));
        let told = |row: &Value, text: &str| {
            let keys = ["game", "deal", "seat", "player", "move", text, "final_points", "place"];
            keys.map(|key| row[key].clone())
        };
        assert!(choices.len() > moves.len());
        let made = choices.iter().filter(|row| row["chosen"] == 1).map(|row| told(row, "choice"));
        assert!(made.eq(moves.iter().map(|row| told(row, "text"))), "{game}");
        for column in choices[0].as_object().expect("a row").keys() {
            let end = |prefix| column.strip_prefix(prefix).map(|end| (prefix, end));
            let seat = end("value_").and_then(|(_, end)| end.split_once('_'));
            let named = match seat {
                Some((_, name)) => vec!["value_S_", name],
                None => match ["move_", "actor_", "other_", "hand_"].into_iter().find_map(end) {
                    Some(("hand_", _)) => vec!["hand_"],
                    Some((prefix, name)) if game != "durak" => vec![prefix, name],
                    _ => vec![column.as_str()],
                },
            };
            for name in named {
                let is_there = words.contains(name) || words.contains(column.as_str());
                assert!(is_there, "{column} of expert is not in {help}");
            }
        }
    }
    let ended = bench.run(["export", "--features", "expert", "coup", "durak"]);
    let problem =
        "durak: games of durak and coup have different `expert` columns: export them separately";
    ended.assert_refused(2, &[problem]);
}

/// Every answer that counts is a row, in every game and dialect, also of a game with a seat that is out; its text is
/// legal as it stands.
#[test]
fn moves_of_several_logs_and_a_tournament() {
    let bench = Bench::new();
    let names = ["coup", "coup-classic", "durak", "tablic-4-seats-one-out"];
    let matches = names.map(|name| example(&format!("matches/{name}.jsonl")));
    let cup = example("tournaments/coup");
    let mut joined = Vec::new();
    for path in matches.iter().chain([&cup]) {
        let log = if *path == cup { Path::new(path).join("games.jsonl") } else { path.into() };
        let games = log::games(&log);
        let answers = games.iter().flat_map(log::answers);
        let expected = answers.filter(|answer| answer["verdict"] == "ok").count();
        let found = rows(&bench, "moves", &[path]);
        assert!(expected > 10 && found.len() == expected + 1, "{path}");
        for row in &found[1..] {
            let game = &games[row[1].parse::<usize>().expect("a number")];
            let seat: usize = row[3].parse().expect("a seat");
            let scores = game["result"]["scores"].as_array().expect("scores");
            assert_eq!(row[10], scores[seat].to_string(), "{path}: {row:?}");
            // Seats with equal points share the better place.
            let better = scores.iter().filter(|it| it.as_f64() > scores[seat].as_f64()).count();
            assert_eq!(row[11], (better + 1).to_string(), "{path}: {row:?}");
            assert!(row[7] != "0" && row[8] == "0", "{path}: {row:?}");
        }
        joined.extend_from_slice(&found[usize::from(!joined.is_empty())..]);
    }
    let all: Vec<&str> = matches.iter().chain([&cup]).map(String::as_str).collect();
    assert_eq!(rows(&bench, "moves", &all), joined);
    // Output of a program of the classic dialect is not the text of a move.
    let classic = rows(&bench, "moves", &[&matches[1]]);
    assert!(classic.iter().any(|row| row[6] == "challenge" || row[6] == "pass"), "{classic:?}");
    let [two, three] = [2, 3].map(|seats| example(&format!("matches/tablic-{seats}-seats.jsonl")));
    assert!(rows(&bench, "greedy", &[&two, &three]).len() > 96);
    let ended = bench.run(["export", "--features", "minimax", &two, &three]);
    let problem = "3 and 2 seats have different `minimax` columns";
    ended.assert_refused(2, &["tablic-3-seats", problem]);
    for features in ["greedy", "minimax"] {
        // Nothing is written of the logs before it either.
        let words = ["export", "--features", features, &two, &cup];
        bench.run(words).assert_refused(2, &["coup", features, "tablic"]);
        let words = ["export", "--features", features, &matches[2]];
        bench.run(words).assert_refused(2, &["durak", features, "tablic"]);
    }
}

/// Plays two games, and gives the log.
fn play(bench: &Bench) -> std::path::PathBuf {
    bench.play("tablic", &["--games", "2"], &["random", "greedy"]);
    bench.path("log")
}

/// A void game is not in the table, however much of it was played.
#[test]
fn games_that_do_not_count_are_left_out() {
    let bench = Bench::new();
    let path = play(&bench);
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
    let bench = Bench::new();
    let log = short_game(&bench);
    let words = ["export", log, "--features", "greedy", "-o", "table.csv"];
    assert_eq!(bench.succeed(words), "");
    let text = bench.text("table.csv");
    assert_eq!(text, bench.succeed(["export", log, "--features", "greedy"]));
    bench.run(words).assert_refused(2, &["`table.csv`"]);
    assert_eq!(bench.text("table.csv"), text);
    let words = ["export", log, "--features", "greedy", "--output", "no/table.csv"];
    bench.run(words).assert_refused(2, &["`no/table.csv`"]);
}

/// The rest of a line that a crash cut off does not count, and all before it counts.
#[test]
fn a_log_whose_last_line_is_cut_off() {
    let bench = Bench::new();
    let path = play(&bench);
    let whole = fs::read_to_string(&path).expect("a log");
    let ends: Vec<usize> = whole.match_indices('\n').map(|(end, _)| end + 1).collect();
    bench.write("one-game", &whole[..ends[1]]);
    let shown = bench.run(["show", "one-game"]);
    for (name, length, line) in
        [("torn", ends[1] + 5000, "line 3"), ("no-feed", ends[2] - 1, "line 3")]
    {
        bench.write(name, &whole[..length]);
        let says = format!("warning: {name}: ends in the middle of {line}, it is not finished\n");
        for features in ["moves", "minimax"] {
            let words = |log| ["export", log, "--features", features, "--format", "jsonl"];
            let torn = bench.run(words(name));
            assert_eq!((torn.code, &torn.stderr), (Some(0), &says));
            assert_eq!(torn.stdout.replace(name, "one-game"), bench.succeed(words("one-game")));
        }
        let torn = bench.run(["show", name]);
        assert_eq!((torn.code, &torn.stderr), (Some(0), &says));
        assert!(torn.stdout == shown.stdout && torn.stdout.contains("result: "));
    }
    assert_eq!(bench.line("export torn --features greedy -o table.csv").code, Some(0));
    let rows = bench.text("table.csv").lines().count();
    assert!(rows > 1, "{rows} rows");
    bench.write("no-header", &whole[..100]);
    bench.run(["show", "no-header"]).assert_refused(3, &["line 1"]);
}

#[test]
fn a_log_that_is_wrong() {
    let bench = Bench::new();
    let log = short_game(&bench);
    let whole = bench.text(log);
    bench.write("changed", whole.replace("10D 10S", "10D 10C"));
    let mut lines = chain::contents(&whole);
    lines[1] = lines[1].replace("10D 10S", "10D 10C");
    bench.write("forged", chain::chain(&lines));
    for features in ["moves", "minimax"] {
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
    let bench = Bench::new();
    for (words, says) in [
        (&["export", "--features", "moves", "nowhere"][..], "nowhere: cannot be read"),
        (&["export"], ""),
        (&["export", "log"], ""),
        (&["export", "--features", "all", "log"], ""),
        (&["export", "--features", "moves"], ""),
        (&["export", "--features", "moves", "--format", "xml", "log"], ""),
    ] {
        let ended = bench.run(words);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{words:?}: {ended:?}");
        assert!(ended.stderr.contains(says), "{words:?}: {ended:?}");
    }
}
