//! Coup at a court by its rules: who answers what, in which order, and what it costs.

use rules::coup::{Coup, CoupRules, CourtSeatCount, Event, Hand, Move, Options, View};
use rules::{Game, ListCompleteness, PerSeat, Score, Turn, seen_by};

use crate::coup::scene::seat;

/// A game at a court with its history.
#[derive(Clone, Debug)]
struct Court {
    game: Coup,
    events: Vec<Event>,
}

fn options(seats: usize) -> Options {
    Options { rules: CoupRules::Court(CourtSeatCount::new(seats).unwrap()) }
}

/// The start of a turn of seat 0, with these hands and three coins each.
fn court(hands: &[&str]) -> Court {
    rich(hands, &vec![3; hands.len()])
}

fn rich(texts: &[&str], coins: &[u32]) -> Court {
    begun_by(options(texts.len()).rules, texts, coins)
}

fn begun_by(rules: CoupRules, texts: &[&str], coins: &[u32]) -> Court {
    let hands: Vec<Hand> = texts.iter().map(|text| text.parse().unwrap()).collect();
    let lost = |(at, hand): (usize, &Hand)| match hand.len() {
        2 => Hand::EMPTY,
        1 if at % 2 == 0 => "ambassador".parse().unwrap(),
        1 => "assassin".parse().unwrap(),
        _ => "ambassador ambassador".parse().unwrap(),
    };
    let view = View {
        hand: hands[0],
        hands: hands.iter().map(|hand| hand.len() as u32).collect::<Vec<_>>().into(),
        coins: coins.to_vec().into(),
        lost: hands.iter().enumerate().map(lost).collect::<Vec<_>>().into(),
        action: None,
        owed: vec!["act 0".parse().unwrap()],
        decisions: 10,
    };
    let game = Coup::imagine(&Options { rules }, &view, &hands.into()).unwrap();
    Court { game, events: Vec::new() }
}

/// The lines on the page are those of the program.
#[test]
fn a_turn_owes_a_blocked_action_until_the_block_stands() {
    let page = include_str!("../../../../../docs/games/coup.md");
    let of = |game: &Coup| {
        let view = game.view(seat(2.min(game.seats() - 1))).to_string();
        view.lines().find(|line| line.starts_with("owed ")).unwrap().to_owned()
    };
    let begun = court(&["duke captain", "assassin contessa", "captain contessa"]);
    let asked = begun.then("0 foreign-aid; 1 pass; 2 block duke");
    assert_eq!(of(&asked.game), "owed accept 0 duke, accept 1 duke, stand 2 duke, effect 0, end 0");
    let begun = court(&["duke captain", "assassin contessa", "captain contessa"]);
    let asked = begun.then("0 foreign-aid; 1 block duke");
    let challenged = asked.clone().then("2 challenge");
    for (game, owed) in [
        (&asked, "owed accept 2 duke, accept 0 duke, stand 1 duke, effect 0, end 0"),
        (&challenged, "owed prove 1 duke, doubt 2, effect 0, end 0"),
    ] {
        assert_eq!(of(&game.game), owed);
        assert!(page.contains(&format!("\n{owed}\n")), "{owed}");
    }
    let begun = begun_by(CoupRules::Contest, &["duke captain", "assassin contessa"], &[3, 3]);
    let asked_by_two = begun.then("0 foreign-aid; 1 block duke");
    let challenged_by_two = asked_by_two.clone().then("0 challenge");
    for (game, owed) in [
        (&asked_by_two, "owed accept 0 duke, end 0"),
        (&challenged_by_two, "owed prove 1 duke, end 0"),
    ] {
        assert_eq!(of(&game.game), owed);
        assert!(page.contains(&format!("\n{owed}\n")), "{owed}");
    }
    // The block was a lie, so the action takes effect; nobody has challenged it in the other one.
    let coins = |court: &Court| court.coins()[0];
    assert_eq!(coins(&challenged.then("1 lose contessa")), 5);
    assert_eq!(coins(&asked.then("2 pass; 0 pass")), 3);
}

