//! Every command of the README works, and every option in a document exists.

use std::collections::HashMap;
use std::fs;

use tests::bench::Bench;
use tests::documented::{command_lines, documents, root, run_pages};

#[test]
fn the_commands_of_the_readme_are_run() {
    let count = run_pages(|page| page == "README.md");
    assert!(count >= 5, "only {count} commands were found");
}

/// The help of a subcommand, asked for once.
fn help(bench: &Bench, known: &mut HashMap<String, String>, words: &[&str]) -> String {
    let key = words.join(" ");
    let ask = || {
        let ended = bench.run(words.iter().copied().chain(["--help"]));
        assert_eq!(ended.code, Some(0), "`arbiter {key}`: {ended:?}");
        ended.stdout
    };
    known.entry(key.clone()).or_insert_with(ask).clone()
}

#[test]
fn every_option_in_a_document_exists() {
    let bench = Bench::new();
    let mut known = HashMap::new();
    let mut count = 0;
    for page in documents() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for line in command_lines(&text) {
            // Quotes hold the command of a bot, and another program's words stand after `--`.
            let own: String = line.split('"').step_by(2).collect();
            let own = own.split(" -- ").next().unwrap_or_default();
            let own = own.split(['#', '|', '<', '>']).next().unwrap_or_default();
            let words: Vec<&str> = own.split_whitespace().skip(1).collect();
            let is_name = |word: &&&str| word.starts_with(|c: char| c.is_ascii_lowercase());
            let named = words.iter().take_while(is_name).copied();
            let path: Vec<&str> = match words.first() {
                Some(&("tournament" | "league")) => named.take(2).collect(),
                _ => named.take(1).collect(),
            };
            let options = words.iter().filter_map(|word| word.strip_prefix("--"));
            for option in options.map(|it| it.split('=').next().unwrap_or_default()) {
                let option = format!("--{option}");
                count += 1;
                let help = help(&bench, &mut known, &path);
                let mut words = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
                assert!(words.any(|word| word == option), "{page}: `{line}`: no {option}");
            }
        }
    }
    assert!(count > 100, "only {count} options were found");
}
