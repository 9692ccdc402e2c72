//! Coup by its rules: the actions, the exchange of claims, and what other engines got wrong.

use rules::coup::{Coup, Options};
use rules::{Game, Score};

use crate::coup::scene;
use crate::coup::scene::{Scene, seat};

const POOR: [u32; 2] = [2, 2];

fn scene(first: &str, second: &str) -> Scene {
    Scene::turn([first, second], [3, 3])
}

#[test]
fn each_seat_starts_with_one_coin_and_two_cards() {
    let scene = Scene::dealt("duke captain", "duke duke");
    assert_eq!(scene.coins(), [1, 1]);
    assert_eq!(scene.hands(), ["duke captain", "duke duke"]);
    assert_eq!(scene.visible_to(1), ["deal 0 ?? ??", "deal 1 duke duke"]);
    assert_eq!(scene.mover(), 0);
    assert_eq!(scene.legal(), ["income", "foreign-aid", "tax", "steal 1", "exchange"]);
}

#[test]
fn income_is_one_coin_and_the_end_of_the_turn() {
    let after = scene("duke captain", "contessa contessa").then("income");
    assert_eq!((after.coins(), after.mover()), ([4, 3], 1));
}

#[test]
fn foreign_aid_is_two_coins_unless_blocked() {
    let asked = scene("duke captain", "contessa contessa").then("foreign-aid");
    assert_eq!(asked.legal(), ["pass", "block duke"]);
    assert_eq!(asked.refusal("challenge"), "`foreign-aid` claims no card that could be challenged");
    assert_eq!(asked.clone().then("pass; end").coins(), [5, 3]);
    let blocked = asked.then("block duke");
    assert_eq!(blocked.legal(), ["pass", "challenge"]);
    assert_eq!(blocked.clone().then("pass").coins(), [3, 3]);
    assert_eq!(blocked.then("challenge; lose contessa; end").coins(), [5, 3]);
}

#[test]
fn a_true_duke_stops_foreign_aid_and_costs_the_challenger_a_card() {
    let after = scene("captain captain", "duke contessa")
        .then("foreign-aid; block duke; challenge; show duke; draw 1 assassin; lose captain");
    assert_eq!((after.coins(), after.mover()), ([3, 3], 1));
    assert_eq!(after.hands(), ["captain", "contessa assassin"]);
}

#[test]
fn tax_is_three_coins_unless_caught() {
    let claimed = scene("duke captain", "contessa contessa").then("tax");
    assert_eq!(claimed.legal(), ["pass", "challenge"]);
    assert_eq!(claimed.refusal("block duke"), "duke does not block `tax`");
    assert_eq!(claimed.clone().then("pass; end").coins(), [6, 3]);
    let shown = claimed.then("challenge; show duke; draw 0 duke; lose contessa");
    assert_eq!(shown.coins(), [3, 3]);
    assert_eq!(shown.then("end").coins(), [6, 3]);
    let caught = scene("captain captain", "contessa contessa").then("tax; challenge; lose captain");
    assert_eq!((caught.coins(), caught.mover()), ([3, 3], 1));
}

#[test]
fn coup_costs_seven_when_the_card_is_given_up() {
    let launched = Scene::turn(["duke", "captain contessa"], [7, 0]).then("coup 1");
    assert_eq!(launched.coins(), [7, 0], "the other seat sees the unpaid amount");
    assert_eq!(launched.legal(), ["lose captain", "lose contessa"]);
    let lost = launched.then("lose contessa");
    assert_eq!((lost.coins(), lost.mover()), ([0, 0], 0));
    assert_eq!(lost.then("end").mover(), 1);
}

#[test]
fn actions_that_are_too_dear_or_aimed_at_nothing_are_refused() {
    let poor = Scene::turn(["duke", "duke"], [2, 0]);
    assert_eq!(poor.refusal("coup 1"), "`coup 1` costs 7, but there are 2 coins");
    assert_eq!(poor.refusal("assassinate 1"), "`assassinate 1` costs 3, but there are 2 coins");
    assert_eq!(poor.refusal("steal 1"), "seat 1 has no coin to steal");
    assert_eq!(poor.refusal("steal 0"), "`steal 0` is aimed at a wrong seat: expected 1");
    assert_eq!(poor.refusal("pass"), "`pass` is no answer here: expected an action");
}

