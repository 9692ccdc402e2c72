//! Requests without their games: what they rule is what the referee rules in the game itself.

use rules::coup::Coup;
use rules::dialect::Strictness;
use rules::tablic::Tablic;
use rules::{
    Answer, Dialect, GameKind, GameTerms, PerSeat, Prompt, Referee, Seed, StandaloneRequest, Step,
    StopCause, Verdict,
};

const REQUEST: &str = include_str!("../../../../../examples/requests/tablic/late-move.txt");

const CLASSIC: Dialect = Dialect::Classic(Strictness::Strict);

fn problem(text: &str) -> String {
    match StandaloneRequest::read(text) {
        Ok(_) => "none".to_owned(),
        Err(problem) => problem.to_string(),
    }
}

/// Every request of games with this number of seats, each answered in one of several ways.
fn rules_as_the_referee_does(seats: usize) {
    let seed = Seed([7; 32]);
    let mut asked = 0;
    let mut seen = Vec::new();
    for deal in 0..6 {
        let mut nature = seed.nature(deal);
        let terms = GameTerms::even(seed.name(0), seats, 1000, seed.bots(0));
        let options = format!("seats={seats}");
        let mut referee =
            Referee::new(&GameKind::of::<Tablic>(), &options, terms).expect("options");
        loop {
            match referee.step() {
                Step::Nature(draw) => draw.draw(&mut nature),
                Step::Moved => {}
                Step::Ask(question) => {
                    asked += 1;
                    let (moves, _) = question.legal_moves();
                    let answer = answer(asked, &moves);
                    let sample =
                        StandaloneRequest::read(&question.request()).expect("a request of a game");
                    assert_eq!(sample.legal(), moves);
                    let ruling = sample.rule(Dialect::Native, answer.clone());
                    assert_eq!(question.answer(answer), ruling);
                    seen.push(ruling.verdict);
                }
                Step::Over(_) => break,
            }
        }
    }
    assert!(seen.contains(&Verdict::Ok) && seen.iter().any(|verdict| *verdict != Verdict::Ok));
}

fn answer(asked: usize, moves: &[String]) -> Answer {
    match asked % 40 {
        7 => Answer::Output(b"KC\n".to_vec()),
        17 => Answer::Output(b"6D 7C\n".to_vec()),
        27 => Answer::Output(b"7X\n".to_vec()),
        33 => Answer::Output(Vec::new()),
        39 => Answer::Stopped { by: StopCause::NoExit(1000), output: Vec::new() },
        place => Answer::Output(moves[place * 31 % moves.len()].clone().into()),
    }
}

#[test]
fn a_sample_rules_as_the_referee_does() {
    for seats in [2, 3, 8, 24] {
        rules_as_the_referee_does(seats);
    }
}

/// Both seats of Coup are asked in the classic dialect, and answer each in one of several ways.
#[test]
fn the_classic_dialect_is_ruled_alike() {
    let seed = Seed([5; 32]);
    let mut asked = 0;
    let mut seen = Vec::new();
    for deal in 0..40 {
        let mut nature = seed.nature(deal);
        let dialects = PerSeat::new(2, |_| CLASSIC);
        let terms = GameTerms { dialects, ..GameTerms::even(seed.name(0), 2, 1000, seed.bots(0)) };
        let mut referee = Referee::new(&GameKind::of::<Coup>(), "", terms).expect("options");
        loop {
            match referee.step() {
                Step::Nature(draw) => draw.draw(&mut nature),
                Step::Moved => {}
                Step::Ask(question) => {
                    asked += 1;
                    let sample =
                        StandaloneRequest::read(&question.request()).expect("a request of a game");
                    assert_eq!(sample.prompt(CLASSIC), Some(question.prompt().clone()));
                    let answer = classic_answer(asked, question.prompt());
                    let ruling = sample.rule(CLASSIC, answer.clone());
                    let played = sample.played(CLASSIC, answer.clone());
                    let legal = sample.legal().to_vec();
                    assert_eq!(question.answer(answer), ruling);
                    assert_eq!(played.is_some(), ruling.verdict == Verdict::Ok);
                    assert!(played.is_none_or(|played| legal.contains(&played)));
                    seen.push(ruling.verdict);
                }
                Step::Over(_) => break,
            }
        }
    }
    for verdict in [Verdict::Ok, Verdict::Illegal, Verdict::Malformed, Verdict::NoAnswer] {
        assert!(seen.contains(&verdict), "{verdict}");
    }
}

fn classic_answer(asked: usize, question: &Prompt) -> Answer {
    let Prompt::Classic { file, arguments } = question else { unreachable!("another dialect") };
    let appended = match asked % 31 {
        5 => "#",
        9 => "",
        13 => return Answer::Classic { file: b"Z".to_vec(), output: Vec::new() },
        place => &arguments[3 + place * 7 % (arguments.len() - 3)],
    };
    let output = arguments[2].bytes().take(2).collect();
    Answer::Classic { file: format!("{file}{appended}").into_bytes(), output }
}

#[test]
fn a_game_without_the_classic_dialect_asks_nothing_in_it() {
    let sample = StandaloneRequest::read(REQUEST).expect("a request");
    assert_eq!(sample.prompt(CLASSIC), None);
    assert_eq!(sample.prompt(Dialect::Native), Some(Prompt::Request(REQUEST.to_owned())));
    let played = sample.played(Dialect::Native, Answer::Output(b" 9d\r\n".to_vec()));
    assert_eq!(played.as_deref(), Some("9D"));
}

#[test]
fn text_that_is_no_request_is_refused() {
    let heading =
        "expected `arbiter VERSION` and `game NAME` in the first two lines of the request";
    assert_eq!(problem(""), heading);
    assert_eq!(problem("7S\n"), heading);
    let unknown = REQUEST.replacen("game tablic", "game whist", 1);
    assert_eq!(problem(&unknown), "expected a game that this build knows, found `whist`");
    let torn = REQUEST.strip_suffix("end\n").unwrap();
    assert!(problem(torn).ends_with("expected a line `end`, found nothing"), "{}", problem(torn));
}

#[test]
fn a_request_that_no_game_leads_to_is_refused() {
    let moved = |from: &str, to: &str| problem(&REQUEST.replacen(from, to, 1));
    assert!(StandaloneRequest::read(REQUEST).is_ok());
    let legal = REQUEST.lines().skip_while(|line| !line.starts_with("legal ")).nth(1).unwrap();
    let cases = [
        (moved("seat 1\n", "seat 0\n"), "the seat is not to move"),
        (moved("\ntalon 0\n", "\ntalon 1\n"), "the history leads to a different view"),
        (moved(&format!("\n{legal}\n"), "\n2C 3C\n"), "the legal moves differ"),
        (moved("\n0 ", "\n1 "), "the history does not lead to the view"),
    ];
    for (found, expected) in cases {
        assert_eq!(found, format!("no game leads to this request: {expected}"));
    }
}
