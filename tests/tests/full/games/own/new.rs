//! `arbiter new --game`: a game in each language is built, passes its check and can be played, also by a new bot.

use tests::bench::Bench;
use tests::log;
use tests::own_games::{self, build};

/// Starts a game, builds it as it says, and checks it.
fn starts(language: &str) {
    let bench = Bench::new();
    let printed = bench.succeed(["new", "my-game", "--language", language, "--game"]);
    assert!(
        printed.starts_with(&format!("my-game: created a game in {language}; requires ")),
        "{printed}"
    );
    assert!(printed.contains("\narbiter check --game ./my-game\n"), "{printed}");
    let played = "\narbiter match --game ./my-game --games 10 random random\n";
    assert!(printed.contains(played), "{printed}");
    let manifest = bench.text("my-game/game.toml");
    let line = manifest.lines().find_map(|line| line.strip_prefix("build = \""));
    if let Some(line) = line.and_then(|line| line.strip_suffix('"')) {
        assert!(printed.contains(&format!("\n(cd ./my-game && {line})\n")), "{printed}");
        let unbuilt = bench.run(["check", "--game", "./my-game"]);
        unbuilt.assert_refused(2, &["game `./my-game`: `game.wasm` not built: run "]);
    }
    let readme = bench.text("my-game/README.md");
    assert!(readme.starts_with("# my-game\n"), "{readme}");
    if !build(&bench, language, &bench.path("my-game")) {
        return;
    }
    let report = bench.succeed(["check", "--game", "./my-game", "--seed", "1", "--games", "6"]);
    assert!(report.contains("\nmy-game passes: 13 steps, no warnings, seed "), "{report}");
}

#[test]
fn python() {
    starts("python");
}

#[test]
fn c() {
    starts("c");
}

#[test]
fn rust() {
    starts("rust");
}

#[test]
fn assemblyscript() {
    starts("assemblyscript");
}

#[test]
fn a_new_bot_plays_it() {
    let Some(bench) = own_games::bench() else { return };
    bench.succeed(["new", "my-game", "--language", "python", "--game"]);
    let printed = bench.succeed(["new", "my-bot", "--language", "python", "--game", "./my-game"]);
    assert!(printed.contains("\narbiter check --game ./my-game ./my-bot\n"), "{printed}");
    let command = "\narbiter match --game ./my-game --games 10 ./my-bot random\n";
    assert!(printed.contains(command), "{printed}");
    let report = bench.ok("check --game ./my-game --time-limit 60s ./my-bot");
    assert!(report.contains("\nmy-bot passes: ") && !report.contains("\nwarning"), "{report}");
    let head = ["match", "--game", "./my-game", "--games", "2", "--time-limit", "60s"];
    let played = bench.succeed([&head[..], &["--log", "log", "./my-bot", "random"]].concat());
    let games = log::games(&bench.path("log"));
    let endings = games.iter().map(|game| game["result"]["ending"].as_str());
    assert!(endings.eq([Some("played"); 2]), "{played}");
}

#[test]
fn what_cannot_be_started_is_refused() {
    let bench = Bench::new();
    bench.write("full", "");
    let name = |name: &str| format!("`{name}` is not a valid game name");
    for (folder, language, more, says) in [
        (
            "my-game",
            "java",
            &["--game"][..],
            "java has no game template: use one of python, c, rust, assemblyscript".to_owned(),
        ),
        ("my-bot", "assemblyscript", &[], "assemblyscript has only a game template".to_owned()),
        ("tablic", "python", &["--game"], name("tablic")),
        ("My-Game", "python", &["--game"], name("My-Game")),
        ("7", "python", &["--game"], name("7")),
        ("full", "c", &["--game"], "is not empty: choose a new folder".to_owned()),
    ] {
        let words = [&["new", folder, "--language", language], more].concat();
        bench.run(words).assert_refused(2, &[&says]);
        assert_eq!(bench.path(folder).exists(), folder == "full");
    }
}