impl Court {
    /// Lets this happen: `1 pass; draw 0 duke; 2 challenge`. The seat of each move must be due.
    fn then(mut self, script: &str) -> Court {
        for text in script.split(';').map(str::trim).filter(|text| !text.is_empty()) {
            if let Turn::Nature = self.game.turn() {
                self.game.happen(&text.parse().unwrap(), &mut self.events).unwrap();
                continue;
            }
            let (mover, mv) = text.split_once(' ').unwrap();
            assert_eq!(self.mover(), mover, "before `{text}`: {:?}", self.game.owed());
            let mv: Move = mv.parse().unwrap();
            self.game
                .play(&mv, &mut self.events)
                .unwrap_or_else(|illegal| panic!("{text}: {illegal}"));
        }
        self
    }

    fn mover(&self) -> String {
        match self.game.turn() {
            Turn::Seat(seat) => seat.to_string(),
            other => panic!("{other:?} instead of a seat"),
        }
    }

    fn legal(&self) -> String {
        let mut moves = Vec::new();
        assert_eq!(self.game.legal_moves(&mut moves), ListCompleteness::Complete);
        moves.iter().map(Move::to_string).collect::<Vec<_>>().join(", ")
    }

    fn refusal(&self, mv: &str) -> String {
        self.game.check(&mv.parse().unwrap()).unwrap_err().to_string()
    }

    fn coins(&self) -> Vec<u32> {
        self.all(|at| self.game.coins(seat(at)))
    }

    fn hands(&self) -> String {
        self.all(|at| self.game.hand(seat(at)).to_string()).join(", ")
    }

    fn all<T>(&self, of: impl Fn(usize) -> T) -> Vec<T> {
        (0..self.game.seats()).map(of).collect()
    }

    /// The steps that are left, the next one first.
    fn owed(&self) -> String {
        let owed = self.game.owed().iter().rev().map(ToString::to_string);
        owed.collect::<Vec<_>>().join(", ")
    }

    fn visible_to(&self, number: usize) -> Vec<String> {
        let seen = self.events.iter().filter_map(|event| seen_by(event, seat(number)));
        seen.map(|event| event.to_string()).collect()
    }

    fn scores(&self) -> PerSeat<Score> {
        match self.game.turn() {
            Turn::Over(scores) => scores,
            other => panic!("{other:?} instead of the end"),
        }
    }
}

fn three() -> Court {
    court(&["duke captain", "contessa duke", "assassin ambassador"])
}

#[test]
fn each_seat_starts_with_two_coins_and_two_cards() {
    let game = Coup::new(&options(4));
    let dealt = Court { game, events: Vec::new() }.then(
        "deal 0 duke duke; deal 1 captain duke; deal 2 contessa contessa; deal 3 assassin captain",
    );
    assert_eq!(dealt.coins(), [2, 2, 2, 2]);
    assert_eq!(dealt.mover(), "0");
    assert_eq!(dealt.legal(), "income, foreign-aid, tax, steal 1, steal 2, steal 3, exchange");
    assert_eq!(dealt.visible_to(2)[1..3], ["deal 1 ?? ??", "deal 2 contessa contessa"]);
}

#[test]
fn of_two_seats_the_first_starts_with_one_coin() {
    let game = Coup::new(&options(2));
    assert_eq!(Court { game, events: Vec::new() }.coins(), [1, 2]);
}

#[test]
fn income_asks_no_one_and_the_next_seat_has_the_turn() {
    let after = three().then("0 income");
    assert_eq!((after.coins(), after.mover().as_str()), (vec![4, 3, 3], "1"));
    let after = after.then("1 income; 2 income");
    assert_eq!((after.coins(), after.mover().as_str()), (vec![4, 4, 4], "0"));
}

