//! The texts in sources: messages, pages and scripts.

use std::fs;
use std::path::PathBuf;

use tests::bench::files_below;
use tests::sources;

use super::{EVERYWHERE, findings_of};

/// Details of verdicts, which logs hold.
const FROZEN: [&str; 6] = [
    "rules/src/tablic/legality.rs",
    "rules/src/coup/turns.rs",
    "rules/src/durak/turns.rs",
    "rules/src/cause.rs",
    "rules/src/tablic/notation.rs",
    "rules/src/coup/classic.rs",
];

/// What an error may not expect: it is the mere opposite of what is wrong. A choice of a list and a range are news.
const MERE_OPPOSITES: [&str; 10] = [
    "different",
    "a different",
    "another",
    "other",
    "fewer",
    "less",
    "none",
    "no",
    "the files of the bot alone",
    "one",
];

/// Number of errors that still expect one of these, which may only shrink.
const OPPOSITES: usize = 10;

/// A text in a source, with the line at which it starts.
struct Text {
    line: usize,
    text: String,
}

/// The strings of a source in Rust or JavaScript, without comments and without the tests at its end.
fn texts(source: &str) -> Vec<Text> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let letters: Vec<char> = source.chars().collect();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(&letter) = letters.get(at) {
        let next = |after: usize| letters.get(at + after).copied();
        match letter {
            '/' if next(1) == Some('/') => {
                while letters.get(at).is_some_and(|letter| *letter != '\n') {
                    at += 1;
                }
                continue;
            }
            // A character: a lifetime has no quote behind it.
            '\'' if next(1) == Some('\\') => at += 3,
            '\'' if next(2) == Some('\'') => at += 2,
            '"' | '`' => {
                let (start, mut text) = (line, String::new());
                at += 1;
                while let Some(&inner) = letters.get(at).filter(|inner| **inner != letter) {
                    line += usize::from(inner == '\n');
                    let escaped = letters.get(at + 1).copied().unwrap_or_default();
                    match (inner, escaped) {
                        ('\\', '\n') => {
                            line += 1;
                            at += 1;
                            while letters.get(at + 1).is_some_and(|blank| blank.is_whitespace()) {
                                line += usize::from(letters[at + 1] == '\n');
                                at += 1;
                            }
                        }
                        ('\\', _) => {
                            text.push(if escaped == 'n' { '\n' } else { escaped });
                            at += 1;
                        }
                        _ => text.push(inner),
                    }
                    at += 1;
                }
                found.push(Text { line: start, text });
            }
            '\n' => line += 1,
            _ => {}
        }
        at += 1;
    }
    found
}

/// What an error of this text expects in vain.
fn mere_opposite(text: &str) -> Option<&'static str> {
    text.split(", expected ").skip(1).find_map(|expected| {
        MERE_OPPOSITES.into_iter().find(|opposite| {
            let rest = expected.strip_prefix(opposite);
            let is_choice = |rest: &str| rest.starts_with(" of ") || rest.starts_with(" from ");
            rest.is_some_and(|rest| {
                let is_other_word = rest.starts_with(char::is_alphanumeric);
                !(is_other_word || *opposite == "one" && is_choice(rest))
            })
        })
    })
}

#[test]
fn messages_and_pages_read_as_plain_english() {
    let mut paths: Vec<PathBuf> =
        sources::folders().into_iter().flat_map(|folder| files_below(&folder)).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "rs" || ending == "js"));
    paths.retain(|path| !FROZEN.iter().any(|frozen| path.ends_with(frozen)));
    assert!(paths.len() > 300, "{}", paths.len());
    let (mut wrong, mut opposites) = (Vec::new(), Vec::new());
    for path in paths {
        for Text { line, text } in texts(&fs::read_to_string(&path).expect("a source")) {
            let place = format!("{}:{line}: {text:?}", path.display());
            let found = findings_of(EVERYWHERE, &text);
            wrong.extend(found.iter().map(|it| format!("`{}` in {place}", it.phrase)));
            opposites
                .extend(mere_opposite(&text).map(|it| format!("`, expected {it}` in {place}")));
        }
    }
    assert!(wrong.is_empty(), "rewrite these texts:\n{}", wrong.join("\n"));
    assert_eq!(opposites.len(), OPPOSITES, "one of these is new:\n{}", opposites.join("\n"));
}

#[test]
fn texts_are_found_between_code_and_comments() {
    let source = "f('\"', \"a \\\n   b\\n\"); // \"no\"\nlet x: &'a str = \"c\";\n#[cfg(test)]\nmod tests { \"d\" }";
    let found: Vec<(usize, String)> =
        texts(source).into_iter().map(|it| (it.line, it.text)).collect();
    assert_eq!(found, [(1, "a b\n".to_owned()), (3, "c".to_owned())]);
    assert_eq!(mere_opposite("a seat, expected one from 0 to 3"), None);
    assert_eq!(mere_opposite("two bots, expected one"), Some("one"));
    assert_eq!(mere_opposite("a name, expected nothing"), None);
}
