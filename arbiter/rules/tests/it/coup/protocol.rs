//! The page of Coup: its request and its verdicts, and the game through the referee and in text.

use rules::coup::classic::{ClassicCoupCall, UnreadableAnswer, file};
use rules::coup::{Coup, Event};
use rules::record::Outcome;
use rules::replay::{ReplaySetup, replay};
use rules::{
    Answer, Dialect, GameKind, GameRecord, GameTerms, Nature, PerSeat, Referee, Request, Score,
    Seed, Step, TimeControl, Verdict,
};

use crate::refereed;

const PAGE: &str = include_str!("../../../../../docs/games/coup.md");
const OPTIONS: &str = "seats=2 rules=contest";
const TIME: u64 = 5000;

const CHANCES: [&str; 3] = ["deal 0 duke captain", "deal 1 contessa assassin", "draw 0 ambassador"];
/// Answers of the seats that are asked; all else follows.
const ANSWERS: [(usize, &str); 11] = [
    (0, "tax"),
    (1, "pass"),
    (1, "foreign-aid"),
    (0, "block duke"),
    (1, "challenge"),
    (1, "lose contessa"),
    (0, "assassinate 1"),
    (1, "challenge"),
    (0, "lose captain"),
    (1, "steal 0"),
    (0, "challenge"),
];

fn referee(seed: &Seed) -> Referee {
    let terms = GameTerms::even(seed.name(0), 2, TIME, seed.bots(0));
    Referee::new(&GameKind::of::<Coup>(), OPTIONS, terms).unwrap()
}

/// The game on the page, with the requests in order.
fn worked_game() -> (Referee, Vec<String>) {
    let mut referee = referee(&Seed([0; 32]));
    let (mut chances, mut answers) = (CHANCES.into_iter(), ANSWERS.into_iter());
    let mut requests = Vec::new();
    loop {
        match referee.step() {
            Step::Nature(draw) => draw.happen(chances.next().unwrap()).unwrap(),
            Step::Ask(question) => {
                let (seat, answer) = answers.next().unwrap();
                assert_eq!(question.seat().index(), seat, "{answer}");
                requests.push(question.request());
                let ruling = question.answer(Answer::Output(answer.into()));
                assert_eq!(ruling.verdict, Verdict::Ok, "{answer}");
            }
            Step::Moved => {}
            Step::Over(_) => break,
        }
    }
    assert_eq!((chances.len(), answers.len()), (0, 0));
    (referee, requests)
}

/// The request after the bluff, the one that the page shows.
fn shown_request() -> String {
    let (_, requests) = worked_game();
    let place = ANSWERS.iter().position(|(_, answer)| *answer == "assassinate 1").unwrap();
    requests[place + 1].clone()
}

#[test]
fn the_request_on_the_page_is_the_one_that_is_sent() {
    let request = shown_request();
    let body = &request[request.find("view ").unwrap()..];
    assert!(PAGE.contains(&format!("```text\n{body}```")), "docs/games/coup.md lacks\n{body}");
}

#[test]
fn the_end_of_the_game_on_the_page_is_the_one_that_comes() {
    let (referee, _) = worked_game();
    let end = referee.history(12).join("\n");
    assert!(PAGE.contains(&format!("```text\n{end}\n```")), "docs/games/coup.md lacks\n{end}");
}

#[test]
fn the_classic_file_and_call_on_the_page_are_those_of_the_game() {
    let (referee, _) = worked_game();
    let events: Vec<Event> = referee.history(0).iter().map(|line| line.parse().unwrap()).collect();
    let file = file(&events);
    assert!(PAGE.contains(&format!("```text\n{file}```")), "docs/games/coup.md lacks\n{file}");
    let request: Request<Coup> = shown_request().parse().unwrap();
    let call = ClassicCoupCall::new(&request).unwrap();
    assert_eq!(call.file, "Tp\nFdq$=\nA");
    assert_eq!(call.arguments, ["4", "1", "^", "s", "q", "'"]);
    assert!(PAGE.contains("`PROGRAM FILE 4 1 ^ s q \\'`"));
}

#[test]
fn the_verdicts_on_the_page_are_those_that_are_given() {
    let legal = String::new;
    let rows = [
        ("FILE as it was", UnreadableAnswer::Nothing { legal: legal() }),
        (
            "FILE without its old text at the beginning",
            UnreadableAnswer::Changed { legal: legal() },
        ),
        (
            "anything appended except exactly one of LEGAL",
            UnreadableAnswer::NotLegal { legal: legal(), found: String::new() },
        ),
        (
            "at the end of an exchange, no choice from CARDS on standard output",
            UnreadableAnswer::NotCards { count: 2, cards: String::new(), found: String::new() },
        ),
    ];
    for (row, unread) in rows {
        let row = format!("| {row} | `{}` |", unread.verdict());
        assert!(PAGE.contains(&row), "docs/games/coup.md lacks {row}");
    }
}

