//! The parts of pages in `docs/reference/` that tests write.

use std::env;
use std::fs;
use std::sync::{Mutex, PoisonError};

/// The environment variable that makes a test write its part instead of comparing it.
const UPDATE: &str = "UPDATE_TABLES";

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference");

/// Tests of other parts wait: each reads the whole file, and writes it.
static FILE: Mutex<()> = Mutex::new(());

/// Compares the text between these two lines of `what-a-bot-can-do.md` with the expected one.
pub fn compare(begin: &str, end: &str, expected: &str) {
    compare_in("what-a-bot-can-do.md", [begin, end], expected);
}

/// Likewise in another page.
pub fn compare_in(page: &str, [begin, end]: [&str; 2], expected: &str) {
    let path = format!("{PAGES}/{page}");
    let _file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    let found = fs::read_to_string(&path).expect("the file can be read");
    let (before, rest) = found.split_once(begin).expect("the part has a beginning");
    let (part, after) = rest.split_once(end).expect("the part has an end");
    if env::var_os(UPDATE).is_some() {
        let text = format!("{before}{begin}{expected}{end}{after}");
        fs::write(&path, text).expect("the file can be written");
        return;
    }
    assert!(
        part == expected,
        "docs/reference/{page} is out of date: \
         run {UPDATE}=1 cargo test -p tests --test it --test full tables_on_the_page"
    );
}
