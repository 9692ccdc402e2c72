//! Corrections of a contest by its organiser: games that are void, or reinstated, and bots that leave.

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::league::{league, play, round, status};

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

/// Mistakes in void games stayed on the page of a bot, whose standings leave them out.
#[test]
fn void_games_are_not_among_the_mistakes_of_a_bot() {
    let bench = league(&["random", "greedy"]);
    assert_eq!(play(&bench, "4"), 4);
    bench.succeed(["review", "class"]);
    let says = |pages: &str, games: &str| {
        bench.succeed(["report", "class", "-o", pages, "--review"]);
        let path = bench.path(pages).join("bots/1.html");
        let page = std::fs::read_to_string(path).expect("a page");
        assert!(page.contains(&format!(" in {games}, as round/game:")), "{pages}: {page}");
    };
    says("all", "4 reviewed games");
    correct(&bench, &["void", "class", "0/1"]);
    says("void", "3 reviewed games");
    correct(&bench, &["reinstate", "class", "0"]);
    says("again", "4 reviewed games");
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
    refused(&[&["void", "class", "0"][..], &reason].concat(), "are already void");
    refused(&[&["void", "class", "0/1"][..], &reason].concat(), "are already void");
    let of_bot = [&["void", "class", "--bot", "ann@1"][..], &reason].concat();
    bench.succeed([&["league"], &of_bot[..]].concat());
    refused(&of_bot, "all games of ann@1 are already void");
    play(&bench, "4");
    bench.succeed([&["league"], &of_bot[..]].concat());
    let disqualify = [&["disqualify", "class", "ann"][..], &reason].concat();
    bench.succeed([&["league"], &disqualify[..]].concat());
    refused(&disqualify, "ann@1 is already disqualified");
}

#[test]
fn void_games_are_replayed_with_new_cards() {
    let bench = league(&["random", "greedy", "ann=random"]);
    let games = play(&bench, "16");
    let told = correct(&bench, &["replay", "class", "0/1"]);
    assert_eq!(
        told,
        "games 0, 1 in round 0: void\ngames 0, 1 in round 0: to be replayed\nnext: arbiter league run class\n"
    );
    assert_eq!(counted(&bench, &[]), games - 2);
    let listed = |bench: &Bench| bench.succeed(["league", "corrections", "class"]);
    assert!(listed(&bench).contains("void (a flood), 2 games to be replayed\n"));
    play(&bench, "2");
    assert!(listed(&bench).contains("void (a flood), replayed in round 2\n"), "{}", listed(&bench));
    assert_eq!(counted(&bench, &[]), games);
    assert_eq!(counted(&bench, &["--as-played"]), games);
    let replay = round(&bench, "2");
    assert_eq!(replay["tables"][0]["why"], json!({ "replay": { "round": 0, "game": 0 } }));
    let json = bench.run(["league", "corrections", "class", "--json"]).json();
    assert_eq!(json[0]["correction"]["replayed_in"], json!([2]));
    assert_eq!(json[0]["correction"]["to_replay"], 0);
    bench.succeed(["verify", "class"]);
    bench.succeed(["report", "class", "-o", "pages"]);
    let page = |path: &str| std::fs::read_to_string(bench.path(path)).expect("a page");
    let mark = "void (a flood), replayed as game 0 of round 2";
    for path in ["pages/rounds/0/index.html", "pages/rounds/0/data/index.js"] {
        assert!(page(path).contains(mark), "{path}");
    }
    assert!(page("pages/rounds/2/data/index.js").contains("replays game 1 of round 0 (a flood)"));
    assert!(page("pages/index.html").contains("void (a flood), replayed in round 2"));
    let events = bench.succeed(["league", "events", "class"]);
    assert!(events.contains("games 0, 1 in round 0: to be replayed (a flood)"), "{events}");
    let refused = |words: &[&str], says: &str| {
        let words = [&["league"], words, &["--reason", "a flood"]].concat();
        bench.run(words).assert_refused(2, &[says]);
    };
    refused(&["replay", "class", "0/0"], "already has a replay");
    refused(&["replay", "class", "9"], "round 9 is not finished");
    refused(&["replay", "class", "1/99"], "games are 0 to 7");
    refused(&["reinstate", "class", "0"], "which was replayed");
}

#[test]
fn tables_of_bots_that_have_left_are_not_replayed() {
    let bench = league(&["random", "greedy", "ann=random"]);
    play(&bench, "8");
    correct(&bench, &["retire", "class", "ann"]);
    let words = ["league", "replay", "class", "0", "--reason", "a flood"];
    let told = bench.run(words);
    assert!(told.stderr.contains("ann@1 no longer plays"), "{told:?}");
    bench.succeed(["verify", "class"]);
}
