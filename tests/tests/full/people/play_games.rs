//! Several games of a person, and the output at the end of a game.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;

use rustix::process::Signal;
use serde_json::{Value, json};
use tests::bench::{Bench, Ended, SEED, run};
use tests::log;
use tests::playing::{play, play_in_place, through_a_pipe, typed};
use tests::processes;
use tests::running::{wait_for_no_scratch, wait_until};
use tests::texts::assert_says;
use tests::typing::{Typing, is_tidy, plain};

/// Checks a log of three games that was left in the game after `whole` complete ones.
fn assert_left_in_game(bench: &Bench, whole: usize) {
    let games = log::games(&bench.path("log"));
    assert_eq!(games.len(), whole + 1, "{games:?}");
    for (number, game) in games.iter().enumerate() {
        assert_eq!(game["number"], number);
        match number == whole {
            false => assert_eq!(game["result"]["ending"], "played"),
            true => {
                assert_eq!(game["result"], json!({"ending": "void", "reason": "you left the game"}))
            }
        }
    }
    let verified = bench.run(["verify", "log"]);
    let after = format!("after {whole} of 3 games");
    verified.assert_refused(3, &[&format!("line {} is missing", whole + 3), &after]);
    // Nothing more will come, so the match does not wait for it.
    let shown = bench.succeed(["show", "log"]);
    assert!(shown.ends_with("result: void, you left the game (unrated: the match stops)\n"));
    assert_eq!(bench.succeed(["show", "--follow", "log"]), shown);
}

/// The scores of a person and a bot that are shown after a game.
fn told_scores(ended: &Ended) -> Vec<&str> {
    ended.stdout.lines().filter(|line| line.starts_with("after ")).collect()
}

/// A person who lets greedy choose everything plays a match as greedy does, game for game.
#[test]
fn several_games_are_a_match_with_a_running_score() {
    let bench = Bench::new();
    let words = ["--games", "3", "--seat", "1", "random"];
    let ended = through_a_pipe(&bench, "tablic", &words, &"auto\n".repeat(72)).without_error();
    bench.verify(&bench.path("log"));
    let played = log::games(&bench.path("log"));
    let header = &log::lines(&bench.path("log"))[0]["header"];
    assert_eq!((&header["games"], played.len()), (&json!(3), 3));
    let end = log::lines(&bench.path("log")).pop().expect("an end");

    let mut points = [0, 0];
    let mut won = [0, 0];
    for (game, told) in played.iter().zip(told_scores(&ended)) {
        let of = |name| {
            let seat = log::seat_of(game, name);
            game["result"]["scores"][seat].as_i64().expect("points")
        };
        let scores = [of("random"), of("you")];
        points = [points[0] + scores[0], points[1] + scores[1]];
        won[0] += i64::from(scores[0] > scores[1]);
        won[1] += i64::from(scores[1] > scores[0]);
        let number = game["number"].as_i64().expect("a number") + 1;
        let expected = format!(
            "after {number} of 3 games: random {} won, {} points; you {} won, {} points",
            won[0], points[0], won[1], points[1]
        );
        assert_eq!(told, expected);
    }
    assert_eq!(end["end"]["points"], json!(points));
    assert!(ended.stdout.contains("\nplayer  points   won  drawn"), "{}", ended.stdout);
    let end = format!("\nseed: {SEED}\nnext: arbiter review log\n");
    assert!(ended.stdout.ends_with(&end), "{}", ended.stdout);

    let matched = bench.play("tablic", &["--games", "3"], &["random", "greedy"]);
    let events = |games: &[Value]| games.iter().map(|game| game["events"].clone()).collect();
    let (played, matched): (Vec<_>, Vec<_>) = (events(&played), events(&matched));
    assert_eq!(played, matched);
}

/// By a command, by the end of the input, and at once: games that ended are kept.
#[test]
fn leaving_a_game_leaves_the_later_ones_too() {
    let one = "auto\n".repeat(24);
    for (lines, whole) in [
        (format!("{one}auto\nquit\nno\nauto"), 1),
        (one.repeat(2), 2),
        ("auto\nquit\ny\n".to_owned(), 0),
    ] {
        let bench = Bench::new();
        let ended = through_a_pipe(&bench, "tablic", &["--games", "3", "random"], &lines);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
        assert!(ended.stdout.ends_with(&format!("you left the game\nseed: {SEED}\n")));
        assert_eq!(told_scores(&ended).len(), whole);
        assert_left_in_game(&bench, whole);
        let asked = match whole {
            0 => "leave this and the next 2, yes or no? ",
            _ => "leave this and the next one, yes or no? ",
        };
        assert_eq!(ended.stdout.contains(asked), lines.contains("quit"), "{}", ended.stdout);
    }
}

