//! A log that was changed and given a new chain: what is derived again gives the forger away, and
//! for what cannot be derived there is a table that says so.

use std::fs;
use std::io::Cursor;
use std::sync::OnceLock;

use record::verify::{VerifyOptions, verify};
use record::{Line, LogFileError, LogProblem};
use tests::chain;

mod edits;
use edits::{Found, Lines, NOT_FOUND, found_by_derivation};

#[test]
fn forged_derived_values_are_found() {
    let mut failures = Vec::new();
    for Found { what, line, says, edit } in found_by_derivation() {
        match forged(edit) {
            Some(wrong) if wrong.line == line => {
                let text = wrong.to_string();
                if !says.iter().all(|says| text.contains(says)) {
                    failures.push(format!("{what}: `{text}`, expected {says:?}"));
                }
            }
            Some(wrong) => failures.push(format!("{what}: `{wrong}`, expected line {line}")),
            None => failures.push(format!("{what}: not found")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn values_that_cannot_be_derived_are_known() {
    for (what, edit) in NOT_FOUND {
        assert_eq!(forged(*edit), None, "{what}: to be moved to the other table");
    }
}

/// The chain of this test is the chain of the referee.
#[test]
fn a_new_chain_without_an_edit_is_the_old_one() {
    assert_eq!(chain::chain(&chain::contents(whole())), whole());
    assert_eq!(forged(|_| {}), None);
}

/// Texts that are read as the same line, but are not the one that is written.
#[test]
fn another_spelling_of_a_line_is_found() {
    let edits: [(&str, usize, &str, &str); 9] = [
        ("a blank", 1, "\"format\":1", "\"format\": 1"),
        ("an escaped letter", 1, "\"tablic\"", "\"t\\u0061blic\""),
        ("an unknown key", 1, "{\"format\"", "{\"more\":1,\"format\""),
        ("a doubled key", 1, "\"format\":1", "\"format\":1,\"format\":1"),
        ("another order of keys", 2, "\"number\":0,\"deal\":0", "\"deal\":0,\"number\":0"),
        ("a float for a whole score", 2, "\"scores\":[25,", "\"scores\":[25.0,"),
        ("a score with an unseen rest", 2, "\"scores\":[25,", "\"scores\":[25.000000001,"),
        ("capitals in the seed", 5, "\"seed\":\"7a", "\"seed\":\"7A"),
        ("two contents in one line", 5, "{\"end\"", "{\"end\":1,\"end\""),
    ];
    for (what, line, before, after) in edits {
        let mut contents = chain::contents(whole());
        let content = &mut contents[line - 1];
        assert!(content.contains(before), "{what}: `{before}` is not in {content}");
        *content = content.replacen(before, after, 1);
        let wrong = verified(&chain::chain(&contents));
        let wrong = wrong.unwrap_or_else(|| unreachable!("not found: {what}"));
        assert_eq!(wrong.line, line, "{what}: {wrong}");
        assert!(wrong.problem.contains("is not a line of a log"), "{what}: {wrong}");
    }
}

/// A seed that is not found would leave every card unproved.
#[test]
fn the_seed_is_found_in_an_end_of_any_length() {
    for players in [0, 1, 1_000, 6_000, 100_000] {
        let mut contents = chain::contents(whole());
        let last = contents.pop().expect("the end");
        let points = format!("\"points\":[{}", "0,".repeat(players));
        contents.push(last.replacen("\"points\":[", &points, 1));
        let log = chain::chain(&contents);
        let found = record::revealed_seed(&mut Cursor::new(&log));
        assert!(found.expect("memory can be read").is_some(), "{players}: {}", log.len());
    }
}

fn whole() -> &'static str {
    static LOG: OnceLock<String> = OnceLock::new();
    LOG.get_or_init(tests::real::log)
}

/// The finding of the verification in the log after an edit.
fn forged(edit: fn(&mut Lines)) -> Option<LogProblem> {
    let read = |content: &String| serde_json::from_str(&format!("{content}}}"));
    let lines: Result<Lines, _> = chain::contents(whole()).iter().map(read).collect();
    let mut lines = lines.expect("every line is one of a log");
    edit(&mut lines);
    let written = |line: &Line| {
        let text = serde_json::to_string(line).expect("a line has a text");
        text.strip_suffix('}').unwrap_or(&text).to_owned()
    };
    verified(&chain::chain(&lines.iter().map(written).collect::<Vec<_>>()))
}

fn verified(log: &str) -> Option<LogProblem> {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let path = folder.path().join("log.jsonl");
    fs::write(&path, log).expect("the file can be written");
    match verify(&path, VerifyOptions::QUIET) {
        Ok(_) => None,
        Err(LogFileError::Wrong(wrong)) => Some(wrong),
        Err(LogFileError::Unreadable(error)) => unreachable!("the file is there: {error}"),
    }
}
