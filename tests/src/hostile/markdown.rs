//! The tables in Markdown, as a part of `docs/reference/what-a-bot-can-do.md`.

use super::attack::Outcome;
use super::table::{ATTACKS, CHANNELS};
use crate::page;

const BEGIN: &str = "<!-- written by tests/tests/it/misbehaviour/hostile.rs -->\n";
const END: &str = "<!-- the end of the tables of attacks -->\n";

/// Compares the tables in the file with the attacks.
pub fn compare() {
    page::compare(BEGIN, END, &format!("{}\n{}", attacks(), channels()));
}

fn attacks() -> String {
    let mut table =
        "| the bot | isolated | refused | contained | off, as root | off, as another user | why |\n\
                     | --- | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for it in ATTACKS {
        let wants = [it.isolated, it.refused, it.contained, it.off_as_root, it.off_as_user];
        let wants = wants.map(word).join(" | ");
        table.push_str(&format!("| {} | {wants} | {} |\n", it.does, it.why));
    }
    table
}

fn channels() -> String {
    let mut table = "| the sign | isolated | refused, contained | off | portable |\n\
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
