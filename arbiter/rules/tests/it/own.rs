//! Custom games, with rules that are a script: what is asked, what is told, and what is a fault.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use rules::custom::answer::RulesAnswer;
use rules::custom::instance::Description;
use rules::custom::{
    ChancePool, CustomGame, CustomRulesKind, MOST_INPUTS, NoAnswer, RulesId, RulesInstance,
    RulesSource,
};
use rules::{
    Answer, BotSeedKey, FailureCause, GameId, GameKind, GameTerms, Outcome, Referee, Seat, Seed,
    Step, Verdict, VoidCause,
};

const SEED: Seed = Seed([7; 32]);

const ABOUT: &str =
    "rules 1\nname toy\nabout a toy\nseats 2..3\noption hat red its colour\nmost 9\n";

/// What rules answer to a call.
type Script = fn(&str) -> Result<String, String>;

struct Scripted(Script, Arc<Mutex<Vec<String>>>);

impl RulesSource for Scripted {
    fn start(&self) -> Result<Box<dyn RulesInstance>, NoAnswer> {
        Ok(Box::new(Scripted(self.0, Arc::clone(&self.1))))
    }
}

impl RulesInstance for Scripted {
    fn call(&mut self, call: &str) -> Result<String, NoAnswer> {
        self.1.lock().unwrap().push(call.to_owned());
        if call == "about" { Ok(ABOUT.to_owned()) } else { (self.0)(call).map_err(NoAnswer::Rules) }
    }
}

fn game(script: Script) -> (GameKind, Arc<Mutex<Vec<String>>>) {
    let calls = Arc::default();
    let id = RulesId { carrier: CustomRulesKind::Module, protocol: 1, digest: Default::default() };
    let own = CustomGame::open(id, Box::new(Scripted(script, Arc::clone(&calls)))).unwrap();
    (own.into_kind(), calls)
}

fn referee(kind: &GameKind) -> Referee {
    let options = kind.check_options("").unwrap();
    let terms = GameTerms::even(GameId([1; 16]), 2, 5000, BotSeedKey([2; 32]));
    Referee::new(kind, &options, terms).unwrap()
}

/// A card for each seat, then a move of seat 0 that ends the game.
fn short(call: &str) -> Result<String, String> {
    Ok(match call {
        "new seats=2 hat=red" => "draw 2 2*K Q\nview * round 1\n",
        "happen K Q" | "happen K K" | "happen Q K" => {
            "secret 0 deal 0 K\ntell {0} gets K\nothers deal 0 ?\ntell {0} gets a card\n\
             turn 0\nmove call\nmove fold\nfallback fold\nview * round 1\nview 0 card K\n"
        }
        "play call" => "event 0 call\nover 9 0\nview * round 2\n",
        "play fold" => "event 0 fold\nover 0 9\n",
        _ => "refused not now\n",
    }
    .to_owned())
}

#[test]
fn a_request_has_the_form_of_every_game() {
    let (kind, _) = game(short);
    let mut referee = referee(&kind);
    let Step::Nature(draw) = referee.step() else { panic!("it is nature's turn") };
    assert_eq!(draw.pool().as_deref(), Some("draw 2 2*K Q"));
    draw.draw(&mut SEED.nature(0));
    let Step::Ask(question) = referee.step() else { panic!("a seat is asked") };
    let request = question.request();
    let seed = request.lines().find(|line| line.starts_with("seed ")).unwrap().to_owned();
    let expected = format!(
        "arbiter 1\ngame toy seats=2 hat=red\nmatch {}\nseat 0\nmove 0\ntime 5000\n{seed}\n\
         view 2\nround 1\ncard K\nhistory 1\ndeal 0 K\nlegal 2\ncall\nfold\nend\n",
        GameId([1; 16])
    );
    assert_eq!(request, expected);
    let ruling = question.answer(Answer::Output(b" call \r\n".to_vec()));
    assert_eq!(ruling.verdict, Verdict::Ok, "{ruling:?}");
    let second = Seat::new(1).unwrap();
    assert_eq!(referee.history_of(second, 0), ["deal 0 ?", "0 call"]);
    let names = vec!["Ann".to_owned(), "Bob".to_owned()].into();
    assert_eq!(referee.narrate_to(second, 0, &names), "Ann gets a card\n0 call\n");
    assert!(matches!(referee.step(), Step::Over(Outcome::Played { .. })));
    assert_eq!(referee.pools(), ["draw 2 2*K Q"]);
}

#[test]
fn moves_that_are_not_listed_are_the_fault_of_the_bot_and_are_not_asked_of_the_rules() {
    let (kind, calls) = game(short);
    for reply in ["CALL", "call fold", "raise 4"] {
        let mut referee = referee(&kind);
        let Step::Nature(draw) = referee.step() else { panic!("it is nature's turn") };
        draw.draw(&mut SEED.nature(0));
        let Step::Ask(question) = referee.step() else { panic!("a seat is asked") };
        let ruling = question.answer(Answer::Output(reply.as_bytes().to_vec()));
        assert_eq!(ruling.verdict, Verdict::Illegal, "{reply}");
    }
    let calls = calls.lock().unwrap();
    assert!(calls.iter().all(|call| !call.starts_with("play ")), "{calls:?}");
}

/// A turn with more moves than are listed.
fn long(call: &str) -> Result<String, String> {
    Ok(match call.starts_with("new") {
        true => "turn 0\nmove a\nmore\nfallback a\n".to_owned(),
        false => "over 1 0\n".to_owned(),
    })
}

