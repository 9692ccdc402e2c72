//! The file that a log goes to: a new one, whole or not at all.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tests::bench::{Bench, Ended, run};

/// Size limit of files for a match without room, in blocks of half a KiB: more than the header of a
/// log, less than a game.
const BLOCKS: u64 = 4;

fn play(bench: &Bench, log: &Path) -> Ended {
    let bot = bench.faulty("ok");
    let log = log.to_str().expect("a path in Unicode");
    bench.run(["match", "--game", "tablic", "--json", "--log", log, &bot, &bot])
}

/// The second run of the README's own command says what to type instead.
#[test]
fn a_second_run_names_a_free_file_or_overwrites() {
    let bench = Bench::new();
    let words = ["match", "--game", "coup", "--quiet", "--log", "match.jsonl", "random", "greedy"];
    bench.succeed(words);
    let first = fs::read(bench.path("match.jsonl")).expect("a log");
    bench.write("match-2.jsonl", "");
    bench.run(words).assert_refused(
        2,
        &["`match.jsonl` exists", "use --overwrite, or a new name such as match-3.jsonl"],
    );
    assert_eq!(fs::read(bench.path("match.jsonl")).expect("it is still there"), first);
    bench.succeed([&words[..], &["--overwrite"]].concat());
    assert_ne!(fs::read(bench.path("match.jsonl")).expect("a log"), first, "it has another seed");
    bench.verify(&bench.path("match.jsonl"));
    // A bot that does not start, or another mistake, costs no log, and begins none: bots are tried before the log is begun,
    // and usage is looked at before that.
    let before = fs::read(bench.path("match.jsonl")).expect("a log");
    for (log, code, wrong) in [
        ("match.jsonl", 4, &["--overwrite", "greedy", "./nothing"][..]),
        ("new", 4, &["./missing", "./missing"]),
        ("new", 2, &["--seats=7", "greedy"]),
    ] {
        let words = ["match", "--game", "coup", "--log", log];
        assert_eq!(bench.run([&words[..], wrong].concat()).code, Some(code), "{wrong:?}");
    }
    assert_eq!(fs::read(bench.path("match.jsonl")).expect("a log"), before);
    assert!(!bench.path("new").exists());
}

/// Each answer comes with 1 MiB, and there are more than four.
#[test]
fn no_bot_takes_the_room_of_another_ones_standard_error() {
    let bench = Bench::new();
    let log = bench.path("log");
    let bots = [format!("loud={}", bench.faulty("stderr-mib")), bench.faulty("stderr-mib")];
    let words = ["match", "--game", "coup", "--quiet", "--stderr-size", "1MiB", "--log", "log"];
    bench.succeed([&words[..], &["--seed", &"0".repeat(64), &bots[0], &bots[1]]].concat());
    bench.verify(&log);
    let game = tests::log::games(&log).pop().expect("a game");
    let (mut kept, mut dropped) = ([0, 0], 0);
    let answers = tests::log::answers(&game);
    for (answer, measured) in answers.iter().zip(game["measured"].as_array().expect("a list")) {
        let seat = answer["seat"].as_u64().expect("a seat") as usize;
        kept[seat] += measured["stderr"].as_str().map_or(0, str::len);
        dropped += measured["stderr_dropped"].as_u64().unwrap_or(0);
    }
    assert_eq!(kept, [1 << 20, 1 << 20], "of all answers of each seat");
    assert!(dropped > 0 && dropped.is_multiple_of(1 << 20), "{dropped} bytes are dropped");
    let written = fs::metadata(&log).expect("a file").len();
    assert!(written < 3 << 20, "{written} bytes");
}

/// `--overwrite` is for logs alone.
#[test]
fn files_that_are_no_logs_are_not_overwritten() {
    let bench = Bench::new();
    bench.write("precious", "precious");
    std::os::unix::fs::symlink("precious", bench.path("link")).expect("a link");
    for name in ["precious", "link", "tmp"] {
        let words = ["match", "--game", "coup", "--quiet", "--overwrite", "--log", name];
        let refused = bench.run([&words[..], &["random", "greedy"]].concat());
        refused.assert_refused(2, &[&format!("`{name}` is not a log")]);
    }
    assert_eq!(bench.text("link"), "precious");
}

#[test]
fn folders_devices_and_links_are_not_written_to() {
    let bench = Bench::new();
    let link = bench.path("link");
    std::os::unix::fs::symlink("nowhere", &link).expect("a link");
    let devices = ["/dev/null", "/dev/full"].map(Path::new);
    for path in [bench.folder(), devices[0], devices[1], &link] {
        play(&bench, path).assert_refused(2, &["exists"]);
    }
    assert!(!bench.path("nowhere").exists(), "a link was followed");
}

#[test]
fn a_folder_that_cannot_hold_the_log() {
    let bench = Bench::new();
    let file = bench.write("file", "");
    for path in [bench.path("no/such/log"), file.join("log"), bench.path(&"x".repeat(300))] {
        play(&bench, &path).assert_refused(2, &["cannot create"]);
    }
    let closed = bench.path("closed");
    fs::create_dir(&closed).expect("a folder");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).expect("it is ours");
    if fs::write(closed.join("probe"), "").is_ok() {
        println!("skipped: this user writes wherever it likes");
        return;
    }
    play(&bench, &closed.join("log")).assert_refused(2, &["cannot create", "ermission"]);
}

/// A file may grow to a limit only, which is what a full disk looks like.
#[test]
fn no_game_counts_that_is_not_in_the_log() {
    let bench = Bench::new();
    let bot = bench.faulty("ok");
    // A limit on the size of files ends a program by a signal, unless it is ignored.
    for (name, trap) in [("ignored", "trap '' XFSZ; "), ("deadly", "")] {
        let script = format!("{trap}ulimit -f {BLOCKS}; exec \"$0\" \"$@\"");
        let mut limited = Command::new("/bin/sh");
        limited.current_dir(bench.folder()).args(["-c", &script]).arg(bench.program("arbiter"));
        limited.args(["match", "--game", "tablic", "--json", "--games", "3", "--log", name]);
        let ended = run(limited.args([&bot, &bot]));
        assert_eq!(ended.code, Some(1), "{name}: {ended:?}");
        assert!(ended.stderr.starts_with("error: cannot write to the log: "), "{ended:?}");
        assert_eq!(ended.stderr.lines().count(), 1, "{name}: {ended:?}");
        assert!(!ended.stdout.contains("\"game\":{\"number\""), "told, not written: {ended:?}");
        let log = bench.path(name);
        bench.run([Path::new("verify"), &log]).assert_refused(3, &["after 0 of 3 games"]);
    }
}
