//! Records of games, folded back through the referee as they are and after an edit.

use rules::record::Outcome;
use rules::replay::replay;
use rules::{Answer, GameRecord, PerSeat, Referee, RefereeInput, Score, Seed, Verdict};

use crate::referee::dealt::{SEED, game, output, seat, stopped, void};
use crate::refereed;

/// A game of two to the end with draws from the seed, in which some cards are captured.
fn whole_game() -> GameRecord {
    let mut referee = refereed::referee("seats=2", &SEED);
    let mut nature = SEED.nature(0);
    refereed::play(
        &mut referee,
        |draw| draw.draw(&mut nature),
        |question| output(question.legal_moves().0.last().unwrap()),
    );
    refereed::record(&mut referee, &SEED)
}

/// A game in which seat 1 answers nonsense at its third turn.
fn broken_off() -> GameRecord {
    let mut referee = refereed::referee("seats=2", &SEED);
    let mut nature = SEED.nature(0);
    refereed::play(
        &mut referee,
        |draw| draw.draw(&mut nature),
        |question| match question.number() {
            5 => output("nonsense"),
            _ => output(question.legal_moves().0.last().unwrap()),
        },
    );
    refereed::record(&mut referee, &SEED)
}

/// The place at which replay finds the record of a game of two wrong, as text.
fn wrong_at(record: &GameRecord, seed: Option<&Seed>) -> String {
    match replay(refereed::setup("seats=2", seed), record, |_| ()) {
        Ok(()) => "nowhere".to_owned(),
        Err(discrepancy) => discrepancy.place.to_string(),
    }
}

/// The place among the inputs of a draw or an answer.
fn draw_at(record: &GameRecord, number: usize) -> usize {
    let mut draws =
        (0..record.inputs.len()).filter(|at| matches!(record.inputs[*at], RefereeInput::Chance(_)));
    draws.nth(number).unwrap()
}

fn answer_at(record: &GameRecord, number: usize) -> usize {
    let mut answers =
        (0..record.inputs.len()).filter(|at| matches!(record.inputs[*at], RefereeInput::Answer(_)));
    answers.nth(number).unwrap()
}

fn answered(record: &mut GameRecord, number: usize) -> &mut rules::AnswerRecord {
    let at = answer_at(record, number);
    match &mut record.inputs[at] {
        RefereeInput::Answer(answered) => answered,
        RefereeInput::Chance(_) => panic!("input {at} is a draw"),
    }
}

fn draw(record: &mut GameRecord, number: usize) -> &mut String {
    let at = draw_at(record, number);
    match &mut record.inputs[at] {
        RefereeInput::Chance(draw) => draw,
        RefereeInput::Answer(_) => panic!("input {at} is an answer"),
    }
}

fn draw_of(record: &GameRecord, number: usize) -> String {
    draw(&mut record.clone(), number).clone()
}

#[test]
fn games_that_end_in_every_way_replay() {
    let timeout = || stopped(Verdict::Timeout, "late");
    let games: [(usize, &[Answer]); 9] = [
        (2, &[]),
        (3, &[]),
        (4, &[]),
        (2, &[output("7S 3H 4C\n"), output("nonsense\n\n")]),
        (2, &[output("7S 3H 4C\n"), output("")]),
        (2, &[output("\n")]),
        (3, &[timeout(), output("7d 4c 3h")]),
        (4, &[timeout(), output("AS"), stopped(Verdict::Memory, "")]),
        (3, &[output("7S"), void("no fork")]),
    ];
    for (seats, answers) in games {
        let (mut referee, _) = game(seats, answers);
        let record = refereed::record(&mut referee, &SEED);
        let json = serde_json::to_string(&record).unwrap();
        let record: GameRecord = serde_json::from_str(&json).unwrap();
        let mut told = Vec::new();
        let options = format!("seats={seats}");
        let watch = |referee: &Referee| told.extend(referee.history(told.len()));
        assert_eq!(replay(refereed::setup(&options, None), &record, watch), Ok(()), "{json}");
        assert_eq!(told, record.events, "watching shows every step");
    }
}

/// Asserts that an edit of a record is found at this place without knowing the seed.
fn finds(record: &GameRecord, place: &str, edit: impl Fn(&mut GameRecord)) {
    let mut edited = record.clone();
    edit(&mut edited);
    assert_ne!(&edited, record, "the edit for {place} changes nothing");
    assert_eq!(wrong_at(&edited, None), place);
}

