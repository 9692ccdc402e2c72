//! Bots that enter, are refused, and leave.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use tests::bench::Bench;
use tests::league::{folder, league, play, states, status};

#[test]
fn a_bot_that_enters_again_is_a_new_version() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "first");
    let told = bench.succeed(["league", "add", "class", "./mine"]);
    assert_eq!(told, "ann@1 has entered: 3 bots\n");
    assert_eq!(play(&bench, "8"), 8);
    folder(&bench, "mine", "ann", "second");
    let told = bench.succeed(["league", "add", "class", "./mine"]);
    assert_eq!(told, "ann@2 has entered, replacing ann@1: 3 bots\n");
    assert_eq!(
        states(&bench),
        ["random@1 active", "greedy@1 active", "ann@1 replaced", "ann@2 active"]
    );
    // The copy of an entered bot does not change.
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
    for reason in ["undecided pair: ", "fewest meetings: ", "ann@2"] {
        assert!(pairings.contains(reason), "{pairings}");
    }
    let verified = bench.succeed(["verify", "class"]);
    assert!(verified.starts_with("class: ok, 16 games of coup in 2 rounds, head "), "{verified}");
    // The bots are found where the league has them.
    let again = bench.succeed(["rerun", "class"]);
    assert!(again.contains("no differences"), "{again}");
}

#[test]
fn a_bot_that_has_left_plays_no_more_until_it_comes_back() {
    let bench = league(&["random", "greedy", "ann=greedy"]);
    play(&bench, "8");
    let told = bench.succeed(["league", "retire", "class", "ann"]);
    assert_eq!(told, "ann@1 retired\n2 bots left in the league\n");
    let refused = |name: &str| bench.run(["league", "retire", "class", name]);
    refused("ann").assert_refused(2, &["ann@1 is already retired"]);
    refused("eve").assert_refused(2, &["no bot `eve`", "use one of random, greedy"]);
    assert_eq!(play(&bench, "4"), 12);
    let pairings = bench.succeed(["league", "pairings", "class"]);
    assert!(!pairings.contains("ann"), "{pairings}");
    bench.succeed(["league", "add", "class", "ann=random"]);
    assert_eq!(states(&bench).last().map(String::as_str), Some("ann@2 active"));
    assert_eq!(play(&bench, "8"), 20);
    bench.succeed(["verify", "class"]);
}

