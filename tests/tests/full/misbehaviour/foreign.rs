//! Bots in other languages against those that are built in, from the first deal to a verified
//! log. A language that is not installed is skipped.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use tests::bench::Bench;
use tests::installed::is_there;
use tests::log;

/// Some interpreters are slow to start, and a machine may be busy. The limit is never reached.
const TIME_LIMIT: &str = "30s";

const PYTHON: [(&str, &str); 2] = [
    ("bot.py", include_str!("../../../../examples/bots/python/bot.py")),
    ("arbiter_bot.py", include_str!("../../../../examples/bots/python/arbiter_bot.py")),
];
const SHELL: &str = include_str!("../../../../examples/bots/shell/random.sh");
const C: &str = include_str!("../../../../examples/bots/c/random.c");

fn bench() -> Bench {
    Bench::new()
}

/// Plays two games of the bot against a built-in one, on both seats, without any fault.
fn plays(bench: &Bench, bot: &str, other: &str) {
    let log = format!("log-{other}");
    let bot = format!("bot={bot}");
    let head = ["match", "--game", "tablic", "--quiet", "--games", "2", "--time-limit", TIME_LIMIT];
    bench.succeed([&head[..], &["--log", &log, &bot, other]].concat());
    bench.verify(&bench.path(&log));
    for game in log::games(&bench.path(&log)) {
        assert_eq!(game["result"]["out"], json!([null, null]), "{game}");
        assert_eq!(game["result"]["ending"], "played", "{game}");
    }
}

/// A folder of its own: beside a script in the home folder (the test's folder is one), a bot sees nothing.
fn write_python(bench: &Bench) {
    fs::create_dir(bench.path("py")).expect("a folder");
    for (name, text) in PYTHON {
        bench.write(&format!("py/{name}"), text);
    }
}

#[test]
fn python() {
    let bench = bench();
    write_python(&bench);
    if is_there("python3") {
        plays(&bench, "python3 py/bot.py", "random");
    }
}

#[test]
fn shell() {
    let bench = bench();
    bench.write("random.sh", SHELL);
    plays(&bench, "/bin/sh random.sh", "random");
    plays(&bench, "/bin/sh random.sh", "greedy");
}

#[test]
fn c() {
    let bench = bench();
    let source = bench.write("random.c", C);
    if is_there("cc") {
        compile(&source, &bench.path("random-c"));
        plays(&bench, "./random-c", "random");
        plays(&bench, "./random-c", "greedy");
    }
}

fn compile(source: &Path, program: &Path) {
    let built = Command::new("cc").arg("-O2").arg("-o").arg(program).arg(source).output();
    let built = built.expect("the compiler starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// Three languages at one table.
#[test]
fn all_at_one_table() {
    let bench = bench();
    write_python(&bench);
    bench.write("random.sh", SHELL);
    if !is_there("python3") {
        return;
    }
    let head = ["match", "--game", "tablic", "--quiet", "--time-limit", TIME_LIMIT, "--log", "log"];
    let bots = ["sh=/bin/sh random.sh", "greedy", "py=python3 py/bot.py"];
    bench.succeed([&head[..], &bots].concat());
    bench.verify(&bench.path("log"));
    let game = log::games(&bench.path("log")).remove(0);
    assert_eq!(game["result"]["out"], json!([null, null, null]), "{game}");
}