/// A game of random answers, as a log would hold it.
fn random_game(seed: &Seed, nature: &mut Nature) -> GameRecord {
    let mut referee = referee(seed);
    let mut deals = seed.nature(0);
    let mut asked = 0;
    refereed::play(
        &mut referee,
        |draw| draw.draw(&mut deals),
        |question| {
            let (legal, _) = question.legal_moves();
            assert!(legal.len() > 1, "nobody is asked for {legal:?}");
            assert!(question.request().parse::<Request<Coup>>().is_ok());
            assert!(question.request().len() < 16 * 1024);
            asked += 1;
            Answer::Output(nature.choose(&legal).unwrap().clone().into_bytes())
        },
    );
    let moves = referee.history(0);
    let moves = moves.iter().filter(|line| line.starts_with(['0', '1'])).count();
    assert!(asked < moves, "some moves are forced");
    let record = refereed::record(&mut referee, seed);
    assert!(record.answers().all(|(answer, _)| answer.verdict == Verdict::Ok));
    record
}

#[test]
fn games_through_the_referee_replay_from_their_record() {
    for number in 0..50 {
        let seed = Seed([number; 32]);
        let record = random_game(&seed, &mut seed.nature(1));
        let json = serde_json::to_string(&record).unwrap();
        let read: GameRecord = serde_json::from_str(&json).unwrap();
        assert_eq!(read, record);
        let setup = ReplaySetup {
            kind: GameKind::of::<Coup>(),
            options: OPTIONS,
            times: PerSeat::new(2, |_| TimeControl::even(TIME)),
            dialects: PerSeat::new(2, |_| Dialect::Native),
            retries: 0,
            seed: Some(&seed),
        };
        assert_eq!(replay(setup, &read, |_| ()), Ok(()));
    }
}

/// At a court the house plays for a seat that is out. Once that seat has lost its cards, too, the game ends by the rules.
#[test]
fn a_seat_that_is_out_and_gone_makes_no_walkover() {
    let (mut walkovers, mut by_rules) = (0, 0);
    for deal in 0..40 {
        let deals = Seed([9; 32]);
        let dialects = PerSeat::new(3, |_| Dialect::Native);
        let terms =
            GameTerms { dialects, ..GameTerms::even(deals.name(deal), 3, TIME, deals.bots(deal)) };
        let mut referee = Referee::new(&GameKind::of::<Coup>(), "seats=3", terms).unwrap();
        let (mut nature, mut choice) = (deals.nature(deal), deals.order(deal));
        let outcome = loop {
            match referee.step() {
                Step::Nature(draw) => draw.draw(&mut nature),
                Step::Ask(question) => {
                    let (legal, _) = question.legal_moves();
                    let mv = choice.choose(&legal).unwrap().clone();
                    let is_late = question.seat().index() == 2 && question.number() > deal as u32;
                    let answer = if is_late { "nonsense".to_owned() } else { mv };
                    question.answer(Answer::Output(answer.into_bytes()));
                }
                Step::Moved => {}
                Step::Over(outcome) => break outcome.clone(),
            }
        };
        let history = referee.history(0);
        let lost = |seat: &str| {
            history.iter().filter(|line| line.starts_with(&format!("{seat} lose "))).count()
        };
        let has_won = history.last().unwrap().starts_with("winner ");
        if outcome.faults().is_empty() || history.last().unwrap() == "winner none" {
            continue;
        }
        match outcome {
            Outcome::Walkover { .. } => {
                assert!(!has_won && lost("2") < 2, "{history:?}");
                walkovers += 1;
            }
            Outcome::Played { .. } => {
                assert!(has_won && lost("2") == 2, "{history:?}");
                by_rules += 1;
            }
            Outcome::Void { reason } => panic!("{reason}"),
        }
    }
    assert!(walkovers > 0 && by_rules > 0, "{walkovers} walkovers, {by_rules} by the rules");
}

#[test]
fn a_fault_is_a_walkover_worth_a_win() {
    let mut referee = referee(&Seed([0; 32]));
    let outcome = loop {
        match referee.step() {
            Step::Nature(draw) => draw.draw(&mut Seed([0; 32]).nature(0)),
            Step::Ask(question) => {
                let ruling = question.answer(Answer::Output(b"block assassin".to_vec()));
                assert_eq!(ruling.verdict, Verdict::Illegal);
                let expected = "`block assassin` is no answer here: expected an action";
                assert_eq!(ruling.detail, expected);
            }
            Step::Moved => {}
            Step::Over(outcome) => break outcome.clone(),
        }
    };
    let Outcome::Walkover { scores, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(scores.values(), [Score::ZERO, Score::points(1)]);
    assert_eq!(referee.history(0).last().unwrap(), "out 0 illegal", "no closing event");
}
