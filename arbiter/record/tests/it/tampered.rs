//! A log that was changed in any way, without a new chain, is wrong at the first line that differs.

use std::fs;
use std::io::Cursor;
use std::sync::OnceLock;

use record::verify::verify_from;
use record::{LogFileError, LogProblem};

/// The log before it is changed: a header, three games and the end.
fn whole() -> &'static [u8] {
    static LOG: OnceLock<Vec<u8>> = OnceLock::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/matches/coup.jsonl");
    LOG.get_or_init(|| fs::read(path).unwrap())
}

fn lines() -> Vec<&'static [u8]> {
    whole().split_inclusive(|byte| *byte == b'\n').collect()
}

fn wrong(log: &[u8]) -> Option<LogProblem> {
    match verify_from(Cursor::new(log)) {
        Ok(_) => None,
        Err(LogFileError::Wrong(wrong)) => Some(wrong),
        Err(LogFileError::Unreadable(error)) => unreachable!("memory can be read: {error}"),
    }
}

/// The problem with a log, which lies in the first line that is not the same, a missing or an additional one included.
#[track_caller]
fn check(what: &str, log: &[u8]) -> String {
    let changed: Vec<&[u8]> = log.split_inclusive(|byte| *byte == b'\n').collect();
    let line = (0..).find(|place| changed.get(*place) != lines().get(*place)).unwrap();
    let found = wrong(log).unwrap_or_else(|| unreachable!("{what}: verified"));
    assert_eq!(found.line, line + 1, "{what}: {found}");
    found.problem
}

/// A digest is read as digits of either case, which must not make two logs of one.
#[test]
fn bytes_are_replaced_inserted_and_deleted_anywhere() {
    assert_eq!(wrong(whole()), None);
    let known = b"\n\r \"\\{},:0aA\0\xff";
    let ends = (0..whole().len()).filter(|at| whole()[*at] == b'\n');
    let digests: Vec<usize> = ends.flat_map(|end| (end - 160..end).step_by(13)).collect();
    for at in (0..whole().len()).step_by(61).chain(digests) {
        let byte = known[at % known.len()];
        let [mut replaced, mut inserted, mut deleted, mut other_case] =
            [(); 4].map(|()| whole().to_vec());
        replaced[at] = byte;
        inserted.insert(at, byte);
        deleted.remove(at);
        other_case[at] ^= 0x20;
        for (what, log) in [
            ("replaced", replaced),
            ("inserted", inserted),
            ("deleted", deleted),
            ("of another case", other_case),
        ] {
            if log != whole() {
                check(&format!("byte {at} {what}"), &log);
            }
        }
    }
}

#[test]
fn lines_are_removed_doubled_and_swapped() {
    let lines = lines();
    let whole_twice = lines.repeat(2);
    let mut variants = vec![("twice".to_owned(), whole_twice), ("nothing".to_owned(), Vec::new())];
    for at in 0..lines.len() {
        let mut removed = lines.clone();
        removed.remove(at);
        variants.push((format!("line {} removed", at + 1), removed));
        for other in at..lines.len() {
            let mut copied = lines.clone();
            copied.insert(other + 1, lines[at]);
            variants.push((format!("line {} again after {}", at + 1, other + 1), copied));
            let mut swapped = lines.clone();
            swapped.swap(at, other);
            if at != other {
                variants.push((format!("lines {} and {} swapped", at + 1, other + 1), swapped));
            }
        }
    }
    for (what, lines) in variants {
        check(&what, &lines.concat());
    }
    // Line ends changed by an editor of another system are named as such.
    let text = String::from_utf8_lossy(whole()).replace("\n", "\r\n");
    let problem = check("line ends", text.as_bytes());
    assert!(problem.contains("line endings were converted to CRLF"), "{problem}");
}

#[test]
fn cut_near_every_line_end_and_at_many_bytes_between() {
    let kept: usize = lines()[..2].iter().map(|line| line.len()).sum();
    let near_an_end =
        |length: usize| whole()[length - 10..(length + 10).min(whole().len())].contains(&b'\n');
    for length in (kept..whole().len()).filter(|at| near_an_end(*at) || at.is_multiple_of(499)) {
        let cut = &whole()[..length];
        let problem = check(&format!("{length} bytes"), cut);
        let says = if cut.ends_with(b"\n") { "is missing" } else { "is truncated" };
        assert!(problem.contains(says), "{length} bytes: {problem}");
    }
}