#[test]
fn foreign_aid_may_be_blocked_by_any_seat() {
    let asked = three().then("0 foreign-aid");
    assert_eq!((asked.mover().as_str(), asked.legal().as_str()), ("1", "pass, block duke"));
    assert_eq!(asked.refusal("challenge"), "`foreign-aid` claims no card that could be challenged");
    assert_eq!(asked.owed(), "answer 1, answer 2, effect 0, end 0");
    let last = asked.then("1 pass");
    assert_eq!((last.mover().as_str(), last.legal().as_str()), ("2", "pass, block duke"));
    let got = last.clone().then("2 pass");
    assert_eq!((got.coins(), got.mover().as_str()), (vec![5, 3, 3], "1"));
    let blocked = last.then("2 block duke");
    assert_eq!(blocked.owed(), "accept 0 duke, accept 1 duke, stand 2 duke, effect 0, end 0");
    let stands = blocked.then("0 pass; 1 pass");
    assert_eq!((stands.coins(), stands.mover().as_str()), (vec![3, 3, 3], "1"));
}

#[test]
fn the_first_block_counts_and_a_block_that_falls_is_the_last() {
    let fallen = three().then("0 foreign-aid; 1 pass; 2 block duke; 0 challenge; 2 lose assassin");
    assert_eq!((fallen.coins(), fallen.mover().as_str()), (vec![5, 3, 3], "1"));
    assert_eq!(fallen.hands(), "duke captain, contessa duke, ambassador");
}

#[test]
fn a_seat_that_is_not_concerned_may_challenge_a_block() {
    let doubted = three().then("0 foreign-aid; 1 block duke; 2 challenge");
    assert_eq!(doubted.owed(), "prove 1 duke, doubt 2, effect 0, end 0");
    let shown = doubted.then("1 show duke; draw 1 duke");
    assert_eq!((shown.owed().as_str(), shown.mover().as_str()), ("lose 2, end 0", "2"));
    assert_eq!(shown.game.view(seat(0)).turn(), Some(seat(0)), "the turn is not the challenger's");
    let after = shown.then("2 lose ambassador");
    assert_eq!((after.coins(), after.mover().as_str()), (vec![3, 3, 3], "1"));
    assert_eq!(after.hands(), "duke captain, contessa duke, assassin");
}

#[test]
fn any_seat_may_challenge_an_action_and_the_first_challenge_counts() {
    let claimed = three().then("0 tax");
    assert_eq!((claimed.mover().as_str(), claimed.legal().as_str()), ("1", "pass, challenge"));
    assert_eq!(claimed.clone().then("1 pass; 2 pass").coins(), [6, 3, 3]);
    let shown = claimed.clone().then("1 pass; 2 challenge; 0 show duke; draw 0 assassin");
    assert_eq!(
        (shown.mover().as_str(), shown.hands().as_str()),
        ("2", "captain assassin, contessa duke, assassin ambassador")
    );
    let after = shown.then("2 lose assassin");
    assert_eq!((after.coins(), after.mover().as_str()), (vec![6, 3, 3], "1"));
    let early = claimed.then("1 challenge; 0 show duke; draw 0 duke; 1 lose duke");
    assert_eq!(
        (early.coins(), early.mover().as_str()),
        (vec![6, 3, 3], "1"),
        "seat 2 is not asked"
    );
    let lie = court(&["captain captain", "duke duke", "assassin assassin"]);
    let caught = lie.then("0 tax; 1 challenge; 0 lose captain");
    assert_eq!((caught.coins(), caught.mover().as_str()), (vec![3, 3, 3], "1"));
}

#[test]
fn a_seat_that_holds_the_challenged_card_must_show_it() {
    let doubted = three().then("0 tax; 1 challenge");
    assert_eq!(doubted.legal(), "show duke");
    assert_eq!(doubted.game.forced(), Some("show duke".parse().unwrap()));
    assert_eq!(
        doubted.refusal("lose captain"),
        "the challenged duke is in the hand: expected `show duke`"
    );
}

