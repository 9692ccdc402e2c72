//! The list of rows and the table in Markdown, as a part of `tests/README.md`.

use std::fs;

use super::case::{Case, Want};
use super::rows;

/// The environment variable that has the file written instead of compared.
const UPDATE: &str = "UPDATE_README";

/// The file as it was when this test was built.
const COMMITTED: &str = include_str!("../../../../README.md");

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

const BEGIN: &str = "<!-- written by tests/tests/it/misbehaviour/faults.rs -->\n";
const END: &str = "<!-- the end of what is written -->\n";

/// Compares the list of rows and the table in the file with what they are made of.
pub(crate) fn compare(cases: &[Case]) {
    let (before, rest) = COMMITTED.split_once(BEGIN).expect("the file has a place for them");
    let (_, after) = rest.split_once(END).expect("the place for them has an end");
    let (list, table) = (rows::markdown(), table(cases));
    let expected = format!("{before}{BEGIN}{list}\n{table}{END}{after}");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(PATH, expected).expect("the file can be written");
        return;
    }
    assert!(
        COMMITTED == expected,
        "tests/README.md is out of date: run {UPDATE}=1 cargo test -p tests in_the_readme"
    );
}

fn table(cases: &[Case]) -> String {
    let mut table = "| row | the bot | linux | portable |\n| --- | --- | --- | --- |\n".to_owned();
    for case in cases {
        let [linux, portable] = ["linux", "portable"].map(|it| match case.wanted(it) {
            Want::Ok => "ok",
            Want::Fault(verdict, _) => verdict,
            Want::Refused(_) => "start-failed, exit code 4",
        });
        table.push_str(&format!("| {} | {} | {linux} | {portable} |\n", case.row, case.does));
    }
    table
}