#[test]
fn replay_finds_an_edited_card() {
    let record = whole_game();
    let last_card = |number| draw_of(&record, number).rsplit(' ').next().unwrap().to_owned();
    let (first, later) = (last_card(1), last_card(3));
    // The first seat never got the card that it plays then.
    let starts_with = |number: &usize| {
        answered(&mut record.clone(), *number).reply.to_string().starts_with(&first)
    };
    let played = (0..12).find(starts_with).unwrap();
    finds(&record, &format!("move {played}"), |record| {
        let deal = draw(record, 1);
        *deal = deal.replace(&first, &later);
    });
    finds(&record, "draw 3", |record| {
        let deal = draw(record, 3);
        *deal = deal.replace(&later, &first);
    });
    finds(&record, "draw 0", |record| *draw(record, 0) = "deal table 2C 2D 2H".to_owned());
    finds(&record, "draw 2", |record| *draw(record, 2) = "nonsense".to_owned());
}

#[test]
fn replay_finds_an_edited_answer() {
    let record = whole_game();
    finds(&record, "move 4", |record| answered(record, 4).reply.0 = b"nonsense".to_vec());
    finds(&record, "move 4", |record| answered(record, 4).reply.0 = b"".to_vec());
    finds(&record, "move 7", |record| answered(record, 7).seat = seat(0));
    finds(&record, "move 7", |record| answered(record, 7).detail = "why".to_owned());
    for verdict in [Verdict::Illegal, Verdict::Malformed, Verdict::NoAnswer] {
        finds(&record, "move 9", |record| answered(record, 9).verdict = verdict);
    }
    // A stop is taken from the log; the game would have ended there.
    for verdict in [Verdict::Timeout, Verdict::Crash, Verdict::Void] {
        finds(&record, "result", |record| answered(record, 9).verdict = verdict);
    }
    let last = record.measured.len() - 1;
    finds(&record, &format!("move {last}"), |record| {
        answered(record, last).reply.0 = b"2C 2D".to_vec();
    });

    let record = broken_off();
    finds(&record, "move 5", |record| answered(record, 5).detail = "why".to_owned());
    finds(&record, "move 5", |record| answered(record, 5).verdict = Verdict::Illegal);
    finds(&record, "move 5", |record| answered(record, 5).verdict = Verdict::Ok);
    finds(&record, "move 5", |record| answered(record, 5).reply.0 = b"other nonsense".to_vec());
    // The same result, but the line that puts the seat out says otherwise.
    let line = record.events.len() - 1;
    finds(&record, &format!("event {line}"), |record| {
        answered(record, 5).verdict = Verdict::Timeout;
    });
}

#[test]
fn replay_finds_an_edited_event() {
    let record = whole_game();
    let count = record.events.len();
    for number in [0, 3, count - 1] {
        let place = format!("event {number}");
        finds(&record, &place, |record| record.events[number].push('!'));
        finds(&record, &place, |record| {
            record.events.remove(number);
        });
    }
    finds(&record, &format!("event {count}"), |record| record.events.push("tabla 0".to_owned()));
    finds(&record, "event 3", |record| record.events.swap(3, 4));
}

#[test]
fn replay_finds_an_edited_result() {
    let record = whole_game();
    let Outcome::Played { scores, out } = record.result.clone() else { panic!("not played") };
    let mut more = scores.clone();
    more[seat(0)] += Score::points(1);
    let mut faulted = out.clone();
    faulted[seat(1)] = Some(Verdict::Crash);
    let results = [
        Outcome::Played { scores: more, out: out.clone() },
        Outcome::Played { scores: scores.clone(), out: faulted },
        Outcome::Walkover { scores: scores.clone(), out: out.clone() },
        Outcome::Played { scores: PerSeat::from(scores.values()[..1].to_vec()), out },
        Outcome::Void { reason: "no fork".to_owned() },
    ];
    for result in results {
        let mut edited = record.clone();
        edited.result = result;
        let found = replay(refereed::setup("seats=2", None), &edited, |_| ()).unwrap_err();
        assert_eq!(found.place.to_string(), "result", "{found}");
        assert_eq!(wrong_at(&edited, Some(&SEED)), "result");
    }
}