#[test]
fn a_shown_card_goes_back_and_may_be_drawn_again() {
    let all = court(&["duke duke", "duke contessa", "captain captain"]);
    let mut again = all.then("0 tax; 1 challenge; 0 show duke");
    let fourth = again.game.happen(&"draw 0 duke".parse().unwrap(), &mut again.events);
    assert!(fourth.is_ok(), "all three dukes were in hands, so it is the shown one");
    assert_eq!(again.hands(), "duke duke, duke contessa, captain captain");
    assert_eq!(again.visible_to(2).last().unwrap(), "draw 0 ??");
}

#[test]
fn only_the_target_blocks_a_theft_and_it_answers_last() {
    let stolen = court(&["captain duke", "captain duke", "duke contessa"]).then("0 steal 1");
    assert_eq!(stolen.owed(), "answer 2, answer 1, effect 0, end 0");
    assert_eq!(stolen.legal(), "pass, challenge");
    assert_eq!(
        stolen.refusal("block captain"),
        "`steal 1` is aimed at another seat, which alone can block it"
    );
    let target = stolen.then("2 pass");
    assert_eq!(target.legal(), "pass, challenge, block ambassador, block captain");
    assert_eq!(target.clone().then("1 pass").coins(), [5, 1, 3]);
    let blocked = target.then("1 block ambassador");
    assert_eq!(
        blocked.owed(),
        "accept 2 ambassador, accept 0 ambassador, stand 1 ambassador, effect 0, end 0"
    );
    assert_eq!(blocked.clone().then("2 pass; 0 pass").coins(), [3, 3, 3]);
    assert_eq!(blocked.then("2 challenge; 1 lose duke").coins(), [5, 1, 3]);
}

#[test]
fn after_a_true_claim_the_target_may_still_block() {
    let shown = court(&["captain duke", "captain duke", "duke contessa"])
        .then("0 steal 1; 2 challenge; 0 show captain; draw 0 contessa; 2 lose duke");
    assert_eq!((shown.owed().as_str(), shown.mover().as_str()), ("block 1, effect 0, end 0", "1"));
    assert_eq!(shown.legal(), "pass, block ambassador, block captain");
    let again =
        "`challenge` is no answer here: expected a block, or an answer that lets the action happen";
    assert_eq!(shown.refusal("challenge"), again);
    assert_eq!(shown.clone().then("1 pass").coins(), [5, 1, 3]);
    let blocked = shown.then("1 block captain; 2 pass; 0 pass");
    assert_eq!((blocked.coins(), blocked.mover().as_str()), (vec![3, 3, 3], "1"));
}

#[test]
fn a_theft_takes_what_there_is_and_needs_a_coin() {
    let poor = rich(&["captain duke", "captain duke", "duke contessa"], &[3, 1, 0]);
    assert_eq!(poor.refusal("steal 2"), "seat 2 has no coin to steal");
    assert_eq!(
        poor.refusal("steal 0"),
        "`steal 0` is aimed at a wrong seat: expected another seat that holds a card"
    );
    assert_eq!(
        poor.refusal("steal 3"),
        "`steal 3` is aimed at a wrong seat: expected another seat that holds a card"
    );
    assert_eq!(poor.then("0 steal 1; 2 pass; 1 pass").coins(), [4, 0, 0]);
}