#[test]
fn with_ten_coins_coup_is_the_only_action() {
    for coins in [10, 11, 12] {
        let rich = Scene::turn(["duke", "captain contessa"], [coins, 3]);
        assert_eq!(rich.legal(), ["coup 1"]);
        assert_eq!(rich.refusal("tax"), format!("with {coins} coins the only action is coup"));
        assert_eq!(rich.game.forced().unwrap().to_string(), "coup 1");
    }
    assert_eq!(Scene::turn(["duke", "duke"], [9, 3]).legal().len(), 7);
}

#[test]
fn an_assassination_that_is_let_through_costs_three_coins_and_a_card() {
    let claimed = scene("duke captain", "contessa duke").then("assassinate 1");
    let answers = ["challenge", "block contessa", "lose contessa", "lose duke"];
    assert_eq!(claimed.legal(), answers);
    assert_eq!(claimed.coins(), [3, 3], "the other seat sees the unpaid amount");
    let lost = claimed.then("lose duke");
    assert_eq!((lost.coins(), lost.hands()), ([0, 3], ["duke captain".into(), "contessa".into()]));
    assert_eq!(lost.then("end").mover(), 1);
}

#[test]
fn an_assassination_that_is_caught_costs_nothing_but_the_card() {
    let after = scene("duke captain", "contessa duke").then("assassinate 1; challenge; lose duke");
    assert_eq!((after.coins(), after.mover()), ([3, 3], 1));
    assert_eq!(after.hands(), ["captain", "contessa duke"]);
}

#[test]
fn a_contessa_that_is_believed_costs_the_three_coins() {
    let after = scene("duke captain", "duke duke").then("assassinate 1; block contessa");
    assert_eq!(after.coins(), [3, 3]);
    let after = after.then("pass");
    assert_eq!((after.coins(), after.mover()), ([0, 3], 1));
    assert_eq!(after.hands(), ["duke captain", "duke duke"]);
}

#[test]
fn a_true_contessa_costs_the_three_coins_and_a_card() {
    let after = scene("assassin captain", "contessa duke")
        .then("assassinate 1; block contessa; challenge; show contessa; draw 1 duke");
    assert_eq!(after.coins(), [3, 3]);
    let after = after.then("lose captain");
    assert_eq!((after.coins(), after.mover()), ([0, 3], 1));
    assert_eq!(after.hands(), ["assassin", "duke duke"]);
}

#[test]
fn a_steal_takes_two_coins() {
    let after = scene("captain duke", "duke duke").then("steal 1; pass");
    assert_eq!(after.coins(), [3, 3], "not before the turn ends");
    assert_eq!(after.then("end").coins(), [5, 1]);
}

#[test]
fn a_steal_from_one_coin_takes_one() {
    let after = Scene::turn(["captain", "duke"], [0, 1]).then("steal 1; pass; end");
    assert_eq!(after.coins(), [1, 0]);
}

#[test]
fn a_steal_is_blocked_by_captain_or_ambassador() {
    let claimed = scene("captain duke", "duke duke").then("steal 1");
    assert_eq!(claimed.legal(), ["pass", "challenge", "block ambassador", "block captain"]);
    for block in ["block ambassador", "block captain"] {
        assert_eq!(claimed.clone().then(block).then("pass").coins(), [3, 3]);
    }
}

#[test]
fn a_steal_after_a_failed_block_still_takes_the_coins() {
    for block in ["block ambassador", "block captain"] {
        let after = scene("duke duke", "duke contessa").then("steal 1").then(block);
        let after = after.then("challenge; lose contessa; end");
        assert_eq!((after.coins(), after.mover()), ([5, 1], 1));
    }
}

