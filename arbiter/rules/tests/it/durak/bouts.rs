//! Durak by its rules: the deal, and how a bout goes.

use rules::durak::Durak;
use rules::{Game, Turn};

use crate::durak::scene;
use crate::durak::scene::{Scene, seat};

// The deal, and who attacks first.

#[test]
fn six_cards_go_to_each_seat_and_the_trump_card_is_the_last_of_the_talon() {
    let scene = Scene::two("");
    assert_eq!(scene.hand(0), "6C 6D 6H 7C 7S 10D");
    assert_eq!((scene.line("hands"), scene.line("talon")), ("6 6".into(), "24".into()));
    assert_eq!(scene.line("trump"), "AS");
    assert!(scene.game.talon().contains("AS".parse().unwrap()));
    assert_eq!(
        scene.visible_to(1, 0)[..2],
        ["deal 0 ?? ?? ?? ?? ?? ??", "deal 1 7D 7H 8C 9C JD QS"]
    );
}

#[test]
fn a_card_that_is_dealt_is_not_in_the_talon() {
    let mut scene = Scene::new("seats=2").then("deal 0 6C 6D 6H 6S 7C 7D");
    let mut refused = |chance: &str| {
        let before = scene.game.clone();
        let refused = scene.game.happen(&chance.parse().unwrap(), &mut Vec::new());
        assert_eq!(scene.game, before);
        refused.unwrap_err().to_string()
    };
    assert_eq!(refused("deal 1 6C 7H 8C 8D 8H 8S"), "cannot come: 6C");
    assert_eq!(refused("deal 1 5C 7H 8C 8D 8H 8S"), "cannot come: 5C");
    let expected = "expected `deal 1` with 6 cards, found `deal 1 7H`";
    assert_eq!(refused("deal 1 7H"), expected);
    assert_eq!(refused("trump 7H"), "expected `deal 1` with 6 cards, found `trump 7H`");
}

#[test]
fn with_the_whole_pack_dealt_the_trump_card_lies_in_the_last_hand_before_the_eyes_of_all() {
    let hands = [
        "6C 7C 8C 9C 10C JC",
        "6D 7D 8D 9D 10D JD",
        "6H 7H 8H 9H 10H JH",
        "QC KC AC QD KD AD",
        "6S 7S 8S 9S 10S QH",
        "JS QS KS AS KH AH",
    ];
    let dealt = Scene::new("seats=6 deck=36");
    let dealt = hands
        .iter()
        .enumerate()
        .fold(dealt, |scene, (seat, hand)| scene.then(&format!("deal {seat} {hand}")));
    let elsewhere = dealt.game.clone().happen(&"trump 6S".parse().unwrap(), &mut Vec::new());
    assert_eq!(elsewhere.unwrap_err().to_string(), "cannot come: 6S");
    let scene = dealt.then("trump KH");
    assert_eq!((scene.line("talon"), scene.line("known 5")), ("0".into(), "KH".into()));
    // The trump card itself can be the lowest trump, and hearts have a lower one here.
    assert_eq!(scene.events(6), ["trump KH", "first 2 6H"]);
    assert_eq!(Scene::four("").line("known 3"), "AS");
}

#[test]
fn the_lowest_trump_attacks_first_and_is_shown() {
    let scene = Scene::two("");
    assert_eq!(scene.visible_to(1, 2), ["trump AS", "first 0 7S"]);
    assert_eq!((scene.line("known 0"), scene.line("known 1")), ("7S".into(), String::new()));
    assert_eq!(scene.turn(), "0 lead");
    assert_eq!(scene.then("0 lead 7S").line("known 0"), "", "it has left the hand");
}

#[test]
fn an_ace_is_the_highest_trump() {
    let hands = ["6C 6D 6H 7C 7D AS", "7H 8C 9C JD 10D KS"];
    assert_eq!(Scene::dealt("", &hands, "6S").events(3), ["first 1 KS"]);
}