#[test]
fn an_assassination_is_paid_at_once_and_a_block_keeps_the_coins() {
    let claimed =
        court(&["assassin duke", "contessa duke", "captain captain"]).then("0 assassinate 1");
    assert_eq!(claimed.coins(), [0, 3, 3]);
    assert_eq!((claimed.mover().as_str(), claimed.legal().as_str()), ("2", "pass, challenge"));
    let target = claimed.then("2 pass");
    assert_eq!(target.legal(), "challenge, block contessa, lose contessa, lose duke");
    let hit = target.clone().then("1 lose duke");
    assert_eq!(
        (hit.coins(), hit.hands().as_str()),
        (vec![0, 3, 3], "assassin duke, contessa, captain captain")
    );
    let blocked = target.then("1 block contessa; 2 pass; 0 pass");
    assert_eq!((blocked.coins(), blocked.mover().as_str()), (vec![0, 3, 3], "1"));
}

#[test]
fn an_assassination_whose_claim_was_false_is_paid_back() {
    let lie = court(&["captain duke", "contessa duke", "captain captain"])
        .then("0 assassinate 1; 2 challenge");
    assert_eq!(lie.coins(), [0, 3, 3]);
    let caught = lie.then("0 lose duke");
    assert_eq!((caught.coins(), caught.mover().as_str()), (vec![3, 3, 3], "1"));
    assert_eq!(caught.hands(), "captain, contessa duke, captain captain");
}

#[test]
fn a_target_that_challenges_a_true_assassin_may_block_with_its_last_card() {
    let shown = court(&["assassin duke", "contessa duke", "captain captain"])
        .then("0 assassinate 1; 2 pass; 1 challenge; 0 show assassin; draw 0 duke; 1 lose duke");
    assert_eq!(
        (shown.mover().as_str(), shown.legal().as_str()),
        ("1", "block contessa, lose contessa")
    );
    let saved = shown.clone().then(
        "1 block contessa; 2 pass; 0 challenge; 1 show contessa; draw 1 contessa; 0 lose duke",
    );
    assert_eq!(saved.hands(), "duke, contessa, captain captain");
    let gone = shown.then("1 lose contessa");
    assert_eq!(
        (gone.coins(), gone.mover().as_str()),
        (vec![0, 0, 3], "2"),
        "the coins of seat 1 go, too"
    );
}

#[test]
fn a_false_contessa_costs_both_cards() {
    let doubted = court(&["assassin duke", "captain duke", "captain captain"])
        .then("0 assassinate 1; 2 pass; 1 block contessa; 2 challenge; 1 lose duke");
    assert_eq!(
        (doubted.owed().as_str(), doubted.legal().as_str()),
        ("lose 1, end 0", "lose captain")
    );
    let gone = doubted.then("1 lose captain");
    assert_eq!(
        (gone.hands().as_str(), gone.mover().as_str()),
        ("assassin duke, , captain captain", "2")
    );
    assert!(!gone.game.is_in(seat(1)) && !gone.game.contends(seat(1)));
    assert_eq!(gone.legal(), "income, foreign-aid, tax, assassinate 0, exchange", "not at seat 1");
}

#[test]
fn a_target_that_loses_its_last_card_by_a_challenge_is_asked_no_more() {
    let gone = court(&["captain duke", "contessa", "assassin assassin"])
        .then("0 steal 1; 2 pass; 1 challenge; 0 show captain; draw 0 duke; 1 lose contessa");
    assert_eq!(
        (gone.coins(), gone.mover().as_str()),
        (vec![3, 0, 3], "2"),
        "nothing is left to steal"
    );
}

#[test]
fn a_coup_costs_seven_and_cannot_be_stopped() {
    let rich = rich(&["duke captain", "contessa duke", "assassin ambassador"], &[10, 3, 3]);
    assert_eq!(rich.legal(), "coup 1, coup 2");
    assert_eq!(rich.refusal("tax"), "with 10 coins the only action is coup");
    assert_eq!(rich.game.fallback(), Some("coup 1".parse().unwrap()));
    let launched = rich.then("0 coup 2");
    assert_eq!((launched.coins(), launched.mover().as_str()), (vec![3, 3, 3], "2"));
    assert_eq!(launched.legal(), "lose ambassador, lose assassin");
    assert_eq!(launched.then("2 lose assassin").mover(), "1");
}

