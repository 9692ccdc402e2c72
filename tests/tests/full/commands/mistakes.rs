//! Typical mistakes of beginners: `match` and `check` lead to their causes.

use tests::bench::Bench;
use tests::check::judged;
use tests::installed::{bench_with, is_there};
use tests::texts::assert_says;

/// A bot in Python that is right, but for what a test changes.
const RIGHT: &str = r#"import sys
lines = sys.stdin.read().splitlines()
place = next(place for place, line in enumerate(lines) if line.startswith("legal "))
print(lines[place + 1])
"#;

/// Which hint there is for which mistake, the tests of its crate say.
#[test]
fn a_hint_and_the_fault_are_told_by_match_and_check() {
    let Some(bench) = bench_with("python3") else { return };
    let debugging = RIGHT.replace("place =", "print(len(lines), \"lines\")\nplace =");
    let unclosed = RIGHT.replace("splitlines()", "splitlines(");
    let staying = "import time\nprint('income', flush=True)\ntime.sleep(600)\n".to_owned();
    let stays = "it printed but kept running: exit, or use resident:COMMAND";
    let endless = "while True:\n    pass\n".to_owned();
    let printed = "print only the move; send everything else to standard error";
    let silent = "no output: stuck in a loop, slow to import, or reading past `end`?";
    for (program, time, words, hint) in [
        (debugging, "60s", ["malformed", "expected one line, found more", " lines"], Some(printed)),
        (
            unclosed,
            "60s",
            ["crash", "mine.py\", line 2", "SyntaxError: '(' was never closed"],
            None,
        ),
        (endless, "200ms", ["timeout", "no exit within 200 ms", ""], Some(silent)),
        (staying, "2s", ["timeout", "no exit within 2000 ms", ""], Some(stays)),
    ] {
        bench.write("mine.py", program);
        let bot = "mine=python3 mine.py";
        let common = ["--game", "coup", "--time-limit", time];
        let played = bench.succeed([&["match"], &common[..], &[bot, "random"]].concat());
        let ended = judged(&bench, &[&["check"], &common[..], &["--games", "0", bot]].concat());
        assert_eq!(ended.code, Some(5), "{ended:?}");
        for shown in [played, ended.stdout] {
            assert_says(&shown, &words);
            let told = shown.lines().find_map(|line| line.trim_start().strip_prefix("hint "));
            assert_eq!(told.map(str::trim_start), hint, "{shown}");
        }
    }
}

/// A line feed may be missing, and a program that exits has flushed: this is no mistake.
#[test]
fn a_missing_line_feed() {
    if is_there("python3") {
        let bench = Bench::new();
        bench.write("mine.py", RIGHT.replace("print(", "sys.stdout.write("));
        bench.ok("check --game coup --games 1 --time-limit 60s 'python3 mine.py'");
    }
}

/// Refused before the first game: its interpreter would fail at every move.
#[test]
fn a_script_that_is_not_there() {
    let Some(bench) = bench_with("python3") else { return };
    let play = |bot| bench.run(["match", "--game", "coup", "--log", "log", bot, "random"]);
    let said = "bot `x`: script `nosuch.py` not found: paths are relative to the current folder";
    play("x=python3 nosuch.py").assert_refused(4, &[said]);
    bench.write("mine/bot.toml", "name = 'x'\ncommand = 'python3 -u nosuch.py'\n");
    // One in the current folder is not meant.
    bench.write("nosuch.py", RIGHT);
    let said = "script `nosuch.py` not found: paths are relative to the folder `./mine`";
    play("./mine").assert_refused(4, &[said]);
    assert!(!bench.path("log").exists());
    bench.write("mine/nosuch.py", RIGHT);
    assert_eq!(play("./mine").code, Some(0));
}

#[cfg(unix)]
#[test]
fn an_environment_that_the_command_does_not_use() {
    let Some(bench) = bench_with("python3") else { return };
    std::fs::create_dir_all(bench.path("mine/.venv/bin")).expect("a folder");
    bench.write("mine/bot.py", RIGHT);
    let python =
        bench.command("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let python = String::from_utf8(python.expect("a program").stdout).expect("a path");
    let link = bench.path("mine/.venv/bin/python3");
    std::os::unix::fs::symlink(python.trim(), link).expect("a link");
    let note = "note: bot x: .venv is used only with `command = \".venv/bin/python3 bot.py\"`\n";
    for (command, said) in [("python3 bot.py", note), (".venv/bin/python3 bot.py", "")] {
        bench.write("mine/bot.toml", format!("name = 'x'\ncommand = '{command}'\n"));
        let ended = bench.line("match --game coup --quiet --time-limit 60s ./mine random");
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), said), "{ended:?}");
    }
}
