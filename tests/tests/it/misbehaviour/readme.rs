//! The parts of `tests/README.md` that tests write.

use std::env;
use std::fs;
use std::sync::{Mutex, PoisonError};

/// The environment variable that has a part written instead of compared.
const UPDATE: &str = "UPDATE_README";

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// Tests of other parts wait: each reads the whole file, and writes it.
static FILE: Mutex<()> = Mutex::new(());

/// Compares what stands between these two lines with what it must be.
pub(super) fn compare(begin: &str, end: &str, expected: &str) {
    let _file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    let found = fs::read_to_string(PATH).expect("the file can be read");
    let (before, rest) = found.split_once(begin).expect("the part has a beginning");
    let (part, after) = rest.split_once(end).expect("the part has an end");
    if env::var_os(UPDATE).is_some() {
        let text = format!("{before}{begin}{expected}{end}{after}");
        fs::write(PATH, text).expect("the file can be written");
        return;
    }
    assert!(
        part == expected,
        "tests/README.md is out of date: run {UPDATE}=1 cargo test -p tests in_the_readme"
    );
}