#[test]
fn seat_0_attacks_first_if_no_seat_holds_a_trump() {
    let hands = ["6C 6D 6H 7C 7D 10D", "7H 8C 9C JD QD KD"];
    let scene = Scene::dealt("", &hands, "6S");
    assert_eq!(scene.events(2), ["trump 6S", "first 0 none"]);
    assert_eq!(scene.turn(), "0 lead");
}

// The bout.

#[test]
fn the_attacker_must_lead_one_card_and_may_lead_any() {
    let scene = Scene::two("");
    let all = ["lead 6C", "lead 6D", "lead 6H", "lead 7C", "lead 7S", "lead 10D"];
    assert_eq!(scene.legal(), all);
    assert_eq!(scene.refusal("lead 8C"), "8C is not in the hand");
    assert_eq!(scene.refusal("done"), "`done` is no answer here: expected `lead CARD`");
    assert_eq!(scene.refusal("beat 6C"), "`beat 6C` is no answer here: expected `lead CARD`");
}

#[test]
fn a_higher_card_of_the_suit_or_a_trump_beats_and_no_seat_must_beat() {
    let scene = Scene::two("").then("0 lead 7C");
    assert_eq!(scene.turn(), "1 defend");
    assert_eq!(scene.legal(), ["beat 8C", "beat 9C", "beat QS", "take"]);
    let lower = "7D does not beat 7C: expected a higher card of its suit or a trump";
    assert_eq!(scene.refusal("beat 7D"), lower);
    assert_eq!(scene.refusal("beat KC"), "KC is not in the hand");
    let elsewhere = "`throw 8C` is no answer here: expected `beat CARD` or `take`";
    assert_eq!(scene.refusal("throw 8C"), elsewhere);
    let trump = Scene::three("").then("0 lead KC; 1 beat 10S");
    assert_eq!(trump.line("table"), "KC 10S");
    let against_trump = Scene::two("").then("0 lead 7S");
    assert_eq!(against_trump.legal(), ["beat QS", "take"]);
    let no_trump = "JD does not beat the trump 7S: expected a higher trump";
    assert_eq!(against_trump.refusal("beat JD"), no_trump);
}

#[test]
fn cards_of_a_rank_on_the_table_may_be_thrown() {
    let scene = Scene::two("").then("0 lead 6C; 1 beat 9C");
    assert_eq!(scene.turn(), "0 throw");
    assert_eq!(scene.legal(), ["throw 6D", "throw 6H", "done"]);
    let expected = "7C cannot be thrown: expected a rank that lies on the table";
    assert_eq!(scene.refusal("throw 7C"), expected);
    assert_eq!(scene.refusal("throw 9D"), "9D is not in the hand");
    let again = scene.then("0 throw 6D; 1 beat 7D");
    assert_eq!(again.legal(), ["throw 6H", "throw 7C", "throw 7S", "done"], "beats count too");
}

#[test]
fn throws_are_offered_to_the_attacker_first_then_clockwise_never_to_the_defender() {
    let scene = Scene::four("").then("0 lead 9D; 1 beat 10D");
    assert_eq!(scene.turn(), "0 throw");
    let scene = scene.then("0 done");
    assert_eq!(
        (scene.turn(), scene.legal().join(", ")),
        ("2 throw".into(), "throw 10S, done".into())
    );
    let scene = scene.then("2 done");
    assert_eq!((scene.turn(), scene.legal()), ("3 throw".into(), vec!["done".to_owned()]));
    assert_eq!(scene.then("3 done").turn(), "1 lead");
}

#[test]
fn after_a_throw_is_beaten_the_offer_starts_again_at_the_attacker() {
    let scene = Scene::four("").then("0 lead 9D; 1 beat 10D; 0 done; 2 throw 10S");
    assert_eq!((scene.turn(), scene.line("table")), ("1 defend".into(), "9D 10D, 10S".into()));
    let scene = scene.then("1 beat JS");
    assert_eq!(scene.turn(), "0 throw");
    assert_eq!(scene.then("0 done").turn(), "2 throw");
}

