//! A step of the system clock can have no effect: nobody asks what time it is.
//!
//! Every limit is counted on the monotonic clock, and no log, request or result holds a date. That
//! cannot be tried without setting the clock of the machine, so it is looked for in the source.

use std::fs;
use std::path::Path;

/// The ways to ask for the time of day, in this language and in the libraries used here.
const WAYS: [&str; 6] =
    ["SystemTime", "UNIX_EPOCH", "ClockId::Realtime", "gettimeofday", "OffsetDateTime", "Utc::now"];

/// The files that may. The first compares the clock with the times of files, and where that misleads
/// it a file is digested once more than needed. The second compares the times of files with each
/// other, and nothing but a warning depends on it. The third tells a participant when a file has come, and
/// nothing depends on it.
const MAY: [&str; 3] = [
    "arbiter/src/bot/fingerprint.rs",
    "arbiter/src/bot/sources.rs",
    "arbiter/src/league/submissions.rs",
];

/// Where the program's own source is.
const FOLDERS: [&str; 3] = ["arbiter/src", "arbiter/rules/src", "bots/src"];

#[test]
fn nobody_asks_what_time_it_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = 0;
    for folder in FOLDERS {
        look(&root.join(folder), &mut files);
    }
    assert!(files > 50, "looked at {files} files only");
}

fn look(folder: &Path, files: &mut usize) {
    for entry in fs::read_dir(folder).expect("a folder of the source") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            look(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let source = fs::read_to_string(&path).expect("a source file");
            let found = WAYS.iter().find(|way| source.contains(**way));
            let may = MAY.iter().any(|may| path.ends_with(may));
            assert_eq!(found.is_some(), may, "{} and the time of day", path.display());
            *files += 1;
        }
    }
}
