//! The clock of a game: what the requests show of it, and what a log may say of it.

use std::time::Duration;

use rules::referee::Question;
use rules::replay::{ReplaySetup, ReplayWatcher, replay, replay_begun};
use rules::{
    Answer, DetailedVerdict, Dialect, ElapsedTime, GameInProgress, GameKind, GameRecord, GameTerms,
    GameTime, Measurements, PerSeat, Referee, Step, StopCause, TimeControl, Verdict,
};

use crate::referee::dealt::{SEED, output, seat};
use crate::refereed;

const GAME: GameTime = GameTime { bank: 1000, increment: 50 };

/// A second chance of a seat on a clock, and no clock of the other seat.
fn times(first: Option<u64>) -> PerSeat<TimeControl> {
    let on_clock = TimeControl { answer: 800, first, game: Some(GAME) };
    PerSeat::new(2, |it| if it == seat(0) { on_clock } else { TimeControl::even(800) })
}

fn setup(first: Option<u64>) -> ReplaySetup<'static> {
    ReplaySetup { times: times(first), retries: 1, ..refereed::setup("seats=2", Some(&SEED)) }
}

/// Plays a game in which the answers of seat 0 take these milliseconds, one after the other; all later
/// ones take none, and `wrong` of the first are no moves.
fn play(first: Option<u64>, ms: &[f64], wrong: usize) -> (GameRecord, Vec<String>) {
    let even = GameTerms::even(SEED.name(0), 2, 0, SEED.bots(0));
    let dialects = PerSeat::new(2, |_| Dialect::Native);
    let terms = GameTerms { times: times(first), retries: 1, dialects, ..even };
    let mut referee =
        Referee::new(&GameKind::of::<rules::tablic::Tablic>(), "seats=2", terms).unwrap();
    let (mut nature, mut measured, mut requests) = (SEED.nature(0), Vec::new(), Vec::new());
    let mut left = ms.iter();
    loop {
        match referee.step() {
            Step::Moved => {}
            Step::Over(_) => break,
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Ask(question) => {
                let is_own = question.seat() == seat(0);
                let took = if is_own { left.next().copied().unwrap_or_default() } else { 700.0 };
                let mut answer = output(&question.legal_moves().0[0]);
                if is_own {
                    requests.push(question.request());
                    if requests.len() <= wrong {
                        answer = output("zz");
                    }
                }
                let now = Measurements { ms: took, ..Measurements::default() };
                question.answer_after(answer, ElapsedTime::from(&now));
                measured.push(now);
            }
        }
    }
    let record = refereed::record(&mut referee, &SEED);
    (GameRecord { measured, ..record }, requests)
}

/// The lines from `time` to the seed.
fn time_lines(request: &str) -> String {
    let lines = request.lines().skip_while(|line| !line.starts_with("time "));
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("seed ")).collect();
    lines.join(", ")
}

#[test]
fn a_request_shows_the_clock_of_its_own_seat() {
    let (record, requests) = play(None, &[100.25, 0.0, 400.0], 0);
    let shown: Vec<String> = requests.iter().take(4).map(|request| time_lines(request)).collect();
    let expected = [
        "time 800, bank 1000, increment 50",
        "time 800, bank 949, increment 50",
        "time 800, bank 999, increment 50",
        "time 649, bank 649, increment 50",
    ];
    assert_eq!(shown, expected);
    assert_eq!(replay(setup(None), &record, |_| ()), Ok(()));
}

#[test]
fn a_second_chance_takes_its_time_and_earns_nothing() {
    let (record, requests) = play(None, &[300.0, 100.0], 1);
    let shown: Vec<String> = requests.iter().take(3).map(|request| time_lines(request)).collect();
    let expected = [
        "time 800, bank 1000, increment 50",
        "time 700, bank 700, increment 50",
        "time 650, bank 650, increment 50",
    ];
    assert_eq!(shown, expected);
    assert_eq!(replay(setup(None), &record, |_| ()), Ok(()));
}

