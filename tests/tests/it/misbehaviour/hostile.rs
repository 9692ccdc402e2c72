//! Attacks of a bot on everything around it, with what comes of each where it is isolated and where it is
//! not.
//!
//! The bot is the C program in `tests/hostile/`, which the tests compile: many attacks are calls to the
//! kernel that have no safe form. `hostile/table.rs` says what must come of them, and where isolation is off
//! they mostly succeed, or they would test nothing. In Markdown the table is a part of
//! `docs/reference/what-a-bot-can-do.md`.

#![cfg(target_os = "linux")]

mod attack;
mod field;
mod markdown;
mod play;
mod table;

use field::Field;
use tests::keeping::Keeping;

#[test]
fn the_bot_tries_what_is_in_the_table() {
    let field = Field::new(Keeping::Isolated);
    let expected: Vec<String> = attack::names(table::ATTACKS, table::CHANNELS).collect();
    assert_eq!(field.listed(), expected);
}

#[test]
fn the_tables_on_the_page_are_these() {
    markdown::compare();
}

#[test]
fn no_attack_is_without_reason() {
    for attack in table::ATTACKS {
        assert_eq!(attack.is_argued(), !attack.why.is_empty(), "{}", attack.name);
    }
}

#[test]
fn attacks_of_an_isolated_bot() {
    play::attacks(Keeping::Isolated);
}

#[test]
fn attacks_of_a_bot_where_namespaces_are_refused() {
    play::attacks(Keeping::Refused);
}

#[test]
fn attacks_of_a_bot_of_root_in_a_container() {
    play::attacks(Keeping::Contained);
}

#[test]
fn attacks_without_isolation() {
    play::attacks(Keeping::Off);
}

#[test]
fn isolated_bots_do_not_talk_or_remember() {
    play::channels(Keeping::Isolated);
}

#[test]
fn bots_do_not_talk_or_remember_where_namespaces_are_refused() {
    play::channels(Keeping::Refused);
}

#[test]
fn bots_of_root_do_not_talk_or_remember_in_a_container() {
    play::channels(Keeping::Contained);
}

#[test]
fn bots_talk_and_remember_without_isolation() {
    play::channels(Keeping::Off);
}

#[test]
fn bots_talk_and_remember_without_keepers() {
    play::channels(Keeping::Portable);
}
