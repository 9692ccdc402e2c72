//! The list of rows and the table in Markdown, as a part of `docs/reference/what-a-bot-can-do.md`.

use crate::keeping::Keeping;

use super::case::{Case, Want};
use super::rows;
use crate::page;

const BEGIN: &str = "<!-- written by tests/tests/it/misbehaviour/faults.rs -->\n";
const END: &str = "<!-- the end of the tables of faults -->\n";

/// Compares the list of rows and the table in the file with the cases.
pub fn compare(cases: &[Case]) {
    page::compare(BEGIN, END, &format!("{}\n{}", rows::markdown(), table(cases)));
}

fn table(cases: &[Case]) -> String {
    let ways = Keeping::EACH.map(|keeping| keeping.to_string()).join(" | ");
    let mut table = format!("| row | the bot | {ways} | played | why |\n");
    table.push_str("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for case in cases {
        let wants = Keeping::EACH.map(|keeping| match case.wanted(keeping) {
            Want::Ok => "ok",
            Want::Fault(verdict, _) => verdict,
            Want::Refused(_) => "start-failed, exit code 4",
            Want::Anything => "",
        });
        let wants = wants.join(" | ");
        let played = if case.is_alike() { "in two ways" } else { "in each way" };
        let Case { row, does, why, .. } = case;
        table.push_str(&format!("| {row} | {does} | {wants} | {played} | {why} |\n"));
    }
    table
}
