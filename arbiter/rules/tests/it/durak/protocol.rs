//! Durak through the referee and in text, with the bout of its page.

use rules::durak::{Durak, Event};
use rules::record::Outcome;
use rules::replay::{ReplaySetup, replay};
use rules::{
    Answer, Dialect, Entry, GameKind, GameRecord, GameTerms, Nature, PerSeat, Referee, Request,
    Score, Seat, Seed, Step, StopCause, TimeControl, Verdict,
};

use crate::refereed;

const PAGE: &str = include_str!("../../../../../docs/games/durak.md");
const TIME: u64 = 5000;

/// The options and the chances of the bout on the page.
const OPTIONS: &str = "seats=3 deck=24";
const CHANCES: [&str; 7] = [
    "deal 0 9C 9S 10C JC QC KC",
    "deal 1 9D 10D 10S JD QD KH",
    "deal 2 9H 10H JH JS QH KD",
    "trump AS",
    "draw 0 AC",
    "draw 2 AD",
    "draw 1 KS AH",
];
/// Answers of the seats that are asked; all else follows.
const ANSWERS: [(usize, &str); 6] =
    [(0, "lead 10C"), (1, "beat 10S"), (2, "throw 10H"), (1, "beat KH"), (0, "done"), (2, "done")];

fn referee(options: &str, seed: &Seed) -> Referee {
    let seats = GameKind::of::<Durak>().seats(options).unwrap();
    let terms = GameTerms::even(seed.name(0), seats, TIME, seed.bots(0));
    Referee::new(&GameKind::of::<Durak>(), options, terms).unwrap()
}

fn points(points: &[i32]) -> Vec<Score> {
    points.iter().copied().map(Score::points).collect()
}

/// The bout on the page, with the requests in order; the last one is not answered.
fn worked_bout() -> (Referee, Vec<String>) {
    let mut referee = referee(OPTIONS, &Seed([0; 32]));
    let (mut chances, mut answers) = (CHANCES.into_iter(), ANSWERS.into_iter());
    let mut requests = Vec::new();
    loop {
        match referee.step() {
            Step::Nature(draw) => draw.happen(chances.next().unwrap()).unwrap(),
            Step::Ask(question) => {
                requests.push(question.request());
                let Some((seat, answer)) = answers.next() else { break };
                assert_eq!(question.seat().index(), seat, "{answer}");
                let ruling = question.answer(Answer::Output(answer.into()));
                assert_eq!(ruling.verdict, Verdict::Ok, "{answer}");
            }
            Step::Moved => {}
            Step::Over(outcome) => panic!("{outcome:?}"),
        }
    }
    assert_eq!((chances.len(), answers.len()), (0, 0));
    (referee, requests)
}

#[test]
fn the_request_on_the_page_is_the_one_that_is_sent() {
    let (_, requests) = worked_bout();
    let request = &requests[3];
    assert!(request.starts_with(&format!("arbiter 1\ngame durak {OPTIONS} transfer=off ")));
    let body = &request[request.find("view ").unwrap()..];
    assert!(PAGE.contains(&format!("```text\n{body}```")), "docs/games/durak.md lacks\n{body}");
}

#[test]
fn the_end_of_the_bout_on_the_page_is_the_one_that_comes() {
    let (referee, requests) = worked_bout();
    // As seat 1 is told, which attacks next.
    let request: Request<Durak> = requests.last().unwrap().parse().unwrap();
    let told: Vec<String> = request.history.iter().map(ToString::to_string).collect();
    let end = told[9..].join("\n");
    assert!(PAGE.contains(&format!("```text\n{end}\n```")), "docs/games/durak.md lacks\n{end}");
    assert_eq!(referee.history(0).len(), told.len());
}

#[test]
fn passing_over_a_seat_counts_as_a_move_and_its_done_is_an_ordinary_event() {
    let (referee, requests) = worked_bout();
    let numbers = requests.iter().map(|request| {
        let request: Request<Durak> = request.parse().unwrap();
        (request.heading.seat.index(), request.heading.number)
    });
    // Seat 0 holds no ten after the lead: its `done` is move 2, and no seat is asked for it.
    let expected = [(0, 0), (1, 1), (2, 3), (1, 4), (0, 5), (2, 6), (1, 7)];
    assert_eq!(numbers.collect::<Vec<_>>(), expected);
    let done = referee.history(0).iter().filter(|line| *line == "0 done").count();
    assert_eq!(done, 2, "one of them chosen");
}

