//! The modes of the faulty bot: each is in a case of the table, or other tests play it.

use std::process::Command;

use super::case::{Bot, Case};
use crate::bench::{Bench, run};

/// Modes whose names are not in the cases: other tests play them, a program of the table does, or they are a
/// part of another mode.
const OTHERS: &[&str] = &[
    "burn-a-while",
    "burn-one-by-one",
    "no-such-card",
    "kill-referee",
    "kill-everybody",
    "hang-with-child",
    "hang-with-daemon",
    "start-until-refused",
    "work",
    "litter",
    "spoil",
    "replace-self",
    "renew-self",
    "delete-self",
    "replace-by",
    "close-self",
    "spy",
    "echo",
    "starve-parent",
    "stop-parent",
    "endure",
    "resign",
    "on-call",
    "until-called",
    "on-terminal",
    "burn-apart",
    "as-bomb",
    "as-free-bomb",
    "as-daemon",
    "as-waker",
    "as-forker",
    "as-writer",
    "killer",
    "watchdog",
];

/// Asserts that no mode is missing in the cases and in the list, and that the list has no other ones.
pub fn check(cases: &[Case]) {
    let listed = run(Command::new(Bench::new().program("faulty")).arg("--list")).stdout;
    let listed: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
    let is_played = |mode: &str| {
        cases.iter().any(|case| match case.bot {
            Bot::Mode(words) | Bot::Knowing(words) => words.split(' ').any(|word| word == mode),
            Bot::Made(_) => false,
        })
    };
    for mode in listed.iter().copied() {
        assert!(OTHERS.contains(&mode) || is_played(mode), "no test of the mode `{mode}`");
    }
    for other in OTHERS {
        assert!(listed.contains(other), "`{other}` is no mode");
    }
}
