//! Who enters, who does not, and who leaves.

use std::fs;

use super::{folder, league, play, states, status};

#[test]
fn a_bot_that_enters_again_is_a_new_version() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "first");
    let told = bench.succeed(["league", "add", "class", "./mine"]);
    assert_eq!(told, "ann@1 has entered: 3 bots\n");
    assert_eq!(play(&bench, "8"), 8);
    folder(&bench, "mine", "ann", "second");
    let told = bench.succeed(["league", "add", "class", "./mine"]);
    assert_eq!(told, "ann@2 has entered in the place of ann@1: 3 bots\n");
    assert_eq!(
        states(&bench),
        ["random@1 active", "greedy@1 active", "ann@1 replaced", "ann@2 active"]
    );
    // What has entered stays what it was.
    let copy = |version: &str| {
        fs::read_to_string(bench.path("class/bots").join(version).join("bot.sh")).expect("a copy")
    };
    assert!(copy("ann@1").starts_with("# first\n") && copy("ann@2").starts_with("# second\n"));
    assert_eq!(play(&bench, "8"), 16);
    let shown = bench.succeed(["league", "standings", "class"]);
    assert!(shown.contains("ann@2") && !shown.contains(" ann@1 "), "{shown}");
    let all = bench.succeed(["league", "standings", "class", "--all"]);
    assert!(all.contains("ann@2") && all.contains(" ann@1 "), "{all}");
    let pairings = bench.succeed(["league", "pairings", "class"]);
    assert!(pairings.contains("ann@2 is new"), "{pairings}");
    let verified = bench.succeed(["verify", "class"]);
    assert!(verified.starts_with("class: ok, 16 games of coup in 2 rounds, head "), "{verified}");
    // The bots are found where the league has them.
    let again = bench.succeed(["rerun", "class"]);
    assert!(again.contains("all the same"), "{again}");
}

#[test]
fn a_bot_that_has_left_plays_no_more_until_it_comes_back() {
    let bench = league(&["random", "greedy", "ann=greedy"]);
    play(&bench, "8");
    let told = bench.succeed(["league", "retire", "class", "ann"]);
    assert_eq!(told, "ann@1 has left\n2 bots left in the league\n");
    let refused = |name: &str| bench.run(["league", "retire", "class", name]);
    refused("ann").assert_refused(2, &["ann@1 has left already"]);
    refused("eve").assert_refused(2, &["no bot `eve`", "expected one of: random, greedy"]);
    assert_eq!(play(&bench, "4"), 12);
    let pairings = bench.succeed(["league", "pairings", "class"]);
    assert!(!pairings.contains("ann"), "{pairings}");
    bench.succeed(["league", "add", "class", "ann=random"]);
    assert_eq!(states(&bench).last().map(String::as_str), Some("ann@2 active"));
    assert_eq!(play(&bench, "8"), 20);
    bench.succeed(["verify", "class"]);
}

#[test]
fn who_does_not_enter_leaves_nothing_behind() {
    let bench = league(&["random"]);
    let before = status(&bench)["head"].clone();
    let add = |bots: &[&str]| bench.run([&["league", "add", "class"], bots].concat());
    let crash = format!("bad={}", bench.faulty("only-on 0 0 crash"));
    add(&[&crash])
        .assert_refused(5, &["`bad` does not pass its check", "see class/refused/0/report.txt"]);
    let report = fs::read_to_string(bench.path("class/refused/0/report.txt")).expect("a report");
    assert!(report.contains("FAILED") && report.contains("bad does not pass"), "{report}");
    add(&["gone=./is-not-there"]).assert_refused(5, &["`gone`", "first at `starts`"]);
    add(&["Random=greedy"]).assert_refused(2, &["`Random`", "letter case"]);
    add(&["ann=greedy", "ann=random"]).assert_refused(2, &["`ann`"]);
    folder(&bench, "broken", "ben", "broken");
    fs::write(bench.path("broken/bot.toml"), "name = ").expect("the folder is ours");
    add(&["./broken"]).assert_refused(2, &["bot.toml"]);
    let manifest = "name = \"ben\"\nbuild = \"false\"\ncommand = \"sh bot.sh\"\n";
    fs::write(bench.path("broken/bot.toml"), manifest).expect("the folder is ours");
    add(&["./broken"]).assert_refused(4, &["`ben` cannot be built"]);
    let refused = fs::read_dir(bench.path("class/refused")).expect("a folder").count();
    assert_eq!(refused, 4, "those whose name or check was wrong, and not what was typed wrong");
    assert_eq!(status(&bench)["head"], before);
    let copies = fs::read_dir(bench.path("class/bots")).expect("a folder");
    assert_eq!(copies.count(), 0);
    bench.run(["league", "run", "class"]).assert_refused(2, &["1 bot active for 2 seats"]);
}

#[test]
fn a_league_is_founded_once_and_plays_one_game() {
    let bench = league(&["random", "greedy"]);
    let new = |folder: &str| bench.run(["league", "new", folder, "--game", "coup"]);
    new("class").assert_refused(2, &["`class` holds a league"]);
    fs::create_dir(bench.path("full")).expect("the folder is ours");
    bench.write("full/file", "");
    new("full").assert_refused(2, &["`full` is not empty"]);
    bench.run(["league", "status", "full"]).assert_refused(2, &["`full` holds no league"]);
    let settings = bench.path("class/league.toml");
    let text = fs::read_to_string(&settings).expect("settings");
    let run = || bench.run(["league", "run", "class", "--games", "4"]);
    for (changed, words) in [
        ("game = \"tablic\"\n".to_owned(), ["game", "coup, the game of the league"]),
        (format!("{text}\nrounds = 3\n"), ["league.toml", "rounds"]),
        (format!("deals = 3\n{text}"), ["`deals`", "is for tournaments"]),
    ] {
        fs::write(&settings, changed).expect("it is ours");
        run().assert_refused(2, &words);
    }
    fs::write(&settings, text).expect("it is ours");
    assert_eq!(play(&bench, "4"), 4);
}

#[test]
fn a_log_that_was_changed_is_not_continued() {
    let bench = league(&["random", "greedy"]);
    play(&bench, "4");
    let log = bench.path("class/league.jsonl");
    let text = fs::read_to_string(&log).expect("a log");
    fs::write(&log, text.replace("greedy", "grumpy")).expect("it is ours");
    for words in [
        &["league", "add", "class", "ann=greedy"][..],
        &["league", "run", "class"],
        &["league", "standings", "class"],
        &["verify", "class"],
    ] {
        bench.run(words).assert_refused(3, &["class", "line 3"]);
    }
}
