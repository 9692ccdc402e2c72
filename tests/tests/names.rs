//! Names of bots: plain ones only, so that they are safe in a log, a table, a page and a path.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use tests::bench::{Bench, Ended};
use tests::log;

fn bench() -> Bench {
    Bench::new(env!("CARGO_BIN_EXE_faulty"))
}

fn play(bench: &Bench, bots: &[&str]) -> Ended {
    let head = ["match", "--game", "tablic", "--json", "--log", "log"];
    bench.run([&head, bots].concat())
}

#[test]
fn odd_names_are_refused() {
    let long = "n".repeat(300);
    let longer = "n".repeat(33);
    let names = [
        "a,b",
        "<b>a</b>",
        "a&b",
        "../a",
        "a/b",
        "/a",
        "..\\a",
        "a#2",
        "a:b",
        "a;b",
        "a*",
        "Šime",
        "a\nb",
        "a\x1b[2J",
        "a\u{202e}b",
        "`a`",
        "$a",
        "",
        &long,
        &longer,
    ];
    for name in names {
        let bench = bench();
        let ended = play(&bench, &[&format!("{name}=random"), "greedy"]);
        ended.assert_refused(2, &["is no name for a bot"]);
        assert!(!ended.stderr.contains('\u{202e}'), "{ended:?}");
        assert!(!bench.path("log").exists(), "{name:?}");
    }
}

/// Blanks and quotes end a name, so these are commands, and none that can be run.
#[test]
fn names_with_blanks_and_quotes_are_no_names() {
    let cases = [
        ("a b=random", 4, "`a` not found"),
        ("'a b'=random", 2, "bot `'a b'=random` needs a name"),
        ("a'b'=random", 2, "bot `a'b'=random` needs a name"),
        ("a\"b=random", 2, "a quote that does not end"),
        ("'a=random", 2, "a quote that does not end"),
        ("a=", 2, "has no command"),
        ("", 2, "has no command"),
        ("''", 2, "has no command"),
    ];
    for (bot, code, says) in cases {
        let bench = bench();
        play(&bench, &[bot, "b=greedy"]).assert_refused(code, &[says]);
        assert!(!bench.path("log").exists(), "{bot:?}");
    }
}

/// A program's own name serves as the bot's, unless it is an odd one.
#[test]
fn programs_with_odd_names_need_another() {
    for file in ["a,b", "two words", "new\nline", "<b>", "\x1b[2J", &"n".repeat(100), "a#2"] {
        let bench = bench();
        let path = bench.write(file, "#!/bin/sh\nsed -n '/^legal/{n;p;q}'\n");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let command = format!("'./{file}'");
        play(&bench, &[&command, "greedy"]).assert_refused(2, &["needs a name"]);
        assert!(!bench.path("log").exists());
    }
}

#[test]
fn the_longest_and_the_oddest_plain_names() {
    let bench = bench();
    let bots = ["n".repeat(32), ".".into(), "..".into(), "-".into(), "A.z_9-".into(), "0".into()];
    let words = bots.clone().map(|name| format!("{name}=greedy"));
    // A word that begins with a dash is an option, unless options have ended.
    let words: Vec<&str> = ["--"].into_iter().chain(words.iter().map(String::as_str)).collect();
    let ended = play(&bench, &words);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    bench.verify(&bench.path("log"));
    assert_eq!(log::games(&bench.path("log"))[0]["seats"], json!(bots));
}

#[test]
fn a_name_given_twice_is_refused() {
    let bench = bench();
    play(&bench, &["a=random", "a=greedy"]).assert_refused(2, &["two bots are called `a`"]);
}

#[test]
fn programs_that_come_again_are_numbered() {
    let cases: [(&[&str], [&str; 4]); 3] = [
        (&["random", "random", "greedy", "random"], ["random", "random#2", "greedy", "random#3"]),
        (
            &["random=greedy", "random", "greedy", "greedy"],
            ["random", "random#2", "greedy", "greedy#2"],
        ),
        (&["greedy", "greedy=random", "random", "x=random"], ["greedy#2", "greedy", "random", "x"]),
    ];
    for (bots, names) in cases {
        let bench = bench();
        let ended = play(&bench, bots);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        bench.verify(&bench.path("log"));
        assert_eq!(log::games(&bench.path("log"))[0]["seats"], json!(names));
    }
}
