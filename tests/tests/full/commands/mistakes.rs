//! Typical mistakes of beginners: `match` and `check` lead to their causes.

use tests::bench::Bench;
use tests::check::judged;
use tests::installed::is_there;

/// A bot in Python that is right, but for what a test changes.
const RIGHT: &str = r#"import sys
lines = sys.stdin.read().splitlines()
place = next(place for place, line in enumerate(lines) if line.startswith("legal "))
print(lines[place + 1])
"#;

/// A bot with a mistake.
struct Mistake<'a> {
    program: String,
    time: &'a str,
    /// Words of both commands about it.
    words: &'a [&'a str],
    /// Advice of both commands, if any.
    hint: Option<&'a str>,
}

impl Default for Mistake<'_> {
    fn default() -> Self {
        // In so much time every machine starts a program.
        Mistake { program: RIGHT.to_owned(), time: "60s", words: &[], hint: None }
    }
}

fn is_told(Mistake { program, time, words, hint }: Mistake<'_>) {
    if !is_there("python3") {
        return;
    }
    let bench = Bench::new();
    bench.write("mine.py", program);
    let bot = "mine=python3 mine.py";
    let common = ["--game", "coup", "--time-limit", time];
    let played = bench.succeed([&["match"], &common[..], &[bot, "random"]].concat());
    let ended = judged(&bench, &[&["check"], &common[..], &["--games", "0", bot]].concat());
    assert_eq!(ended.code, Some(5), "{ended:?}");
    for shown in [played, ended.stdout] {
        for word in words {
            assert!(shown.contains(word), "`{word}` is not in {shown}");
        }
        let told = shown.lines().find_map(|line| line.trim_start().strip_prefix("hint "));
        assert_eq!(told.map(str::trim_start), hint, "{shown}");
    }
}

#[test]
fn debugging_on_standard_output() {
    is_told(Mistake {
        program: RIGHT.replace("place =", "print(len(lines), \"lines\")\nplace ="),
        words: &["malformed", "expected one line, found more", " lines"],
        hint: Some("print only the move; send everything else to standard error"),
        ..Mistake::default()
    });
}

/// A line feed may be missing, and a program that exits has flushed: this is no mistake.
#[test]
fn a_missing_line_feed() {
    if is_there("python3") {
        let bench = Bench::new();
        bench.write("mine.py", RIGHT.replace("print(", "sys.stdout.write("));
        let head = ["check", "--game", "coup", "--games", "1", "--time-limit", "60s"];
        bench.succeed([&head[..], &["python3 mine.py"]].concat());
    }
}

/// Of a bot that has printed something by then, which a busy machine may keep it from.
#[test]
fn no_exit_after_the_answer() {
    let bench = Bench::new();
    let bot = "mine=sh -c 'echo income; sleep 600'";
    let head = ["match", "--game", "coup", "--time-limit", "1s", "--json"];
    let ended = bench.run([&head[..], &[bot, "random"]].concat());
    let fault = &ended.json().pop().expect("a result")["result"]["players"][0]["first_fault"];
    let expected = match fault["printed"].as_array().is_some_and(Vec::is_empty) {
        true => "no output: does it loop, import slowly, or read on after `end`?",
        false => "it printed but kept running: exit, or use resident:COMMAND",
    };
    assert_eq!(
        (&fault["verdict"], &fault["hint"]),
        (&"timeout".into(), &expected.into()),
        "{fault}"
    );
}

#[test]
fn a_syntax_error() {
    is_told(Mistake {
        program: RIGHT.replace("splitlines()", "splitlines("),
        words: &["crash", "mine.py\", line 2", "SyntaxError: '(' was never closed"],
        ..Mistake::default()
    });
}

#[test]
fn an_endless_loop() {
    is_told(Mistake {
        program: "while True:\n    pass\n".to_owned(),
        time: "200ms",
        words: &["timeout", "no exit within 200 ms"],
        hint: Some("no output: does it loop, import slowly, or read on after `end`?"),
    });
}

/// Refused before the first game: its interpreter would fail at every move.
#[test]
fn a_script_that_is_not_there() {
    if !is_there("python3") {
        return;
    }
    let bench = Bench::new();
    let play = |bot| bench.run(["match", "--game", "coup", "--log", "log", bot, "random"]);
    let said = "bot `x`: script `nosuch.py` not found: paths are relative to the current folder";
    play("x=python3 nosuch.py").assert_refused(4, &[said]);
    std::fs::create_dir(bench.path("mine")).expect("a folder");
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
    if !is_there("python3") {
        return;
    }
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path("mine/.venv/bin")).expect("a folder");
    bench.write("mine/bot.py", RIGHT);
    let python =
        bench.command("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let python = String::from_utf8(python.expect("a program").stdout).expect("a path");
    let link = bench.path("mine/.venv/bin/python3");
    std::os::unix::fs::symlink(python.trim(), link).expect("a link");
    let manifest = |command| format!("name = 'x'\ncommand = '{command}'\n");
    let play = ["match", "--game", "coup", "--quiet", "--time-limit", "60s", "./mine", "random"];
    for (command, said) in [
        (
            "python3 bot.py",
            "note: bot x: .venv is used only with `command = \".venv/bin/python3 bot.py\"`\n",
        ),
        (".venv/bin/python3 bot.py", ""),
    ] {
        bench.write("mine/bot.toml", manifest(command));
        let ended = bench.run(play);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), said), "{ended:?}");
    }
}
