//! Coup and its classic dialect against vectors made by an independent implementation.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use coup_scene::{Scene, lines, seat};
use rules::coup::classic::{Unread, file};
use rules::coup::{Chance, Character, Hand};
use rules::{Game, Turn};
use serde::Deserialize;

mod coup_scene;

const LEGAL: &str = include_str!("vectors/coup-legal.jsonl");
const EFFECTS: &str = include_str!("vectors/coup-effects.jsonl");
const GAMES: &str = include_str!("vectors/coup-games.jsonl");

/// The effects whose cards are those of no pack, four of a kind among them: their decks are not
/// compared.
const NO_PACK: [u32; 3] = [54, 58, 108];

/// A question, and what may be appended.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LegalVector {
    id: u32,
    note: String,
    history: String,
    last_line: String,
    hand: String,
    cards_arg: String,
    coins: u32,
    opp_coins: u32,
    my_turn: bool,
    exchange_draw: bool,
    legal: Vec<String>,
}

/// One call and what came of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EffectVector {
    id: u32,
    note: String,
    history: String,
    hand: String,
    opp_hand: String,
    coins: u32,
    opp_coins: u32,
    deck: String,
    args: Vec<String>,
    append: String,
    file_after: String,
    stdout: String,
    exit: i32,
    after: After,
    result: Option<Ended>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    hand: String,
    opp_hand: String,
    coins: u32,
    opp_coins: u32,
    deck: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ended {
    winner: String,
    reason: String,
}

