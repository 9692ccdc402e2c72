//! A log that was changed in any way, without a new chain, is wrong at the first line that differs.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::Cursor;
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use record::verify::verify_from;
use record::{LogFileError, LogProblem};

/// The variable of proptest that repeats a run.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// The log before it is changed.
fn whole() -> &'static str {
    static LOG: OnceLock<String> = OnceLock::new();
    LOG.get_or_init(tests::real::log)
}

/// The problem with a log, which must lie in the first line that differs.
fn check(log: &[u8]) -> Result<LogProblem, String> {
    let line = first_difference(log);
    match wrong(log) {
        None => Err(format!("verified, though line {line} differs")),
        Some(wrong) if wrong.line != line => {
            Err(format!("line {line} differs, verification says: {wrong}"))
        }
        Some(wrong) => Ok(wrong),
    }
}

fn wrong(log: &[u8]) -> Option<LogProblem> {
    match verify_from(Cursor::new(log)) {
        Ok(_) => None,
        Err(LogFileError::Wrong(wrong)) => Some(wrong),
        Err(LogFileError::Unreadable(error)) => unreachable!("memory can be read: {error}"),
    }
}

/// The number of the first line that is not the same, a missing or an additional one included.
fn first_difference(log: &[u8]) -> usize {
    let mut changed = log.split_inclusive(|&byte| byte == b'\n');
    let mut before = whole().as_bytes().split_inclusive(|&byte| byte == b'\n');
    (1..)
        .find(|_| {
            let (changed, before) = (changed.next(), before.next());
            assert!(changed.is_some() || before.is_some(), "nothing was changed");
            changed != before
        })
        .unwrap_or(0)
}

/// One change of bytes.
#[derive(Debug, Clone)]
enum Edit {
    Replace(Index, u8),
    Insert(Index, u8),
    Delete(Index),
}

impl Edit {
    fn apply(&self, log: &mut Vec<u8>) {
        match *self {
            Edit::Replace(at, byte) => *at.get_mut(log) = byte,
            Edit::Insert(at, byte) => log.insert(at.index(log.len() + 1), byte),
            Edit::Delete(at) => drop(log.remove(at.index(log.len()))),
        }
    }
}

/// Bytes of every kind, and often those that mean something in a log.
fn byte() -> impl Strategy<Value = u8> {
    let known = b"\n\r \"\\{}[],:0123456789abcdefABCDEF\0\xff".to_vec();
    prop_oneof![any::<u8>(), proptest::sample::select(known)]
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        (any::<Index>(), byte()).prop_map(|(at, byte)| Edit::Replace(at, byte)),
        (any::<Index>(), byte()).prop_map(|(at, byte)| Edit::Insert(at, byte)),
        any::<Index>().prop_map(Edit::Delete),
    ]
}

/// Checks logs that many edits come to; a failure says how to repeat it.
fn check_edits(cases: u32, edits: impl Strategy<Value = Vec<Edit>>, test: &str) {
    let chosen = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = chosen.unwrap_or_else(|| RandomState::new().hash_one(0));
    let rng_seed = RngSeed::Fixed(seed);
    let config = Config { cases, rng_seed, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&edits, |edits| {
        let mut log = whole().as_bytes().to_vec();
        edits.iter().for_each(|edit| edit.apply(&mut log));
        prop_assume!(log != whole().as_bytes());
        check(&log).map(drop).map_err(TestCaseError::fail)
    });
    let repeat = format!("{SEED_VARIABLE}={seed} cargo test -p tests logs::tampering::{test}");
    if let Err(failure) = outcome {
        unreachable!("{failure}\nto repeat: {repeat}");
    }
}

#[test]
fn the_log_is_in_order_before_it_is_changed() {
    assert_eq!(wrong(whole().as_bytes()), None);
    assert_eq!(whole().lines().count(), 5);
}

#[test]
fn one_byte_anywhere() {
    check_edits(250, edit().prop_map(|edit| vec![edit]), "one_byte_anywhere");
}

#[test]
fn some_bytes_anywhere() {
    check_edits(100, prop::collection::vec(edit(), 2..6), "some_bytes_anywhere");
}

/// A digest is read as digits of either case, which must not make two logs of one.
#[test]
fn the_letter_case_of_any_letter_of_a_digest() {
    let bytes = whole().as_bytes();
    let ends = (0..bytes.len()).filter(|&at| bytes[at] == b'\n');
    let chains = ends.flat_map(|end| end.saturating_sub(160)..end);
    // Some of each digest: they are all read alike.
    for at in chains.filter(|&at| bytes[at].is_ascii_alphabetic()).step_by(4) {
        let mut log = bytes.to_vec();
        log[at] ^= 0x20;
        let checked = check(&log);
        assert!(checked.is_ok(), "byte {at}: {}", checked.unwrap_err());
    }
}

#[test]
fn lines_removed_doubled_and_swapped() {
    let lines: Vec<&str> = whole().split_inclusive('\n').collect();
    let mut variants: Vec<(String, Vec<&str>)> = Vec::new();
    for at in 0..lines.len() {
        let mut removed = lines.clone();
        removed.remove(at);
        variants.push((format!("line {} removed", at + 1), removed));
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        variants.push((format!("line {} doubled", at + 1), doubled));
        for other in at + 1..lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(at, other);
            variants.push((format!("lines {} and {} swapped", at + 1, other + 1), swapped));
            let mut copied = lines.clone();
            copied.insert(other + 1, lines[at]);
            variants.push((format!("line {} again after {}", at + 1, other + 1), copied));
        }
    }
    variants.push(("the whole log twice".into(), lines.repeat(2)));
    variants.push(("nothing at all".into(), Vec::new()));
    for (what, lines) in variants {
        let checked = check(lines.concat().as_bytes());
        assert!(checked.is_ok(), "{what}: {}", checked.unwrap_err());
    }
}

/// Line ends changed by an editor of another system are named as such.
#[test]
fn the_line_ends_of_another_system() {
    let log = whole().replace('\n', "\r\n");
    let wrong = check(log.as_bytes()).unwrap_or_else(|why| unreachable!("{why}"));
    assert!(wrong.problem.contains("line endings were converted to CRLF"), "{wrong}");
}

#[test]
fn cut_near_every_line_end_and_at_many_bytes_between() {
    let bytes = whole().as_bytes();
    let kept: usize = whole().split_inclusive('\n').take(2).map(str::len).sum();
    let near_an_end = |length: usize| {
        let around = length.saturating_sub(10)..(length + 10).min(bytes.len());
        bytes[around].contains(&b'\n')
    };
    for length in (kept..bytes.len()).filter(|&at| near_an_end(at) || at.is_multiple_of(499)) {
        let whole_lines = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
        let wrong = wrong(&bytes[..length]).map(|wrong| (wrong.line, wrong.problem));
        let (line, problem) = wrong.unwrap_or_else(|| unreachable!("{length} bytes are verified"));
        assert_eq!(line, whole_lines + 1, "{length} bytes: {problem}");
        let at_a_line_end = bytes[length - 1] == b'\n';
        let says = if at_a_line_end { "is missing" } else { "is truncated" };
        assert!(problem.contains(says), "{length} bytes: {problem}");
    }
}
