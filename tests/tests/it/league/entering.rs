//! Bots that enter, are refused, and leave.

use std::fs;

use tests::league::{folder, league, play, states, status};
use tests::texts::assert_says;

#[test]
fn a_bot_that_enters_again_is_a_new_version_and_one_that_has_left_plays_no_more() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "first");
    assert_eq!(bench.ok("league add class ./mine"), "ann@1 has entered: 3 bots\n");
    assert_eq!(play(&bench, "8"), 8);
    folder(&bench, "mine", "ann", "second");
    let told = bench.ok("league add class ./mine");
    assert_eq!(told, "ann@2 has entered, replacing ann@1: 3 bots\n");
    let expected = ["random@1 active", "greedy@1 active", "ann@1 replaced", "ann@2 active"];
    assert_eq!(states(&bench), expected);
    // The copy of an entered bot does not change.
    for (version, begin) in [(1, "# first\n"), (2, "# second\n")] {
        assert!(bench.text(&format!("class/bots/ann@{version}/bot.sh")).starts_with(begin));
    }
    assert_eq!(play(&bench, "8"), 16);
    let shown = bench.ok("league standings class");
    assert!(shown.contains("ann@2") && !shown.contains(" ann@1 "), "{shown}");
    assert_says(&bench.ok("league standings class --all"), &["ann@2", " ann@1 "]);
    let pairings = bench.ok("league pairings class");
    assert_says(&pairings, &["undecided pair: ", "fewest meetings: ", "ann@2"]);
    let verified = bench.ok("verify class");
    assert!(verified.starts_with("class: ok, 16 games of coup in 2 rounds, head "), "{verified}");
    // The bots are found where the league has them.
    assert_says(&bench.ok("rerun class"), &["no differences"]);

    assert_eq!(bench.ok("league retire class ann"), "ann@2 retired\n2 bots left in the league\n");
    bench.refuses("league retire class ann", "ann@2 is already retired");
    let eve = bench.line("league retire class eve");
    eve.assert_refused(2, &["no bot `eve`", "use one of random, greedy"]);
    assert_eq!(play(&bench, "4"), 20);
    assert!(!bench.ok("league pairings class").contains("ann"));
    bench.ok("league add class ann=random");
    assert_eq!(states(&bench).last().map(String::as_str), Some("ann@3 active"));
    play(&bench, "4");
    bench.ok("verify class");
}

#[test]
fn a_refused_bot_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt;
    let bench = league(&["random"]);
    let before = status(&bench)["head"].clone();
    let add = |bots: &[&str]| bench.run([&["league", "add", "class"], bots].concat());
    let crash = format!("bad={}", bench.faulty("only-on 0 0 crash"));
    add(&[&crash]).assert_refused(5, &["`bad` failed the check", "see class/refused/0/report.txt"]);
    assert_says(&bench.text("class/refused/0/report.txt"), &["FAILED", "bad does not pass"]);
    for name in ["class/refused", "class/refused/0"] {
        let mode = fs::metadata(bench.path(name)).expect("a folder").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}: {mode:o}, for the user who runs the league alone");
    }
    add(&["gone=./is-not-there"]).assert_refused(5, &["`gone`", "at `starts`"]);
    add(&["Random=greedy"]).assert_refused(2, &["`Random`", "only in case"]);
    add(&["ann=greedy", "ann=random"]).assert_refused(2, &["`ann`"]);
    folder(&bench, "broken", "ben", "broken");
    bench.write("broken/bot.toml", "name = ");
    add(&["./broken"]).assert_refused(2, &["bot.toml"]);
    let manifest = "name = \"ben\"\nbuild = \"false\"\ncommand = \"sh bot.sh\"\n";
    bench.write("broken/bot.toml", manifest);
    add(&["./broken"]).assert_refused(4, &["cannot build bot `ben`"]);
    let entries = |name: &str| fs::read_dir(bench.path(name)).expect("a folder").count();
    let refused = entries("class/refused");
    assert_eq!(refused, 4, "those whose name or check was wrong, and not what was typed wrong");
    assert_eq!(status(&bench)["head"], before);
    assert_eq!(entries("class/bots"), 0);
    bench.refuses("league run class", "1 bot active for 2 seats");
}

#[test]
fn a_league_is_founded_once_plays_one_game_and_does_not_continue_a_changed_log() {
    let bench = league(&["random", "greedy"]);
    bench.write("full/file", "");
    bench.refuses("league new class --game coup", "`class` already holds a league");
    bench.refuses("league new full --game coup", "`full` is not empty");
    bench.refuses("league status full", "no league in `full`");
    let text = bench.text("class/league.toml");
    for (changed, words) in [
        ("game = \"tablic\"\n".to_owned(), ["game", "the league plays coup"]),
        (format!("{text}\nrounds = 3\n"), ["league.toml", "rounds"]),
        (format!("deals = 3\n{text}"), ["`deals`", "applies only to tournaments"]),
    ] {
        bench.write("class/league.toml", changed);
        bench.line("league run class --games 4").assert_refused(2, &words);
    }
    bench.write("class/league.toml", text);
    assert_eq!(play(&bench, "4"), 4);
    bench.replace("class/league.jsonl", "greedy", "grumpy");
    for words in ["league add class ann=greedy", "league run class", "league standings class"] {
        bench.line(words).assert_refused(3, &["class", "line 3"]);
    }
    bench.line("verify class").assert_refused(3, &["class", "line 3"]);
}
