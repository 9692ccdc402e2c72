//! A bot whose source was changed after it was built plays as the old program, and a warning says so.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use tests::bench::{Bench, Ended};

const WARNING: &str = "warning: bot mine: first.sh is newer than the build: run `arbiter build \
                       ./bot`\n";

/// The sources of a bot that a build makes a script of.
const FIRST: &str = "sed -n '/^legal /{n;p;q}'\n";
const MANIFEST: &str = "name = 'mine'\ncommand = 'sh ./made.sh'\nbuild = 'cp first.sh made.sh'\n";

/// A bench with a folder `bot` that is not built yet.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("bot/bot.toml", MANIFEST);
    bench.write("bot/first.sh", FIRST);
    bench
}

/// A bench whose bot was built.
fn built() -> Bench {
    let bench = bench();
    bench.succeed(["build", "./bot"]);
    bench
}

fn play(bench: &Bench) -> Ended {
    bench.run(["match", "--game", "coup", "--quiet", "./bot", "random"])
}

fn assert_warned(bench: &Bench, case: &str) {
    let ended = play(bench);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), WARNING), "{case}: {ended:?}");
}

fn assert_quiet(bench: &Bench, case: &str) {
    let ended = play(bench);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{case}: {ended:?}");
}

/// Sets the time of a file to some seconds after the time of another one.
fn change_after(path: &Path, seconds: i64, other: &Path) {
    let time = fs::metadata(other).and_then(|it| it.modified()).expect("a time");
    let span = Duration::from_secs(seconds.unsigned_abs());
    let time = if seconds < 0 { time - span } else { time + span };
    File::options().write(true).open(path).and_then(|it| it.set_modified(time)).expect("ours");
}

#[test]
fn a_source_newer_than_its_program_causes_a_warning() {
    let bench = built();
    assert_quiet(&bench, "it was just built");
    let source = bench.write("bot/first.sh", format!("# other\n{FIRST}"));
    assert_warned(&bench, "it was edited");
    // The time does not matter: a source may be taken from an archive.
    change_after(&source, -1000, &bench.path("bot/made.sh"));
    assert_warned(&bench, "it was edited, and looks old");
    for words in [&["match", "--json", "./bot", "random"][..], &["play", "./bot"]] {
        assert_eq!(bench.run([words, &["--game", "coup"]].concat()).stderr, WARNING);
    }
    bench.succeed(["build", "./bot"]);
    assert_quiet(&bench, "it was built again");
    // Another build command is newer, too.
    bench.write("bot/bot.toml", MANIFEST.replace("cp first.sh", "cp -f first.sh"));
    assert_eq!(play(&bench).stderr, WARNING.replace("first.sh", "bot.toml"));
    bench.write("bot/bot.toml", format!("# a comment\n{MANIFEST}version = '2'\n"));
    assert_quiet(&bench, "the same build command");
    // A program may be made by hand.
    let edited = format!("# another\n{FIRST}");
    bench.write("bot/first.sh", &edited);
    let made = bench.write("bot/made.sh", &edited);
    change_after(&made, 1000, &source);
    assert_quiet(&bench, "made by hand");
    change_after(&source, 1000, &made);
    assert_warned(&bench, "edited after that");
    // A bot that needs no build is its own source.
    bench.write("bot/bot.toml", "name = 'mine'\ncommand = 'sh first.sh'\n");
    let other = bench.write("bot/other.sh", "");
    change_after(&other, 1000, &source);
    assert_quiet(&bench, "it needs no build");
}

/// Both build first, so what they play is never the old program.
#[test]
fn a_check_and_a_tournament_build_what_is_newer() {
    let bench = built();
    let edited = format!("# other\n{FIRST}");
    bench.write("bot/first.sh", &edited);
    bench.run(["check", "--game", "coup", "./bot"]).without_error();
    assert_eq!(bench.text("bot/made.sh"), edited);
    bench.write("bot/first.sh", FIRST);
    let words = ["tournament", "--game", "coup", "--dir", "cup", "--deals", "2", "--quiet"];
    bench.run([&words[..], &["--no-copies", "./bot", "random"]].concat()).without_error();
    assert_eq!(bench.text("bot/made.sh"), FIRST);
    assert_quiet(&bench, "it was built by the tournament");
    // A continued tournament builds nothing: the programs must be those that began.
    let log = bench.text("cup/games.jsonl");
    let begun: String = log.split_inclusive('\n').take(2).collect();
    bench.write("cup/games.jsonl", begun);
    bench.write("bot/first.sh", &edited);
    let ended = bench.run(["tournament", "resume", "cup", "--quiet"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), WARNING), "{ended:?}");
}

