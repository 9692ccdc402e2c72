//! Commands of an organiser that are killed.

#![cfg(target_os = "linux")]

use tests::kills::kill_commands;

#[test]
fn thirteen_kills_of_commands_lose_nothing() {
    kill_commands("league::killed", 13);
}