#[test]
fn a_refused_bot_leaves_nothing_behind() {
    let bench = league(&["random"]);
    let before = status(&bench)["head"].clone();
    let add = |bots: &[&str]| bench.run([&["league", "add", "class"], bots].concat());
    let crash = format!("bad={}", bench.faulty("only-on 0 0 crash"));
    add(&[&crash]).assert_refused(5, &["`bad` failed the check", "see class/refused/0/report.txt"]);
    let report = fs::read_to_string(bench.path("class/refused/0/report.txt")).expect("a report");
    assert!(report.contains("FAILED") && report.contains("bad does not pass"), "{report}");
    add(&["gone=./is-not-there"]).assert_refused(5, &["`gone`", "at `starts`"]);
    add(&["Random=greedy"]).assert_refused(2, &["`Random`", "only in case"]);
    add(&["ann=greedy", "ann=random"]).assert_refused(2, &["`ann`"]);
    folder(&bench, "broken", "ben", "broken");
    fs::write(bench.path("broken/bot.toml"), "name = ").expect("the folder is ours");
    add(&["./broken"]).assert_refused(2, &["bot.toml"]);
    let manifest = "name = \"ben\"\nbuild = \"false\"\ncommand = \"sh bot.sh\"\n";
    fs::write(bench.path("broken/bot.toml"), manifest).expect("the folder is ours");
    add(&["./broken"]).assert_refused(4, &["cannot build bot `ben`"]);
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
    new("class").assert_refused(2, &["`class` already holds a league"]);
    fs::create_dir(bench.path("full")).expect("the folder is ours");
    bench.write("full/file", "");
    new("full").assert_refused(2, &["`full` is not empty"]);
    bench.run(["league", "status", "full"]).assert_refused(2, &["no league in `full`"]);
    let settings = bench.path("class/league.toml");
    let text = fs::read_to_string(&settings).expect("settings");
    let run = || bench.run(["league", "run", "class", "--games", "4"]);
    for (changed, words) in [
        ("game = \"tablic\"\n".to_owned(), ["game", "the league plays coup"]),
        (format!("{text}\nrounds = 3\n"), ["league.toml", "rounds"]),
        (format!("deals = 3\n{text}"), ["`deals`", "applies only to tournaments"]),
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

/// Under `umask 077`, or from a folder that only its owner reads, every bot used to be refused where another user
/// runs the bots.
#[test]
fn bots_enter_under_any_umask_and_from_private_folders() {
    let bench = Bench::new();
    let arbiter = |words: &[&str]| {
        let mut shell = bench.command("sh");
        shell.args(["-c", "umask 077; exec \"$@\"", "sh"]).arg(bench.program("arbiter"));
        let ended = tests::bench::run(shell.args(words));
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:?}");
        ended.stdout
    };
    arbiter(&["league", "new", "class", "--game", "coup", "--round-deals", "2"]);
    folder(&bench, "mine", "mine", "first");
    folder(&bench, "built", "built", "made by its build");
    let manifest = "name = \"built\"\nbuild = \"sh build.sh\"\ncommand = \"sh made/bot.sh\"\n";
    fs::write(bench.path("built/bot.toml"), manifest).expect("ours");
    fs::write(bench.path("built/build.sh"), "mkdir made && cat bot.sh > made/bot.sh\n")
        .expect("ours");
    for name in ["mine", "built"] {
        let mode = |path: &std::path::Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
        };
        for entry in fs::read_dir(bench.path(name)).expect("ours").flatten() {
            mode(&entry.path(), 0o600);
        }
        mode(&bench.path(name), 0o700);
        let told = arbiter(&["league", "add", "class", &format!("./{name}")]);
        assert!(told.contains(&format!("{name}@1 has entered")), "{told}");
    }
    arbiter(&["league", "run", "class", "--games", "4", "--quiet"]);
    let games = fs::read_dir(bench.path("class/rounds/0")).expect("ours").flatten();
    let log = games.map(|it| it.path()).find(|it| it.extension().is_some_and(|it| it == "jsonl"));
    let log = fs::read_to_string(log.expect("a log")).expect("ours");
    assert!(log.contains("built@1") && !log.contains("crash"), "{log}");
    let mode =
        |path: &str| fs::metadata(bench.path(path)).expect("ours").permissions().mode() & 0o777;
    assert_eq!((mode("class"), mode("class/bots")), (0o700, 0o700), "others see none of it");
    assert_eq!((mode("class/bots/mine@1"), mode("class/bots/mine@1/bot.sh")), (0o755, 0o644));
}

#[test]
fn old_versions_are_removed_beyond_a_bound_and_those_that_play_are_not() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "0");
    bench.succeed(["league", "add", "class", "./mine"]);
    assert_eq!(play(&bench, "8"), 8);
    for version in 1..13 {
        folder(&bench, "mine", "ann", &version.to_string());
        bench.succeed(["league", "add", "class", "./mine"]);
    }
    // The newest one, and ten before it.
    for version in 1..=13 {
        let copy = bench.path(&format!("class/bots/ann@{version}"));
        assert_eq!(copy.exists(), version > 2, "ann@{version}");
    }
    assert_eq!(play(&bench, "8"), 16);
    bench.succeed(["verify", "class"]);
    let again = bench.run(["rerun", "class/rounds/0"]);
    assert!(again.stderr.contains("ann@1"), "{again:?}");
}

#[cfg(unix)]
#[test]
fn refusals_are_for_the_user_who_runs_the_league() {
    use std::os::unix::fs::PermissionsExt;
    let bench = league(&["random"]);
    bench.write("bad.sh", "exit 3\n");
    assert_ne!(bench.run(["league", "add", "class", "bad=sh bad.sh"]).code, Some(0));
    for name in ["class/refused", "class/refused/0"] {
        let mode = fs::metadata(bench.path(name)).expect("a folder").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}: {mode:o}");
    }
}