#[test]
fn an_exchange_keeps_as_many_cards_as_were_held() {
    let drawn = scene("duke captain", "duke duke").then("exchange; pass; draw 0 contessa assassin");
    assert_eq!(drawn.hands()[0], "contessa assassin duke captain", "drawn cards in front");
    assert_eq!(drawn.legal().len(), 12, "each choice in each order");
    let kept = drawn.then("keep captain contessa");
    assert_eq!((kept.hands()[0].as_str(), kept.mover()), ("captain contessa", 1));

    let one =
        Scene::turn(["duke", "duke duke"], POOR).then("exchange; pass; draw 0 contessa captain");
    assert_eq!(one.legal(), ["keep captain", "keep contessa", "keep duke"]);
}

#[test]
fn the_same_card_cannot_be_chosen_twice() {
    let drawn = scene("duke captain", "duke duke").then("exchange; pass; draw 0 contessa assassin");
    assert_eq!(drawn.refusal("keep duke duke"), "not all in the hand: duke duke");
    assert_eq!(drawn.refusal("keep duke"), "expected 2 cards to keep, found 1");
    assert_eq!(drawn.refusal("keep duke captain contessa"), "expected 2 cards to keep, found 3");
    let doubles = scene("duke captain", "captain").then("exchange; pass; draw 0 duke assassin");
    assert!(doubles.legal().contains(&"keep duke duke".to_owned()), "two copies are two cards");
}

#[test]
fn an_ambassador_shown_for_an_exchange_stays_in_the_hand() {
    let shown =
        scene("captain ambassador", "duke duke").then("exchange; challenge; show ambassador");
    assert_eq!(shown.mover(), 1, "nothing is drawn yet");
    let drawn = shown.then("lose duke; draw 0 duke contessa");
    assert_eq!(drawn.hands()[0], "duke contessa captain ambassador");
}

#[test]
fn an_ambassador_shown_for_a_block_is_replaced() {
    let shown = scene("captain captain", "ambassador duke")
        .then("steal 1; block ambassador; challenge; show ambassador; draw 1 contessa");
    assert_eq!(shown.hands()[1], "duke contessa");
}

#[test]
fn a_false_claim_of_an_action_costs_a_card_and_the_action() {
    for (action, hand) in [
        ("tax", "captain contessa"),
        ("steal 1", "duke contessa"),
        ("exchange", "duke contessa"),
        ("assassinate 1", "duke contessa"),
    ] {
        let caught = scene(hand, "duke duke").then(action).then("challenge; lose contessa");
        assert_eq!((caught.coins(), caught.mover()), ([3, 3], 1), "{action}");
        assert_eq!(caught.lost(), ["contessa", ""], "{action}");
    }
}

#[test]
fn a_challenged_card_that_is_held_must_be_shown() {
    let claimed = scene("duke captain", "contessa contessa").then("tax; challenge");
    assert_eq!(claimed.legal(), ["show duke"]);
    assert_eq!(
        claimed.refusal("lose captain"),
        "the challenged duke is in the hand: expected `show duke`"
    );
    assert_eq!(claimed.refusal("show captain"), "captain was not challenged: expected duke");
    let bluffed = scene("contessa captain", "contessa contessa").then("tax; challenge");
    assert_eq!(bluffed.legal(), ["lose captain", "lose contessa"]);
    assert_eq!(bluffed.refusal("show duke"), "duke is not in the hand");
}

#[test]
fn a_false_contessa_costs_both_cards() {
    let after = scene("assassin captain", "duke captain")
        .then("assassinate 1; block contessa; challenge; lose captain");
    assert_eq!(after.scores(), Some(["1".into(), "0".into()]));
    assert_eq!(after.lost()[1], "captain duke");
    assert_eq!(after.coins(), [0, 3]);
    let told = after.visible_to(0);
    assert_eq!(told[told.len() - 3..], ["1 lose captain", "lost 1 duke", "winner 0"]);
}

#[test]
fn a_wrong_challenge_of_an_assassination_costs_both_cards() {
    let after = scene("assassin captain", "duke captain")
        .then("assassinate 1; challenge; show assassin; draw 0 duke; lose duke");
    assert_eq!(after.scores(), Some(["1".into(), "0".into()]));
    assert_eq!(after.lost()[1], "duke captain");
    assert_eq!(after.coins(), [0, 3]);
}