#[test]
fn a_reply_longer_than_a_move_is_not_asked_of_the_rules() {
    let (kind, calls) = game(long);
    let mut referee = referee(&kind);
    let Step::Ask(question) = referee.step() else { panic!("a seat is asked") };
    let ruling = question.answer(Answer::Output(vec![b'z'; 201]));
    assert_eq!(ruling.verdict, Verdict::Malformed, "{ruling:?}");
    assert!(calls.lock().unwrap().iter().all(|call| call.len() < 200));
}

#[test]
fn a_score_above_the_most_is_a_fault_of_the_rules_from_the_start() {
    let (kind, _) = game(|_| Ok("chance a\nwalkover 10 0\n".to_owned()));
    let mut referee = referee(&kind);
    let Step::Over(Outcome::Void { reason }) = referee.step() else { panic!("it is void") };
    assert!(reason.contains("expected no score above `most` 9"), "{reason}");
}

/// It never ends.
fn endless(_: &str) -> Result<String, String> {
    Ok("chance a b\n".to_owned())
}

#[test]
fn a_game_that_never_ends_is_given_up() {
    let (kind, _) = game(endless);
    let mut referee = referee(&kind);
    let mut nature = SEED.nature(0);
    let reason = loop {
        match referee.step() {
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Over(Outcome::Void { reason }) => break reason.clone(),
            Step::Over(_) | Step::Ask(_) | Step::Moved => panic!("only nature decides"),
        }
    };
    assert_eq!(reason, format!("the rules failed: the game has more than {MOST_INPUTS} inputs"));
    let cause = FailureCause::from_text(Verdict::Void, &reason);
    assert!(matches!(cause, Some(FailureCause::Void(VoidCause::Rules(_)))), "{cause:?}");
}

#[test]
fn options_are_spelt_in_one_way_and_unknown_ones_are_named() {
    let (kind, _) = game(|_| Ok("chance a\n".to_owned()));
    assert_eq!(kind.check_options("").unwrap(), "seats=2 hat=red");
    assert_eq!(kind.check_options("hat=blue  seats=3").unwrap(), "seats=3 hat=blue");
    for wrong in ["seats=4", "seats=02", "cap=red", "hat", "hat=red hat=red"] {
        assert!(kind.check_options(wrong).is_err(), "{wrong}");
    }
}

/// Logs must replay forever, so the draws of a seed may never change.
#[test]
fn draws_of_a_seed_stay_the_same() {
    let drawn = |text: &str| {
        let pool: ChancePool = text.parse().unwrap();
        let mut nature = SEED.nature(0);
        let drawn = pool.draw(&mut nature);
        assert!(pool.holds(&drawn), "{drawn}");
        drawn
    };
    assert_eq!(drawn("chance 1000*a 2*b c"), "a");
    assert_eq!(drawn("draw 5 a b c d e"), "a e d b c");
    assert_eq!(drawn("draw 4 2*x 2*y"), "x y x y");
}

#[test]
fn pools_that_break_the_protocol_are_refused() {
    let wrong = [
        "",
        "chance",
        "chance ",
        "chance  a",
        "chance a a",
        "chance 0*a",
        "chance 01*a",
        "chance a*b*c",
        "draw",
        "draw 0 a",
        "draw 3 a b",
        "draw x a",
        "draw 1",
        "chance 1000000001*a",
        "turn 0",
    ];
    for text in wrong {
        assert!(text.parse::<ChancePool>().is_err(), "{text:?}");
    }
}

proptest! {
    #[test]
    fn no_answer_of_rules_can_cause_a_panic(text in "\\PC{0,200}", lines in line_soup()) {
        for text in [text, lines] {
            let _ = Description::read(&text);
            let _ = RulesAnswer::read(&text, 2);
            if let Ok(pool) = text.trim_end().parse::<ChancePool>() {
                prop_assert!(pool.holds(&pool.draw(&mut SEED.nature(3))));
            }
        }
    }
}

/// Lines that nearly keep to the protocol.
fn line_soup() -> impl Strategy<Value = String> {
    let words = [
        "event", "secret", "others", "tell", "chance", "draw", "turn", "move", "more", "forced",
        "fallback", "over", "view", "points", "gone", "walkover", "refused", "0", "1", "*", "2*a",
        "a", "b", "out", "1/2", "-1", "", "rules", "name", "seats", "option", "most", "2..3",
    ];
    let word = proptest::sample::select(words.to_vec());
    let line = proptest::collection::vec(word, 1..6).prop_map(|words| words.join(" "));
    proptest::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n") + "\n")
}

/// A text that turns the words around it over came to terminals and pages as it was.
#[test]
fn texts_of_rules_show_their_format_characters() {
    let about = "rules 1\nname toy\ntitle T\u{202e}oy\nabout a\u{200b} toy\nseats 2\n\
                 option hat red its \u{2066}colour\nhelp one\u{feff}\n";
    let about = Description::read(about).unwrap();
    assert_eq!(about.title, "T\\u{202e}oy");
    assert_eq!(about.about, "a\\u{200b} toy");
    assert_eq!(about.options[0].meaning, "its \\u{2066}colour");
    assert_eq!(about.help, "one\\u{feff}\n");
    let answer = "event 0 call\ntell {0} \u{202e}wins ♠\u{fe0f}\nover 1 0\n";
    let Ok(RulesAnswer::Played { events, .. }) = RulesAnswer::read(answer, 2) else {
        panic!("it keeps to the protocol")
    };
    assert_eq!(events[0].tell.as_deref(), Some("{0} \\u{202e}wins ♠\u{fe0f}"));
}
