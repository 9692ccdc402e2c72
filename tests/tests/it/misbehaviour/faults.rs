//! Every way in which a bot can misbehave, however bots are kept, and what comes of it.
//!
//! The table is in `faults/table.rs`; each of its cases is a test here for each way of keeping them. What is
//! tested elsewhere is in the list of `faults/rows.rs`. In Markdown both are parts of
//! `docs/reference/what-a-bot-can-do.md`, which must agree.

#![cfg(target_os = "linux")]

mod case;
mod check;
mod files;
mod markdown;
mod rows;
mod start;
mod table;
mod taker;

#[test]
fn no_row_is_missing() {
    rows::check(&table::cases());
}

#[test]
fn the_tables_on_the_page_are_these() {
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