/// Every game is a walkover, and the next one is played all the same.
#[test]
fn a_bot_that_faults_loses_a_game_and_not_those_after_it() {
    let bench = Bench::new();
    let ended = through_a_pipe(
        &bench,
        "tablic",
        &["--games", "3", "--seat", "1", "bad=echo KS"],
        &"auto\n".repeat(24),
    );
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    assert_eq!(ended.stdout.matches("(walkover)").count(), 3, "{}", ended.stdout);
    assert_eq!(told_scores(&ended).len(), 3);
    // The broken rule says something of its hand, and is shown when all games are over.
    let (games, totals) = ended.stdout.split_once("\nplayer  points").expect("totals");
    assert!(!games.contains("not in the hand") && totals.contains("\nbad: forfeited 3 games"));
    bench.verify(&bench.path("log"));
}

/// On a terminal the next game waits, so that the end of the one before can be read.
#[test]
fn several_games_are_played_at_a_terminal() {
    let bench = Bench::new();
    let mut typing = Typing::start(&mut play_in_place(&bench, "coup", &["--games", "3", "greedy"]));
    let mut waited = 0;
    while let Some(asked) = typing.try_prompt() {
        if asked.prompt == "next game> " {
            waited += 1;
            let screen = typing.screen();
            assert!(screen.contains(&format!("after {waited} of 3 games: ")), "{screen}");
            assert!(screen.contains("all cards, now that the game is over"), "{screen}");
        }
        let keys = typed(&asked);
        typing.keys(&format!("{keys}\r"));
    }
    typing.end_well();
    assert_eq!(waited, 2, "the last game is waited for by nobody");
    bench.verify(&bench.path("log"));
}

/// Plays one of three games to its end at a terminal.
fn up_to_the_next_game(bench: &Bench) -> Typing {
    let mut command = play_in_place(bench, "tablic", &["--games", "3", "random"]);
    let mut typing = Typing::start(&mut command);
    while typing.prompt().prompt != "next game> " {
        typing.keys("auto\r");
    }
    typing
}

#[test]
fn a_person_can_leave_between_two_games() {
    for leave in [["quit\r", "y\r"], ["\x03", "\x03"], ["\x04", "yes\r"]] {
        let bench = Bench::new();
        let mut typing = up_to_the_next_game(&bench);
        let [first, second] = leave;
        typing.keys(first);
        assert_eq!(typing.prompt().prompt, "leave this and the next 2, yes or no? ");
        typing.keys(second);
        let (status, seen) = typing.end();
        assert!(status.success() && is_tidy(&seen), "{leave:?}: {status:?}\n{}", plain(&seen));
        assert!(plain(&seen).ends_with(&format!("you left the game\nseed: {SEED}\n")));
        assert_left_in_game(&bench, 1);
        let left = log::games(&bench.path("log")).pop().expect("a game");
        let ok = log::answers(&left).iter().filter(|it| it["verdict"] == "ok").count();
        assert_eq!(ok, 0, "no bot was asked for a game that was left before");
    }
}

#[test]
fn mistyping_between_two_games_loses_nothing() {
    let bench = Bench::new();
    let mut typing = up_to_the_next_game(&bench);
    for line in ["7", "hint", "help", "history"] {
        typing.keys(&format!("{line}\r"));
        assert_eq!(typing.prompt().prompt, "next game> ");
        assert_says(&typing.scrolled(), &["after 1 of 3 games", "deal 4  random"]);
    }
    typing.keys("\r");
    assert_eq!(typing.prompt().prompt, "card> ");
    let screen = typing.screen();
    assert!(screen.starts_with("game 1: seat 0 random, seat 1 you\nafter 1 of 3 games: "));
    typing.keys("quit\r");
    typing.line("y");
    assert!(typing.end().0.success());
    assert_left_in_game(&bench, 1);
}

/// A game against a bot that thinks for ever in its second game.
#[test]
fn two_signals_while_a_bot_thinks_leave_the_second_game() {
    let bench = Bench::new();
    // Requests of the second game are those in which it sits on seat 0.
    let script = "request=$(cat); case $request in *'\nseat 0\n'*)\n\
                  : > \"$1/reached\"; while :; do sleep 0.05; done;; esac\n\
                  printf '%s\\n' \"$request\" | sed -n '/^legal /{n;p;}'\n";
    bench.write("slow.sh", script);
    let bot = format!("slow=sh slow.sh '{}' {}", bench.folder().display(), bench.marker());
    let words = ["--isolation", "off", "--games", "3", "--time-limit", "slow=10min", &bot];
    let mut typing = Typing::start(&mut play_in_place(&bench, "tablic", &words));
    while typing.prompt().prompt != "next game> " {
        typing.keys("auto\r");
    }
    typing.keys("\r");
    wait_until("the bot thinks", || bench.path("reached").exists());
    typing.until_on_screen("slow is thinking");
    typing.signal(Signal::INT);
    typing.until_on_screen("Ctrl-C again leaves the game");
    typing.signal(Signal::INT);
    let seen = typing.end_well();
    assert!(plain(&seen).ends_with(&format!("you left the game\nseed: {SEED}\n")));
    assert_left_in_game(&bench, 1);
    processes::wait_for_none(bench.marker());
    wait_for_no_scratch(&bench);
}