/// The first request shows the whole clock, though its answer changes nothing of it, as protocol.md says: a log holds the
/// digests of requests.
#[test]
fn the_first_answer_may_have_a_time_of_its_own() {
    let (record, requests) = play(Some(5000), &[4000.0, 10.0], 0);
    let shown: Vec<String> = requests.iter().take(3).map(|request| time_lines(request)).collect();
    let expected = [
        "time 5000, bank 1000, increment 50",
        "time 800, bank 1000, increment 50",
        "time 800, bank 1040, increment 50",
    ];
    assert_eq!(shown, expected);
    assert_eq!(replay(setup(Some(5000)), &record, |_| ()), Ok(()));
    let page: Vec<&str> = include_str!("../../../../../protocol.md").split_whitespace().collect();
    let sentence = "the first request of a game has the time for the first answer in `time`, which may be more \
                    than the bank, and the full `bank` and `increment`";
    assert!(page.join(" ").contains(sentence));
    let without = replay(setup(None), &record, |_| ()).unwrap_err();
    assert_eq!(without.place.to_string(), "move 0");
}

#[test]
fn an_answer_beyond_the_bank_puts_the_seat_out() {
    let (record, _) = play(None, &[500.0, 600.0], 0);
    let (fault, _) = record.fault_of(seat(0)).expect("it is out");
    let detail = "its time for the game was used up: 550 ms were left for this answer";
    assert_eq!((fault.verdict, fault.detail.as_str()), (Verdict::Timeout, detail));
    assert_eq!(replay(setup(None), &record, |_| ()), Ok(()));
}

/// Each change would have to be followed by others, so a replay finds it.
#[test]
fn changed_times_do_not_replay() {
    let late = play(None, &[500.0, 600.0], 0).0;
    let long = play(None, &[100.0, 100.0, 100.0], 0).0;
    let place_of = |record: &GameRecord, number: usize| {
        let own = record.answers().enumerate().filter(|(_, (it, _))| it.seat == seat(0));
        own.map(|(place, _)| place).nth(number).expect("an answer")
    };
    type Edit = fn(&mut GameRecord, usize);
    let last: &[(&str, &GameRecord, usize, Edit, &str)] = &[
        ("a time", &long, 1, |it, at| it.measured[at].ms = 99.0, "the logged request"),
        ("more time", &long, 1, |it, at| it.measured[at].ms = 101.0, "the logged request"),
        ("late in time", &late, 1, |it, at| it.measured[at].ms = 549.999, "at least 550 ms"),
        ("in time too late", &long, 0, |it, at| it.measured[at].ms = 800.001, "at most 800 ms"),
        ("no time", &late, 1, |it, at| it.measured.truncate(at), "not measured"),
    ];
    for (what, record, number, edit, says) in last {
        let mut changed = (*record).clone();
        edit(&mut changed, place_of(record, *number));
        let found = replay(setup(None), &changed, |_| ()).expect_err(what).to_string();
        assert!(found.contains(says), "{what}: {found}");
    }
    let mut other = late.clone();
    for input in &mut other.inputs {
        if let rules::RefereeInput::Answer(answer) = input {
            answer.detail = answer.detail.replace("550", "551");
        }
    }
    let found = replay(setup(None), &other, |_| ()).expect_err("another rest").to_string();
    assert!(found.contains("551") && found.contains("550"), "{found}");
}

/// A game that is being played has no measurements, but the times that its clocks need.
#[test]
fn a_game_that_is_being_played_has_its_clocks() {
    struct Silent;
    impl ReplayWatcher for Silent {}
    let (record, _) = play(None, &[100.25, 20.0], 0);
    let begun = GameInProgress {
        game: record.game,
        attempt: record.attempt,
        deal: record.deal,
        id: record.id,
        seats: record.seats.clone(),
        bot_seeds: record.bot_seeds.clone(),
        inputs: record.inputs.clone(),
        elapsed: record.measured.iter().map(ElapsedTime::from).collect(),
    };
    let text = serde_json::to_string(&begun).unwrap();
    let begun: GameInProgress = serde_json::from_str(&text).unwrap();
    let referee = replay_begun(setup(None), &begun, &mut Silent).unwrap();
    let left = referee.bank(seat(0)).map(|bank| bank.left);
    let moves = record.answers().filter(|(answer, _)| answer.seat == seat(0)).count() as u64;
    assert_eq!(left, Some(1000 - 121 + 50 * moves));
    assert_eq!(referee.elapsed(), begun.elapsed);
    let without = GameInProgress { elapsed: Vec::new(), ..begun };
    let found = replay_begun(setup(None), &without, &mut Silent).err().expect("times are missing");
    assert!(found.to_string().contains("not measured"), "{found}");
}

