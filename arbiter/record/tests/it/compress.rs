//! Compressing a log: what it leaves, what it refuses, and what a crash in between leaves.

use std::fs;
use std::path::{Path, PathBuf};

use record::compress::{CompressionError, EndEvidence, compress, name};
use record::verify::{VerifyOptions, verify};

const LOG: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tournaments/coup/games.jsonl");

/// A copy of a log in a folder, without its last lines.
fn copied(folder: &Path, without: usize) -> PathBuf {
    let path = folder.join("games.jsonl");
    let text = fs::read_to_string(LOG).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(&path, lines[..lines.len() - without].concat()).unwrap();
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_log_that_is_over_is_replaced_by_the_compressed_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = copied(folder.path(), 0);
    let plain = verify(&path, VerifyOptions::QUIET).unwrap();
    let done = compress(&path, EndEvidence::Line).unwrap();
    assert_eq!(names(folder.path()), ["games.jsonl.gz"]);
    assert_eq!(done.path, name(&path));
    assert_eq!(done.after, fs::metadata(&done.path).unwrap().len());
    assert!(done.after * 10 < done.before * 3, "{done:?}");
    assert_eq!(verify(&done.path, VerifyOptions::QUIET).unwrap(), plain);
    assert!(matches!(compress(&done.path, EndEvidence::Line), Err(CompressionError::Already)));
}

#[test]
fn a_crash_before_the_plain_log_is_gone_is_made_good() {
    let folder = tempfile::tempdir().unwrap();
    let done = compress(&copied(folder.path(), 0), EndEvidence::Line).unwrap();
    let path = copied(folder.path(), 0);
    assert_eq!(compress(&path, EndEvidence::Line).unwrap(), done);
    assert_eq!(names(folder.path()), ["games.jsonl.gz"]);
}

#[test]
fn what_may_go_on_or_is_something_else_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = copied(folder.path(), 1);
    assert!(matches!(compress(&path, EndEvidence::Line), Err(CompressionError::NotOver)));
    compress(&path, EndEvidence::Continued).unwrap();
    // The compressed one lacks the end.
    let path = copied(folder.path(), 0);
    let before = fs::read(name(&path)).unwrap();
    assert!(matches!(compress(&path, EndEvidence::Line), Err(CompressionError::Taken(_))));
    assert_eq!(fs::read(name(&path)).unwrap(), before);
    fs::remove_file(name(&path)).unwrap();
    let changed = fs::read_to_string(&path).unwrap().replacen("\"deal\":1", "\"deal\":0", 1);
    fs::write(&path, &changed).unwrap();
    let problem = compress(&path, EndEvidence::Line).unwrap_err().to_string();
    assert!(problem.contains("was modified"), "{problem}");
    assert_eq!(fs::read_to_string(&path).unwrap(), changed);
    assert_eq!(names(folder.path()), ["games.jsonl"]);
}
