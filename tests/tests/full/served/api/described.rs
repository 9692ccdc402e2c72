//! Each answer has the form that `openapi.json` describes, and holds what the pages show.

use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::installed::python_with_packages;
use tests::log::completed;
use tests::served::{Answer, Events, Served};

use super::super::live::Cup;
use super::{ROOT, cup, get, read_to_its_end, served as start, value};
use tests::league::{lively, loud};

/// Reads a schema and a value from each line, and prints the errors of the value.
const VALIDATOR: &str = r#"
import json, sys
from jsonschema import Draft202012Validator
for line in sys.stdin:
    schema, value = json.loads(line)
    Draft202012Validator.check_schema(schema)
    errors = Draft202012Validator(schema).iter_errors(value)
    print(json.dumps([f"{error.message} at {error.json_path}" for error in errors]), flush=True)
"#;

/// The package `jsonschema` of Python, in a process.
struct Validator {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Validator {
    fn start() -> Option<Validator> {
        let mut python = Command::new(python_with_packages(&Bench::new())?);
        python.args(["-c", VALIDATOR]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = python.spawn().expect("Python starts");
        let output = process.stdout.take().expect("a pipe");
        Some(Validator { process, output: BufReader::new(output) })
    }

    fn errors(&mut self, schema: &Value, value: &Value) -> Vec<String> {
        let input = self.process.stdin.as_mut().expect("a pipe");
        writeln!(input, "{}", json!([schema, value])).expect("the validator reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the validator answers");
        serde_json::from_str(&line).expect("a list of errors")
    }
}

impl Drop for Validator {
    fn drop(&mut self) {
        // The end of its input ends it.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// The description that a server sends, and a validator, if one is installed.
struct Description {
    value: Value,
    validator: Option<RefCell<Validator>>,
}

impl Description {
    fn fetch(served: &Served) -> Description {
        let validator = Validator::start().map(RefCell::new);
        Description { value: value(served, "/openapi.json"), validator }
    }

    /// The paths for sources of this kind.
    fn paths(&self, kind: &str) -> Vec<String> {
        let all = self.value["paths"].as_object().expect("paths");
        let is_of_kind = |path: &Value| {
            path["get"]["tags"].as_array().expect("tags").iter().any(|tag| tag == kind)
        };
        all.iter().filter(|(_, it)| is_of_kind(it)).map(|(path, _)| path.clone()).collect()
    }

    fn has_events(&self, path: &str) -> bool {
        self.answer(path)["content"]["text/event-stream"].is_object()
    }

    fn answer(&self, path: &str) -> &Value {
        &self.value["paths"][path]["get"]["responses"]["200"]
    }

    /// Checks an answer of 200 at a path, and that one with a further key would not pass.
    fn check(&self, path: &str, answer: &Answer) {
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        assert_eq!(answer.header("content-type"), "application/json", "{path}");
        let told: Value = serde_json::from_str(&answer.text).expect("JSON");
        let schema = &self.answer(path)["content"]["application/json"]["schema"];
        self.assert_valid(path, schema, &told);
        if path != "/openapi.json" {
            let mut more = told;
            more["surprise"] = json!(1);
            let errors = self.errors(schema, &more);
            assert_ne!(errors, Some(Vec::new()), "{path}: any key is allowed");
        }
    }

    fn check_error(&self, path: &str, answer: &Answer) {
        let told: Value = serde_json::from_str(&answer.text)
            .unwrap_or_else(|_| panic!("{path}: {}", answer.text));
        self.assert_valid(path, &json!({ "$ref": "#/components/schemas/Error" }), &told);
    }

    fn assert_valid(&self, path: &str, schema: &Value, told: &Value) {
        let wrong = self.errors(schema, told).unwrap_or_default();
        assert!(wrong.is_empty(), "{path}: {}", wrong.join("\n"));
    }

    /// The errors of a value; nothing where no validator is installed.
    fn errors(&self, schema: &Value, value: &Value) -> Option<Vec<String>> {
        let whole = json!({ "allOf": [schema], "components": self.value["components"] });
        Some(self.validator.as_ref()?.borrow_mut().errors(&whole, value))
    }
}

/// Asks for each described path of a source, and checks the answer.
fn check_all(served: &Served, kind: &str, put: &[(&str, &str)]) {
    let description = Description::fetch(served);
    let paths = description.paths(kind);
    assert!(paths.len() > 1, "{paths:?}");
    for path in paths {
        let address = put.iter().fold(path.clone(), |path, (name, it)| path.replace(name, it));
        if path == "/log.tar" {
            // The organiser offers none here.
            description.check_error(&path, &get(served, &address));
        } else if description.has_events(&path) {
            let (name, _) = first_event(served, &address);
            assert!(["changed", "game", "over"].contains(&name.as_str()), "{path}: {name}");
        } else if path.starts_with("/live/") && get(served, &address).status == 404 {
            // Nothing is being played; the test of a game in progress looks at it.
        } else {
            description.check(&path, &get(served, &address));
        }
    }
}

/// The first event of a stream, and its data.
fn first_event(served: &Served, path: &str) -> (String, Value) {
    let mut events = Events::open(served, &format!("{ROOT}{path}"));
    assert_eq!(events.headers["access-control-allow-origin"], "*", "{path}");
    events.event()
}

#[test]
fn a_tournament_answers_as_it_is_described() {
    let bench = cup();
    let served = start(&bench, &["cup", "--review", "--with-stderr"]);
    read_to_its_end(&served, "/games");
    let description = Description::fetch(&served);
    check_all(&served, "tournament", &[("{bot}", "loud"), ("{game}", "0")]);
    for bot in ["%C5%BDofie", "greedy", "bad"] {
        description.check("/bots/{bot}", &get(&served, &format!("/bots/{bot}")));
    }
    let played = value(&served, "/")["played"].as_u64().expect("a number");
    for game in 0..played {
        description.check("/games/{game}", &get(&served, &format!("/games/{game}")));
    }
    // Keys that come only sometimes have come.
    let loud = value(&served, "/bots/loud");
    assert_eq!(loud["notes"][0]["key"], "evaluation", "{loud}");
    let bad = value(&served, "/bots/bad");
    assert_eq!(bad["faults"][0]["verdict"], "malformed", "{bad}");
    for path in ["/games/99", "/bots/none", "/games?limit=0", "/nothing"] {
        description.check_error(path, &get(&served, path));
    }

    // All that scripts of pages read is in the interface.
    assert_eq!(served.text("data/standings.json"), get(&served, "/standings").text);
    let list = in_script(&served.text("data/list-0.js"), '[');
    assert_eq!(value(&served, "/games")["games"], list);
    let games = in_script(&served.text("data/games-0.js"), '[');
    for game in games.as_array().expect("games") {
        let told = value(&served, &format!("/games/{}", game["number"]));
        assert_eq!(told["played"], completed(game.clone()));
    }
    let index = in_script(&served.text("data/index.js"), '{');
    let (about, game) = (value(&served, "/"), value(&served, "/games/0"));
    for key in ["game", "options", "names"] {
        assert_eq!(index[key], game[key], "{key}");
    }
    assert_eq!((&index["log"], &about["reviews"]), (&about["log"], &json!(true)));
    let review = served.text("data/review-0-0.js");
    assert_eq!(value(&served, "/games/0/review"), in_script(&review, '{'));
}

#[test]
fn a_tournament_of_many_seats_and_one_before_its_first_game_answer_as_described() {
    let bench = cup();
    bench.ok(
        "tournament --game durak --dir three --seats 3 --deals 1 --quiet random greedy b=greedy",
    );
    fs::remove_file(bench.path("three/standings.json")).expect("it is there");
    let served = start(&bench, &["three"]);
    read_to_its_end(&served, "/games");
    let description = Description::fetch(&served);
    for path in ["/", "/standings", "/bots", "/bots/{bot}", "/games", "/games/{game}"] {
        let address = path.replace("{bot}", "b").replace("{game}", "1");
        description.check(path, &get(&served, &address));
    }
    fs::remove_file(bench.path("three/games.jsonl")).expect("it is there");
    let served = start(&bench, &["three"]);
    description.check("/", &get(&served, "/"));
    assert_eq!(value(&served, "/")["state"], "not begun");
    for path in ["/standings", "/bots", "/games", "/games/0"] {
        let answer = get(&served, path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.text);
        description.check_error(path, &answer);
    }
}

#[test]
fn a_league_with_stages_answers_as_it_is_described() {
    let bench = lively();
    bench.ok("league add class b=greedy c=random");
    let formats: [&[&str]; 4] =
        [&["swiss"], &["knockout"], &["double-elimination"], &["groups", "--groups", "2"]];
    for format in formats {
        let words = ["league", "stage", "class", "--deals", "1", "--format"];
        bench.succeed([&words, format].concat());
        bench.ok("league run class --stage --quiet");
    }
    let served = start(&bench, &["class", "--review"]);
    read_to_its_end(&served, "/rounds/0/games");
    let put = [
        ("{round}/bots/{bot}", "{round}/bots/ann@1"),
        ("{bot}", "ann"),
        ("{round}", "0"),
        ("{game}", "0"),
    ];
    let description = Description::fetch(&served);
    check_all(&served, "league", &put);
    let refused = value(&served, "/refused");
    assert_eq!(refused["refused"][0]["name"], "bad", "{refused}");
    let rounds = value(&served, "/")["rounds"].as_u64().expect("a number");
    for round in 0..rounds {
        description.check("/rounds/{round}", &get(&served, &format!("/rounds/{round}")));
    }
    let stages = value(&served, "/stages");
    assert_eq!(stages["stages"].as_array().map(Vec::len), Some(4), "{stages}");
    let told = bench.ok("league stages class --json");
    for (stage, line) in stages["stages"].as_array().expect("stages").iter().zip(told.lines()) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(*stage, line["stage"]);
    }
    let told = bench.ok("league pairings class --round 0 --json");
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(value(&served, "/rounds/0"), told["round"]);
}

#[test]
fn a_folder_lists_its_sources_and_each_has_an_interface_of_its_own() {
    let bench = cup();
    fs::create_dir(bench.path("all")).expect("the folder is ours");
    fs::rename(bench.path("cup"), bench.path("all/a cup")).expect("the folder is ours");
    let served = start(&bench, &["all"]);
    check_all(&served, "folder", &[]);
    assert_eq!(value(&served, "/")["sources"], json!(["a cup"]));
    let description = Description::fetch(&served);
    description.check("/", &served.get("a%20cup/api/v1/", &[]));
    for (path, status) in [("nothing/api/v1/", 404), ("a%20cup/api/v1/nothing", 404), ("api/", 404)]
    {
        let answer = served.get(path, &[]);
        assert_eq!(answer.status, status, "{path}");
        description.check_error(path, &answer);
    }
    fs::rename(bench.path("all/a cup"), bench.path("away")).expect("the folder is ours");
    let gone = served.get("a%20cup/api/v1/standings", &[]);
    assert_eq!(gone.status, 410);
    description.check_error("gone", &gone);
}

#[test]
fn a_game_in_progress_is_there_with_its_public_part() {
    let cup = Cup::begin(4);
    let served = cup.serve(&["--host", "api.example"]);
    let description = Description::fetch(&served);
    let list = get(&served, "/live");
    description.check("/live", &list);
    let list: Value = serde_json::from_str(&list.text).expect("JSON");
    assert_eq!(list["games"][0]["moves"], 4, "{list}");
    let game = get(&served, "/live/0");
    description.check("/live/{game}", &game);
    for card in cup.in_hands() {
        let words = game.text.split(|it: char| !it.is_ascii_alphanumeric());
        assert!(words.clone().all(|word| word != card), "{card} in {}", game.text);
    }
    let (name, data) = first_event(&served, "/live/0/events");
    let told: Value = serde_json::from_str(&game.text).expect("JSON");
    assert_eq!((name.as_str(), &data), ("game", &told["played"]));
    for path in ["/live/1", "/live/00", "/live/0-0", "/live/x"] {
        assert_eq!(get(&served, path).status, 404, "{path}");
    }
}

#[test]
fn a_participant_is_answered_as_described() {
    let bench = loud();
    let served = Served::start(&bench, &["class", "--submit"]);
    let token = bench.ok("league invite class loud");
    let token = format!("Bearer {}", token.trim_end().split(' ').next_back().expect("a token"));
    let ask = |path: &str| served.get(&path[1..], &[("authorization", &*token)]);
    let description = Description::fetch(&served);
    let paths = description.paths("participant");
    assert_eq!(paths.len(), 3, "{paths:?}");
    for path in paths {
        let told = ask(&path.replace("{round}", "0").replace("{game}", "0"));
        if path.ends_with(".jsonl") {
            let schema = &description.answer(&path)["content"]["application/jsonl"]["schema"];
            assert_eq!(told.text.lines().count(), 4, "{}", told.text);
            for line in told.text.lines() {
                let line: Value = serde_json::from_str(line).expect("JSON");
                description.assert_valid(&path, schema, &line);
            }
        } else {
            description.check(&path, &told);
        }
        assert!(path.ends_with("/games") || told.text.contains("secret-of-mine"), "{}", told.text);
        let address = path.replace("{round}", "0").replace("{game}", "0");
        let stranger = served.get(&address[1..], &[("accept", "application/json")]);
        assert_eq!(stranger.status, 401, "{path}");
        description.check_error(&path, &stranger);
    }
}

/// The value in a script of data, which calls a function with it.
fn in_script(text: &str, first: char) -> Value {
    let value = text.split_once(first).map(|(_, rest)| format!("{first}{rest}")).expect("a value");
    let value = value.trim_end().trim_end_matches(';').trim_end_matches(')');
    serde_json::from_str(value).unwrap_or_else(|_| panic!("{text}"))
}
