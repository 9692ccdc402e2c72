//! Bots that are handed in for a tournament, in the folder `handed-in` of a test.

use std::fs;

use serde_json::Value;

use crate::bench::{Bench, Ended};
use crate::command_lines::words;
use crate::tournament::cup;

/// Answers with the first legal move.
pub const ANSWER: &str = "sed -n '/^legal /{n;p;}'";

/// Hands in a bot: its folder, and what its manifest says.
pub fn hand_in(bench: &Bench, folder: &str, manifest: &str) {
    fs::create_dir_all(bench.path("handed-in").join(folder)).expect("the folder is ours");
    bench.write(&format!("handed-in/{folder}/bot.toml"), manifest);
}

/// A manifest of a bot that misbehaves as its mode says.
pub fn faulty(bench: &Bench, name: &str, mode: &str) -> String {
    // By its name, as a built-in bot: a path would lead out of the folder.
    let command = format!("faulty {mode} {}", bench.marker());
    format!("name = \"{name}\"\ncommand = \"{command}\"\ngames = [\"coup\"]\n")
}

/// Hands in a bot that is a script of the shell.
pub fn hand_in_script(bench: &Bench, name: &str, script: &str, more: &str) {
    hand_in(bench, name, &format!("name = \"{name}\"\ncommand = \"sh ./bot.sh\"\n{more}\n"));
    bench.write(&format!("handed-in/{name}/bot.sh"), script);
}

/// Hands in a bot that plays as the built-in `random` does.
pub fn hand_in_random(bench: &Bench, name: &str, more: &str) {
    hand_in(bench, name, &format!("name = \"{name}\"\ncommand = \"random\"\n{more}\n"));
}

/// The line for a tournament of Coup on a deal with those that were handed in, who have 60 s for a move.
pub fn line(folder: &str, more: &str) -> String {
    cup(folder, 1, &format!("--submissions handed-in --time-limit 60s {more}"))
}

/// Plays this tournament.
pub fn begin(bench: &Bench, folder: &str, more: &str) -> Ended {
    bench.run(words(&line(folder, more)))
}

/// Plays this tournament, which must end well, and gives its list of those who have entered and of those who have not.
pub fn entered(bench: &Bench, folder: &str, more: &str) -> Value {
    begin(bench, folder, more).with_code(0);
    entrants(bench, folder)
}

/// The list of those who have entered a tournament and of those who have not.
pub fn entrants(bench: &Bench, folder: &str) -> Value {
    serde_json::from_str(&bench.text(&format!("{folder}/entrants.json"))).expect("JSON")
}

/// The names of those who have entered.
pub fn names(entrants: &Value) -> Vec<&str> {
    let entered = entrants["entered"].as_array().expect("a list");
    entered.iter().filter_map(|it| it["name"].as_str()).collect()
}

/// The reason for which a folder was refused; empty where it was not.
pub fn why(entrants: &Value, folder: &str) -> String {
    let mut refused = entrants["refused"].as_array().expect("a list").iter();
    let is_it = |it: &&Value| it["folder"] == format!("handed-in/{folder}");
    refused.find(is_it).and_then(|it| it["why"].as_str()).unwrap_or_default().to_owned()
}

/// The report on a folder that was handed in.
pub fn report(bench: &Bench, folder: &str) -> String {
    bench.text(&format!("handed-in/{folder}.report.txt"))
}
