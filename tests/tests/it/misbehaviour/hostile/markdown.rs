//! The tables in Markdown, as a part of `tests/README.md`.

use std::fs;

use super::attack::Outcome;
use super::table::{ATTACKS, CHANNELS};

/// The environment variable that has the file written instead of compared.
const UPDATE: &str = "UPDATE_README";

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

const BEGIN: &str = "<!-- written by tests/tests/it/misbehaviour/hostile/markdown.rs -->\n";
const END: &str = "<!-- the end of what is written about attacks -->\n";

/// Compares the tables in the file with what they are made of.
pub(crate) fn compare() {
    // Another test may just have written its part.
    let found = fs::read_to_string(PATH).expect("the file can be read");
    let (before, rest) = found.split_once(BEGIN).expect("the file has a place for them");
    let (_, after) = rest.split_once(END).expect("the place for them has an end");
    let expected = format!("{before}{BEGIN}{}\n{}{END}{after}", attacks(), channels());
    if std::env::var_os(UPDATE).is_some() {
        fs::write(PATH, expected).expect("the file can be written");
        return;
    }
    assert!(
        found == expected,
        "tests/README.md is out of date: run {UPDATE}=1 cargo test -p tests in_the_readme -- \
         --test-threads 1"
    );
}

fn attacks() -> String {
    let mut table =
        "| the bot | isolated | refused | off, as root | off, as another user | why |\n\
                     | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for it in ATTACKS {
        let wants = [it.isolated, it.refused, it.off_as_root, it.off_as_user].map(word).join(" | ");
        table.push_str(&format!("| {} | {wants} | {} |\n", it.does, it.why));
    }
    table
}

fn channels() -> String {
    let mut table = "| the sign | isolated | refused | off | portable |\n\
                     | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for it in CHANNELS {
        let wants = [it.isolated, it.refused, it.off, it.portable].map(|[tell, remember]| {
            format!("told: {}, remembered: {}", word(tell), word(remember))
        });
        table.push_str(&format!("| {} | {} |\n", it.is, wants.join(" | ")));
    }
    table
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Got => "**got**",
        Outcome::Refused => "refused",
        Outcome::Either => "either",
    }
}
