//! A step of the system clock can have no effect: no source reads the time of day.
//!
//! Every limit is counted on the monotonic clock, and no request, result or log of games holds a date; the log of a
//! league has times of rounds if its pages freeze. That cannot be tried without setting the clock of the machine, so it is looked for in the source.

use std::fs;

use tests::bench::files_below;
use tests::sources;

/// The ways to ask for the time of day, in this language and in the libraries used here.
const WAYS: [&str; 8] = [
    "SystemTime",
    "UNIX_EPOCH",
    "ClockId::Realtime",
    "gettimeofday",
    "OffsetDateTime",
    "Utc::now",
    "Timestamp::now",
    "Zoned::now",
];

/// The files that may. The first compares the clock with the times of files, and where that misleads
/// it a file is digested once more than needed. The second compares the times of files with each
/// other, and nothing but a warning depends on it. The third reads what has just changed once more than
/// needed. The fourth is the calendar of a league: deadlines, freezes and the like, no result of a game. The fifth
/// throws away results that are a day old, which are then made again. The sixth reads a file that has just changed once
/// more than needed. The seventh does so with the refused bots of a league. The eighth adds up mistakes again if the file
/// of a review has changed.
const MAY: [&str; 8] = [
    "arbiter/bot/src/fingerprint.rs",
    "arbiter/bot/src/build_record.rs",
    "arbiter/league/src/submissions/index.rs",
    "arbiter/league/src/calendar/mod.rs",
    "arbiter/league/src/entry/checks.rs",
    "arbiter/league/src/index/schema.rs",
    "arbiter/web/src/league.rs",
    "arbiter/report/src/league/mistakes.rs",
];

#[test]
fn no_source_reads_the_wall_clock() {
    let mut files = 0;
    let paths = sources::folders().into_iter().flat_map(|folder| files_below(&folder));
    for path in paths.filter(|path| path.extension().is_some_and(|it| it == "rs")) {
        let source = fs::read_to_string(&path).expect("a source file");
        let found = WAYS.iter().any(|way| source.contains(way));
        let may = MAY.iter().any(|may| path.ends_with(may));
        assert_eq!(found, may, "{} and the time of day", path.display());
        files += 1;
    }
    assert!(files > 50, "looked at {files} files only");
}
