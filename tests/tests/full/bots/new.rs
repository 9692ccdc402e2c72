//! A starter in every language passes its check, answers as it should and does what its README says.

use tests::bench::Bench;
use tests::installed::is_there;
use tests::starter::{answers_are_right, has_no_warnings, starts};

#[test]
fn shell() {
    let Some(bench) = starts("shell", &["sh"], "tablic", &["sh", "random.sh"]) else { return };
    for shell in ["dash", "bash"] {
        if is_there(shell) {
            answers_are_right(&bench, &[shell, "random.sh"]);
        }
    }
}

const C_WARNINGS: [&str; 8] =
    ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-S", "-o", "/dev/null"];

#[test]
fn c() {
    let bench = Bench::new();
    bench.succeed(["new", "my-bot", "--language", "c"]);
    if is_there("cc") {
        has_no_warnings(&bench, &[&["cc", "-std=c99", "random.c"], &C_WARNINGS[..]].concat());
    }
}

#[test]
fn java() {
    let words = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", "random.jar"];
    let Some(bench) = starts("java", &["java", "javac", "jar"], "coup", &words) else { return };
    let lints = ["javac", "-Xlint:all", "-Werror", "-d", "lints", "RandomBot.java"];
    has_no_warnings(&bench, &lints);
}

#[test]
fn rust() {
    let Some(bench) = starts("rust", &["rustc"], "tablic", &["./random"]) else { return };
    let lints = ["rustc", "--edition", "2021", "-D", "warnings", "--emit=metadata", "random.rs"];
    has_no_warnings(&bench, &lints);
}

#[test]
fn cpp() {
    let Some(bench) = starts("cpp", &["c++"], "durak", &["./random"]) else { return };
    has_no_warnings(&bench, &[&["c++", "-std=c++17", "random.cpp"], &C_WARNINGS[..]].concat());
}

/// Languages whose starters a compiler has nothing to say of.
macro_rules! starters {
    ($($language:ident: $program:literal, $game:literal, [$($word:literal),*];)*) => {
        $(#[test] fn $language() {
            starts(stringify!($language), &[$program], $game, &[$($word),*]);
        })*
    };
}

starters! {
    python: "python3", "coup", ["python3", "bot.py"];
    node: "node", "coup", ["node", "random.js"];
    go: "go", "tablic", ["./random"];
    ruby: "ruby", "coup", ["ruby", "-w", "--disable=gems", "random.rb"];
    perl: "perl", "durak", ["perl", "-w", "random.pl"];
    lua: "lua", "tablic", ["lua", "random.lua"];
}
