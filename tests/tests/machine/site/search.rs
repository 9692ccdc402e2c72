//! Search of the site, and its first page.

use std::fs;
use std::path::Path;
use std::process::Command;

use tests::bench::{Bench, run};
use tests::installed::is_there;
use tests::texts::assert_says;

use super::build;

/// Words that people look for, each with a part of the heading that they are to find first.
const WORDS: [(&str, &str); 6] = [
    ("numpy", "a-python-package-such-as-numpy-is-not-found"),
    ("venv", "a-python-package-such-as-numpy-is-not-found"),
    ("timeout", "timeout-"),
    ("stderr", "print-to-stderr"),
    ("SIGSYS", "a-call-to-the-kernel-is-refused"),
    ("EOFError", "the-bot-reads-past-the-end"),
];

/// The addresses of the pages that the contents name below a heading.
fn pages_below(heading: &str) -> Vec<String> {
    let contents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/SUMMARY.md");
    let contents = fs::read_to_string(contents).expect("the contents");
    let (_, rest) = contents.split_once(&format!("# {heading}\n")).expect(heading);
    let part = rest.split("\n# ").next().unwrap_or_default();
    let links = part.lines().filter_map(|line| line.split_once("](")?.1.strip_suffix(".md)"));
    let from_the_root = links.map(|link| match link.strip_prefix("../") {
        Some(page) => page.to_owned(),
        None => format!("docs/{link}"),
    });
    from_the_root.map(|page| format!("{}.html", page.replace("README", "index"))).collect()
}

#[test]
fn searches_lead_to_the_pages_for_users() {
    let bench = Bench::new();
    let Some((book, _)) = build(&bench) else { return };
    if !is_there("node") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machine/site/rank.js");
    let words = WORDS.map(|(word, _)| word);
    let ranked = run(Command::new("node").arg(script).arg(&book).args(words).arg("referee"));
    assert_eq!((ranked.code, ranked.stderr.as_str()), (Some(0), ""), "{ranked:?}");
    for (word, heading) in WORDS {
        let begin = format!("{word} ");
        let found = ranked.stdout.lines().find_map(|line| line.strip_prefix(&begin));
        let expected = "docs/something-does-not-work.html#";
        let is_right =
            |at: &&str| at.strip_prefix(expected).is_some_and(|anchor| anchor.contains(heading));
        assert!(found.as_ref().is_some_and(is_right), "{word} leads to {found:?}");
    }
    let inside = pages_below("For those who change the program");
    assert_eq!(inside.len(), 4, "{inside:?}");
    for page in inside {
        assert!(!ranked.stdout.contains(&format!(" {page}#")), "{page} is found");
        assert!(book.join(&page).exists(), "{page} can be read all the same");
    }
}

#[test]
fn the_first_page_begins_with_play() {
    let bench = Bench::new();
    let Some((book, _)) = build(&bench) else { return };
    let page = fs::read_to_string(book.join("index.html")).expect("the first page");
    let (_, text) = page.split_once("<main>").expect("the text of the page");
    let (_, first) = text.split_once("<h2 ").expect("a heading");
    assert!(first.starts_with("id=\"play\""), "{first:.200}");
    let section = first.split("<h2 ").next().unwrap_or_default();
    assert_says(section, &["arbiter play --game", "arbiter serve", "href=\"docs/play.html\""]);
}
