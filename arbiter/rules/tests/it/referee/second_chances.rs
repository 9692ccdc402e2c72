//! Second chances after an answer that is illegal or malformed.

use rules::replay::replay;
use rules::{Answer, Outcome, Seat, Verdict};

use crate::referee::dealt::{SEED, finish, output, seat, stopped, void};
use crate::refereed;

/// A game of two in which seat 0 has these answers, and seat 1 plays on. What comes back is the
/// verdicts of seat 0's first move, the requests that it got, and the record.
fn tried(retries: u32, answers: &[Answer]) -> (Vec<Verdict>, Vec<String>, rules::GameRecord) {
    let referee = refereed::referee_with_retries("seats=2", &SEED, retries);
    let (mut answers, mut requests) = (answers.iter(), Vec::new());
    let (mut referee, rulings) = finish(referee, 2, |question| {
        if question.number() == 0 {
            requests.push(question.request());
        }
        match answers.next() {
            Some(answer) => answer.clone(),
            None => output(&question.legal_moves().0[0]),
        }
    });
    let verdicts = rulings.iter().take(requests.len()).map(|(_, ruling)| ruling.verdict).collect();
    (verdicts, requests, refereed::record(&mut referee, &SEED))
}

fn out(record: &rules::GameRecord) -> Vec<(Seat, Verdict)> {
    record.result.faults()
}

#[test]
fn without_chances_the_first_answer_decides() {
    let (verdicts, requests, record) = tried(0, &[output("7S 5H")]);
    assert_eq!((verdicts, requests.len()), (vec![Verdict::Illegal], 1));
    assert_eq!(out(&record), [(seat(0), Verdict::Illegal)]);
}

#[test]
fn the_request_is_the_same_but_for_the_chance_and_the_rule_that_was_broken() {
    let (verdicts, requests, record) =
        tried(2, &[output("7S 5H"), output("zz"), output("7S 3H 4C")]);
    assert_eq!(verdicts, [Verdict::Illegal, Verdict::Malformed, Verdict::Ok]);
    assert_eq!(out(&record), []);
    let with = |lines: &str| {
        let (heading, rest) = requests[0].split_once("view ").unwrap();
        format!("{heading}{lines}view {rest}")
    };
    assert!(!requests[0].contains("retry"));
    assert_eq!(requests[1], with("retry 1\nreason not on the table: 5H\n"));
    assert_eq!(requests[2], with("retry 2\nreason expected a card, found `zz`\n"));
}

#[test]
fn the_last_try_decides() {
    let (verdicts, _, record) = tried(1, &[output("zz"), output("KC"), output("7S")]);
    assert_eq!(verdicts, [Verdict::Malformed, Verdict::Illegal]);
    assert_eq!(out(&record), [(seat(0), Verdict::Illegal)]);
    let (fault, _) = record.fault_of(seat(0)).unwrap();
    assert_eq!((fault.verdict, fault.detail.as_str()), (Verdict::Illegal, "KC is not in the hand"));
}

#[test]
fn every_move_has_its_own_chances() {
    let referee = refereed::referee_with_retries("seats=3", &SEED, 1);
    let mut retried = false;
    let (mut referee, rulings) = finish(referee, 3, |question| {
        retried = !retried;
        if retried { output("zz") } else { output(&question.legal_moves().0[0]) }
    });
    let forced = rulings.iter().filter(|(_, ruling)| ruling.verdict == Verdict::Malformed).count();
    assert_eq!(rulings.len(), 2 * forced);
    assert_eq!(refereed::outcome(&mut referee).faults(), []);
}

#[test]
fn other_faults_have_no_second_chance() {
    let faults = [
        (output(""), Verdict::NoAnswer),
        (stopped(Verdict::Timeout, "late"), Verdict::Timeout),
        (stopped(Verdict::Crash, "exit 1"), Verdict::Crash),
    ];
    for (answer, verdict) in faults {
        let (verdicts, _, record) = tried(5, &[output("zz"), answer]);
        assert_eq!(verdicts, [Verdict::Malformed, verdict]);
        assert_eq!(out(&record), [(seat(0), verdict)]);
    }
}

#[test]
fn a_void_answer_is_no_chance_used_and_no_chance_given() {
    let (_, _, record) = tried(1, &[output("zz"), void("no fork")]);
    assert_eq!(record.result, Outcome::Void { reason: "no fork".to_owned() });
}

#[test]
fn every_try_is_in_the_record_which_replays_with_as_many_chances_only() {
    let (_, _, record) = tried(2, &[output("7S 5H"), output("zz"), output("7S 3H 4C")]);
    let replayed = |retries| {
        let setup =
            rules::replay::ReplaySetup { retries, ..refereed::setup("seats=2", Some(&SEED)) };
        replay(setup, &record, |_| ()).map_err(|found| found.place.to_string())
    };
    let tries: Vec<_> = record.answers().take(3).map(|(answer, _)| answer.verdict).collect();
    assert_eq!(tries, [Verdict::Illegal, Verdict::Malformed, Verdict::Ok]);
    // The deals of the script are not those of the seed.
    assert_eq!(replayed(2), Err("draw 0".to_owned()));
    let scripted = |retries| {
        let setup = rules::replay::ReplaySetup { retries, ..refereed::setup("seats=2", None) };
        replay(setup, &record, |_| ()).map_err(|found| found.place.to_string())
    };
    assert_eq!(scripted(2), Ok(()));
    assert_eq!(scripted(1), Err("result".to_owned()));
}
