//! Custom games that tests use: those in `examples/games`, and the ones in `tests/games`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::{Bench, run};
use crate::installed::is_there;
use crate::missing;

/// The languages of the starters of games.
pub const LANGUAGES: [&str; 4] = ["python", "c", "rust", "assemblyscript"];

/// The target of modules in Rust.
const TARGET: &str = "wasm32-unknown-unknown";

/// Each hostile module of `tests/games/hostile.c`, with the step of the check that finds it, and words of its
/// note; two pass.
pub const HOSTILE: [(&str, &str, &str); 17] = [
    // Once overflowed the stack of the interpreter, in builds without link-time optimisation.
    ("LOOP", "protocol", "it ran out of fuel"),
    ("DEEP", "protocol", "it trapped"),
    ("TRAP", "protocol", "it trapped"),
    ("MEMORY", "protocol", "it trapped"),
    ("TOUCH", "", ""),
    ("HOARD", "", ""),
    ("GROW", "protocol", "it ran out of fuel"),
    ("LONG", "protocol", "an answer of 100000000 bytes"),
    ("FLOOD", "protocol", "an answer of 2097152 bytes"),
    ("OUTSIDE", "protocol", "outside of its memory"),
    ("EDGE", "protocol", "outside of its memory"),
    ("BYTES", "protocol", "not UTF-8"),
    ("ROOM", "protocol", "`room` gave an address outside"),
    ("BIG", "starts", "memory"),
    ("IMPORT", "starts", "it imports `now` from `env`"),
    ("TYPE", "starts", "it exports no function `answer(i32) -> i64`"),
    ("NOTHING", "starts", "it exports no function `room(i32) -> i32`"),
];

/// The root of the repository.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().expect("the repository")
}

/// The command of a game with a fault.
pub fn faulty(fault: &str) -> String {
    format!("python3 '{}' {fault}", root().join("tests/games/faulty.py").display())
}

/// A copy of the example of Leduc poker in a language, built; if its compiler is missing, says so.
pub fn leduc(bench: &Bench, language: &str) -> Option<PathBuf> {
    let example = root().join("examples/games/leduc").join(language);
    let copy = bench.path(language);
    run(bench.command("cp").arg("-r").arg(example).arg(&copy)).with_code(0);
    build(bench, language, &copy).then_some(copy)
}

/// Builds a game in a language by the line in its manifest; if its compiler is missing, says so.
pub fn build(bench: &Bench, language: &str, folder: &Path) -> bool {
    if !is_compiler_there(language) {
        return false;
    }
    let manifest = std::fs::read_to_string(folder.join("game.toml")).expect("a manifest");
    let line = manifest.lines().find_map(|line| line.strip_prefix("build = \""));
    let Some(line) = line.and_then(|line| line.strip_suffix('"')) else { return true };
    // Tests fetch nothing: a compiler that comes over the network must be there already.
    let line = line.split_once(" asc ").map_or(line.to_owned(), |(_, rest)| format!("asc {rest}"));
    let mut shell = bench.command("sh");
    shell.args(["-c", &line]).current_dir(folder);
    // What a package manager has fetched once lies in the home of the user, and so do toolchains.
    if let Some(home) = std::env::var_os("HOME") {
        shell.env("HOME", home);
    }
    let built = run(&mut shell);
    assert_eq!(built.code, Some(0), "{line}: {built:?}");
    true
}

/// A module of `tests/games/hostile.c`; if the compiler is missing, says so.
pub fn hostile(bench: &Bench, define: &str) -> Option<PathBuf> {
    if !is_compiler_there("c") {
        return None;
    }
    let object = bench.path(&format!("{define}.o"));
    let mut compiler = bench.command("clang");
    compiler
        .args(["--target=wasm32", "-O2", "-ffreestanding", "-mbulk-memory", "-c"])
        .args([&format!("-D{define}"), "-o"])
        .args([&object, &root().join("tests/games/hostile.c")]);
    let compiled = run(&mut compiler);
    assert_eq!(compiled.code, Some(0), "{define}: {compiled:?}");
    // Were clang to link, it would run `wasm-opt`, if that is installed, for a second or two.
    let module = bench.path(&format!("{define}.wasm"));
    let mut linker = bench.command("wasm-ld");
    let built =
        run(linker.args(["--no-entry", "--stack-first"]).args([&object, Path::new("-o"), &module]));
    assert_eq!(built.code, Some(0), "{define}: {built:?}");
    Some(module)
}

fn is_compiler_there(language: &str) -> bool {
    match language {
        "python" => is_there("python3"),
        "c" => is_there("clang") && is_there("wasm-ld"),
        "rust" => is_there("rustc") && is_target_there(),
        _ => is_there("asc"),
    }
}

fn is_target_there() -> bool {
    let mut compiler = Command::new("rustc");
    let output = compiler.args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    let is_there = folder.is_some_and(|folder| Path::new(folder.trim_end()).is_dir());
    if !is_there {
        missing::tell(&format!("no target {TARGET} of rustc"));
    }
    is_there
}

/// A copy of Leduc poker whose rules are a Python program, in the folder `game` of a bench, where a log beside it
/// finds its rules; none where there is no Python.
pub fn leduc_beside_logs(bench: &Bench) -> Option<&'static str> {
    let runs = bench.command("python3").args(["-c", ""]).status();
    if !runs.is_ok_and(|status| status.success()) {
        missing::tell("no python3");
        return None;
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/games/leduc/python");
    let copied = bench.command("cp").arg("-r").arg(example).arg(bench.path("game")).status();
    assert!(copied.is_ok_and(|status| status.success()), "a copy of the game");
    Some("game")
}

/// A folder for one test; none where there is no Python, in which the games of these tests are written.
pub fn bench() -> Option<Bench> {
    is_there("python3").then(Bench::new)
}

/// The folder of a game among the examples, as a word of a command.
pub fn example(name: &str) -> String {
    root().join("examples/games").join(name).display().to_string()
}

/// A tournament of Leduc with two games, in the folder `cup`; none where there is no Python.
pub fn leduc_cup() -> Option<Bench> {
    let bench = Bench::new();
    let leduc = leduc_beside_logs(&bench)?;
    play_cup(&bench, leduc, "random other=random");
    Some(bench)
}

/// Plays a tournament of a game with two games, in the folder `cup`.
pub fn play_cup(bench: &Bench, game: &str, bots: &str) {
    bench.ok(&format!("tournament --dir cup --game '{game}' --deals 1 --quiet {bots}"));
}
