//! Logs whose lists are too short or too long: no command that reads one panics.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use record::{Line, LogReader, LogWriter};
use serde_json::Value;

use super::{CommandLine, ProgramRole, dispatch};
use text::failure::Failure;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");

/// Lists of which every seat or every answer has a value.
const OF_EVERY_SEAT: [&str; 4] =
    ["/game/seats", "/game/result/scores", "/game/result/out", "/game/measured"];

type Edit = fn(&mut Vec<Value>);

const EDITS: [(&str, Edit); 4] = [
    ("its last value left out", |list| drop(list.pop())),
    ("emptied", Vec::clear),
    ("its last value doubled", |list| list.extend(list.last().cloned())),
    ("its last value 60 times", |list| {
        let last: Vec<Value> = list.last().cloned().into_iter().collect();
        list.extend(last.into_iter().cycle().take(60));
    }),
];

/// Runs a command of the program in this process.
fn run(words: &[&str]) -> Result<(), Failure> {
    let words = ["arbiter"].iter().chain(words);
    let command_line = CommandLine::try_parse_from(words).expect("a command line");
    let ProgramRole::Referee(command) = command_line.role else { unreachable!("no bot") };
    dispatch(command, &mut Vec::new())
}

fn lines(log: &Path) -> Vec<Line> {
    let mut reader = LogReader::new(record::open(log).expect("a log"));
    let mut lines = Vec::new();
    while let Some(read) = reader.next_line().expect("a line") {
        lines.push(read.line);
    }
    lines
}

/// The places of all lists in a value.
fn lists(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(values) => {
            found.push(at.to_owned());
            for (place, value) in values.iter().enumerate().take(2) {
                lists(value, &format!("{at}/{place}"), found);
            }
        }
        Value::Object(values) => {
            values.iter().for_each(|(key, value)| lists(value, &format!("{at}/{key}"), found));
        }
        _ => {}
    }
}

/// A line after an edit of one of its lists; none if it is no line of a log then.
fn edited(line: &Line, list: &str, edit: Edit) -> Option<Line> {
    let mut value = serde_json::to_value(line).expect("it is JSON");
    edit(value.pointer_mut(list).and_then(Value::as_array_mut).expect("a list"));
    serde_json::from_value(value).ok().filter(|edited| edited != line)
}

/// Calls `each` with every log in which one list of these lines has another length, in this file.
fn each_edited(
    all: &[Line],
    places: &[usize],
    file: &Path,
    each: &mut dyn FnMut(&str, &str, usize),
) {
    let mut seen = 0;
    for &place in places {
        let mut found = Vec::new();
        lists(&serde_json::to_value(&all[place]).expect("it is JSON"), "", &mut found);
        for list in &found {
            for (what, edit) in EDITS {
                let Some(edited) = edited(&all[place], list, edit) else { continue };
                let _ = fs::remove_file(file);
                let mut log = LogWriter::create(file).expect("a new file");
                for (number, line) in all.iter().enumerate() {
                    log.append(if number == place { &edited } else { line }).expect("room");
                }
                each(list, what, place + 1);
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "only {seen} edits");
}

#[test]
fn no_length_of_a_list_in_a_log_breaks_a_command() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let file = folder.path().join("log.jsonl");
    let log = file.to_str().expect("UTF-8");
    let pages = folder.path().join("pages");
    let pages_path = pages.to_str().expect("UTF-8");
    for name in ["coup", "durak", "tablic-4-seats-one-out"] {
        let whole = PathBuf::from(format!("{EXAMPLES}/matches/{name}.jsonl"));
        let original = whole.to_str().expect("UTF-8");
        let all = lines(&whole);
        let reading: [&[&str]; 15] = [
            &["verify", log],
            &["show", log],
            &["show", log, "--json"],
            &["show", log, "--game", "0", "--seat", "1"],
            &["explain", log],
            &["explain", log, "--json"],
            &["request", log, "--game", "0", "--move", "0"],
            &["review", log, "--worlds", "2", "--game", "0", "--move", "0"],
            &["puzzles", log, "-o", pages_path, "--worlds", "2"],
            &["export", log, "--features", "moves", "--notes", "eval"],
            &["export", log, "--features", "greedy"],
            &["export", log, "--features", "minimax"],
            &["export", log, "--features", "expert"],
            &["diff", log, original],
            &["report", log, "-o", pages_path],
        ];
        each_edited(&all, &[0, 1, all.len() - 1], &file, &mut |list, what, line| {
            let _ = run(&["head", log]);
            for words in reading {
                let _ = fs::remove_dir_all(&pages);
                let done = run(words);
                if OF_EVERY_SEAT.contains(&list) && ["verify", "show", "report"].contains(&words[0])
                {
                    let found = matches!(&done, Err(Failure::Verification(text))
                        if text.contains(&format!("line {line}")));
                    assert!(found, "{name}, {list} with {what}: {words:?}: {done:?}");
                }
            }
        });
    }
}

#[test]
fn no_length_of_a_list_in_the_log_of_a_tournament_breaks_a_command() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let from = PathBuf::from(format!("{EXAMPLES}/tournaments/coup"));
    for name in ["plan.toml", "entrants.json"] {
        fs::copy(from.join(name), folder.path().join(name)).expect("room");
    }
    let path = folder.path().to_str().expect("UTF-8");
    let pages = tempfile::TempDir::new().expect("a folder");
    let pages = pages.path().join("pages");
    let mut all = lines(&from.join("games.jsonl"));
    all.truncate(4);
    let reading: [&[&str]; 5] = [
        &["verify", path],
        &["tournament", "standings", path],
        &["tournament", "status", path],
        &["report", path, "-o", pages.to_str().expect("UTF-8")],
        &["export", path, "--features", "moves"],
    ];
    each_edited(&all, &[0, 1], &folder.path().join("games.jsonl"), &mut |list, what, _| {
        for words in reading {
            let _ = fs::remove_dir_all(&pages);
            let done = run(words);
            if OF_EVERY_SEAT.contains(&list) {
                assert!(done.is_err(), "{list} with {what}: {words:?}");
            }
        }
    });
}
