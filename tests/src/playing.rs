//! A person who plays: the command, and what is typed.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::process::Command;

use crate::bench::{Bench, Ended, SEED, run};
use crate::typing::Prompt;

/// Games with a seed, a log, and bots with enough time, as text that scrolls by, with letters for
/// suits.
pub fn play(bench: &Bench, game: &str, words: &[&str]) -> Command {
    let mut command = play_in_place(bench, game, &[&["--scroll"], words].concat());
    command.env("LC_ALL", "C");
    command
}

/// Like [`play`], but with the table in place, on a terminal that has the signs of suits.
pub fn play_in_place(bench: &Bench, game: &str, words: &[&str]) -> Command {
    let head = ["play", "--game", game, "--seed", SEED, "--log", "log", "--time-limit", "30s"];
    let mut command = bench.arbiter([&head[..], words].concat());
    command.env("LC_ALL", "C.UTF-8").env_remove("NO_COLOR");
    command
}

/// Runs [`play`] through a pipe, with these lines as input.
pub fn through_a_pipe(bench: &Bench, game: &str, words: &[&str], lines: &str) -> Ended {
    let typed = bench.write("typed", lines);
    let input = File::open(typed).expect("it was written");
    run(play(bench, game, words).stdin(input))
}

/// The line to type at a prompt: the first card of the hand with only the captures that greedy
/// adds, the first move of the list, or nothing before the next game.
#[expect(clippy::panic, reason = "a test that does not know what to type has failed")]
pub fn typed(asked: &Prompt) -> String {
    let hand = || asked.story.lines().rev().find_map(|line| line.strip_prefix("hand "));
    match asked.prompt.as_str() {
        "card> " => {
            let cards = hand().expect("the hand is shown before every choice").trim();
            cards.split(' ').next().unwrap_or_default().to_lowercase()
        }
        "move> " => "1".to_owned(),
        "next game> " => String::new(),
        takes if takes.contains(" takes") => "auto".to_owned(),
        other => panic!("nobody knows what to type at {other:?}"),
    }
}