/// A whole game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the vectors say more than a test needs")]
struct GameVector {
    seed: u32,
    round: u32,
    game: u32,
    players: Vec<String>,
    deck: String,
    coins: [u32; 2],
    deal: Vec<String>,
    calls: Vec<CallVector>,
    history: String,
    result: GameResult,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallVector {
    who: usize,
    args: Vec<String>,
    append: String,
    #[serde(default)]
    stdout: String,
    deck: Vec<(String, String)>,
    coins: [u32; 2],
    cards: [String; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameResult {
    winner: usize,
    reason: String,
    calls: u32,
}

fn read<T: for<'de> Deserialize<'de>>(vectors: &str) -> Vec<T> {
    vectors.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Draws these cards for whoever is due.
fn draw(scene: &mut Scene, cards: &mut impl Iterator<Item = Character>) {
    while scene.game.turn() == Turn::Nature {
        let debt = scene.game.due().unwrap();
        let drawn: Vec<_> = cards.take(debt.cards().unwrap()).collect();
        let (to, cards) = (debt.seat(), Hand::new(&drawn).unwrap());
        let chance = Chance::Draw { to, cards };
        scene.game.happen(&chance, &mut scene.events).unwrap();
    }
}

#[test]
fn legal_texts_are_those_of_the_vectors_in_their_order() {
    let vectors: Vec<LegalVector> = read(LEGAL);
    assert_eq!(vectors.len(), 91);
    for vector in vectors {
        let what = format!("{}: {} after {:?}", vector.id, vector.note, vector.history);
        let actor = lines::actor(&vector.history);
        let caller = if vector.my_turn { actor } else { seat(1 - actor.index()) };
        assert!(vector.history.ends_with(&vector.last_line), "{what}");
        let own = lines::hand(&vector.hand);
        let (mut hands, mut coins) = ([lines::hand("0="); 2], [vector.opp_coins; 2]);
        if own.cards().iter().any(|card| hands[0].contains(*card)) {
            hands = [lines::hand("_"); 2];
        }
        (hands[caller.index()], coins[caller.index()]) = (own, vector.coins);
        let mut scene = lines::at(&vector.history, hands, [Hand::EMPTY; 2], coins);
        if vector.exchange_draw {
            scene.draw(&mut coup_scene::nature());
        }
        assert_eq!(scene.mover(), caller.index(), "{what}");
        let call = scene.call();
        assert_eq!(call.file(), vector.history, "{what}");
        let [other, coins, cards, legal @ ..] = call.arguments() else { panic!("{what}") };
        assert_eq!(*other, vector.opp_coins.to_string(), "{what}");
        assert_eq!(*coins, vector.coins.to_string(), "{what}");
        let drawn = if vector.exchange_draw { 2 } else { 0 };
        assert_eq!(cards[drawn..], vector.cards_arg, "{what}");
        assert_eq!(legal, vector.legal, "{what}");
    }
}

#[test]
fn effects_are_those_of_the_vectors() {
    let vectors: Vec<EffectVector> = read(EFFECTS);
    assert_eq!(vectors.len(), 34);
    for vector in vectors {
        let what = format!("{}: {}", vector.id, vector.note);
        let actor = lines::actor(&vector.history).index();
        let line = lines::last_line(&vector.history);
        // On a line of even length, or a new one, the caller is the seat whose turn it is.
        let me = if line.len().is_multiple_of(2) { actor } else { 1 - actor };
        let by_seat = |own, other| if me == 0 { [own, other] } else { [other, own] };
        let hands = [&vector.hand, &vector.opp_hand].map(|hand| lines::hand(hand));
        let hands = by_seat(hands[0], hands[1]);
        let coins = [vector.coins, vector.opp_coins];
        let coins = if me == 0 { coins } else { [coins[1], coins[0]] };
        let lost = lines::lost(hands, &vector.deck);
        assert!(lost.is_some() || NO_PACK.contains(&vector.id), "{what}");
        let mut scene = lines::at(&vector.history, hands, lost.unwrap_or_default(), coins);
        let pops: Vec<_> = lines::cards_of(&vector.deck).collect();
        let mut pops = pops.into_iter().rev();
        draw(&mut scene, &mut pops);
        assert_eq!(scene.mover(), me, "{what}");
        let call = scene.call();
        assert_eq!(call.arguments(), vector.args, "{what}");
        let answer = call.read(vector.file_after.as_bytes(), vector.stdout.as_bytes());
        match (answer, &vector.result) {
            (_, Some(ended)) if ended.reason == "exit_status" => {
                assert_ne!(vector.exit, 0, "{what}: the program failed, whatever it wrote");
            }
            (Err(unread), Some(ended)) => {
                let expected: &[&str] = match unread {
                    Unread::NotCards { .. } => &["illegal_exchange"],
                    _ => &["illegal_move", "modified_file"],
                };
                assert!(expected.contains(&ended.reason.as_str()), "{what}: {unread}");
                assert_eq!(ended.winner, "opp", "{what}");
            }
            (Ok(mv), ended) => {
                assert_eq!(vector.file_after, format!("{}{}", vector.history, vector.append));
                scene.play(mv);
                assert_eq!(file(&scene.events), vector.file_after, "{what}");
                draw(&mut scene, &mut pops);
                check_after(&scene, me, &vector, &what);
                let winner =
                    scene.scores().map(|scores| if scores[me] == "1" { "me" } else { "opp" });
                let expected = ended.as_ref().map(|ended| ended.winner.as_str());
                assert_eq!(winner, expected, "{what}");
            }
            (Err(unread), None) => panic!("{what}: {unread}"),
        }
    }
}

fn check_after(scene: &Scene, me: usize, vector: &EffectVector, what: &str) {
    let After { hand, opp_hand, coins, opp_coins, deck } = &vector.after;
    let found = [me, 1 - me].map(|number| lines::written(scene.game.hand(seat(number))));
    // The vectors leave the second of two cards that are lost at once where it was.
    let both = vector.result.as_ref().is_some_and(|ended| ended.reason == "both_cards");
    let own = if both { "" } else { hand };
    assert_eq!(found, [own, opp_hand], "{what}");
    let found = [me, 1 - me].map(|number| scene.coins()[number]);
    assert_eq!(found, [*coins, *opp_coins], "{what}");
    if NO_PACK.contains(&vector.id) {
        return;
    }
    let mut left: Vec<char> = lines::written(scene.game.deck().cards()).chars().collect();
    left.sort_unstable();
    assert_eq!(left.into_iter().collect::<String>(), *deck, "{what}");
}

#[test]
fn whole_games_go_as_in_the_vectors() {
    let vectors: Vec<GameVector> = read(GAMES);
    assert_eq!(vectors.len(), 12);
    for vector in vectors {
        let dealt = lines::hand(&vector.deal.concat());
        let hands = [&dealt.cards()[..2], &dealt.cards()[2..]];
        let [first, second] = hands.map(|cards| Hand::new(cards).unwrap().to_string());
        let mut scene = Scene::dealt(&first, &second);
        assert_eq!(scene.coins(), vector.coins);
        for call in &vector.calls {
            let pops = call.deck.iter().filter(|(what, _)| what == "pop");
            let pops: String = pops.map(|(_, card)| card.as_str()).collect();
            let mut pops = lines::cards_of(&pops).collect::<Vec<_>>().into_iter();
            draw(&mut scene, &mut pops);
            assert_eq!(scene.mover() + 1, call.who);
            let asked = scene.call();
            assert_eq!(asked.arguments(), call.args, "{}", vector.history);
            let after = format!("{}{}", asked.file(), call.append);
            scene.play(asked.read(after.as_bytes(), call.stdout.as_bytes()).unwrap());
            // A draw for a shown card belongs to the call that shows it.
            if pops.len() > 0 {
                draw(&mut scene, &mut pops);
            }
            assert_eq!(scene.coins(), call.coins, "{}", vector.history);
            let cards = [0, 1].map(|number| lines::written(scene.game.hand(seat(number))));
            if scene.scores().is_none() || vector.result.reason != "both_cards" {
                assert_eq!(cards, call.cards, "{}", vector.history);
            }
        }
        assert_eq!(file(&scene.events), vector.history);
        assert_eq!(scene.game.decisions(), vector.result.calls, "a call is a decision");
        let scores = scene.scores().unwrap();
        assert_eq!(scores[vector.result.winner - 1], "1");
    }
}
