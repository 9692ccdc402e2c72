//! Commands of an organiser that are killed again and again.

#![cfg(target_os = "linux")]

use tests::kills::kill_commands;

#[test]
fn a_hundred_kills_of_commands_lose_nothing() {
    kill_commands("league::killed", 100);
}