/// The chances of a game that gave cards to a seat, as words.
fn given(game: &Value, kind: &str, seat: usize) -> Vec<String> {
    let chances = game["inputs"].as_array().expect("inputs").iter();
    let chances = chances.filter_map(|input| input["chance"].as_str());
    let given = chances.filter_map(|chance| chance.strip_prefix(&format!("{kind} {seat} ")));
    given.map(str::to_owned).collect()
}

/// As they were dealt and drawn, once the game is over and not if it is left.
#[test]
fn hidden_cards_are_told_when_a_game_is_over() {
    for (kind, words, lines) in [
        ("tablic", &["--seat", "1", "--seats", "3", "random", "greedy"][..], "auto\n".repeat(16)),
        ("coup", &["--seat", "1", "greedy"], "1\n".repeat(100)),
        ("durak", &["--seats", "3", "greedy", "random"], "1\n".repeat(200)),
    ] {
        let bench = Bench::new();
        let left = through_a_pipe(&bench, kind, words, "1\nauto\n");
        assert!(left.stdout.contains("you left the game"), "{}", left.stdout);
        assert!(!left.stdout.contains("all cards"), "{}", left.stdout);
        std::fs::remove_file(bench.path("log")).expect("it was there");
        let ended = through_a_pipe(&bench, kind, words, &lines);
        let game = log::games(&bench.path("log")).remove(0);
        let told = ended.stdout.split_once("\nall cards, now that the game is over\n");
        let (before, after) = told.expect("all cards");
        match kind {
            "tablic" => all_hands_are_told(&game, before, after),
            "coup" => characters_of_both_are_told(&game, after),
            _ => hands_that_are_left_are_told(&game, before, after),
        }
    }
}

fn all_hands_are_told(game: &Value, before: &str, after: &str) {
    for (seat, name) in [(0, "random"), (2, "greedy")] {
        let hands = given(game, "deal", seat);
        assert_eq!(hands.len(), 3, "{game}");
        for (deal, hand) in (1..).zip(&hands) {
            let line = format!("  deal {deal}  {name:6}  {hand}\n");
            assert!(after.contains(&line), "{line}{after}");
            assert!(!before.contains(hand), "{hand} was told too early:\n{before}");
        }
    }
    assert_eq!(after.matches("  deal ").count(), 6, "one's own hand is no news:\n{after}");
}

fn characters_of_both_are_told(game: &Value, after: &str) {
    for (seat, name) in [(0, "greedy"), (1, "you")] {
        let dealt = given(game, "deal", seat).into_iter().map(|cards| format!("dealt {cards}"));
        let drawn = given(game, "draw", seat).into_iter().map(|cards| format!("drew {cards}"));
        let got: Vec<String> = dealt.chain(drawn).collect();
        assert!(after.contains(&format!(" ({})\n", got.join(", "))), "{name} {got:?}\n{after}");
    }
    // The winner holds a card, the loser holds none.
    let count = |one: &str, other: &str| after.matches(one).count() + after.matches(other).count();
    assert_eq!(count("greedy  holds ", "You     hold "), 1, "{after}");
    assert_eq!(count("greedy  has no card left ", "You     have no card left "), 1, "{after}");
}

/// Cards that were dealt, drawn or picked up, and not played since.
fn hands_that_are_left_are_told(game: &Value, before: &str, after: &str) {
    assert_eq!(game["result"]["ending"], "played");
    let left: Vec<&str> = after.lines().take_while(|line| line.starts_with("  ")).collect();
    assert_eq!(left.len(), 1, "one is the durak, and the others have no cards:\n{after}");
    let scores = game["result"]["scores"].as_array().expect("scores");
    let mut duraks = ["you", "greedy", "random"].iter().zip(scores).filter(|it| *it.1 == 0);
    assert!(duraks.any(|(name, _)| left[0].starts_with(&format!("  {name}"))), "{left:?}");
    let cards = |text: &str| text.split_whitespace().map(|card| card.replace('*', "")).collect();
    let held: BTreeSet<String> = cards(left[0].trim_start().split_once(' ').expect("a name").1);
    let beaten = before.lines().filter_map(|line| line.strip_prefix("beaten"));
    let beaten: BTreeSet<String> = cards(&beaten.collect::<Vec<_>>().join(" "));
    assert!(!held.is_empty() && held.is_disjoint(&beaten), "{held:?}\n{before}");
}

