//! Coup at a court with the real programs: a tournament, rules in Python, and everything that is for two seats alone.

use std::path::Path;

use serde_json::{Value, json};
use tests::bench::{Bench, SEED};

#[test]
fn a_seat_that_is_out_leaves_the_others_their_game() {
    let bench = Bench::new();
    let game = bench.play("coup", &[], &["random", &bench.faulty("crash"), "greedy"]).remove(0);
    let out = game["result"]["out"].as_array().expect("seats");
    assert!(out[1].is_string() && out[0].is_null() && out[2].is_null(), "{game}");
    assert_eq!(game["result"]["scores"][1], 0, "{game}");
    let scores = game["result"]["scores"].as_array().expect("scores");
    assert_eq!(scores.iter().filter_map(Value::as_u64).sum::<u64>(), 1, "{game}");
}

#[test]
fn a_tournament_is_played_at_a_court() {
    let bench = Bench::new();
    let words = ["tournament", "--game", "coup", "--dir", "cup", "--seats", "3", "--deals", "2"];
    let bots = ["--seed", SEED, "greedy", "random", "second=random", "third=greedy"];
    bench.succeed([&words[..], &bots].concat());
    bench.verify(&bench.path("cup"));
    let standings = bench.succeed(["tournament", "standings", "cup"]);
    assert!(standings.contains("greedy") && standings.contains("third"), "{standings}");
}

/// Every request, the history and the points, against rules that were written from the page alone.
#[test]
fn games_at_a_court_are_the_same_by_rules_in_python() {
    let bench = Bench::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/check_court.py");
    let check = |bench: &Bench| bench.command("python3").arg(&script).arg("log").output().ok();
    let (mut games, mut questions) = (0, 0);
    let six = ["greedy", "random", "greedy", "random", "greedy", "random"];
    for players in [&["random", "random"][..], &six[..3], &six[1..5], &six[..5], &six] {
        let _ = std::fs::remove_file(bench.path("log"));
        let words = ["simulate", "--game", "coup", "--options", "rules=court", "--log", "log"];
        let rest = ["--deals", "30", "--order", "fixed", "--seed", SEED];
        bench.succeed([&words[..], &rest, players].concat());
        let Some(checked) = check(&bench) else {
            tests::missing::tell("no python3");
            return;
        };
        let told = String::from_utf8_lossy(&checked.stdout).into_owned();
        assert!(checked.status.success(), "{told}{}", String::from_utf8_lossy(&checked.stderr));
        let numbers: Vec<u64> = told.split(' ').filter_map(|word| word.parse().ok()).collect();
        games += numbers[0];
        questions += numbers[1];
    }
    assert!(games == 150 && questions > 3000, "{games} games, {questions} questions");
    // A request that was another one is found.
    let text = bench.text("log");
    let (before, digest) = text.split_once("\"asked\":\"").expect("a question");
    let other = if digest.starts_with('0') { "1" } else { "0" };
    bench.write("log", format!("{before}\"asked\":\"{other}{}", &digest[1..]));
    let checked = check(&bench).expect("it was there");
    assert!(!checked.status.success(), "{checked:?}");
}

#[test]
fn what_is_for_two_seats_alone_says_so() {
    let bench = Bench::new();
    let three = ["minimax --time 50ms", "expert --time 50ms", "greedy"];
    let game = bench.play("coup", &["--games", "3"], &three).remove(0);
    assert_eq!(game["seats"], json!(["minimax", "expert", "greedy"]));
    bench.succeed(["report", "log", "-o", "pages"]);
    let moves = bench.succeed(["export", "--features", "moves", "log"]);
    assert!(moves.lines().count() > 10, "{moves}");
    let play = ["match", "--game", "coup"];
    let seven = ["a", "b", "c", "d", "e", "f", "g"].map(|name| format!("{name}=random"));
    let seven: Vec<&str> = seven.iter().map(String::as_str).collect();
    let calculator =
        "`calculator` plays Coup only with rules=contest: use another player at a court";
    let review = "no review for coup with seats=3 rules=court; use --by COMMAND to rate moves with";
    for (words, bots, says) in [
        (&["simulate", "--game", "coup"][..], &["greedy", "random", "calculator"][..], calculator),
        (
            &play,
            &["dialect=classic old=random", "random", "greedy"],
            "bot `random`: coup with seats=3 rules=court has no classic dialect",
        ),
        (
            &["match", "--game", "coup", "--options", "rules=contest"],
            &["random", "random", "greedy"],
            "expected `rules=court` for coup with more than 2 seats",
        ),
        (&play, &seven, "expected 2 to 6 seats for coup, found `7`"),
        (&["review", "log"], &[], review),
        (
            &["export", "--features", "expert", "log"],
            &[],
            "holds games of coup with seats=3 rules=court, which have no features `expert`",
        ),
    ] {
        bench.run([words, bots].concat()).assert_refused(2, &[says]);
    }
}
