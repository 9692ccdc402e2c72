//! CI runs a failed test once more, alone, and goes on if it passes then.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tests::installed;

/// The output of a test program in which two tests fail and print what looks like a list of names.
const TWO_FAIL: &str = "\
running 3 tests
test one ... ok
test two::late ... FAILED
test three ... FAILED

failures:

---- two::late stdout ----
    not a name
---- three stdout ----
failures:
    not a name either

failures:
    three
    two::late

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s

error: test failed, to rerun pass `-p tests --test it`
";

const ONE_PASSES: &str = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s\n";
const NONE_RUNS: &str = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s\n";

#[test]
fn a_failed_test_is_run_once_more_alone() {
    if !installed::is_there("python3") {
        return;
    }
    let passes = format!("printf '%s' '{ONE_PASSES}'");
    let twice = format!("[ \"$1\" = three ] || exit 101; {passes}");
    let not_found = format!("printf '%s' '{NONE_RUNS}'");
    let names: String = (0..6).map(|test| format!("    test_{test}\n")).collect();
    let six = format!("failures:\n{names}\ntest result: FAILED. 0 passed; 6 failed; 0 ignored\n");
    let dies = format!("{TWO_FAIL}error: test failed, to rerun pass `-p rules --test it`\n");
    // What the tests and each one alone print, what the run says if it fails, and the unstable tests.
    for (first, again, says, unstable) in [
        (ONE_PASSES, "exit 1", "", ""),
        (TWO_FAIL, &passes, "", "three\ntwo::late\n"),
        (TWO_FAIL, &twice, "failed twice: two::late", "three\n"),
        (TWO_FAIL, &not_found, "failed twice: three", ""),
        (&six, &passes, "more than 5", ""),
        // A test program has died.
        (&dies, &passes, "not all failures have a name", ""),
    ] {
        let run = Run::new(first, if first == ONE_PASSES { 0 } else { 101 }, again);
        assert_eq!(run.output.status.success(), says.is_empty(), "{says}: {run:?}");
        assert!(run.says(says), "{says}: {run:?}");
        assert_eq!(run.unstable, unstable, "{says}");
    }
}

/// A run of CI's script, with a command that stands in for Cargo.
#[derive(Debug)]
struct Run {
    output: Output,
    unstable: String,
}

impl Run {
    /// Runs the script: the first command prints `first` and ends with `code`, and `again` is the second one.
    fn new(first: &str, code: i32, again: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [unstable, printed, once_more] =
            ["unstable", "printed", "again.sh"].map(|name| folder.path().join(name));
        fs::write(&unstable, "").unwrap();
        fs::write(&printed, first).unwrap();
        fs::write(&once_more, again).unwrap();
        let output = Command::new("python3")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/run_tests.py"))
            .arg(&unstable)
            .arg(format!("sh '{}'", once_more.display()))
            .args(["--", "sh", "-c", &format!("cat \"$0\"; exit {code}")])
            .arg(&printed)
            .output()
            .unwrap();
        Self { output, unstable: fs::read_to_string(&unstable).unwrap() }
    }

    fn says(&self, text: &str) -> bool {
        String::from_utf8_lossy(&self.output.stderr).contains(text)
    }
}