#[test]
fn a_lost_card_never_comes_back_to_the_deck() {
    let after =
        Scene::turn(["captain captain", "duke duke"], [7, 3]).then("coup 1; lose duke; end");
    assert_eq!(after.game.deck().count("duke".parse().unwrap()), 1);
    assert_eq!(after.game.deck().len(), 11);
    let after = after.then("tax; challenge; show duke; draw 1 contessa; lose captain; end");
    assert_eq!(
        after.game.deck().count("duke".parse().unwrap()),
        2,
        "the shown one, not the lost one"
    );
    assert_eq!(after.game.deck().count("captain".parse().unwrap()), 1);
}

#[test]
fn the_new_card_is_drawn_before_the_shown_one_goes_back() {
    let mut scene = scene("duke duke", "duke captain").then("tax; challenge; show duke");
    let refused = scene.game.happen(&"draw 0 duke".parse().unwrap(), &mut scene.events);
    assert_eq!(refused.unwrap_err().to_string(), "not all in the deck: duke");
    let after = scene.then("draw 0 contessa");
    assert_eq!(after.hands()[0], "duke contessa");
    assert_eq!(after.game.deck().count("duke".parse().unwrap()), 1);
}

#[test]
fn coins_leave_at_the_end_of_the_exchange_of_claims() {
    let stages = ["assassinate 1", "challenge", "show assassin", "draw 0 duke"];
    let mut at = scene("assassin captain", "duke captain");
    for stage in stages {
        at = at.then(stage);
        assert_eq!(at.coins(), [3, 3], "{stage}");
    }
    assert_eq!(at.then("lose duke").coins(), [0, 3]);
}

#[test]
fn the_last_seat_with_cards_wins() {
    let coup = Scene::turn(["duke", "captain"], [7, 3]).then("coup 1; lose captain");
    assert_eq!(coup.scores(), Some(["1".into(), "0".into()]));
    let caught = Scene::turn(["contessa", "captain"], [7, 3]).then("tax; challenge; lose contessa");
    assert_eq!(caught.scores(), Some(["0".into(), "1".into()]));
    assert_eq!(caught.legal(), [""; 0]);
    assert_eq!(caught.refusal("income"), "no seat is to move");
    assert_eq!((caught.game.forced(), caught.game.fallback()), (None, None));
    let told = caught.visible_to(0);
    assert_eq!(told.last().unwrap(), "winner 1");
}

#[test]
fn after_200_decisions_without_a_winner_no_seat_scores() {
    let mut scene = Scene::dealt("duke captain", "duke captain");
    let mut nature = scene::nature();
    let mut decisions = 0;
    while scene.scores().is_none() {
        scene.draw(&mut nature);
        let legal = scene.legal();
        let wanted = ["exchange", "pass"].into_iter().find(|mv| legal.contains(&(*mv).to_owned()));
        scene = scene.then(wanted.unwrap_or(&legal[0]));
        decisions += 1;
        assert_eq!(scene.game.decisions(), decisions, "those with one answer count too");
    }
    assert_eq!(decisions, 200);
    assert_eq!(scene.scores(), Some(["0".into(), "0".into()]));
    assert_eq!(scene.visible_to(0).last().unwrap(), "winner none");
}

#[test]
fn a_winner_with_the_last_decision_wins() {
    let mut view = Scene::turn(["duke", "captain"], [7, 0]).then("coup 1").game.view(seat(0));
    view.decisions = 199;
    let hands = ["duke", "captain"].map(|hand| hand.parse().unwrap());
    let game = Coup::imagine(&Options::default(), &view, &hands.to_vec().into()).unwrap();
    let after = Scene { game, events: Vec::new() }.then("lose captain");
    assert_eq!(after.scores(), Some(["1".into(), "0".into()]));
}

#[test]
fn a_walkover_is_worth_a_win() {
    let game = Coup::new(&Options::default());
    assert_eq!(game.walkover(seat(1)), Score::points(1));
}

