//! Corrections of a contest by its organiser: games that are void, or reinstated, and bots that leave.

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::league::{league, play, status};

fn counted(bench: &Bench, more: &[&str]) -> Value {
    let words = [&["league", "standings", "class", "--json"], more].concat();
    bench.run(words).json()[0]["result"]["standings"]["all"]["games"].clone()
}

fn correct(bench: &Bench, words: &[&str]) -> String {
    bench.succeed([&["league"], words, &["--reason", "a flood"]].concat())
}

#[test]
fn a_contest_is_corrected_by_lines_of_its_log() {
    let bench = league(&["random", "greedy", "ann=random"]);
    let games = play(&bench, "12");
    assert_eq!(counted(&bench, &[]), games);
    let told = correct(&bench, &["void", "class", "0/1"]);
    assert!(told.starts_with("game 1 in round 0: void\n"), "{told}");
    assert_eq!(counted(&bench, &[]), games - 1);
    assert_eq!(counted(&bench, &["--as-played"]), games);
    bench.succeed(["verify", "class"]);
    correct(&bench, &["reinstate", "class", "0"]);
    assert_eq!(counted(&bench, &[]), games);
    correct(&bench, &["void", "class", "0"]);
    let listed = bench.run(["league", "corrections", "class", "--json"]).json();
    assert_eq!(listed[0]["correction"]["games"], json!([1]));
    assert_eq!(listed[0]["correction"]["reinstated"], "a flood");
    assert_eq!(listed[1]["correction"]["round"], 0);
    let text = bench.succeed(["league", "corrections", "class"]);
    assert!(text.contains("1  all games in round 0: void (a flood)\n"), "{text}");
    assert!(bench.succeed(["league", "status", "class"]).contains("void (a flood)\n"));
    bench.succeed(["verify", "class"]);
    bench.succeed(["report", "class", "-o", "pages"]);
    for page in ["pages/index.html", "pages/rounds/index.html"] {
        let page = std::fs::read_to_string(bench.path(page)).expect("a page");
        assert!(page.contains("all games in round 0: void (a flood)"), "{page}");
    }
}

#[test]
fn a_disqualified_bot_leaves_with_a_reason_and_does_not_come_back() {
    let bench = league(&["random", "greedy", "ann=random"]);
    play(&bench, "4");
    let told = correct(&bench, &["disqualify", "class", "ann"]);
    assert_eq!(told, "ann@1 disqualified\n2 bots left in the league\n");
    let state = bench.succeed(["league", "status", "class"]);
    assert!(state.contains("disqualified: a flood"), "{state}");
    let again = bench.run(["league", "add", "class", "ann=greedy"]);
    assert!(again.stderr.contains("is disqualified"), "{again:?}");
    let events = bench.succeed(["league", "events", "class"]);
    assert!(events.contains("ann@1 was disqualified: a flood"), "{events}");
    correct(&bench, &["retire", "class", "random"]);
    let left = status(&bench)["bots"].as_array().expect("a list").clone();
    let random = left.iter().find(|bot| bot["name"] == "random").expect("a bot");
    assert_eq!(random["left"], json!({ "reason": "a flood", "disqualified": false }));
    bench.succeed(["verify", "class"]);
}

#[test]
fn wrong_corrections_change_nothing() {
    let bench = league(&["random", "greedy", "ann=random"]);
    let reason = ["--reason", "a flood"];
    let refused = |words: &[&str], says: &str| {
        let before = status(&bench)["head"].clone();
        let words = [&["league"], words].concat();
        bench.run(words).assert_refused(2, &[says]);
        assert_eq!(status(&bench)["head"], before);
    };
    refused(&[&["void", "class", "0"][..], &reason].concat(), "no finished rounds");
    play(&bench, "4");
    refused(&[&["void", "class", "9"][..], &reason].concat(), "round 9 is not finished");
    refused(&[&["void", "class", "0", "9"][..], &reason].concat(), "round 9 is not finished");
    refused(&["void", "class", "0", "--reason", " "], "the reason has 0 characters");
    let unread: [(&[&str], &str); 3] = [
        (&["void", "class", "x"], "such as 3, 3/17 or 3/17,18"),
        (&["void", "class"], "ROUND"),
        (&["void", "class", "--bot", "ann"], "NAME@VERSION"),
    ];
    for (words, says) in unread {
        let ended = bench.run([&["league"], words, &reason].concat());
        assert_eq!(ended.code, Some(2), "{words:?}: {ended:?}");
        assert!(ended.stderr.contains(says), "{words:?}: {ended:?}");
    }
    refused(&[&["reinstate", "class", "0"][..], &reason].concat(), "no correction 0");
    bench.succeed([&["league", "void", "class", "0"][..], &reason].concat());
    refused(&[&["void", "class", "0"][..], &reason].concat(), "are void already");
    refused(&[&["void", "class", "0/1"][..], &reason].concat(), "are void already");
}