#[test]
fn after_take_the_same_seat_is_asked_until_it_is_done_and_then_never_again() {
    let scene = Scene::four("").then("0 lead 10C; 1 take");
    assert_eq!((scene.turn(), scene.line("taking")), ("0 throw".into(), "yes".into()));
    let given = Scene::four("").then("0 lead 9D; 1 take; 0 throw 9C; 0 throw 9H");
    assert_eq!((given.turn(), given.line("table")), ("0 throw".into(), "9D, 9C, 9H".into()));
    let scene = scene.then("0 done; 2 throw 10S");
    assert_eq!(scene.turn(), "2 throw");
    let end = scene.then("2 done; 3 done");
    assert_eq!(end.events(11), ["3 done", "pick-up 1 10C 10S"]);
    assert_eq!((end.turn(), end.hand(1)), ("2 lead".into(), "10C 10D 10H 10S JD JS QC QD".into()));
    assert_eq!(end.line("known 1"), "10C 10S", "everybody saw them");
    // Seat 0 still holds two nines, but it was done.
    let end = Scene::four("").then("0 lead 9D; 1 take; 0 done; 2 done; 3 done");
    assert_eq!((end.turn(), end.hand(0)), ("2 lead".into(), "9C 9H 9S 10C JC".into()));
}

#[test]
fn cards_that_were_beaten_before_take_are_taken_too_and_give_ranks() {
    let scene = Scene::two("").then("0 lead 6C; 1 beat 9C; 0 throw 6D; 1 take");
    assert_eq!((scene.line("table"), scene.line("left")), ("6C 9C, 6D".into(), "4".into()));
    assert_eq!(scene.legal(), ["throw 6H", "done"]);
    let taken = scene.then("0 throw 6H; 0 done");
    assert_eq!(taken.hand(1), "6C 6D 6H 7D 7H 8C 9C JD QS");
    assert_eq!(taken.line("known 1"), "6C 6D 6H 9C");
}

#[test]
fn among_neighbours_only_the_seats_beside_the_defender_throw() {
    let scene = Scene::four("throwers=neighbours").then("0 lead 9D; 1 beat 10D; 0 done");
    assert_eq!(scene.turn(), "2 throw");
    assert_eq!(scene.then("2 done").turn(), "1 lead");
    let taking = Scene::four("throwers=neighbours").then("0 lead 9D; 1 take; 0 done; 2 done");
    assert_eq!(taking.turn(), "2 lead");
    let two = Scene::two("throwers=neighbours").then("0 lead 6C; 1 beat 8C; 0 done");
    assert_eq!(two.events.last().unwrap().to_string(), "discard 6C 8C", "once, on both sides");
}

#[test]
fn the_limit_is_fixed_at_the_start_and_counts_attack_cards_alone() {
    let scene = Scene::two("").then("0 lead 6C");
    assert_eq!(scene.line("left"), "5");
    let scene = scene
        .then("1 beat 8C; 0 throw 6D; 1 beat 7D; 0 throw 6H; 1 beat 7H; 0 throw 7C; 1 beat 9C");
    // Four cards have left the defender's hand, and still two more may come.
    assert_eq!((scene.line("hands"), scene.line("left")), ("2 2".into(), "2".into()));
    assert_eq!(scene.legal(), ["throw 7S", "done"]);
}

/// Every seat but the attacker beats, and no seat throws: five cards each, and seat 3 attacks.
const ONCE_ROUND: &str = "0 lead 9D; 1 beat 10D; 0 done; 2 done; 3 done; \
                          1 lead QC; 2 beat KC; 1 done; 3 done; 0 done; \
                          2 lead KD; 3 beat AD; 2 done; 0 done; 1 done";

#[test]
fn the_limit_is_no_more_than_the_defender_holds() {
    let scene = Scene::four("").then(ONCE_ROUND);
    assert_eq!((scene.turn(), scene.line("hands")), ("3 lead".into(), "5 4 4 5".into()));
    assert_eq!(scene.line("left"), "5", "seat 0 defends with five cards");
}

