//! Tools of the tests that make reports, and read the files in their folders.

use std::fs;
use std::path::{Path, PathBuf};

use record::Line;
use rules::GameRecord;
use serde_json::Value;
use tests::bench::{Bench, Ended};

pub(super) fn examples(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(path)
}

pub(super) fn run(bench: &Bench, source: &Path, folder: &Path) -> Ended {
    bench.run([Path::new("report"), source, Path::new("-o"), folder])
}

pub(super) fn succeed(bench: &Bench, source: &Path, folder: &Path) -> String {
    let ended = run(bench, source, folder).without_error();
    ended.stdout
}

/// The files of a folder and below it, by their paths, sorted.
pub(super) fn files(folder: &Path) -> Vec<String> {
    fn add(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => add(root, &path, found),
                path => {
                    let path = path.strip_prefix(root).expect("below").display().to_string();
                    found.push(path);
                }
            }
        }
    }
    let mut found = Vec::new();
    add(folder, folder, &mut found);
    found.sort();
    found
}

pub(super) fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).expect("a text")
}

/// The value that a script of data hands over.
pub(super) fn value(script: &Path) -> Value {
    let text = read(script);
    let (_, call) = text.split_once('(').expect("a call");
    let arguments = call.trim_end().strip_suffix(");").expect("the end of a call");
    let start = arguments.find(['[', '{']).expect("a value");
    serde_json::from_str(&arguments[start..]).expect("JSON")
}

pub(super) fn count(script: &Path) -> usize {
    value(script).as_array().expect("a list").len()
}

/// The game in a line of a log without its place in the chain.
pub(super) fn game_of(content: &str) -> GameRecord {
    match serde_json::from_str(&format!("{content}}}")) {
        Ok(Line::Game(game)) => *game,
        other => unreachable!("{other:?} is no game"),
    }
}

pub(super) fn content(game: GameRecord) -> String {
    let line = serde_json::to_string(&Line::Game(Box::new(game))).expect("JSON");
    line.strip_suffix('}').expect("an object").to_owned()
}
