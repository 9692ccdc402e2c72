//! The table in Markdown, as a part of `tests/README.md`.

use std::fs;

use crate::case::{Case, Want};

/// The environment variable that has the file written instead of compared.
const UPDATE: &str = "UPDATE_README";

/// The file as it was when this test was built.
const COMMITTED: &str = include_str!("../../README.md");

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

const BEGIN: &str = "<!-- the table of faults, written by tests/tests/faults.rs -->\n";
const END: &str = "<!-- the end of the table -->\n";

/// Compares the table in the file with the cases.
pub(crate) fn compare(cases: &[Case]) {
    let (before, rest) = COMMITTED.split_once(BEGIN).expect("the file has a place for the table");
    let (_, after) = rest.split_once(END).expect("the place for the table has an end");
    let expected = format!("{before}{BEGIN}{}{END}{after}", table(cases));
    if std::env::var_os(UPDATE).is_some() {
        fs::write(PATH, expected).expect("the file can be written");
        return;
    }
    assert!(
        COMMITTED == expected,
        "tests/README.md is out of date: run {UPDATE}=1 cargo test -p tests --test faults readme"
    );
}

fn table(cases: &[Case]) -> String {
    let mut table = "| row | the bot | linux | portable |\n| --- | --- | --- | --- |\n".to_owned();
    for case in cases {
        let verdict = match case.want {
            Want::Ok => "ok",
            Want::Fault(verdict, _) => verdict,
            Want::Refused(_) => "start-failed, exit code 4",
        };
        table.push_str(&format!("| {} | {} | {verdict} | {verdict} |\n", case.row, case.does));
    }
    table
}