#[test]
fn an_exchange_draws_two_and_keeps_as_many_as_before() {
    let drawn = court(&["ambassador duke", "contessa duke", "captain captain"])
        .then("0 exchange; 1 pass; 2 pass; draw 0 assassin contessa");
    assert_eq!(drawn.game.hand(seat(0)).to_string(), "assassin contessa ambassador duke");
    let kept = drawn.then("0 keep duke contessa");
    assert_eq!(
        (kept.hands().as_str(), kept.mover().as_str()),
        ("duke contessa, contessa duke, captain captain", "1")
    );
    assert_eq!(kept.visible_to(1)[3..], ["draw 0 ?? ??", "0 keep ?? ??"]);
}

#[test]
fn an_ambassador_that_was_shown_is_replaced_before_the_exchange() {
    let shown = court(&["ambassador duke", "contessa duke", "captain captain"])
        .then("0 exchange; 1 pass; 2 challenge; 0 show ambassador; draw 0 captain; 2 lose captain");
    assert_eq!((shown.game.turn(), shown.owed().as_str()), (Turn::Nature, "draw 0, keep 0, end 0"));
    assert_eq!(shown.hands(), "duke captain, contessa duke, captain");
}

#[test]
fn the_last_seat_with_a_card_wins_the_point() {
    let over =
        rich(&["duke captain", "contessa", ""], &[7, 3, 0]).then("0 coup 1; 1 lose contessa");
    assert_eq!(over.scores().values(), [Score::points(1), Score::ZERO, Score::ZERO]);
    assert_eq!(over.visible_to(0).last().unwrap(), "winner 0");
    assert_eq!(over.game.walkover(seat(0)), Score::points(1));
    assert_eq!(over.game.walkover(seat(1)), Score::ZERO);
}

#[test]
fn a_turn_passes_over_seats_that_are_gone() {
    let four = rich(&["duke captain", "", "contessa", "duke"], &[3, 0, 3, 3]);
    let asked = four.then("0 tax");
    assert_eq!(asked.owed(), "answer 2, answer 3, effect 0, end 0");
    assert_eq!(asked.then("2 pass; 3 pass").mover(), "2");
}

#[test]
fn after_a_hundred_decisions_for_each_seat_the_game_is_a_draw() {
    let mut game = Court { game: Coup::new(&options(3)), events: Vec::new() }
        .then("deal 0 duke duke; deal 1 duke captain; deal 2 contessa contessa");
    for decision in 0..300 {
        assert!(matches!(game.game.turn(), Turn::Seat(_)), "after {decision} decisions");
        let exchange = "exchange".parse().unwrap();
        let mv = match game.game.check(&exchange) {
            Ok(()) => exchange,
            Err(_) => game.game.fallback().unwrap(),
        };
        game.game.play(&mv, &mut game.events).unwrap();
        while let Turn::Nature = game.game.turn() {
            let chance = game.game.sample(&mut crate::coup::scene::nature()).unwrap();
            game.game.happen(&chance, &mut game.events).unwrap();
        }
    }
    assert_eq!(game.scores().values(), [Score::ZERO; 3]);
    assert_eq!(game.visible_to(1).last().unwrap(), "winner none");
}

#[test]
fn a_state_is_imagined_only_of_debts_of_its_rules() {
    let game = three().game;
    let (view, hands) = (game.view(seat(0)), PerSeat::new(3, |seat| game.hand(seat)));
    assert_eq!(Coup::imagine(&options(3), &view, &hands), Some(game));
    assert_eq!(Coup::imagine(&options(4), &view, &hands), None, "seats");
    for owed in ["effect 0", "stand 1 duke", "end 0", "pay 0", "answer 3"] {
        let odd = View { owed: vec![owed.parse().unwrap()], ..view.clone() };
        assert_eq!(Coup::imagine(&options(3), &odd, &hands), None, "{owed}");
    }
}