/// A warning would name the one that counts. A build that finds nothing to do leaves an old program, which is up to
/// date all the same.
#[test]
fn only_sources_count() {
    let others = "README.md LICENSE notes.txt games.log match.jsonl .hidden first.sh~ err.out .git/HEAD \
                  __pycache__/first.pyc __pycache__/first.py target/debug/x.rs node_modules/x/index.js";
    for recorded in [true, false] {
        let bench = bench();
        let build = "build = \"sh -c 'cmp -s first.sh made.sh || cp first.sh made.sh'\"\n";
        bench.write("bot/bot.toml", format!("name = 'mine'\ncommand = 'sh ./made.sh'\n{build}"));
        let paths: Vec<_> = others.split(' ').map(|name| bench.path("bot").join(name)).collect();
        let data = bench.path("bot/data.h");
        for path in paths.iter().chain([&data]) {
            fs::create_dir_all(path.parent().expect("a folder")).expect("it is ours");
            fs::write(path, "old").expect("it is ours");
        }
        bench.succeed(["build", "./bot"]);
        if !recorded {
            fs::remove_file(bench.path("bot/.arbiter-build.json")).expect("a record");
        }
        for path in &paths {
            fs::write(path, "newer").expect("it is ours");
            change_after(path, 1000, &bench.path("bot/made.sh"));
        }
        assert_quiet(&bench, &format!("recorded: {recorded}"));
        fs::write(&data, "newer").expect("it is ours");
        change_after(&data, 1000, &bench.path("bot/made.sh"));
        assert_eq!(play(&bench).stderr, WARNING.replace("first.sh", "data.h"));
        bench.succeed(["build", "./bot"]);
        assert_quiet(&bench, "it was built, and that changed nothing");
    }
}

#[test]
fn a_copy_and_a_clone_are_not_newer() {
    let bench = built();
    // A copy has the times of the copying, in any order.
    let copy = Command::new("cp").arg("-r").args([bench.path("bot"), bench.path("copy")]).status();
    assert!(copy.expect("cp starts").success());
    change_after(&bench.path("copy/first.sh"), 1000, &bench.path("copy/made.sh"));
    fs::remove_dir_all(bench.path("bot")).expect("it is ours");
    fs::rename(bench.path("copy"), bench.path("bot")).expect("it is ours");
    assert_quiet(&bench, "a copy");
    // A clone has neither the program nor the record, and times of now.
    for made in ["made.sh", ".arbiter-build.json"] {
        fs::remove_file(bench.path("bot").join(made)).expect("it is there");
    }
    let now = SystemTime::now();
    let source = File::options().write(true).open(bench.path("bot/first.sh")).expect("ours");
    source.set_modified(now + Duration::from_secs(5)).expect("it is ours");
    bench.succeed(["build", "./bot"]);
    assert_quiet(&bench, "a clone");
    // Touching a source changes nothing.
    change_after(&bench.path("bot/first.sh"), 1000, &bench.path("bot/made.sh"));
    assert_quiet(&bench, "touched");
}

#[test]
fn without_a_record_times_decide() {
    let bench = bench();
    let made = bench.write("bot/made.sh", FIRST);
    let source = bench.path("bot/first.sh");
    for (seconds, is_newer) in [(-1000, false), (0, false), (1, false), (5, true), (1000, true)] {
        change_after(&source, seconds, &made);
        match is_newer {
            true => assert_warned(&bench, &format!("{seconds} s")),
            false => assert_quiet(&bench, &format!("{seconds} s")),
        }
    }
}

/// A program that is the same, byte for byte, may be made of another source.
#[test]
fn the_same_program_may_have_been_made_again() {
    let bench = built();
    let source = bench.write("bot/first.sh", format!("# other\n{FIRST}"));
    let made = bench.path("bot/made.sh");
    change_after(&made, 1000, &source);
    assert_quiet(&bench, "made again");
    change_after(&source, 1000, &made);
    assert_warned(&bench, "made before");
}

/// A record is a file like any other that somebody else may have written.
#[test]
fn a_record_that_is_none_is_passed_over() {
    type Spoil = fn(&Path);
    let spoil: [(&str, Spoil); 5] = [
        ("garbage", |path| fs::write(path, "{\"build\":[1").expect("it is ours")),
        ("empty", |path| fs::write(path, "").expect("it is ours")),
        ("endless", |path| symlink("/dev/zero", path).expect("a link")),
        ("folder", |path| fs::create_dir(path).expect("a folder")),
        ("pipe", |path| {
            assert!(Command::new("mkfifo").arg(path).status().expect("it starts").success());
        }),
    ];
    for (name, spoil) in spoil {
        let bench = built();
        let record = bench.path("bot/.arbiter-build.json");
        fs::remove_file(&record).expect("a record");
        spoil(&record);
        assert_quiet(&bench, name);
        let source = bench.write("bot/first.sh", format!("# other\n{FIRST}"));
        change_after(&source, 1000, &bench.path("bot/made.sh"));
        assert_warned(&bench, name);
        assert_eq!(bench.run(["build", "./bot"]).code, Some(0), "{name}");
    }
}
