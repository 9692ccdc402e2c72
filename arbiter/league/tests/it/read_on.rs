//! A league whose log has grown is read on from where it was read before.

use std::fs;

use league::folder::LeagueFolder;

use crate::made::MadeLeague;
use crate::{SMALL, small};

/// What the folder that has read the log before says, which must be what one says that reads all of it.
fn read(league: &MadeLeague) -> Result<league::state::League, String> {
    let anew = LeagueFolder::open(league.folder.path()).expect("a league").read();
    let read_on = league.folder.read().map(|it| (*it).clone()).map_err(|it| it.to_string());
    assert_eq!(read_on, anew.map(|it| (*it).clone()).map_err(|it| it.to_string()));
    read_on
}

#[test]
fn what_has_come_is_read_on_and_says_the_same() {
    let (_folder, mut league) = small();
    let first = read(&league).expect("a league");
    league.enter("ann", "random");
    let entered = read(&league).expect("a league");
    assert_ne!(entered, first);
    league.run(1, SMALL);
    assert_eq!(read(&league).expect("a league").rounds().len(), first.rounds().len() + 1);
}

#[test]
fn a_line_that_does_not_continue_the_log_is_found() {
    let (_folder, mut league) = small();
    league.enter("ann", "random");
    read(&league).expect("a league");
    let log = league.folder.log();
    let text = fs::read_to_string(&log).expect("a log");
    for line in ["not a line\n", text.lines().last().expect("a line")] {
        fs::write(&log, [&text, line, "\n"].concat()).expect("a log");
        read(&league).expect_err("no league");
        fs::write(&log, &text).expect("a log");
        read(&league).expect("a league");
    }
    // A line that is being written does not count yet.
    let (whole, last) = text.trim_end().rsplit_once('\n').expect("two lines");
    fs::write(&log, format!("{whole}\n{}", &last[..20])).expect("a log");
    let before = read(&league).expect("a league");
    fs::write(&log, &text).expect("a log");
    assert_ne!(read(&league).expect("a league"), before);
}

/// A backup was put in its place, which is longer.
#[test]
fn another_log_in_its_place_is_read_from_its_beginning() {
    let (_folder, league) = small();
    let (_other_folder, mut other) = small();
    other.enter("ann", "random");
    other.run(1, SMALL);
    read(&league).expect("a league");
    fs::copy(other.folder.log(), league.folder.log()).expect("a log");
    read(&league).expect("a league");
}
