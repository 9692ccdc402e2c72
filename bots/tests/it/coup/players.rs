//! The players of Coup that do not look ahead, case by case.

use bots::coup::Coup;
use bots::{AnyPlayer, Players};
use rules::Game;
use rules::coup::Move;

use crate::coup::sample_game::{SampleGame, game_after};

fn player(name: &str) -> AnyPlayer<Coup> {
    Coup::player(name, &[]).expect("a player")
}

/// A player's answer after these lines.
fn answer(name: &str, lines: &str) -> String {
    player(name).choose(&game_after(lines).request()).expect("a move").to_string()
}

/// A player's action, given its hand and its coins.
fn action(name: &str, hand: &str, coins: usize) -> String {
    let rounds = "; income; income".repeat(coins - 1);
    answer(name, &format!("deal 0 {hand}; deal 1 contessa captain{rounds}"))
}

/// A player's answer to an action, given its hand.
fn reply(name: &str, hand: &str, to: &str) -> String {
    let rounds = "; income; income".repeat(2);
    answer(name, &format!("deal 0 duke assassin; deal 1 {hand}{rounds}; {to}"))
}

#[test]
fn greedy_acts_by_hand_and_coins() {
    for (hand, coins, expected) in [
        ("contessa contessa", 1, "foreign-aid"),
        ("contessa ambassador", 1, "exchange"),
        ("ambassador captain", 1, "steal 1"),
        ("captain duke", 1, "tax"),
        ("duke assassin", 2, "tax"),
        ("duke assassin", 3, "assassinate 1"),
        ("duke assassin", 7, "coup 1"),
        ("contessa contessa", 10, "coup 1"),
    ] {
        assert_eq!(action("greedy", hand, coins), expected, "{hand} and {coins} coins");
    }
}

#[test]
fn greedy_blocks_with_the_card_alone() {
    for (hand, to, expected) in [
        ("duke contessa", "foreign-aid", "block duke"),
        ("contessa contessa", "foreign-aid", "pass"),
        ("captain ambassador", "steal 1", "block ambassador"),
        ("captain duke", "steal 1", "block captain"),
        ("duke duke", "steal 1", "pass"),
        ("contessa duke", "assassinate 1", "block contessa"),
        ("captain duke", "assassinate 1", "lose captain"),
    ] {
        assert_eq!(reply("greedy", hand, to), expected, "{to} against {hand}");
    }
}

#[test]
fn greedy_challenges_what_cannot_be() {
    let deals = "deal 0 duke duke; deal 1 duke contessa; income";
    assert_eq!(answer("greedy", &format!("{deals}; tax")), "pass", "there is one duke more");
    // Now the third is lost.
    let lost = format!("{deals}; steal 0; challenge; lose duke");
    assert_eq!(answer("greedy", &format!("{lost}; income; tax")), "challenge");
    assert_eq!(answer("greedy", &format!("{lost}; foreign-aid; block duke")), "challenge");
    assert_eq!(answer("greedy", &format!("{lost}; income; exchange")), "pass");
}

#[test]
fn greedy_challenges_for_its_last_card() {
    let last = "deal 0 duke assassin; deal 1 captain duke; tax; challenge; show duke; \
                draw 0 contessa; lose captain; end; income; assassinate 1";
    assert_eq!(answer("greedy", last), "challenge");
}

#[test]
fn greedy_keeps_different_cards_of_the_greatest_worth() {
    let drawn = |cards: &str| {
        let lines = "deal 0 ambassador duke; deal 1 captain duke; exchange; pass; draw 0";
        answer("greedy", &format!("{lines} {cards}"))
    };
    assert_eq!(drawn("duke captain"), "keep duke captain");
    assert_eq!(drawn("contessa contessa"), "keep duke contessa");
}

#[test]
fn challenger_challenges_whenever_it_may() {
    for lines in ["tax", "exchange", "steal 1", "foreign-aid; block duke"] {
        let lines = format!("deal 0 captain captain; deal 1 duke duke; {lines}");
        assert_eq!(answer("challenger", &lines), "challenge");
    }
}

#[test]
fn calculator_challenges_every_block() {
    for block in ["captain", "ambassador"] {
        let deals = "deal 0 captain captain; deal 1 duke contessa";
        let lines = format!("{deals}; steal 1; block {block}");
        assert_eq!(answer("calculator", &lines), "challenge");
    }
    assert_eq!(reply("calculator", "duke contessa", "steal 1"), "pass");
    assert_eq!(reply("calculator", "duke contessa", "foreign-aid"), "block duke");
}

#[test]
fn calculator_plays_the_plan_of_the_fewest_turns() {
    assert_eq!(action("calculator", "duke duke", 1), "tax");
    assert_eq!(action("calculator", "contessa ambassador", 1), "foreign-aid");
    assert_eq!(action("calculator", "assassin contessa", 3), "assassinate 1");
    assert_eq!(action("calculator", "duke duke", 7), "coup 1");
}

#[test]
fn calculator_bluffs_where_the_opponent_would_win_first() {
    let lines =
        "deal 0 contessa contessa; deal 1 duke duke; foreign-aid; pass; end; tax; pass; end";
    assert_eq!(answer("calculator", lines), "assassinate 1");
    let doubted = "deal 0 contessa duke; deal 1 duke duke; tax; challenge; show duke; \
                   draw 0 contessa; lose duke; end; tax; pass; end";
    assert_eq!(answer("calculator", doubted), "foreign-aid", "not against one who doubts");
}

#[test]
fn calculator_doubts_what_is_unlikely() {
    let lines = |hand: &str| format!("deal 0 captain ambassador; deal 1 {hand}; tax");
    assert_eq!(answer("calculator", &lines("duke duke")), "challenge");
    assert_eq!(answer("calculator", &lines("duke contessa")), "pass");
}

#[test]
fn calculator_doubts_who_would_win_first() {
    let lines = |action: &str| {
        let before = "deal 0 contessa contessa; deal 1 duke captain";
        format!("{before}; tax; pass; end; income; foreign-aid; pass; end; income; {action}")
    };
    // Believed, the opponent needs two turns.
    assert_eq!(answer("calculator", &lines("exchange")), "challenge");
    assert_eq!(answer("calculator", &lines("steal 1")), "block captain", "it can");
}

/// Every player has a legal answer to every request of whole games.
#[test]
fn every_player_answers_every_decision_of_many_games() {
    for name in ["random", "greedy", "challenger", "calculator"] {
        let (mut player, mut claimant) = (player(name), player("random"));
        for deal in 0..60 {
            let mut sample = SampleGame::new();
            let mut nature = rules::Seed([3; 32]).nature(deal);
            while sample.game.current_debt().is_some() {
                if let Some(chance) = sample.game.sample(&mut nature) {
                    sample.tell(&chance.to_string());
                    continue;
                }
                let mut request = sample.request();
                request.heading.seed = rules::BotSeed([sample.game.decisions() as u8; 8]);
                let mv = player.choose(&request).expect("a move");
                assert!(request.legal.contains(&mv), "{name} plays {mv} at\n{request}");
                let honest = match mv {
                    Move::Block(card) if name != "random" && name != "challenger" => {
                        request.view.hand.contains(card)
                    }
                    _ => true,
                };
                assert!(honest, "{name} bluffs a block at\n{request}");
                // The other seat plays at random, so that there is something to answer.
                let other = request.heading.seat.index() == 1;
                let mv = if other { claimant.choose(&request).expect("a move") } else { mv };
                sample.tell(&mv.to_string());
            }
        }
    }
}
