//! `arbiter new`: a starter passes its check, and nothing is overwritten.

use std::fs;
use std::path::Path;

use tests::bench::{Bench, run};
use tests::starter::{is_the_example, starts};

/// The other languages are in `full`.
#[test]
fn c() {
    starts("c", &["cc"], "durak", &["./random"]);
}

/// Its sample is a request of the game, and its README has the commands of the game.
#[test]
fn a_starter_is_of_its_game() {
    let bench = Bench::new();
    let hearts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/games/hearts");
    run(bench.command("cp").arg("-r").arg(hearts).arg(bench.folder())).with_code(0);
    for (number, game) in ["coup", "durak", "./hearts"].into_iter().enumerate() {
        let folder = format!("bot-{number}");
        bench.succeed(["new", &folder, "--language", "python", "--game", game]);
        let read = |file: &str| fs::read_to_string(bench.path(&folder).join(file)).expect("a text");
        // As seen from the folder of the bot, and without the place of both on this machine.
        let seen = if game == "./hearts" { "../hearts" } else { game };
        let (sample, readme) = (read("sample.txt"), read("README.md"));
        let name = game.rsplit('/').next().expect("a name");
        assert!(sample.starts_with(&format!("arbiter 1\ngame {name} ")), "{sample}");
        assert!(sample.ends_with("\nend\n"), "{sample}");
        assert!(readme.contains(&format!("--game {seen} --games 10 . ")), "{readme}");
        assert!(!readme.contains("tablic") && !readme.contains("Tablić"), "{readme}");
        assert!(!read("test_bot.py").contains("TablicRequest"));
    }
}

/// As its README says, from inside of the folder.
#[test]
fn a_folder_is_a_bot_from_inside() {
    let bench = Bench::new();
    bench.succeed(["new", "my-bot", "--language", "shell", "--game", "coup"]);
    let folder = bench.path("my-bot");
    for words in [
        &["check", "--games", "0", "."][..],
        &["build", "."],
        &["match", "--game", "coup", "--time-limit", "60s", ".", "greedy"],
    ] {
        let ended = run(bench.arbiter(words).current_dir(&folder));
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:?}");
        // The manifest says which game it is for, and the check asks about that one.
        assert!(
            words[0] != "check" || ended.stdout.starts_with("my-bot: coup, seed "),
            "{ended:?}"
        );
    }
}

#[test]
fn languages_have_other_names() {
    let bench = Bench::new();
    for (alias, language) in
        [("bash", "shell"), ("js", "node"), ("javascript", "node"), ("c++", "cpp")]
    {
        let folder = format!("in-{alias}").replace('+', "p");
        bench.succeed(["new", &folder, "--language", alias]);
        is_the_example(language, &bench.path(&folder));
    }
}

#[test]
fn every_example_is_a_starter() {
    let bench = Bench::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots");
    for entry in fs::read_dir(examples).expect("the examples") {
        let entry = entry.expect("a folder");
        // Examples of the classic dialect are for programs that exist already, and one asks a language model.
        let manifest = fs::read_to_string(entry.path().join("bot.toml")).unwrap_or_default();
        let is_starter =
            !manifest.contains("dialect = \"classic\"") && !manifest.contains("network");
        if entry.path().is_dir() && is_starter {
            let language = entry.file_name().to_string_lossy().into_owned();
            bench.succeed(["new", &format!("in-{language}"), "--language", &language]);
        }
    }
}

/// Every example has few lines, the table of a request's keys, and the place for a better bot.
#[test]
fn every_example_is_of_one_shape() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots");
    let names = "python/bot.py node/random.js c/random.c cpp/random.cpp java/RandomBot.java \
                 go/random.go ruby/random.rb perl/random.pl lua/random.lua shell/random.sh rust/random.rs";
    let keys = "arbiter 1|game NAME|match ID|seat S|move K|time T|seed X|retry K|reason TEXT|view N|\
                history N|legal N|end  ";
    for name in names.split(' ') {
        let text = fs::read_to_string(examples.join(name)).expect("an example");
        assert!(text.lines().count() < 110, "{name} has {} lines", text.lines().count());
        assert_eq!(text.matches("YOUR BOT GOES HERE").count(), 1, "{name}");
        for key in keys.split('|') {
            assert!(text.contains(&format!(" {key}")) || text.contains(&format!("\t{key}")));
        }
    }
}

#[test]
fn nothing_is_overwritten() {
    let bench = Bench::new();
    let new = |folder: &str| bench.run(["new", folder, "--language", "shell"]);
    fs::create_dir(bench.path("empty")).expect("a folder");
    assert_eq!(new("empty").code, Some(0));
    let manifest = bench.path("empty/bot.toml");
    fs::write(&manifest, "mine").expect("a file");
    for folder in ["empty", "./empty/", "empty/bot.toml"] {
        new(folder).assert_refused(2, &[folder, "is not empty"]);
    }
    assert_eq!(fs::read_to_string(&manifest).expect("it is there"), "mine");
    std::os::unix::fs::symlink("nowhere", bench.path("link")).expect("a link");
    new("link").assert_refused(2, &["`link` exists"]);
    assert_eq!(new("deep/er/bot").code, Some(0));
}

#[test]
fn wrong_usage() {
    let bench = Bench::new();
    for folder in ["a b", "a=b", "..", "/", "Ši me", &"n".repeat(33)] {
        let ended = bench.run(["new", folder, "--language", "shell"]);
        ended.assert_refused(2, &["is not a valid bot name"]);
    }
    assert_eq!(bench.run(["new", "bot"]).code, Some(2));
    assert_eq!(bench.run(["new", "bot", "--language", "cobol"]).code, Some(2));
    assert!(!bench.path("bot").exists());
    bench.write("file", "");
    bench.run(["new", "file/bot", "--language", "shell"]).assert_refused(2, &["file/bot"]);
}
