//! The page for bots that do not work has a heading for each hint that the program gives.
//!
//! The hints are taken from the sources: every text of three words or more in the files of [`FILES`], without
//! comments, tests and arrays, which hold what bots print. Parts that stand for names and paths are left out.

use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/something-does-not-work.md";

/// Files with the hints; true if each hint has a heading of its own.
const FILES: [(&str, bool); 2] =
    [("arbiter/bot/src/advice.rs", true), ("arbiter/bot/src/sandboxed.rs", false)];

fn read(path: &str) -> String {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(path)).expect(path)
}

/// A source without its tests, comments and arrays of texts.
fn bare(source: &str) -> String {
    let source = source.split("\n#[cfg(test)]").next().unwrap_or_default();
    let mut is_array = false;
    let mut kept = String::new();
    for line in source.lines() {
        let code = line.trim_start();
        is_array |= code.starts_with("const ") && code.contains(": [&str;");
        if !is_array && !code.starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
        is_array &= !code.ends_with("];");
    }
    kept
}

/// The texts between quotation marks, with the ends of lines inside of them as a compiler reads them.
fn texts(source: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut left = source;
    while let Some((_, rest)) = left.split_once('"') {
        let (mut text, mut letters) = (String::new(), rest.char_indices().peekable());
        left = "";
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    left = &rest[at + 1..];
                    break;
                }
                '\\' => match letters.next() {
                    Some((_, '\n')) => {
                        while letters.next_if(|(_, next)| next.is_whitespace()).is_some() {}
                    }
                    Some((_, 'n')) | None => text.push(' '),
                    Some((_, other)) => text.push(other),
                },
                other => text.push(other),
            }
        }
        texts.push(text);
    }
    texts
}

/// The parts of a text between its `{…}`, of three words or more.
fn parts(text: &str) -> Vec<String> {
    let marked: String =
        text.split('{').enumerate().fold(String::new(), |mut all, (place, part)| {
            all.push_str(if place == 0 {
                part
            } else {
                part.split_once('}').map_or("", |it| it.1)
            });
            all.push('{');
            all
        });
    let clean = |part: &str| {
        let words: Vec<&str> = part.split_whitespace().collect();
        words.join(" ").trim_matches(['`', ':', ';', ',', ' ']).to_owned()
    };
    let parts = marked.split('{').map(clean);
    parts.filter(|part| part.split(' ').count() >= 3).collect()
}

/// The headings of the page, each with what is quoted below it.
fn sections(page: &str) -> Vec<(String, Vec<String>)> {
    let mut sections = Vec::new();
    for section in page.split("\n## ").skip(1) {
        let heading = section.lines().next().unwrap_or_default().to_owned();
        let mut quotes: Vec<String> = Vec::new();
        let mut is_inside = false;
        for line in section.lines() {
            match (line.strip_prefix("> "), is_inside) {
                (Some(words), true) => {
                    let last = quotes.last_mut().expect("a quotation has begun");
                    last.push_str(&format!(" {words}"));
                }
                (Some(words), false) => quotes.push(words.to_owned()),
                (None, _) => {}
            }
            is_inside = line.starts_with("> ");
        }
        sections.push((heading, quotes));
    }
    sections
}

#[test]
fn every_hint_has_a_heading_on_the_page_and_every_heading_a_hint() {
    let sections = sections(&read(PAGE));
    let mut all = Vec::new();
    let mut wrong = String::new();
    for (file, is_apart) in FILES {
        let mut taken = Vec::new();
        for hint in texts(&bare(&read(file))).iter().flat_map(|text| parts(text)) {
            let with = |(_, quotes): &&(String, Vec<String>)| {
                quotes.iter().any(|quote| quote.contains(&hint))
            };
            match sections.iter().find(with) {
                None => wrong.push_str(&format!(
                    "{PAGE} lacks a hint of {file}: add a heading `## …` in the words that its reader \
                     would look for, and below it the line `> {hint}`, with what to do\n"
                )),
                Some((heading, _)) if is_apart && taken.contains(&heading) => wrong.push_str(&format!(
                    "`## {heading}` in {PAGE} has two hints: give `> {hint}` a heading of its own\n"
                )),
                Some((heading, _)) => taken.push(heading),
            }
            all.push(hint);
        }
    }
    assert!(all.len() >= 20, "hints are found: {all:?}");
    for (heading, quotes) in &sections {
        for quote in quotes.iter().filter(|quote| !all.iter().any(|hint| quote.contains(hint))) {
            wrong.push_str(&format!(
                "`## {heading}` in {PAGE}: no hint of the program says `> {quote}`: correct it, or \
                 remove it\n"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn hints_are_read_from_sources_as_a_compiler_reads_them() {
    let source = "//! \"not this one at all\"\nconst A: &str = \"one \\\"two\\\" three\";\n\
                  const B: [&str; 1] = [\n    \"nor this one here\",\n];\n\
                  fn f() { g(\"first part of {x}: the {y:?} second \\\n      part is here\") }\n\
                  #[cfg(test)]\nmod tests { \"nor one of these\" }\n";
    let found: Vec<String> = texts(&bare(source)).iter().flat_map(|text| parts(text)).collect();
    assert_eq!(found, ["one \"two\" three", "first part of", "second part is here"]);
}
