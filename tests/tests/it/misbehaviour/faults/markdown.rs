//! The list of rows and the table in Markdown, as a part of `tests/README.md`.

use tests::keeping::Keeping;

use super::super::readme;
use super::case::{Case, Want};
use super::rows;

const BEGIN: &str = "<!-- written by tests/tests/it/misbehaviour/faults.rs -->\n";
const END: &str = "<!-- the end of what is written -->\n";

/// Compares the list of rows and the table in the file with what they are made of.
pub(crate) fn compare(cases: &[Case]) {
    readme::compare(BEGIN, END, &format!("{}\n{}", rows::markdown(), table(cases)));
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