#[test]
fn a_question_with_one_answer_is_forced() {
    let forced = |scene: Scene| scene.game.forced().map(|mv| mv.to_string());
    let start = || scene("duke captain", "contessa contessa");
    assert_eq!(forced(start()), None);
    assert_eq!(forced(start().then("tax")), None);
    assert_eq!(forced(start().then("tax; pass")), Some("end".into()));
    assert_eq!(forced(start().then("tax; challenge")), Some("show duke".into()));
    let shown = start().then("tax; challenge; show duke");
    assert_eq!(forced(shown.clone()), None, "nature is due");
    let doubles = shown.then("draw 0 duke");
    assert_eq!(forced(doubles.clone()), Some("lose contessa".into()), "two copies are one answer");
    assert_eq!(forced(doubles.then("lose contessa")), Some("end".into()));
    assert_eq!(forced(start().then("foreign-aid; block duke")), None);
    let last = Scene::turn(["captain", "duke"], [3, 3]).then("tax; challenge");
    assert_eq!(forced(last), Some("lose captain".into()));
    let exchanged = Scene::turn(["duke", "captain"], POOR);
    assert_eq!(
        forced(exchanged.then("exchange; pass; draw 0 duke duke")),
        Some("keep duke".into())
    );
}

#[test]
fn the_house_claims_nothing_and_doubts_no_one() {
    let house = |scene: Scene| scene.game.fallback().unwrap().to_string();
    let start = || scene("duke captain", "contessa captain");
    assert_eq!(house(start()), "income");
    assert_eq!(house(Scene::turn(["duke", "duke"], [10, 0])), "coup 1");
    for action in ["foreign-aid", "tax", "steal 1", "exchange"] {
        assert_eq!(house(start().then(action)), "pass");
    }
    assert_eq!(house(start().then("assassinate 1")), "lose captain");
    assert_eq!(house(start().then("foreign-aid; block duke")), "pass");
    assert_eq!(house(start().then("tax; challenge")), "show duke");
}

#[test]
fn watchers_learn_who_drew_but_not_what() {
    let scene = Scene::dealt("ambassador captain", "duke duke")
        .then("exchange; challenge; show ambassador; lose duke; draw 0 duke contessa")
        .then("keep contessa duke; tax; challenge; show duke; draw 1 assassin");
    let expected = [
        "deal 0 ?? ??",
        "deal 1 duke duke",
        "0 exchange",
        "1 challenge",
        "0 show ambassador",
        "1 lose duke",
        "draw 0 ?? ??",
        "0 keep ?? ??",
        "1 tax",
        "0 challenge",
        "1 show duke",
        "draw 1 assassin",
    ];
    assert_eq!(scene.visible_to(1), expected);
    assert_eq!(scene.visible_to(0)[6..8], ["draw 0 duke contessa", "0 keep contessa duke"]);
    assert_eq!(scene.visible_to(0)[11], "draw 1 ??");
}

#[test]
fn options_are_read_tolerantly_and_written_in_one_way() {
    for text in
        ["", "seats=2", "rules=contest", " rules=Contest  seats=2 ", "seats=2 rules=contest"]
    {
        let options: Options = text.parse().unwrap();
        assert_eq!(options.to_string(), "seats=2 rules=contest", "{text}");
    }
    for (text, written) in [
        ("seats=3", "seats=3 rules=court"),
        ("rules=Court seats=6", "seats=6 rules=court"),
        ("rules=court", "seats=2 rules=court"),
    ] {
        assert_eq!(text.parse::<Options>().unwrap().to_string(), written, "{text}");
    }
    for (text, error) in [
        ("seats=7", "expected 2 to 6 seats for coup, found `7`"),
        ("seats=1", "expected 2 to 6 seats for coup, found `1`"),
        ("seats=03", "expected 2 to 6 seats for coup, found `03`"),
        (
            "seats=3 rules=contest",
            "expected `rules=court` for coup with more than 2 seats, found `rules=contest`",
        ),
        ("rules=standard", "expected `contest` or `court` as the rules of coup, found `standard`"),
        ("coins=2", "expected `seats=4` or `rules=court` as the options of coup, found `coins=2`"),
    ] {
        assert_eq!(text.parse::<Options>().unwrap_err().to_string(), error);
    }
}
