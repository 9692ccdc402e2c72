//! The list of rows and the table in Markdown, as a part of `tests/README.md`.

use tests::keeping::Keeping;

use super::super::readme;
use super::case::{Case, Want};
use super::rows;

/// The ways of keeping bots, each a column.
const WAYS: [Keeping; 5] =
    [Keeping::Isolated, Keeping::Refused, Keeping::Contained, Keeping::Off, Keeping::Portable];

const BEGIN: &str = "<!-- written by tests/tests/it/misbehaviour/faults.rs -->\n";
const END: &str = "<!-- the end of what is written -->\n";

/// Compares the list of rows and the table in the file with what they are made of.
pub(crate) fn compare(cases: &[Case]) {
    readme::compare(BEGIN, END, &format!("{}\n{}", rows::markdown(), table(cases)));
}

fn table(cases: &[Case]) -> String {
    let ways = WAYS.map(|keeping| keeping.to_string()).join(" | ");
    let mut table = format!("| row | the bot | {ways} | why |\n");
    table.push_str("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for case in cases {
        let wants = WAYS.map(|keeping| match case.wanted(keeping) {
            Want::Ok => "ok",
            Want::Fault(verdict, _) => verdict,
            Want::Refused(_) => "start-failed, exit code 4",
            Want::Anything => "",
        });
        let wants = wants.join(" | ");
        table.push_str(&format!("| {} | {} | {wants} | {} |\n", case.row, case.does, case.why));
    }
    table
}
