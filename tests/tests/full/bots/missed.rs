//! A bot that works outside of its isolation and not inside: its user learns what it has missed, and
//! the option that grants it.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;
use tests::bench::{Bench, files_below};
use tests::keeping::has_layer;

const PLAYS: &str = "sed -n '/^legal /{n;p;q}'";

/// A bench with the bot `mine`, a script of this text in a folder; `MODEL` in it is a file elsewhere.
fn bench(script: &str) -> Bench {
    let bench = Bench::new();
    for folder in ["mine", "elsewhere"] {
        fs::create_dir(bench.path(folder)).expect("a folder");
    }
    let model = bench.write("elsewhere/model.bin", "weights\n").display().to_string();
    bench.write("mine/bot.sh", script.replace("MODEL", &model));
    bench
}

const MATCH: [&str; 5] = ["match", "--game", "coup", "--games", "2"];
const BOTS: [&str; 2] = ["mine=sh mine/bot.sh", "random"];

/// The hints that a match tells.
fn hints(bench: &Bench, options: &[&str]) -> Vec<String> {
    let text = bench.succeed([&MATCH[..], options, &BOTS].concat());
    let hints = text.lines().filter_map(|line| line.trim().strip_prefix("hint"));
    hints.map(|hint| hint.trim().to_owned()).collect()
}

#[test]
fn a_file_that_a_bot_does_not_see_is_named_with_what_grants_it() {
    let bench = bench(&format!("cat MODEL >/dev/null || exit 1\n{PLAYS}\n"));
    if !has_layer(&bench, "files") {
        return;
    }
    let model = bench.path("elsewhere/model.bin").display().to_string();
    let granted = format!("mine:read={model}");
    let hint = format!(
        "`{model}` exists, but is hidden from the bot: pass --allow '{granted}'; `arbiter sandbox \
         'sh mine/bot.sh' -- sh` opens a shell inside"
    );
    assert_eq!(hints(&bench, &[]), [hint.as_str()]);
    // The advice of the hint helps, and so does its folder.
    assert!(hints(&bench, &["--allow", &granted]).is_empty());
    let folder = format!("mine:read={}", bench.path("elsewhere").display());
    assert!(hints(&bench, &["--allow", &folder]).is_empty());
    assert!(hints(&bench, &["--isolation", "off"]).is_empty());

    let check = ["check", "--game", "coup", "--games", "1"];
    let checked = bench.run([&check[..], &BOTS[..1]].concat());
    assert_eq!(checked.code, Some(5));
    assert!(checked.stdout.contains(&format!("hint      {hint}\n")), "{}", checked.stdout);
    let lines = bench.run([&check[..], &["--json"], &BOTS[..1]].concat()).json();
    let evidence = |line: &Value| line["step"]["evidence"]["hint"] == hint.as_str();
    assert!(lines.iter().any(evidence), "{lines:?}");

    let cup = ["tournament", "--game", "coup", "--deals", "1", "--dir", "cup"];
    let told = bench.succeed([&cup[..], &BOTS].concat());
    assert_eq!(told.matches(&hint).count(), 1, "{told}");
    // A bot with a manifest asks for it there.
    bench.write("mine/bot.toml", "name = 'mine'\ncommand = 'sh ./bot.sh'\n");
    let told = bench.succeed([&MATCH[..], &["./mine", "random"]].concat());
    let asks = format!("request it in bot.toml with `read = [\"{model}\"]`; ");
    assert!(told.contains(&asks) && told.contains("`arbiter sandbox ./mine -- sh`"), "{told}");
}

