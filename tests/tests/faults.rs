//! Every way in which a bot can misbehave, under every supervisor, and what comes of it.
//!
//! The table is in `faults/table.rs`; each of its cases is a test here for each supervisor. In
//! Markdown it is a part of `tests/README.md`, which must be just that.

#![cfg(target_os = "linux")]

#[path = "faults/case.rs"]
mod case;
#[path = "faults/check.rs"]
mod check;
#[path = "faults/markdown.rs"]
mod markdown;
#[path = "faults/start.rs"]
mod start;
#[path = "faults/table.rs"]
mod table;

/// The rows of the fault table that these cases cover.
const ROWS: [u8; 27] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 40,
    41,
];

#[test]
fn no_row_is_missing() {
    for row in ROWS {
        assert!(table::cases().iter().any(|case| case.row == row), "no case of row {row}");
    }
}

#[test]
fn the_table_in_the_readme_is_this_one() {
    markdown::compare(&table::cases());
}

/// Without this, a search that finds nothing would tell nothing.
#[test]
fn the_search_for_processes_finds_them() {
    let bench = tests::bench::Bench::new(env!("CARGO_BIN_EXE_faulty"));
    let mut bot = std::process::Command::new(bench.program("faulty"))
        .args(["never-read-hang", bench.marker()])
        .spawn()
        .expect("the bot starts");
    let found = tests::processes::wait_for_some(bench.marker());
    bot.kill().and_then(|()| bot.wait()).expect("the bot is ours");
    assert_eq!(found.len(), 1, "{found:?}");
    tests::processes::wait_for_none(bench.marker());
}