#[test]
fn the_first_bout_may_be_limited_to_five_attack_cards() {
    let first = Scene::two("first-limit=5");
    assert_eq!(first.line("left"), "5");
    let limited = first.then("0 lead 6C; 1 take; 0 throw 6D; 0 throw 6H; 0 done; draw 0 QC QD QH");
    assert_eq!((limited.turn(), limited.line("left")), ("0 lead".into(), "6".into()));
    // Passing the attack on makes it no other bout.
    let transfer = Scene::three("first-limit=5 transfer=on").then("0 lead 9C; 1 transfer 9D");
    assert_eq!(transfer.line("left"), "3");
}

#[test]
fn no_seat_is_asked_to_throw_once_the_limit_is_reached() {
    let hands = ["6C 6D 6H 7C 7S 9D", "7D 7H 8C 9C JD QS"];
    let five = Scene::dealt("first-limit=5", &hands, "AS").then(
        "0 lead 6C; 1 beat 8C; 0 throw 6D; 1 beat 7D; 0 throw 6H; 1 beat 7H; 0 throw 7C; \
         1 beat 9C; 0 throw 9D; 1 beat JD",
    );
    assert!(five.events(0).last().unwrap().starts_with("discard "));
    let taken = Scene::dealt("first-limit=5", &hands, "AS").then(
        "0 lead 6C; 1 beat 8C; 0 throw 6D; 1 beat 7D; 0 throw 6H; 1 beat 7H; 0 throw 7C; \
         1 beat 9C; 0 throw 9D; 1 take",
    );
    assert!(taken.events(0).last().unwrap().starts_with("pick-up 1 "), "also where it takes");
}

// A seat that could throw nothing.

#[test]
fn a_seat_with_nothing_to_throw_is_passed_and_looks_like_one_that_chose_it() {
    let asked = Scene::four("").then("0 lead 9D; 1 beat 10D; 0 done");
    assert_eq!((asked.game.forced(), asked.legal().len()), (None, 2));
    let passed = asked.then("2 done");
    assert_eq!(passed.legal(), ["done"]);
    assert_eq!(passed.game.forced().map(|mv| mv.to_string()), Some("done".to_owned()));
    // The same seat, with a card that it could throw: all others see the same.
    let mut other = scene::FOUR;
    other[2] = "JH QH KC KD KH AC";
    other[3] = "10S QS KS AD AH AS";
    let chosen =
        Scene::dealt("deck=24", &other, "AS").then("0 lead 9D; 1 beat 10D; 0 done; 2 done");
    assert_eq!((chosen.game.forced(), chosen.turn()), (None, "3 throw".to_owned()));
    let (passed, chosen) = (passed.then("3 done"), chosen.then("3 done"));
    for watcher in 0..2 {
        assert_eq!(passed.visible_to(watcher, 0), chosen.visible_to(watcher, 0));
        assert_eq!(passed.game.view(seat(watcher)), chosen.game.view(seat(watcher)));
    }
    assert_eq!(passed.game.decisions(), chosen.game.decisions());
}

#[test]
fn nothing_but_a_throw_is_ever_forced() {
    let only_take = Scene::two("").then("0 lead 10D; 1 beat QS");
    assert_eq!(only_take.turn(), "0 throw");
    let hands = ["6C 6D 6H 7C 7D AS", "7H 8C 9C JC 10D KS"];
    let scene = Scene::dealt("", &hands, "6S").then("1 lead KS");
    assert_eq!(scene.legal(), ["beat AS", "take"]);
    let ace =
        Scene::dealt("", &["6C 6D 6H 7C 7D AS", "7H 8C 9C JC 10D QC"], "6S").then("0 lead AS");
    assert_eq!((ace.legal(), ace.game.forced()), (vec!["take".to_owned()], None));
}

// Transfers.

