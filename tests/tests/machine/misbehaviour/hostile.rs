//! Attacks of a bot in a place that is as a container is for root.

#![cfg(target_os = "linux")]

use tests::hostile;
use tests::keeping::Keeping;

#[test]
fn attacks_of_a_bot_of_root_in_a_container() {
    hostile::attacks(Keeping::Contained);
}

#[test]
fn bots_of_root_do_not_talk_or_remember_in_a_container() {
    hostile::channels(Keeping::Contained);
}