/// What the referee makes of an answer to the first question of a game, if both seats have this time.
fn ruling_of_first(
    time: TimeControl,
    answer: impl Fn(&Question<'_>) -> (Answer, u64),
) -> DetailedVerdict {
    let even = GameTerms::even(SEED.name(0), 2, 0, SEED.bots(0));
    let terms = GameTerms { times: PerSeat::new(2, |_| time), ..even };
    let kind = GameKind::of::<rules::tablic::Tablic>();
    let mut referee = Referee::new(&kind, "seats=2", terms).unwrap();
    let mut nature = SEED.nature(0);
    loop {
        match referee.step() {
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Ask(question) => {
                let (answer, micros) = answer(&question);
                return question.answer_after(answer, ElapsedTime::from_micros(micros));
            }
            Step::Moved => {}
            Step::Over(_) => panic!("no seat was asked"),
        }
    }
}

#[test]
fn the_smaller_limit_is_the_cause() {
    for (answer, by) in [(800, StopCause::NoExit(800)), (2000, StopCause::GameTime(1000))] {
        let ruling =
            ruling_of_first(TimeControl { answer, first: None, game: Some(GAME) }, |question| {
                let limit = question.allowed().ms();
                let by = StopCause::NoExit(limit);
                (Answer::Stopped { by, output: Vec::new() }, limit * 1000)
            });
        assert_eq!(ruling.detail, by.to_string());
    }
}

#[test]
fn an_answer_beyond_the_bank_is_late_and_one_within_it_is_not() {
    let bank = TimeControl { answer: 5000, first: None, game: Some(GAME) };
    let even = TimeControl::even(5000);
    let output = |question: &Question<'_>| output(&question.legal_moves().0[0]);
    let stopped = |by| move |_: &Question<'_>| Answer::Stopped { by, output: Vec::new() };
    for (time, micros, expected) in [
        (bank, 1_000_000, None),
        (bank, 1_000_001, Some(StopCause::GameTime(1000))),
        // Without a bank the supervisor decides who is late, and the referee does not.
        (even, u64::MAX, None),
    ] {
        let ruling = ruling_of_first(time, |question| (output(question), micros));
        let detail = expected.map(|by| by.to_string()).unwrap_or_default();
        assert_eq!(ruling.detail, detail, "{micros}");
    }
    for (time, by, expected) in [
        (bank, StopCause::NoLine(1000), StopCause::GameTime(1000)),
        (even, StopCause::GameTime(1000), StopCause::NoExit(5000)),
    ] {
        let ruling = ruling_of_first(time, |question| (stopped(by.clone())(question), 0));
        assert_eq!(ruling.detail, expected.to_string());
    }
    let first = TimeControl { first: Some(2000), ..even };
    let used_up = TimeControl { game: Some(GameTime { bank: 0, increment: 0 }), ..even };
    for (time, special, ms) in [
        (bank, Some(Duration::from_secs(1)), 1000),
        (even, None, 5000),
        (first, Some(Duration::from_secs(2)), 2000),
        // In a request, 0 would stand for no limit.
        (used_up, Some(Duration::ZERO), 1),
    ] {
        ruling_of_first(time, |question| {
            assert_eq!((question.allowed().special_time(), question.allowed().ms()), (special, ms));
            (output(question), 0)
        });
    }
}

#[test]
fn a_measured_time_is_taken_to_the_microsecond() {
    let elapsed = |ms| ElapsedTime::from(&Measurements { ms, ..Measurements::default() });
    for micros in [0, 1, 999, 1001, 123_457, 86_400_000_001] {
        let ms = Duration::from_micros(micros).as_micros() as f64 / 1000.0;
        let text = serde_json::to_string(&ms).expect("a number");
        let read: f64 = serde_json::from_str(&text).expect("a number");
        assert_eq!(elapsed(read), ElapsedTime::from_micros(micros), "{text}");
    }
    for (odd, expected) in [(-1.0, 0), (f64::NAN, 0), (f64::MAX, u64::MAX)] {
        assert_eq!(elapsed(odd), ElapsedTime::from_micros(expected));
    }
}
