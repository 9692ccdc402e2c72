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
fn a_run_without_failures_passes() {
    let Some(run) = Run::new(ONE_PASSES, 0, "exit 1") else { return };
    assert!(run.output.status.success(), "{run:?}");
    assert_eq!(run.unstable, "");
}

#[test]
fn a_test_that_passes_alone_is_unstable() {
    let again = format!("printf '%s' '{ONE_PASSES}'");
    let Some(run) = Run::new(TWO_FAIL, 101, &again) else { return };
    assert!(run.output.status.success(), "{run:?}");
    assert_eq!(run.unstable, "three\ntwo::late\n");
}

#[test]
fn a_test_that_fails_twice_fails_the_run() {
    let again = format!("[ \"$1\" = three ] || exit 101; printf '%s' '{ONE_PASSES}'");
    let Some(run) = Run::new(TWO_FAIL, 101, &again) else { return };
    assert!(!run.output.status.success(), "{run:?}");
    assert!(run.says("failed twice: two::late"), "{run:?}");
}

#[test]
fn a_test_that_is_not_found_again_fails_the_run() {
    let again = format!("printf '%s' '{NONE_RUNS}'");
    let Some(run) = Run::new(TWO_FAIL, 101, &again) else { return };
    assert!(!run.output.status.success(), "{run:?}");
    assert!(run.says("failed twice: three"), "{run:?}");
}

#[test]
fn more_than_five_failures_fail_the_run() {
    let names: String = (0..6).map(|test| format!("    test_{test}\n")).collect();
    let first = format!("failures:\n{names}\ntest result: FAILED. 0 passed; 6 failed; 0 ignored\n");
    let Some(run) = Run::new(&first, 101, &format!("printf '%s' '{ONE_PASSES}'")) else { return };
    assert!(!run.output.status.success(), "{run:?}");
    assert!(run.says("more than 5"), "{run:?}");
    assert_eq!(run.unstable, "");
}

#[test]
fn a_test_program_that_dies_fails_the_run() {
    let first = format!("{TWO_FAIL}error: test failed, to rerun pass `-p rules --test it`\n");
    let Some(run) = Run::new(&first, 101, &format!("printf '%s' '{ONE_PASSES}'")) else { return };
    assert!(!run.output.status.success(), "{run:?}");
    assert!(run.says("not all failures have a name"), "{run:?}");
}

/// A run of CI's script, with a command that stands in for Cargo.
#[derive(Debug)]
struct Run {
    output: Output,
    unstable: String,
}

impl Run {
    /// Runs the script: the first command prints `first` and ends with `code`, and `again` is the second one.
    fn new(first: &str, code: i32, again: &str) -> Option<Self> {
        if !installed::is_there("python3") {
            return None;
        }
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
        Some(Self { output, unstable: fs::read_to_string(&unstable).unwrap() })
    }

    fn says(&self, text: &str) -> bool {
        String::from_utf8_lossy(&self.output.stderr).contains(text)
    }
}
