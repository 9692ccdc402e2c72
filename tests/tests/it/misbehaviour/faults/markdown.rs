//! The list of rows and the table in Markdown, as a part of `tests/README.md`.

use std::fs;

use tests::keeping::Keeping;

use super::case::{Case, Want};
use super::rows;

/// The environment variable that has the file written instead of compared.
const UPDATE: &str = "UPDATE_README";

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

const BEGIN: &str = "<!-- written by tests/tests/it/misbehaviour/faults.rs -->\n";
const END: &str = "<!-- the end of what is written -->\n";

/// Compares the list of rows and the table in the file with what they are made of.
pub(crate) fn compare(cases: &[Case]) {
    // Another test may just have written its part.
    let found = fs::read_to_string(PATH).expect("the file can be read");
    let (before, rest) = found.split_once(BEGIN).expect("the file has a place for them");
    let (_, after) = rest.split_once(END).expect("the place for them has an end");
    let (list, table) = (rows::markdown(), table(cases));
    let expected = format!("{before}{BEGIN}{list}\n{table}{END}{after}");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(PATH, expected).expect("the file can be written");
        return;
    }
    assert!(
        found == expected,
        "tests/README.md is out of date: run {UPDATE}=1 cargo test -p tests in_the_readme -- \
         --test-threads 1"
    );
}

fn table(cases: &[Case]) -> String {
    let [isolated, off, portable] = Keeping::ALL;
    let mut table = format!("| row | the bot | {isolated} | {off} | {portable} |\n");
    table.push_str("| --- | --- | --- | --- | --- |\n");
    for case in cases {
        let wants = Keeping::ALL.map(|keeping| match case.wanted(keeping) {
            Want::Ok => "ok",
            Want::Fault(verdict, _) => verdict,
            Want::Refused(_) => "start-failed, exit code 4",
            Want::Anything => "",
        });
        table.push_str(&format!("| {} | {} | {} |\n", case.row, case.does, wants.join(" | ")));
    }
    table
}
