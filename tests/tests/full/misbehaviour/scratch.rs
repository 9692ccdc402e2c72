//! A bot may do anything to its own scratch folder: the match goes on, on all seats.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use tests::bench::{Bench, run};
#[cfg(target_os = "linux")]
use tests::immutable;
use tests::keeping::{Keeping, KeepingCommand};
use tests::log;

/// An action of a bot after each answer.
const DEEDS: [(&str, &str); 8] = [
    ("removes it", "cd /; rm -rf \"$HOME\""),
    ("closes it", "chmod 000 \"$HOME\""),
    ("closes the folder that it lies in", "chmod 000 \"$HOME/..\""),
    ("puts a file in its place", "cd /; rm -rf \"$HOME\"; : > \"$HOME\""),
    ("puts a link to a folder in its place", "cd ..; rm -rf \"$HOME\"; ln -s .. \"$HOME\""),
    ("puts a link to nothing in its place", "cd /; rm -rf \"$HOME\"; ln -s /nowhere \"$HOME\""),
    ("moves it away", "mv \"$HOME\" \"$HOME.moved\""),
    (
        "fills it with closed folders",
        "[ -e a ] || { mkdir -p a/b; touch a/b/c; chmod 000 a/b; chmod 500 a; }",
    ),
];

#[test]
fn nothing_that_a_bot_does_to_it_voids_the_match() {
    for (what, deed) in DEEDS {
        for keeping in Keeping::ALL {
            check(keeping, what, deed);
        }
    }
}

fn check(keeping: Keeping, what: &str, deed: &str) {
    let bench = Bench::new();
    bench.write("bot.sh", format!("sed -n '/^legal/{{n;p;q;}}'\n{deed}\n:\n"));
    let good = format!("good={}", bench.faulty("ok"));
    let words = ["match", "--game", "coup", "--quiet", "--games", "2", "--log", "log"];
    let mut command = bench.arbiter(words);
    command.args(["bad=/bin/sh bot.sh", &good]).with_keeping(keeping);
    let ended = run(&mut command);
    let case = format!("{keeping}, {what}: {ended:?}");
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{case}");
    bench.verify(&bench.path("log"));
    for game in log::games(&bench.path("log")) {
        assert_eq!(game["result"]["ending"], "played", "{case}");
        assert_eq!(game["result"]["out"], json!([Value::Null, Value::Null]), "{case}");
    }
    // The target of a link is not a part of the folder.
    assert!(fs::metadata(bench.path("bot.sh")).is_ok(), "{case}");
    open_again(&bench);
}

/// Lets any user remove the folder of the test.
fn open_again(bench: &Bench) {
    let mut chmod = Command::new("chmod");
    run(chmod.args(["-R", "u+rwX"]).arg(bench.scratch()));
}

/// The folder of the last game was left behind without a word. An isolated bot has no right to keep it.
#[cfg(target_os = "linux")]
#[test]
fn every_folder_that_cannot_be_removed_is_reported() {
    let bench = Bench::new();
    if !immutable::can_be_made(bench.folder()) {
        return;
    }
    let keeps = "sed -n '/^legal/{n;p;q;}'; [ -e kept ] || { : > kept; chattr +i kept; }\n";
    bench.write("bot.sh", keeps);
    for keeping in Keeping::OPEN {
        let words = ["match", "--game", "coup", "--json", "--games", "2"];
        let mut command = bench.arbiter(words);
        command.args(["bad=/bin/sh bot.sh", "random"]).with_keeping(keeping);
        let ended = run(&mut command);
        immutable::release(&bench.scratch());
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let lines = ended.json();
        let warnings: Vec<&Value> = lines.iter().filter_map(|line| line.get("warning")).collect();
        // A game that a busy machine makes void is played again, in another folder.
        assert!(warnings.len() >= 2, "{keeping}: one for each game: {warnings:?}");
        for warning in warnings {
            let text = warning["text"].as_str().expect("a text");
            assert!(text.starts_with("cannot remove scratch folder `"), "{text}");
        }
    }
}

/// A bot that keeps notes finds an empty folder where it has destroyed its own.
#[test]
fn a_new_folder_is_empty_and_closed_to_others() {
    let bench = Bench::new();
    let script = "ls -A >&2; stat -c %a . >&2; sed -n '/^legal/{n;p;q;}'; : > note; cd /; \
                  rm -rf \"$HOME\"\n";
    bench.write("bot.sh", script);
    let good = bench.faulty("ok");
    let words = ["match", "--game", "tablic", "--quiet", "--log", "log", "bad=/bin/sh bot.sh"];
    bench.succeed([&words[..], &[&good]].concat());
    let game = log::games(&bench.path("log")).remove(0);
    let measured = game["measured"].as_array().expect("a list");
    for (answer, measured) in log::answers(&game).iter().zip(measured) {
        if answer["seat"] == 0 {
            assert_eq!(measured["stderr"], "700\\n");
        }
    }
}
