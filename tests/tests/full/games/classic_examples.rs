//! The examples of the classic dialect of Coup, with real programs: they play, and by chance where
//! they are said to.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tests::bench::Bench;
use tests::classic::{all_sane, play};
use tests::installed::is_there;
use tests::log;

/// A folder of the examples as a bot, copied so that it can be built; nothing, and a word about
/// it, where what it needs is not there.
fn example(bench: &Bench, name: &str) -> Option<String> {
    let tool = if name.ends_with("-c") { "cc" } else { "python3" };
    if !is_there(tool) {
        return None;
    }
    let from: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../examples/bots", name].iter().collect();
    let to = bench.path(name);
    fs::create_dir(&to).expect("a folder");
    for file in fs::read_dir(from).expect("the example") {
        let file = file.expect("a file").path();
        if file.extension().is_some() {
            fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("a copy");
        }
    }
    let folder = format!("./{name}");
    if tool == "cc" {
        bench.succeed(["build", &folder]);
    }
    Some(folder)
}

const EXAMPLES: [&str; 4] =
    ["classic-random-py", "classic-challenger-py", "classic-random-c", "classic-challenger-c"];

#[test]
fn the_examples_play_each_other_and_native_bots_on_both_seats() {
    let bench = Bench::new();
    let bots: Vec<String> = EXAMPLES.iter().filter_map(|name| example(&bench, name)).collect();
    let slow = "minimax --depth 1";
    for (place, (bot, next)) in bots.iter().zip(bots.iter().cycle().skip(1)).enumerate() {
        // Two games are both orders.
        for other in [next, "greedy"] {
            all_sane(&play(&bench, 2, [bot, other]));
        }
        // Of two examples in a language one plays before the slow bot, and one after it.
        let order = if place % 2 == 0 { [bot, slow] } else { [slow, bot] };
        all_sane(&play(&bench, 1, order));
        let report = bench.succeed(["check", "--games", "2", "--time-limit", "30s", bot]);
        assert!(report.contains("coup games") && !report.contains("FAILED"), "{report}");
    }
}

#[test]
fn a_challenger_challenges_in_every_game() {
    let bench = Bench::new();
    for name in ["classic-challenger-py", "classic-challenger-c"] {
        let Some(bot) = example(&bench, name) else { continue };
        for game in play(&bench, 4, [&bot, "greedy"]) {
            let seat = log::seat_of(&game, name);
            let events = game["events"].as_array().expect("events");
            let told: Vec<&str> = events.iter().filter_map(Value::as_str).collect();
            let claims =
                ["tax", "exchange", "steal 0", "steal 1", "assassinate 0", "assassinate 1"];
            let other = 1 - seat;
            for (place, event) in told.iter().enumerate() {
                if claims.iter().any(|claim| *event == format!("{other} {claim}")) {
                    assert_eq!(told[place + 1], format!("{seat} challenge"), "{game}");
                }
            }
        }
    }
}

/// Texts that an example in C appends and prints, over some calls with this file and these words.
fn answers(bench: &Bench, name: &str, text: &str, words: &[&str], calls: u32) -> Answers {
    let program = bench.path(name).join(name.trim_end_matches("-c").replace('-', "_"));
    let (mut appended, mut printed) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..calls {
        let file = bench.write("game", text);
        let ended = Command::new(&program).arg(&file).args(words).output().expect("it starts");
        assert!(ended.status.success(), "{ended:?}");
        let after = fs::read_to_string(&file).expect("the file");
        let found = after.strip_prefix(text).expect("the old text").to_owned();
        *appended.entry(found).or_insert(0) += 1;
        let output = String::from_utf8(ended.stdout).expect("text");
        *printed.entry(output).or_insert(0) += 1;
    }
    Answers { appended, printed }
}

struct Answers {
    appended: BTreeMap<String, u32>,
    printed: BTreeMap<String, u32>,
}

/// Asserts that each of some answers comes as often as any other. Chance alone fails this once in
/// more than ten million times for up to five degrees of freedom.
#[track_caller]
fn assert_even(found: &BTreeMap<String, u32>, kinds: usize) {
    assert_eq!(found.len(), kinds, "{found:?}");
    let expected = f64::from(found.values().sum::<u32>()) / kinds as f64;
    let deviation = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
    let chi_squared: f64 = found.values().map(deviation).sum();
    assert!(chi_squared < 42.0, "{chi_squared}: {found:?}");
}

/// A program that seeded its chance with the clock was far from even from call to call.
#[test]
fn the_examples_in_c_choose_evenly() {
    let bench = Bench::new();
    for name in ["classic-random-c", "classic-challenger-c"] {
        if example(&bench, name).is_none() {
            return;
        }
        let first = ["1", "1", "$!", "I\n", "F", "E", "S", "T"];
        assert_even(&answers(&bench, name, "", &first, 1000).appended, 5);
        let ends = ["1", "1", "^~$*", "\n"];
        let Answers { appended, printed } = answers(&bench, name, "Ep", &ends, 300);
        assert_eq!(appended.into_keys().collect::<Vec<_>>(), ["\n"]);
        let mut pairs = BTreeMap::new();
        for (kept, count) in printed {
            let mut kept: Vec<char> = kept.trim_end().chars().collect();
            kept.sort_unstable();
            *pairs.entry(kept.into_iter().collect()).or_insert(0) += count;
        }
        assert_even(&pairs, 6);
    }
}
