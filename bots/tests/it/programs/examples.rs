//! The example bots, on every sample request: each in its own language, and all with one answer,
//! since the seed of the request decides. One whose language is not installed is skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{asked, missing, samples};

/// A request of a game that no bot knows, with more lines than a bot expects.
const UNKNOWN_GAME: &str = "arbiter 1\ngame nim heaps=3\nmatch 00\nweather fair\nseat 0\nmove 0\n\
    time 100\nseed 00000000000000ff\nview 2\nlegal 7\nheaps 1 2\nhistory 1\nlegal 1\n\
    legal 3 more\ntake 1\ntake 2\ntake 3\nend\n";

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots").join(name)
}

/// The move that the seed of a request chooses.
fn chosen(request: &str) -> &str {
    let value = |key: &str| request.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    let seed = u64::from_str_radix(value("seed "), 16).unwrap();
    // The list of legal moves is the last, and what it opens with looks like no event.
    let (_, list) = request.rsplit_once("\nlegal ").unwrap();
    let moves: Vec<&str> = list.lines().skip(1).take_while(|line| *line != "end").collect();
    moves[usize::try_from(seed % moves.len() as u64).unwrap()]
}

/// Asks the bot every sample request, one by one and all in one process.
fn plays_every_sample(language: &str, bot: impl Fn() -> Command) {
    let mut requests = String::new();
    let mut answers = String::new();
    for (name, request) in samples::all() {
        let Some(output) = asked::run(&mut bot(), request.as_bytes()) else {
            missing::tell(&format!("no {language}"));
            return;
        };
        asked::is_legal(&output, &request, &format!("{language} on {name}"));
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(answer.trim_end(), chosen(&request), "{language} on {name}");
        requests += &request;
        answers += &answer;
    }
    let run = |input: &str| asked::run(&mut bot(), input.as_bytes()).expect("the program");
    let answer = |input: &str| String::from_utf8_lossy(&run(input).stdout).into_owned();
    assert_eq!(answer(&requests), answers, "kept alive");
    assert_eq!(answer(UNKNOWN_GAME).trim_end(), chosen(UNKNOWN_GAME), "{language}");
    let later = run(&UNKNOWN_GAME.replace("arbiter 1", "arbiter 2"));
    assert!(!later.status.success() && later.stdout.is_empty(), "{language}: {later:?}");
    let said = String::from_utf8_lossy(&later.stderr);
    assert!(said.contains("expected version 1"), "{language}: {said}");
}

/// Asks a program that is started by an interpreter.
fn interpreted(words: &[&str], name: &str) {
    plays_every_sample(words[0], || {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(file(name));
        command
    });
}

/// Asks a program that is compiled with these words, which must not lead to a warning.
fn compiled(words: &[&str], name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("random");
    let mut compiler = Command::new(words[0]);
    // The go compiler wants a folder for what it may need again.
    compiler.args(&words[1..]).arg("-o").arg(&binary).arg(file(name));
    if is_made(compiler.env("GOCACHE", folder.path().join("cache"))) {
        plays_every_sample(words[0], || Command::new(&binary));
    }
}

#[test]
fn python() {
    // -B: nothing is to be written beside an example.
    interpreted(&["python3", "-B"], "python/bot.py");
}

#[test]
fn node() {
    interpreted(&["node"], "node/random.js");
}

#[test]
fn ruby() {
    interpreted(&["ruby", "-w", "--disable=gems"], "ruby/random.rb");
}

#[test]
fn perl() {
    interpreted(&["perl", "-w"], "perl/random.pl");
}

#[test]
fn lua() {
    interpreted(&["lua"], "lua/random.lua");
}

#[test]
fn shell() {
    for shell in ["sh", "dash", "bash"] {
        interpreted(&[shell], "shell/random.sh");
    }
}

const C_WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2"];

#[test]
fn c() {
    compiled(&[&["cc", "-std=c99"], &C_WARNINGS[..]].concat(), "c/random.c");
}

#[test]
fn cpp() {
    compiled(&[&["c++", "-std=c++17"], &C_WARNINGS[..]].concat(), "cpp/random.cpp");
}

#[test]
fn go() {
    compiled(&["go", "build"], "go/random.go");
}

#[test]
fn rust() {
    compiled(&["rustc", "--edition", "2021", "-D", "warnings", "-O"], "rust/random.rs");
}

#[test]
fn java() {
    let folder = tempfile::tempdir().unwrap();
    let mut compiler = Command::new("javac");
    compiler.args(["-Xlint:all", "-Werror", "-d"]);
    if is_made(compiler.arg(folder.path()).arg(file("java/RandomBot.java"))) {
        plays_every_sample("java", || {
            let mut command = Command::new("java");
            command.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"]);
            command.arg(folder.path()).arg("RandomBot");
            command
        });
    }
}

/// Compiles an example without any warning; says so where there is no such compiler.
fn is_made(compiler: &mut Command) -> bool {
    let Some(output) = asked::run(compiler, b"") else {
        missing::tell(&format!("no {}", compiler.get_program().to_string_lossy()));
        return false;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    true
}

/// What every example has: few lines, the table of a request's keys, the place for a better bot.
#[test]
fn every_example_is_of_one_shape() {
    let names = [
        "python/bot.py",
        "node/random.js",
        "c/random.c",
        "cpp/random.cpp",
        "java/RandomBot.java",
        "go/random.go",
        "ruby/random.rb",
        "perl/random.pl",
        "lua/random.lua",
        "shell/random.sh",
        "rust/random.rs",
    ];
    let keys = [
        "arbiter 1",
        "game NAME",
        "match ID",
        "seat S",
        "move K",
        "time T",
        "seed X",
        "retry K",
        "reason TEXT",
        "view N",
        "history N",
        "legal N",
        "end  ",
    ];
    for name in names {
        let text = std::fs::read_to_string(file(name)).unwrap();
        assert!(text.lines().count() < 110, "{name} has {} lines", text.lines().count());
        assert_eq!(text.matches("YOUR BOT GOES HERE").count(), 1, "{name}");
        for key in keys {
            assert!(text.contains(&format!(" {key}")) || text.contains(&format!("\t{key}")));
        }
    }
}
