//! A person who plays a custom game at a terminal.

#![cfg(target_os = "linux")]

use tests::bench::Bench;
use tests::playing::play;
use tests::typing::{Typing, plain};
use tests::{log, own_games};

/// The lines of the view are shown, and moves are chosen by number or text.
#[test]
fn leduc_is_played_at_a_terminal() {
    let bench = Bench::new();
    let Some(leduc) = own_games::leduc_beside_logs(&bench) else { return };
    let mut typing = Typing::start(&mut play(&bench, leduc, &["random"]));
    assert!(typing.line("hint").story.contains("\nyour move:\n  1  check\n  2  raise\n"));
    assert!(typing.line("rules").story.contains("no built-in bot plays this game"));
    assert!(typing.line("fly").story.contains("There are six cards"));
    assert!(typing.line("ra").story.contains("it is not one of the legal moves"));
    while let Some(asked) = typing.try_prompt() {
        assert_eq!(asked.prompt, "move> ");
        typing.keys("1\r");
    }
    let seen = typing.end_well();
    bench.verify(&bench.path("log"));
    let seen = plain(&seen);
    let game = log::games(&bench.path("log")).remove(0);
    let events: Vec<&str> =
        game["events"].as_array().expect("events").iter().filter_map(|it| it.as_str()).collect();
    let card = |seat: usize| {
        let start = format!("deal {seat} ");
        let card = events.iter().find_map(|event| event.strip_prefix(start.as_str()));
        card.expect("a card").to_owned()
    };
    let (own, other) = (card(0), card(1));
    let (before, after) =
        seen.split_once("\nall cards, now that the game is over\n").expect("its end");
    for expected in [
        format!("\nYou get {own}\nrandom gets a card\n"),
        format!(
            "\nseats  0 you (your seat)  pot 1\n       1 random           pot 1\nround  1\ncard   {own}\n"
        ),
        "\nYou raise\n".to_owned(),
    ] {
        assert!(before.contains(&expected), "`{expected}` is not in\n{before}");
    }
    assert!(!before.contains(&format!("random gets {other}")), "{before}");
    let cards = format!("  you     card {own}\n  random  card {other}\n\nresult: you ");
    assert!(after.starts_with(&cards), "`{cards}` does not begin\n{after}");
}

/// Of the built-in bots, only `random` plays every game.
#[test]
fn the_opponent_in_a_game_of_ones_own_is_random_unless_one_is_named() {
    let bench = Bench::new();
    let Some(leduc) = own_games::leduc_beside_logs(&bench) else { return };
    let ended = tests::playing::through_a_pipe(&bench, leduc, &["--seat", "1"], "");
    assert!(ended.stdout.contains("game 0: seat 0 random, seat 1 you\n"), "{ended:?}");
    assert!(ended.stdout.ends_with("you left the game\nseed: ") || ended.code == Some(0));
}
