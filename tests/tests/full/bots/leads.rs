//! Files that the files of a bot's folder lead to: its own files, the system, `PATH` and grants
//! play, everything else is refused before the first game.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use tests::bench::{Bench, Ended, run};
use tests::missing;

const PLAYS: &str = "#!/bin/sh\nsed -n '/^legal /{n;p;q}'\n";

/// A bench with the bot `mine` that has no command yet, another one, and a tool of neither.
fn bench() -> Bench {
    let bench = Bench::new();
    for folder in ["mine", "victim", "tools"] {
        fs::create_dir(bench.path(folder)).expect("a folder");
    }
    bench.write("victim/bot.toml", "name = 'victim'\ncommand = './bot'\n");
    for program in ["mine/bot", "victim/bot", "tools/run"] {
        executable(&bench, program, PLAYS);
    }
    bench
}

fn executable(bench: &Bench, name: &str, text: &str) {
    // Another program makes the file, which is then open in no child of another test.
    let text = bench.write("text", text);
    let path = bench.copy(&text, name);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

fn link(bench: &Bench, target: impl AsRef<Path>, name: &str) {
    symlink(target, bench.path(name)).expect("a link");
}

/// A match of `mine` with this line for its command.
fn plays(bench: &Bench, line: &str, options: &[&str]) -> Ended {
    bench.write("mine/bot.toml", format!("name = 'mine'\n{line}\n"));
    let words = ["match", "--game", "coup", "--games", "1", "--quiet"];
    bench.run([&words[..], options, &["./mine", "./victim"]].concat())
}

fn assert_plays(bench: &Bench, line: &str, options: &[&str]) {
    let ended = plays(bench, line, options);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{line}: {ended:?}");
}

#[test]
fn a_command_that_leads_to_another_bot_is_refused() {
    let bench = bench();
    let victim = bench.path("victim/bot").canonicalize().expect("it is there");
    executable(&bench, "mine/script", &format!("#!{}\n", victim.display()));
    link(&bench, "../victim/bot", "mine/link");
    link(&bench, "../victim", "mine/folder");
    let granted = format!("mine:read={}", bench.path("victim").display());
    for line in [
        "command = ['../victim/bot']",
        "command = './script'",
        "command = './link'",
        "command = './folder/bot'",
        "command = 'sh ./folder/bot'",
        "command = 'sh ../victim/bot'",
        &format!("command = ['{}']", victim.display()),
    ] {
        // It would play as the other one, wherever bots are not kept apart.
        for options in [&["--isolation", "off"][..], &["--allow", &granted]] {
            let ended = plays(&bench, line, options);
            ended.assert_refused(4, &["bot `mine`: ", "is in another bot's folder"]);
        }
        // What lies out of its folder is not looked at unless it is granted.
        let ended = plays(&bench, line, &[]);
        ended.assert_refused(4, &["bot `mine`: ", "is outside the bot's folder"]);
        let build = line.replace("command", "build");
        bench.write("mine/bot.toml", format!("name = 'mine'\ncommand = './bot'\n{build}\n"));
        bench.run(["build", "./mine"]).assert_refused(4, &["is outside the bot's folder"]);
    }
}

#[test]
fn a_command_that_leads_out_of_its_folder_has_to_be_granted() {
    let bench = bench();
    let tool = bench.path("tools/run").canonicalize().expect("it is there");
    executable(&bench, "mine/script", &format!("#!{}\n", tool.display()));
    link(&bench, &tool, "mine/link");
    link(&bench, "bot", "mine/own-link");
    link(&bench, "/bin/sh", "mine/shell");
    let granted = format!("mine:read={}", bench.path("tools").display());
    for line in [
        "command = ['../tools/run']",
        "command = './script'",
        "command = './link'",
        "command = 'sh ../tools/run'",
    ] {
        let ended = plays(&bench, line, &[]);
        let problem = "is outside the bot's folder: move it inside, or pass --allow \
                       mine:read=FOLDER";
        ended.assert_refused(4, &["bot `mine`: ", problem]);
        assert_plays(&bench, line, &["--isolation", "off"]);
        if !line.contains("script") {
            assert_plays(&bench, line, &["--allow", &granted]);
        }
    }
    // Links in the folder and to the system play.
    assert_plays(&bench, "command = ['./shell', './own-link']", &[]);
    // On PATH, every bot finds it.
    bench.write("mine/bot.toml", "name = 'mine'\ncommand = 'run'\n");
    let path = format!("{}:/usr/bin:/bin", bench.path("tools").display());
    let words = ["match", "--game", "coup", "--games", "1", "--quiet", "./mine", "./victim"];
    run(bench.arbiter(words).env("PATH", path)).without_error();
}

#[test]
fn a_virtual_environment_of_a_python_on_path_plays() {
    let bench = bench();
    let folder = bench.path("mine/.venv");
    let made = Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(&folder).output();
    if !made.is_ok_and(|made| made.status.success()) {
        missing::tell("there is no python3 here that makes virtual environments");
        return;
    }
    let script = "import sys\nlines = sys.stdin.read().splitlines()\n\
                  print(next(b for a, b in zip(lines, lines[1:]) if a.startswith('legal ')))\n";
    bench.write("mine/bot.py", script);
    assert_plays(&bench, "command = ['.venv/bin/python3', 'bot.py']", &[]);
}

#[test]
fn a_manifest_that_is_a_link_out_of_the_folder_prints_nothing_of_it() {
    let bench = bench();
    bench.write("secret", "root:known-to-nobody-else\n");
    link(&bench, "../secret", "mine/bot.toml");
    for words in [&["match", "--game", "coup", "./mine", "random"][..], &["build", "./mine"]] {
        let ended = bench.run(words);
        ended.assert_refused(2, &["`./mine/bot.toml` is outside the bot's folder"]);
        assert!(!ended.stderr.contains("known"), "{ended:?}");
    }
}

#[test]
fn files_outside_of_the_folder_that_a_build_record_names_are_not_opened() {
    let bench = bench();
    let build = "command = './bot'\nbuild = 'true'";
    let digest = "00".repeat(32);
    let mark = format!("{{\"bytes\":5,\"modified\":1,\"sha256\":\"{digest}\"}}");
    bench.write("outside", "12345");
    let record = |source: &str| {
        let text =
            format!("{{\"build\":[\"true\"],\"sources\":{{\"{source}\":{mark}}},\"made\":{{}}}}");
        bench.write("mine/.arbiter-build.json", text);
    };
    record("../outside");
    // To say that it has changed, it would have to be read.
    let ended = plays(&bench, build, &[]);
    assert!(!ended.stderr.contains("outside"), "{ended:?}");
}