#[test]
fn nothing_is_said_of_what_no_one_has_or_of_what_is_kept_from_all() {
    let bench = bench("cat MODEL.old >&2; exit 1\n");
    if !has_layer(&bench, "files") {
        return;
    }
    let usual = ["bots run in an empty folder: build paths from the program's folder"];
    assert_eq!(hints(&bench, &[]), usual);
    let log = bench.path("elsewhere/cup.jsonl").display().to_string();
    bench.write("mine/bot.sh", format!("cat {log} >&2; exit 1\n"));
    assert_eq!(hints(&bench, &["--log", &log]), usual);
    // The other bot's file is its own.
    let other = bench.write("elsewhere/other.sh", PLAYS).display().to_string();
    bench.write("mine/bot.sh", format!("cat {other} >&2; exit 1\n"));
    let told = bench.succeed([&MATCH[..], &[BOTS[0], &format!("sh {other}")]].concat());
    assert!(told.contains(usual[0]) && !told.contains("is hidden from"), "{told}");
    // Its fault is the same outside.
    bench.write("mine/bot.sh", "cat /nowhere/model.bin >&2; exit 1\n");
    assert_eq!(hints(&bench, &["--isolation", "off"]), usual);
}

#[test]
fn modules_and_libraries_are_found_beside_a_bot() {
    let unseen = "echo \"Error: Cannot find module './.helper'\" >&2; exit 1\n";
    let bench = bench(unseen);
    if !has_layer(&bench, "files") {
        return;
    }
    // It lies where the link to the bot leads.
    fs::rename(bench.path("mine/bot.sh"), bench.path("elsewhere/bot.sh")).expect("it can be moved");
    symlink("../elsewhere/bot.sh", bench.path("mine/bot.sh")).expect("a link");
    let helper = bench.write("elsewhere/.helper.js", "").canonicalize().expect("a path");
    let said = hints(&bench, &[]).concat();
    assert!(said.contains(&format!("--allow 'mine:read={}'", helper.display())), "{said}");

    let packages = bench.path("node_modules");
    fs::create_dir_all(packages.join("left-pad")).expect("a folder");
    bench.write("elsewhere/bot.sh", "echo \"Error: Cannot find module 'left-pad'\" >&2; exit 1\n");
    let said = hints(&bench, &[]).concat();
    let option = format!("--allow 'mine:read={}'", packages.display());
    assert!(said.contains(&option), "{said}");

    let library = "error while loading shared libraries: .libx.so: cannot open shared object file";
    bench.write("elsewhere/bot.sh", format!("echo '{library}' >&2; exit 1\n"));
    assert!(hints(&bench, &[]).is_empty());
}

#[test]
fn the_network_and_refused_calls_are_named() {
    let bench = bench("echo 'OSError: [Errno 101] Network is unreachable' >&2; exit 1\n");
    if !has_layer(&bench, "seccomp") {
        return;
    }
    let network = "this bot has no network: pass --allow mine:network; `arbiter sandbox 'sh \
                   mine/bot.sh' -- sh` opens a shell inside";
    assert_eq!(hints(&bench, &[]), [network]);
    assert!(hints(&bench, &["--allow", "mine:network"]).is_empty());
    assert!(hints(&bench, &["--isolation", "off"]).is_empty());
    let message = "touch: cannot touch '/usr/x': Read-only file system";
    bench.write("mine/bot.sh", format!("echo \"{message}\" >&2; exit 1\n"));
    let said = hints(&bench, &[]);
    assert!(said.len() == 1 && said[0].starts_with("isolated bots can write only to"), "{said:?}");
    assert!(hints(&bench, &["--isolation", "off"]).is_empty());
}

#[test]
fn the_author_of_a_submission_learns_nothing_of_the_machine() {
    let bench = bench("cat MODEL >/dev/null || exit 1\n");
    bench.write("mine/bot.toml", "name = 'mine'\ncommand = 'sh ./bot.sh'\n");
    fs::create_dir(bench.path("sent")).expect("a folder");
    fs::rename(bench.path("mine"), bench.path("sent/mine")).expect("it can be moved");
    let cup = ["tournament", "--game", "coup", "--deals", "1", "--dir", "cup", "--quiet"];
    bench.run([&cup[..], &["--submissions", "sent", "random", "greedy"]].concat());
    let mut reports = 0;
    for report in files_below(&bench.path("sent")) {
        let text = String::from_utf8_lossy(&fs::read(&report).expect("a file")).into_owned();
        if text.contains("model.bin") {
            reports += 1;
            assert!(!text.contains("is hidden from"), "{}: {text}", report.display());
        }
    }
    assert!(reports > 0);
}