#[test]
fn replay_finds_inputs_in_another_order_or_number() {
    let record = whole_game();
    let (second, third) = (draw_at(&record, 1), draw_at(&record, 2));
    finds(&record, "draw 1", |record| record.inputs.swap(second, third));
    let answer = answer_at(&record, 6);
    finds(&record, "move 6", |record| record.inputs.swap(answer, answer + 1));
    finds(&record, "draw 0", |record| {
        record.inputs.remove(0);
    });
    finds(&record, "draw 1", |record| record.inputs.insert(1, record.inputs[0].clone()));
    finds(&record, "move 6", |record| {
        record.inputs.remove(answer);
    });
    finds(&record, "draw 3", |record| {
        record.inputs.remove(draw_at(record, 3));
    });
    let last = record.measured.len() - 1;
    finds(&record, &format!("move {last}"), |record| {
        record.inputs.pop();
    });
    finds(&record, "result", |record| record.inputs.push(record.inputs[0].clone()));
    finds(&record, "result", |record| {
        record.inputs.push(record.inputs[record.inputs.len() - 1].clone());
    });
    finds(&record, "draw 0", |record| record.inputs.clear());
}

#[test]
fn replay_finds_other_seats_and_measurements() {
    let record = whole_game();
    finds(&record, "heading", |record| {
        record.seats.pop();
    });
    finds(&record, "heading", |record| record.seats.push("one more".to_owned()));
    finds(&record, "measured", |record| {
        record.measured.pop();
    });
    finds(&record, "measured", |record| record.measured.push(rules::Measurements::default()));
    for options in ["seats=3", "seats=5", "nonsense"] {
        let found = replay(refereed::setup(options, None), &record, |_| ()).unwrap_err();
        assert_eq!(found.place.to_string(), "heading", "{options}");
    }
}

#[test]
fn with_the_seed_known_a_changed_draw_is_found_although_all_else_follows() {
    let record = whole_game();
    assert_eq!(wrong_at(&record, Some(&SEED)), "nowhere");

    // Two cards change hands in the second deal, and the game is played on from there.
    let last_card = |number| draw_of(&record, number).rsplit(' ').next().unwrap().to_owned();
    let (own, other) = (last_card(3), last_card(4));
    let mut referee = refereed::referee("seats=2", &SEED);
    let (mut nature, mut draws) = (SEED.nature(0), 0);
    refereed::play(
        &mut referee,
        |draw| {
            let sampled = draw.sample(&mut nature).unwrap();
            // The second hand of the deal is sampled without the card that has gone by then.
            let deal = match draws {
                3 => sampled.replace(&own, &other),
                4 => draw_of(&record, 4).replace(&other, &own),
                _ => sampled,
            };
            draws += 1;
            draw.happen(&deal).unwrap();
        },
        |question| output(&question.legal_moves().0[0]),
    );
    let changed = refereed::record(&mut referee, &SEED);
    assert_eq!(wrong_at(&changed, None), "nowhere");
    assert_eq!(wrong_at(&changed, Some(&SEED)), "draw 3");

    // A whole game from another seed under this one's heading.
    let mut referee = refereed::referee("seats=2", &SEED);
    let mut nature = Seed([9; 32]).nature(0);
    refereed::play(
        &mut referee,
        |draw| draw.draw(&mut nature),
        |question| output(&question.legal_moves().0[0]),
    );
    let other = refereed::record(&mut referee, &SEED);
    assert_eq!(wrong_at(&other, None), "nowhere");
    assert_eq!(wrong_at(&other, Some(&SEED)), "draw 0");
}

#[test]
fn with_the_seed_known_the_heading_must_follow_from_it() {
    let record = whole_game();
    type Edit = fn(&mut GameRecord);
    let edits: [(Edit, &str); 4] = [
        // The requests hold the name of the game and seeds for the bots.
        (|record| record.id.0[3] ^= 1, "move 0"),
        (|record| record.bot_seeds.0[31] ^= 1, "move 0"),
        (|record| record.game += 1, "nowhere"),
        (|record| record.deal += 1, "nowhere"),
    ];
    for (edit, without) in edits {
        let mut edited = record.clone();
        edit(&mut edited);
        assert_eq!(wrong_at(&edited, None), without);
        assert_eq!(wrong_at(&edited, Some(&SEED)), "heading");
    }
}

#[test]
fn actions_of_a_process_are_taken_from_the_log() {
    let (mut referee, _) = game(2, &[stopped(Verdict::Timeout, "late")]);
    let mut record = refereed::record(&mut referee, &SEED);
    assert_eq!(answered(&mut record, 0).reply.to_string(), "7S 3");
    answered(&mut record, 0).detail = "later".to_owned();
    answered(&mut record, 0).reply.0.clear();
    assert_eq!(wrong_at(&record, None), "nowhere");
}
