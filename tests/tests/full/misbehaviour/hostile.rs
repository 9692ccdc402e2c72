//! Attacks of a bot in the other ways of keeping bots that an ordinary machine has.

#![cfg(target_os = "linux")]

use tests::hostile;
use tests::keeping::Keeping;

#[test]
fn attacks_of_a_bot_where_namespaces_are_refused() {
    hostile::attacks(Keeping::Refused);
}

#[test]
fn attacks_without_isolation() {
    hostile::attacks(Keeping::Off);
}

#[test]
fn bots_do_not_talk_or_remember_where_namespaces_are_refused() {
    hostile::channels(Keeping::Refused);
}

#[test]
fn bots_talk_and_remember_without_isolation() {
    hostile::channels(Keeping::Off);
}

#[test]
fn bots_talk_and_remember_without_keepers() {
    hostile::channels(Keeping::Portable);
}