/// The names of the players of a log, by seat.
fn seated(bench: &Bench) -> Vec<String> {
    let header = log::lines(&bench.path("log")).remove(0);
    let players = header["header"]["players"].as_array().expect("players").clone();
    players.iter().map(|it| it["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn the_opponent_is_greedy_if_no_bot_is_named() {
    for (words, expected) in [
        (&[][..], &["you", "greedy"][..]),
        (&["--seats", "3", "--seat", "1"], &["greedy", "you", "greedy-2"]),
    ] {
        let bench = Bench::new();
        through_a_pipe(&bench, "durak", words, "1\n").without_error();
        assert_eq!(seated(&bench), expected);
        let header = log::lines(&bench.path("log")).remove(0);
        let bots = header["header"]["players"].as_array().expect("players").iter();
        let bots = bots.filter(|it| it["name"] != "you");
        assert!(bots.clone().count() > 0 && bots.clone().all(|it| it["command"] == "greedy"));
    }
}

/// As in the script of the known game of Tablić, and by the names that `simulate` has for it.
#[test]
fn players_sit_in_the_order_that_is_asked_for() {
    let order = |words: &[&str], seed: &str| {
        let bench = Bench::new();
        let head = ["play", "--game", "durak", "--log", "log", "--seed", seed];
        let bots = ["greedy", "random"];
        let mut command = bench.arbiter([&head[..], words, &bots].concat());
        let typed = std::fs::File::open(bench.write("typed", "")).expect("it was written");
        run(command.stdin(typed)).with_code(0);
        seated(&bench)
    };
    assert_eq!(order(&["--order", "fixed"], "1"), ["you", "greedy", "random"]);
    assert_eq!(order(&["--order", "reversed"], "1"), ["random", "greedy", "you"]);
    assert_eq!(order(&["--order", "reversed", "--seat", "1"], "1"), ["random", "you", "greedy"]);
    let drawn: Vec<Vec<String>> =
        (1..=6).map(|seed: u64| order(&["--order", "random"], &seed.to_string())).collect();
    assert_eq!(order(&["--order", "random"], "1"), drawn[0], "it follows from the seed");
    let different: BTreeSet<&Vec<String>> = drawn.iter().collect();
    assert!(different.len() > 1, "{drawn:?}");
    let bench = Bench::new();
    let refused = run(&mut play(&bench, "durak", &["--order", "rotate", "greedy"])).with_code(2);
    assert!(refused.stderr.contains("[possible values: fixed, reversed, random]"), "{refused:?}");
}

/// The rules are those of the game that is played, and asking for them costs no move.
#[test]
fn rules_are_told_at_every_prompt() {
    let bench = Bench::new();
    let ended = through_a_pipe(&bench, "coup", &["greedy"], "rules\nhelp\n").without_error();
    let (_, told) = ended.stdout.split_once("> rules\nCoup in short\n").expect("the rules");
    assert_says(told, &["a contessa blocks it", "rules     a summary of the rules\n"]);
    let game = log::games(&bench.path("log")).remove(0);
    assert!(log::answers(&game).iter().all(|it| it["verdict"] != "ok" || it["seat"] != 0));
}

/// A person is shown the result of a game for them, as the points say.
#[test]
fn players_learn_if_they_won_or_lost() {
    let mut told = BTreeSet::new();
    for (game, words, lines) in [
        ("tablic", &["--games", "3", "random"][..], "auto\n".repeat(24 * 3)),
        ("durak", &["--seats", "3", "greedy", "random"], "1\n".repeat(400)),
        ("coup", &["--games", "4", "expert"], "1\n".repeat(400)),
    ] {
        let bench = Bench::new();
        let ended = through_a_pipe(&bench, game, words, &lines);
        let games = log::games(&bench.path("log"));
        let ends: Vec<&str> =
            ended.stdout.lines().filter(|it| it.starts_with("You ") && it.ends_with('.')).collect();
        assert_eq!(ends.len(), games.len(), "{}", ended.stdout);
        for (game, end) in games.iter().zip(ends) {
            let scores = game["result"]["scores"].as_array().expect("scores");
            let scores: Vec<f64> = scores.iter().map(|it| it.as_f64().expect("a score")).collect();
            let own = scores[log::seat_of(game, "you")];
            let best = scores.iter().copied().fold(f64::MIN, f64::max);
            let equal = scores.iter().filter(|score| **score == own).count();
            let expected = match equal {
                _ if own < best => "You lost.",
                1 => "You won.",
                _ => "You won, together with ",
            };
            assert!(end.starts_with(expected), "{end} for {scores:?}");
            told.insert(expected);
        }
    }
    assert!(told.contains("You lost.") && told.contains("You won."), "{told:?}");
}
