//! Attacks of an isolated bot on everything around it. The tables are in `tests/src/hostile/`; `full` and `machine` play them
//! in the other ways of keeping bots.

#![cfg(target_os = "linux")]

use tests::hostile::{self, ATTACKS, CHANNELS, Field};
use tests::keeping::Keeping;

#[test]
fn the_bot_tries_what_is_in_the_table() {
    let field = Field::new(Keeping::Isolated);
    let expected: Vec<String> = hostile::names(ATTACKS, CHANNELS).collect();
    assert_eq!(field.listed(), expected);
}

#[test]
fn the_tables_on_the_page_are_these() {
    hostile::compare_page();
}

#[test]
fn no_attack_is_without_reason() {
    for attack in ATTACKS {
        assert_eq!(attack.is_argued(), !attack.why.is_empty(), "{}", attack.name);
    }
}

#[test]
fn attacks_of_an_isolated_bot() {
    hostile::attacks(Keeping::Isolated);
}

#[test]
fn isolated_bots_do_not_talk_or_remember() {
    hostile::channels(Keeping::Isolated);
}