/// A game of random answers, but where `instead` has another; as a log would hold it.
fn game(
    options: &str,
    seed: &Seed,
    mut instead: impl FnMut(&Request<Durak>) -> Option<Answer>,
) -> (Referee, GameRecord) {
    let mut referee = referee(options, seed);
    let (mut deals, mut nature): (Nature, Nature) = (seed.nature(0), seed.nature(1));
    refereed::play(
        &mut referee,
        |draw| draw.draw(&mut deals),
        |question| {
            let request: Request<Durak> = question.request().parse().unwrap();
            assert!(question.request().len() < 64 * 1024);
            let at_random = nature.choose(&request.legal).unwrap().to_string().into_bytes();
            instead(&request).unwrap_or(Answer::Output(at_random))
        },
    );
    let record = refereed::record(&mut referee, seed);
    (referee, record)
}

fn timeout() -> Answer {
    Answer::Stopped { by: StopCause::NoExit(1000), output: Vec::new() }
}

#[test]
fn games_through_the_referee_replay_from_their_record() {
    let options = [
        "seats=2 deck=36 transfer=off first-limit=6 throwers=all",
        "seats=5 deck=52 transfer=on first-limit=5 throwers=neighbours",
    ];
    for number in 0..20 {
        for options in options {
            let seed = Seed([number; 32]);
            let (referee, record) = game(options, &seed, |_| None);
            let json = serde_json::to_string(&record).unwrap();
            let read: GameRecord = serde_json::from_str(&json).unwrap();
            assert_eq!(read, record);
            let setup = ReplaySetup {
                kind: GameKind::of::<Durak>(),
                options,
                times: PerSeat::new(referee.seats(), |_| TimeControl::even(TIME)),
                dialects: PerSeat::new(referee.seats(), |_| Dialect::Native),
                retries: 0,
                seed: Some(&seed),
            };
            assert_eq!(replay(setup, &read, |_| ()), Ok(()));
        }
    }
}

/// The seats that have gone by the rules, as a request tells.
fn gone(request: &Request<Durak>) -> &[Seat] {
    &request.view.gone
}

#[test]
fn a_fault_of_one_of_two_is_a_walkover_worth_a_win() {
    let (_, record) = game("seats=2", &Seed([1; 32]), |_| Some(timeout()));
    let last = record.events.last().unwrap();
    assert!(last.starts_with("out ") && last.ends_with(" timeout"), "no closing event: {last}");
    let Outcome::Walkover { scores, .. } = record.result else { panic!("{:?}", record.result) };
    let mut scores = scores.values().to_vec();
    scores.sort();
    assert_eq!(scores, points(&[0, 1]));
}

#[test]
fn a_seat_that_the_rules_let_go_keeps_its_point_and_contends_no_more() {
    for number in 0..10 {
        let mut told = None;
        let (_, record) = game("seats=3", &Seed([number; 32]), |request| {
            let [safe] = gone(request) else { return None };
            told = Some((*safe, request.heading.seat));
            Some(timeout())
        });
        // If both last seats go at once, no seat is asked any more.
        let Some((safe, late)) = told else { continue };
        let Outcome::Walkover { scores, out } = record.result else {
            panic!("{:?}", record.result)
        };
        assert_eq!(record.events.last(), Some(&format!("out {late} timeout")), "at once");
        let mut expected = points(&[1; 3]);
        expected[late.index()] = Score::ZERO;
        assert_eq!(scores.values(), expected, "seat {safe} has gone");
        assert_eq!(out.iter().filter(|(_, fault)| fault.is_some()).count(), 1);
        return;
    }
    panic!("no game in which a seat is asked after another has gone");
}

#[test]
fn the_game_ends_once_one_seat_without_a_fault_is_left() {
    let mut walkovers = 0;
    for number in 0..40 {
        let first = |request: &Request<Durak>| {
            let is_first = request.heading.seat.index() == 0;
            is_first.then(timeout)
        };
        let (_, record) = game("seats=4", &Seed([number; 32]), first);
        let scores = record.result.scores().unwrap().values().to_vec();
        assert_eq!(scores[0], Score::ZERO);
        if let Outcome::Walkover { .. } = record.result {
            walkovers += 1;
            assert_eq!(scores, points(&[0, 1, 1, 1]));
            let last: Entry<Event> = record.events.last().unwrap().parse().unwrap();
            assert!(matches!(last, Entry::Event(Event::Gone(_))), "{last}");
        } else {
            let total: Score = scores.iter().copied().sum();
            assert!(total < Score::points(4), "{scores:?}");
        }
    }
    assert!(walkovers > 0);
}
