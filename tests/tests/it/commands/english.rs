//! Help, documents and the texts in sources are free of phrases that read as translated.
//!
//! [`PATTERNS`] lists those of help and documents, [`EVERYWHERE`] those that no text may have. A document that still
//! has some is in [`UNCLEAN`] with their number, which may only shrink.

mod sources;

use std::fs;

use tests::bench::Bench;
use tests::documented::{documents, root};

use super::completions::commands;

use Place::{Anywhere, ClauseEnd, SentenceStart};

/// The place in a sentence where a phrase reads as translated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    SentenceStart,
    /// Before a comma, a full stop or the end of a text.
    ClauseEnd,
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
    (SentenceStart, "be"),
    (SentenceStart, "in how many"),
    (SentenceStart, "how many more"),
    (SentenceStart, "which attempt"),
];

/// Phrases to avoid in every text, also in messages and on pages.
const EVERYWHERE: &[(Place, &str)] = &[
    (Anywhere, "of your own"),
    (Anywhere, "of one's own"),
    (ClauseEnd, "of its own"),
    (Anywhere, "second chance"),
    (Anywhere, "handed-in"),
    (Anywhere, "hand in"),
    (Anywhere, "is no such"),
    (Anywhere, "has none"),
    (Anywhere, "counts for nothing"),
    (Anywhere, "broken off"),
    (Anywhere, "put right"),
    (Anywhere, "made anew"),
    (Anywhere, "goes on"),
    (Anywhere, "letter case alone"),
    (Anywhere, "by itself"),
    (Anywhere, "rules in short"),
    (Anywhere, "points a game"),
    (Anywhere, "ms a game"),
    (Anywhere, "gives away"),
    (Anywhere, "dearest"),
    (Anywhere, "beyond chance"),
    (Anywhere, "the usual"),
];

/// Documents that are not clean yet, each with the number of phrases in it. Tests write the tables of this one.
const UNCLEAN: &[(&str, usize)] = &[("docs/reference/what-a-bot-can-do.md", 5)];

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
    ends_clause: bool,
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
                    let ends_clause = word.ends_with([',', ';', ':', '.', '!', '?', ')', ']']);
                    words.push(Word { line, text, starts_sentence: starts, ends_clause });
                    starts = word
                        .trim_end_matches(['"', ')', ']', '*', '_'])
                        .ends_with(['.', '!', '?', ':']);
                }
            }
        }
    }
    words
}

/// The phrases of all lists in a help text or a document.
fn findings(text: &str) -> Vec<Finding> {
    findings_of(&[PATTERNS, EVERYWHERE].concat(), text)
}

/// These phrases in a text, and rates such as "35 a second".
fn findings_of(phrases: &[(Place, &'static str)], text: &str) -> Vec<Finding> {
    let words = words(text);
    let mut found = Vec::new();
    for at in 0..words.len() {
        let is_number = words[at].text.parse::<f64>().is_ok();
        let next = |after: usize| words.get(at + after).map(|word| word.text.as_str());
        if is_number && next(1) == Some("a") && next(2) == Some("second") {
            found.push(Finding { line: words[at].line, phrase: "a second" });
        }
        for (place, phrase) in phrases {
            let is_here = phrase.split(' ').enumerate().all(|(next, expected)| {
                words.get(at + next).is_some_and(|word| {
                    let is_joined =
                        next == 0 || !(word.starts_sentence || words[at + next - 1].ends_clause);
                    word.text == expected && is_joined
                })
            });
            let end = at + phrase.split(' ').count();
            let is_placed = match place {
                Anywhere => true,
                SentenceStart => words[at].starts_sentence,
                ClauseEnd => {
                    words.get(end).is_none_or(|word| word.starts_sentence)
                        || words.get(end - 1).is_some_and(|word| word.ends_clause)
                }
            };
            if is_here && is_placed {
                found.push(Finding { line: words[at].line, phrase });
            }
        }
    }
    found
}

/// The most lines of 100 columns that an option or an argument takes in a help text.
const MOST_LINES: usize = 2;

/// The options that take more lines than that, and the examples and other lines that break.
fn too_long(help: &str) -> impl Iterator<Item = String> {
    let mut entries: Vec<(&str, usize)> = Vec::new();
    let (before, examples) = help.split_once("\nExamples:\n").unwrap_or((help, ""));
    let mut is_inside = false;
    for line in before.lines() {
        let shown = line.trim_start();
        let indent = line.len() - shown.len();
        is_inside &= indent > 6;
        if (1..=6).contains(&indent) && shown.starts_with(['-', '<', '[']) {
            entries.push((line, 1));
            is_inside = true;
        } else if let Some((_, lines)) = entries.last_mut().filter(|_| is_inside) {
            *lines += 1;
        }
    }
    let long = entries.into_iter().filter(|(_, lines)| *lines > MOST_LINES);
    let long = long.map(|(option, lines)| format!("{lines} lines: {option}"));
    let broken = examples.lines().filter(|line| !line.starts_with("  ") || line.starts_with("   "));
    let broken = broken.filter(|line| !line.is_empty()).map(|line| format!("example: {line}"));
    let wide = help.lines().filter(|line| line.chars().count() > 100);
    let found: Vec<String> =
        long.chain(broken).chain(wide.map(|line| format!("wide: {line}"))).collect();
    found.into_iter()
}

#[test]
fn documents_read_as_plain_english() {
    let mut documents = documents();
    documents.push("CHANGELOG.md".to_owned());
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
    let bench = Bench::new();
    let mut left: Vec<Vec<String>> = vec![Vec::new()];
    let mut wrong = Vec::new();
    while let Some(command) = left.pop() {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let help = bench.succeed([&words[..], &["--help"]].concat());
        let name = format!("arbiter {} --help", command.join(" "));
        wrong.extend(
            findings(&help).iter().map(|it| format!("{name}:{}: `{}`", it.line, it.phrase)),
        );
        wrong.extend(too_long(&help).map(|it| format!("{name}: {it}")));
        if command.is_empty() || help.contains("\nCommands:\n") {
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
    assert_eq!(lines("To play 35.2 a second. Be quick."), [(1, "a second"), (1, "be")]);
    assert_eq!(lines("Of its own files, a hand, in order, of its own."), [(1, "of its own")]);
}

#[test]
fn long_options_and_broken_examples_are_found() {
    let help = "Options:\n  -a, --all  One\n             two\n             three\n      --b  One\n\nExamples:\n  \
                arbiter match\n  arbiter\nshow\n";
    let found: Vec<String> = too_long(help).collect();
    assert_eq!(found, ["3 lines:   -a, --all  One", "example: show"]);
}
