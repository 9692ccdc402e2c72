//! The example bots, on every sample request. One whose language is not installed is skipped.

mod asked;
mod samples;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A request of a game that no bot knows, with more lines than a bot expects.
const UNKNOWN_GAME: &str = "arbiter 1\ngame nim heaps=3\nmatch 00\nweather fair\nseat 0\nmove 0\n\
    time 100\nseed 00000000000000ff\nview 2\nlegal 7\nheaps 1 2\nhistory 1\nlegal 1\n\
    legal 3 more\ntake 1\ntake 2\ntake 3\nend\n";

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots").join(name)
}

/// Asks the bot every sample request, one by one and all in one process.
fn plays_every_sample(language: &str, bot: impl Fn() -> Command) {
    let mut requests = String::new();
    let mut answers = String::new();
    for (name, request) in samples::all() {
        let Some(output) = asked::run(&mut bot(), request.as_bytes()) else {
            println!("skipped: no {language}");
            return;
        };
        asked::is_legal(&output, &request, &format!("{language} on {name}"));
        requests += &request;
        answers += &String::from_utf8_lossy(&output.stdout);
    }
    let answer = |input: &str| {
        let output = asked::run(&mut bot(), input.as_bytes()).expect("the program");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(answer(&requests), answers, "kept alive");
    let unknown = answer(UNKNOWN_GAME);
    assert!(unknown.starts_with("take ") && unknown.lines().count() == 1, "{unknown}");
}

#[test]
fn python() {
    plays_every_sample("python3", || {
        let mut command = Command::new("python3");
        command.args(["-I", "-S"]).arg(file("python/random.py"));
        command
    });
}

#[test]
fn shell() {
    for shell in ["sh", "dash", "bash"] {
        plays_every_sample(shell, || {
            let mut command = Command::new(shell);
            command.arg(file("shell/first.sh"));
            command
        });
    }
}

#[test]
fn c() {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("random-c");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-o"]);
    if is_made(compiler.arg(&binary).arg(file("c/random.c"))) {
        plays_every_sample("cc", || Command::new(&binary));
    }
}

#[test]
fn node() {
    plays_every_sample("node", || {
        let mut command = Command::new("node");
        command.arg(file("node/random.js"));
        command
    });
}

#[test]
fn rust() {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("random-rs");
    let mut compiler = Command::new("rustc");
    compiler.args(["--edition", "2021", "-D", "warnings", "-O", "-o"]);
    if is_made(compiler.arg(&binary).arg(file("rust/random.rs"))) {
        plays_every_sample("rustc", || Command::new(&binary));
    }
}

#[test]
fn java() {
    let folder = tempfile::tempdir().unwrap();
    let mut compiler = Command::new("javac");
    compiler.args(["-Xlint:all", "-Werror", "-d"]);
    if is_made(compiler.arg(folder.path()).arg(file("java/RandomBot.java"))) {
        plays_every_sample("java", || {
            let mut command = Command::new("java");
            command.arg("-cp").arg(folder.path()).arg("RandomBot");
            command
        });
    }
}

/// Compiles an example without any warning; says so where there is no such compiler.
fn is_made(compiler: &mut Command) -> bool {
    let Some(output) = asked::run(compiler, b"") else {
        println!("skipped: no {}", compiler.get_program().to_string_lossy());
        return false;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    true
}

#[test]
fn every_example_is_short_enough_to_read_at_once() {
    let names = [
        "python/random.py",
        "shell/first.sh",
        "c/random.c",
        "node/random.js",
        "java/RandomBot.java",
        "rust/random.rs",
    ];
    for name in names {
        let text = std::fs::read_to_string(file(name)).unwrap();
        assert!(text.lines().count() < 40, "{name} has {} lines", text.lines().count());
    }
}
