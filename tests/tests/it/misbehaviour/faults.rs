//! Every way in which a bot can misbehave, in the way in which this machine keeps bots. The tables are in
//! `tests/src/faults/`; `full` and `machine` play them in the other ways.

#![cfg(target_os = "linux")]

use tests::keeping::Keeping;
use tests::{each_fault, fault_tests, faults};

#[test]
fn no_row_is_missing() {
    faults::check_rows(&faults::cases());
}

#[test]
fn no_mode_is_missing() {
    faults::check_modes(&faults::cases());
}

#[test]
fn the_tables_on_the_page_are_these() {
    faults::compare_page(&faults::cases());
}

mod usual {
    use super::*;
    each_fault!(fault_tests under(Keeping::usual()));
}

/// Without this, a search that finds nothing would tell nothing.
#[test]
fn the_search_for_processes_finds_them() {
    let bench = tests::bench::Bench::new();
    let mut bot = std::process::Command::new(bench.program("faulty"))
        .args(["never-read-hang", bench.marker()])
        .spawn()
        .expect("the bot starts");
    let found = tests::processes::wait_for_some(bench.marker());
    bot.kill().and_then(|()| bot.wait()).expect("the bot is ours");
    assert_eq!(found.len(), 1, "{found:?}");
    tests::processes::wait_for_none(bench.marker());
}
