//! Help and documents are free of phrases that read as translated.
//!
//! [`PATTERNS`] lists the phrases. A document that still has some is in [`UNCLEAN`] with their number, which may
//! only shrink.

use std::fs;
use std::path::{Path, PathBuf};

use super::completions::{bench, commands};

use Place::{Anywhere, SentenceStart};

/// The place in a sentence where a phrase reads as translated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    SentenceStart,
}

/// Phrases to avoid: name the subject, and begin with it.
const PATTERNS: &[(Place, &str)] = &[
    (Anywhere, "who has"),
    (Anywhere, "who is"),
    (Anywhere, "whoever"),
    (Anywhere, "nobody"),
    (Anywhere, "somebody"),
    (Anywhere, "no one"),
    (Anywhere, "is told"),
    (Anywhere, "are told"),
    (Anywhere, "such a"),
    (Anywhere, "that of"),
    (Anywhere, "the same of"),
    (Anywhere, "what is"),
    (Anywhere, "what was"),
    (Anywhere, "where there is"),
    (SentenceStart, "who"),
    (SentenceStart, "whether"),
    (SentenceStart, "where there"),
];

/// Documents that are not clean yet, each with the number of phrases in it. Tests write the tables of this one.
const UNCLEAN: &[(&str, usize)] = &[("docs/reference/what-a-bot-can-do.md", 3)];

/// A phrase that was found, and its line.
struct Finding {
    line: usize,
    phrase: &'static str,
}

/// A word of running text, in lower case and without punctuation.
struct Word {
    line: usize,
    text: String,
    starts_sentence: bool,
}

/// The words of Markdown or of a help text, without code and addresses.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let (mut in_block, mut in_code, mut in_address, mut starts) = (false, false, false, true);
    for (line, content) in (1..).zip(text.lines()) {
        let begins = content.trim_start();
        if begins.starts_with("```") {
            in_block = !in_block;
            continue;
        }
        if in_block {
            continue;
        }
        if begins.is_empty() || begins.starts_with(['-', '#', '|', '>', '*']) {
            (in_code, in_address, starts) = (false, false, true);
        }
        let mut kept = String::new();
        let mut before = ' ';
        for letter in content.chars() {
            match letter {
                '`' => {
                    in_code = !in_code;
                    kept.push('`');
                }
                _ if in_code => {}
                '(' if before == ']' => in_address = true,
                ')' if in_address => in_address = false,
                _ if in_address => {}
                _ => kept.push(letter),
            }
            before = letter;
        }
        // Two blanks stand between the columns of a help text, and a bar between the cells of a table.
        let cells: Vec<String> =
            kept.trim().replace("  ", "|").split('|').map(str::to_owned).collect();
        for (column, part) in cells.iter().enumerate() {
            starts |= column > 0;
            for word in part.split_whitespace() {
                let bare =
                    word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '`');
                if !bare.is_empty() {
                    let text = bare.to_lowercase();
                    words.push(Word { line, text, starts_sentence: starts });
                    starts = word
                        .trim_end_matches(['"', ')', ']', '*', '_'])
                        .ends_with(['.', '!', '?', ':']);
                }
            }
        }
    }
    words
}

/// The phrases of [`PATTERNS`] in a text.
fn findings(text: &str) -> Vec<Finding> {
    let words = words(text);
    let mut found = Vec::new();
    for at in 0..words.len() {
        for (place, phrase) in PATTERNS {
            let is_here = phrase.split(' ').enumerate().all(|(next, expected)| {
                words.get(at + next).is_some_and(|word| {
                    word.text == expected && (next == 0 || !word.starts_sentence)
                })
            });
            if is_here && (*place == Anywhere || words[at].starts_sentence) {
                found.push(Finding { line: words[at].line, phrase });
            }
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The documents in a folder, and in the folders inside it to this depth.
fn documents_in(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for entry in
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
    {
        if entry.is_dir() && depth > 0 {
            documents_in(&entry, depth - 1, found);
        } else if entry.extension().is_some_and(|ending| ending == "md") {
            found.push(entry);
        }
    }
}

/// The documents of the repository, as paths from its top folder.
fn documents() -> Vec<String> {
    let root = root();
    let mut found = Vec::new();
    for (folder, depth) in [
        ("", 0),
        ("docs", 3),
        ("examples", 2),
        ("python", 1),
        ("tests", 0),
        ("arbiter", 1),
        ("bots", 0),
    ] {
        documents_in(&root.join(folder), depth, &mut found);
    }
    let name =
        |path: PathBuf| path.strip_prefix(&root).expect("a path below it").display().to_string();
    let mut names: Vec<String> = found.into_iter().map(name).collect();
    names.sort();
    names
}

#[test]
fn documents_read_as_plain_english() {
    let documents = documents();
    let mut wrong = Vec::new();
    for name in &documents {
        let text = fs::read_to_string(root().join(name)).expect("a document");
        let found = findings(&text);
        let allowed = UNCLEAN.iter().find(|(unclean, _)| unclean == name).map_or(0, |it| it.1);
        if found.len() > allowed {
            wrong.push(format!("{name}: {} phrases, at most {allowed} allowed", found.len()));
            wrong.extend(found.iter().map(|it| format!("{name}:{}: `{}`", it.line, it.phrase)));
        } else if found.len() < allowed {
            wrong.push(format!(
                "{name}: only {} phrases left, lower its number in UNCLEAN",
                found.len()
            ));
        }
    }
    let missing = UNCLEAN.iter().filter(|(name, _)| !documents.iter().any(|it| it == name));
    wrong.extend(
        missing.map(|(name, _)| format!("{name}: in UNCLEAN, but there is no such document")),
    );
    assert!(wrong.is_empty(), "rewrite these sentences:\n{}", wrong.join("\n"));
}

#[test]
fn help_reads_as_plain_english() {
    let bench = bench();
    let mut left: Vec<Vec<String>> = vec![Vec::new()];
    let mut wrong = Vec::new();
    while let Some(command) = left.pop() {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let help = bench.succeed([&words[..], &["--help"]].concat());
        let name = format!("arbiter {} --help", command.join(" "));
        wrong.extend(
            findings(&help).iter().map(|it| format!("{name}:{}: `{}`", it.line, it.phrase)),
        );
        if help.contains("\nCommands:\n") {
            let inner = commands(&bench, &words);
            left.extend(inner.into_iter().map(|inner| [&command[..], &[inner]].concat()));
        }
    }
    assert!(wrong.is_empty(), "rewrite these sentences:\n{}", wrong.join("\n"));
}

#[test]
fn phrases_are_found_across_lines_and_outside_of_code() {
    let lines = |text: &str| -> Vec<(usize, &'static str)> {
        findings(text).iter().map(|it| (it.line, it.phrase)).collect()
    };
    assert_eq!(lines("Nobody knows *who\nis* late."), [(1, "nobody"), (1, "who is")]);
    assert_eq!(lines("| cell | Who plays |\n- Whether it rains"), [(1, "who"), (2, "whether")]);
    assert_eq!(lines("The users who play, `nobody` and\n`who is`, [see](what-is.md). "), []);
    assert_eq!(lines("```sh\nnobody\n```\nThere is a game that. Of these, one."), []);
}
