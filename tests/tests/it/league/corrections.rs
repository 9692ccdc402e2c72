//! Corrections of a contest by its organiser: games that are void, or reinstated, and bots that leave.

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::league::{league, play, round, status};
use tests::texts::assert_says;

fn counted(bench: &Bench, more: &str) -> Value {
    let line = format!("league standings class --json {more}");
    bench.line(&line).json()[0]["result"]["standings"]["all"]["games"].clone()
}

fn correct(bench: &Bench, words: &str) -> String {
    bench.ok(&format!("league {words} --reason 'a flood'"))
}

fn corrections(bench: &Bench) -> Vec<Value> {
    let lines = bench.line("league corrections class --json").json();
    lines.into_iter().map(|line| line["correction"].clone()).collect()
}

#[test]
fn a_contest_is_corrected_by_lines_of_its_log() {
    let bench = league(&["random", "greedy", "ann=random"]);
    let games = play(&bench, "12");
    assert_eq!(counted(&bench, ""), games);
    let told = correct(&bench, "void class 0/1");
    assert!(told.starts_with("game 1 in round 0: void\n"), "{told}");
    assert_eq!(counted(&bench, ""), games - 1);
    assert_eq!(counted(&bench, "--as-played"), games);
    bench.ok("verify class");
    correct(&bench, "reinstate class 0");
    assert_eq!(counted(&bench, ""), games);
    correct(&bench, "void class 0");
    let listed = corrections(&bench);
    assert_eq!((&listed[0]["games"], &listed[1]["round"]), (&json!([1]), &json!(0)));
    assert_eq!(listed[0]["reinstated"], "a flood");
    let text = bench.ok("league corrections class");
    assert!(text.contains("1  all games in round 0: void (a flood)\n"), "{text}");
    assert!(bench.ok("league status class").contains("void (a flood)\n"));
    bench.ok("report class -o pages");
    for page in ["pages/index.html", "pages/rounds/index.html"] {
        assert_says(&bench.text(page), &["all games in round 0: void (a flood)"]);
    }

    let told = correct(&bench, "disqualify class ann");
    assert_eq!(told, "ann@1 disqualified\n2 bots left in the league\n");
    assert_says(&bench.ok("league status class"), &["disqualified: a flood"]);
    let again = bench.line("league add class ann=greedy");
    assert!(again.stderr.contains("is disqualified"), "{again:?}");
    assert_says(&bench.ok("league events class"), &["ann@1 was disqualified: a flood"]);
    correct(&bench, "retire class random");
    let left = status(&bench)["bots"].as_array().expect("a list").clone();
    let random = left.iter().find(|bot| bot["name"] == "random").expect("a bot");
    assert_eq!(random["left"], json!({ "reason": "a flood", "disqualified": false }));
    bench.ok("verify class");
}

/// Mistakes in void games stayed on the page of a bot, whose standings leave them out.
#[test]
fn void_games_are_not_among_the_mistakes_of_a_bot() {
    let bench = league(&["random", "greedy"]);
    assert_eq!(play(&bench, "4"), 4);
    bench.ok("review class");
    for (words, games) in [("", 4), ("void class 0/1", 3), ("reinstate class 0", 4)] {
        if !words.is_empty() {
            correct(&bench, words);
        }
        bench.ok("report class -o pages --review");
        let page = bench.text("pages/bots/1.html");
        let says = format!(" in {games} reviewed games, as round/game:");
        assert!(page.contains(&says), "{words}: {page}");
    }
}

#[test]
fn wrong_corrections_change_nothing() {
    let bench = league(&["random", "greedy", "ann=random"]);
    let refused = |cases: &[(&str, &str)]| {
        let before = status(&bench)["head"].clone();
        for (words, says) in cases {
            bench.refuses(&format!("league {words} --reason 'a flood'"), says);
        }
        assert_eq!(status(&bench)["head"], before);
    };
    refused(&[("void class 0", "no finished rounds")]);
    play(&bench, "4");
    refused(&[
        ("void class 9", "round 9 is not finished"),
        ("void class 0 9", "round 9 is not finished"),
        ("reinstate class 0", "no correction 0"),
    ]);
    bench.refuses("league void class 0 --reason ' '", "the reason has 0 characters");
    for (words, says) in [
        ("void class x", "such as 3, 3/17 or 3/17,18"),
        ("void class", "ROUND"),
        ("void class --bot ann", "NAME@VERSION"),
    ] {
        let ended = bench.line(&format!("league {words} --reason 'a flood'"));
        assert_eq!(ended.code, Some(2), "{words:?}: {ended:?}");
        assert!(ended.stderr.contains(says), "{words:?}: {ended:?}");
    }
    correct(&bench, "void class 0");
    correct(&bench, "void class --bot ann@1");
    refused(&[
        ("void class 0", "are already void"),
        ("void class 0/1", "are already void"),
        ("void class --bot ann@1", "all games of ann@1 are already void"),
    ]);
    play(&bench, "4");
    correct(&bench, "void class --bot ann@1");
    correct(&bench, "disqualify class ann");
    refused(&[("disqualify class ann", "ann@1 is already disqualified")]);
}

#[test]
fn void_games_are_replayed_with_new_cards() {
    let bench = league(&["random", "greedy", "ann=random"]);
    let games = play(&bench, "16");
    let told = correct(&bench, "replay class 0/1");
    let expected = "games 0, 1 in round 0: void\ngames 0, 1 in round 0: to be replayed\n\
        next: arbiter league run class\n";
    assert_eq!(told, expected);
    assert_eq!(counted(&bench, ""), games - 2);
    let listed = || bench.ok("league corrections class");
    assert!(listed().contains("void (a flood), 2 games to be replayed\n"));
    play(&bench, "2");
    assert!(listed().contains("void (a flood), replayed in round 2\n"), "{}", listed());
    assert_eq!(counted(&bench, ""), games);
    assert_eq!(counted(&bench, "--as-played"), games);
    let why = round(&bench, "2")["tables"][0]["why"].clone();
    assert_eq!(why, json!({ "replay": { "round": 0, "game": 0 } }));
    let all = corrections(&bench);
    assert_eq!((&all[0]["replayed_in"], &all[0]["to_replay"]), (&json!([2]), &json!(0)));
    bench.ok("report class -o pages");
    let mark = "void (a flood), replayed as game 0 of round 2";
    for (page, says) in [
        ("rounds/0/index.html", mark),
        ("rounds/0/data/index.js", mark),
        ("rounds/2/data/index.js", "replays game 1 of round 0 (a flood)"),
        ("index.html", "void (a flood), replayed in round 2"),
    ] {
        assert!(bench.text(&format!("pages/{page}")).contains(says), "{page}");
    }
    let events = bench.ok("league events class");
    assert!(events.contains("games 0, 1 in round 0: to be replayed (a flood)"), "{events}");
    for (words, says) in [
        ("replay class 0/0", "already has a replay"),
        ("replay class 9", "round 9 is not finished"),
        ("replay class 1/99", "games are 0 to 7"),
        ("reinstate class 0", "which was replayed"),
    ] {
        bench.refuses(&format!("league {words} --reason 'a flood'"), says);
    }
    // Tables of bots that have left are not replayed.
    correct(&bench, "retire class ann");
    let told = bench.line("league replay class 1 --reason 'a flood'");
    assert!(told.stderr.contains("ann@1 no longer plays"), "{told:?}");
    bench.ok("verify class");
}