#[test]
fn without_the_option_nothing_is_transferred() {
    let scene = Scene::three("").then("0 lead 9C");
    assert_eq!(scene.legal(), ["beat 10S", "take"]);
    let off = "`transfer` is off in this game: expected `beat CARD` or `take`";
    assert_eq!(scene.refusal("transfer 9D"), off);
}

#[test]
fn a_transfer_makes_the_defender_the_attacker_and_the_next_seat_the_defender() {
    let scene = Scene::three("transfer=on").then("0 lead 9C");
    assert_eq!(scene.legal(), ["beat 10S", "transfer 9D", "take"]);
    let scene = scene.then("1 transfer 9D");
    assert_eq!((scene.line("attacker"), scene.line("defender")), ("1".into(), "2".into()));
    assert_eq!((scene.line("first"), scene.line("left")), ("0".into(), "4".into()));
    assert_eq!(scene.legal(), ["beat JS", "transfer 9H", "take"]);
    let scene = scene.then("2 transfer 9H");
    assert_eq!(
        (scene.turn(), scene.line("left")),
        ("0 defend".into(), "2".into()),
        "of five cards"
    );
    assert_eq!(scene.line("table"), "9C, 9D, 9H");
    // Throws are offered to the new attacker first.
    assert_eq!(scene.then("0 take").turn(), "2 throw");
}

#[test]
fn with_several_attack_cards_the_first_that_is_not_beaten_is_answered() {
    let scene = Scene::three("transfer=on").then("0 lead 9C; 1 transfer 9D; 2 beat JS");
    assert_eq!((scene.turn(), scene.line("table")), ("2 defend".into(), "9C JS, 9D".into()));
    assert_eq!(scene.legal(), ["beat KD", "take"]);
    let late = "an attack card has been beaten: expected `beat CARD` or `take`";
    assert_eq!(scene.refusal("transfer 9H"), late);
    assert_eq!(scene.then("2 beat KD").turn(), "1 throw");
}

#[test]
fn only_a_card_of_the_same_rank_transfers() {
    let scene = Scene::three("transfer=on").then("0 lead 9C");
    let other = "10D cannot pass on 9C: expected a card of its rank";
    assert_eq!(scene.refusal("transfer 10D"), other);
    assert_eq!(scene.refusal("transfer 9H"), "9H is not in the hand");
}

#[test]
fn a_transfer_needs_a_next_hand_that_is_large_enough() {
    let scene = small_next_hand();
    let Some(bout) = scene.game.bout() else { panic!("a bout") };
    let next = scene.game.players().iter().find(|seat| **seat != bout.defender()).unwrap();
    assert_eq!(scene.game.hand(*next).len(), 1);
    assert!(scene.legal().iter().all(|mv| !mv.starts_with("transfer")));
    let rank = bout.table().attacks()[0].rank();
    let mut alike = scene.game.hand(bout.defender()).iter().filter(|card| card.rank() == rank);
    let transfer = format!("transfer {}", alike.next().unwrap());
    let expected = format!("seat {next} can be attacked with 1 cards at most, not with 2");
    assert_eq!(scene.refusal(&transfer), expected);
}

/// A game of two in which the attacker has one card left, and the defender one of the rank led.
fn small_next_hand() -> Scene {
    let stop = |scene: &Scene| {
        let fits = |game: &Durak| {
            let bout = game.bout()?;
            let attack = *bout.table().attacks().first()?;
            let alike = |card: rules::Card| card.rank() == attack.rank();
            let defends = game.turn() == Turn::Seat(bout.defender()) && !bout.is_taken();
            let lead = bout.table().attacks().len() == 1 && bout.table().beats().is_empty();
            let one = game.hand(bout.attacker()).len() == 1;
            Some(defends && lead && one && game.hand(bout.defender()).iter().any(alike))
        };
        fits(&scene.game).unwrap_or(false)
    };
    let games = (0..500).map(|seed| {
        let start = Scene::new("seats=2 transfer=on");
        start.play_until(&mut scene::nature(seed), scene::any, stop)
    });
    games.into_iter().find(|scene| scene.scores().is_none()).unwrap()
}
