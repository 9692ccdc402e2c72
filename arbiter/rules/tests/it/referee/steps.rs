//! The referee as a state machine, with scripted answers.

use rules::record::Outcome;
use rules::tablic::Tablic;
use rules::{
    Answer, GameKind, GameTerms, NotText, PerSeat, Referee, RefereeInput, Request, Score, Step,
    Verdict,
};

use crate::referee::dealt::{
    FIRST_DEAL, SEED, game, output, points, ruling, scores, seat, stopped, void,
};
use crate::refereed;

// Answers and their verdicts.

#[test]
fn a_reply_is_one_line_with_blanks_around_it_in_any_case_and_order() {
    let replies = [
        "7S",
        "7S\n",
        "7S\r\n",
        "7S \t \r\n",
        "  7S",
        "\t7S",
        "7s",
        "7S\n\n",
        "7S \n \n",
        "7S 3H 4C",
        "7s 4c 3h",
        "7S  3H\t4C",
        "7S 4D 3S 4C 3H\n",
    ];
    for reply in replies {
        let (_, rulings) = game(2, &[output(reply)]);
        assert_eq!(rulings[0], (seat(0), ruling(Verdict::Ok, "")), "{reply:?}");
    }
}

#[test]
fn a_reply_that_is_no_move_is_malformed() {
    let replies: [(&[u8], &str); 20] = [
        (b"\n", "expected a move, found an empty line"),
        (b" \t \r\n", "expected a move, found an empty line"),
        (b"7S\n8C\n", "expected one line, found more"),
        (b"7S\n7S", "expected one line, found more"),
        (b"\n7S", "expected one line, found more"),
        (b"7S\rJC", "expected one line, found more"),
        (b"7S\nthanks\n", "expected one line, found more"),
        (b"\xef\xbb\xbf7S", "expected printable ASCII, found byte 0xef at place 0"),
        (b"7S\0", "expected printable ASCII, found byte 0x00 at place 2"),
        (b" \x1b[31m7S", "expected printable ASCII, found byte 0x1b at place 1"),
        (b"7S \xff\xfe", "expected printable ASCII, found byte 0xff at place 3"),
        (b"7\xe2\x99\xa0", "expected printable ASCII, found byte 0xe2 at place 1"),
        (b"\x7f", "expected printable ASCII, found byte 0x7f at place 0"),
        (b"7S thanks", "expected a card, found `thanks`"),
        (b"11S", "expected a card, found `11S`"),
        (b"1S", "expected a card, found `1S`"),
        (b"7X", "expected a card, found `7X`"),
        (b"7S,3H,4C", "expected a card, found `7S,3H,4C`"),
        (b"7S 3H 3H", "expected each card once, found `3H 3H`"),
        (b"play 7S", "expected a card, found `play`"),
    ];
    for (reply, detail) in replies {
        let (mut referee, rulings) = game(2, &[Answer::Output(reply.to_vec())]);
        assert_eq!(rulings, [(seat(0), ruling(Verdict::Malformed, detail))], "{reply:?}");
        assert_eq!(scores(&refereed::outcome(&mut referee)), points(&[0, 25]));
    }
}

#[test]
fn a_reply_that_is_a_move_but_not_a_legal_one_names_the_rule() {
    let replies = [
        ("7D", "7D is not in the hand"),
        ("3H", "3H is not in the hand"),
        ("7S 5H", "not on the table: 5H"),
        ("7S 3H", "7S cannot capture 3H: no split into groups that each sum to 7"),
        ("7S 3H 4C 4D", "7S cannot capture 3H 4C 4D: no split into groups that each sum to 7"),
    ];
    for (reply, detail) in replies {
        let (_, rulings) = game(2, &[output(reply)]);
        assert_eq!(rulings, [(seat(0), ruling(Verdict::Illegal, detail))], "{reply:?}");
    }
}

#[test]
fn a_move_that_was_legal_last_turn_is_illegal() {
    let (_, rulings) = game(2, &[output("7S 3H 4C"), output("JD"), output("7S 3H 4C")]);
    assert_eq!(rulings[2], (seat(0), ruling(Verdict::Illegal, "7S is not in the hand")));
    let (_, rulings) = game(2, &[output("7S 3H 4C"), output("7D 3H 4C")]);
    assert_eq!(rulings[1], (seat(1), ruling(Verdict::Illegal, "not on the table: 3H 4C")));
}

#[test]
fn every_answer_that_is_no_move_puts_its_seat_out() {
    let answers = [
        (output(""), Verdict::NoAnswer, "nothing was printed"),
        (output("zz"), Verdict::Malformed, "expected a card, found `zz`"),
        (output("AS"), Verdict::Illegal, "AS is not in the hand"),
        (stopped(Verdict::Timeout, "no exit"), Verdict::Timeout, "no exit"),
        (stopped(Verdict::OutputLimit, "much"), Verdict::OutputLimit, "much"),
        (stopped(Verdict::Crash, "exit 1"), Verdict::Crash, "exit 1"),
        (stopped(Verdict::StartFailed, "none"), Verdict::StartFailed, "none"),
        (stopped(Verdict::Memory, "64 MiB"), Verdict::Memory, "64 MiB"),
    ];
    for (answer, verdict, detail) in answers {
        for at in [0, 1] {
            let mut answers = vec![output("7S"); at];
            answers.push(answer.clone());
            let (mut referee, rulings) = game(2, &answers);
            assert_eq!(rulings[at..], [(seat(at), ruling(verdict, detail))]);
            let outcome = refereed::outcome(&mut referee);
            assert!(matches!(outcome, Outcome::Walkover { .. }));
            assert_eq!(outcome.faults(), [(seat(at), verdict)]);
            assert_eq!(scores(&outcome), points(&[[0, 25], [25, 0]][at]));
            assert_eq!(referee.history(0).last(), Some(&format!("out {at} {verdict}")));
        }
    }
}

#[test]
fn a_void_answer_charges_no_seat() {
    for seats in [2, 3, 4] {
        let (mut referee, rulings) = game(seats, &[output("7S"), void("no fork")]);
        assert_eq!(rulings[1..], [(seat(1), ruling(Verdict::Void, "no fork"))]);
        let outcome = refereed::outcome(&mut referee);
        assert_eq!(outcome, Outcome::Void { reason: "no fork".to_owned() });
        assert_eq!((outcome.scores(), outcome.faults()), (None, vec![]));
        assert!(!referee.history(0).iter().any(|line| line.starts_with("out")));
    }
}

// Out, and how the game goes on.

#[test]
fn the_walkover_of_two_has_25_points_and_the_winners_tablas() {
    let tabla = "7S 3H 3S 4C 4D";
    let (mut referee, _) = game(2, &[output(tabla), output("")]);
    assert_eq!(scores(&refereed::outcome(&mut referee)), points(&[26, 0]));
    assert_eq!(referee.history(0).last().unwrap(), "out 1 no-answer", "no closing event");
    let (mut referee, _) = game(2, &[output(tabla), output("JD"), output("")]);
    assert_eq!(scores(&refereed::outcome(&mut referee)), points(&[0, 25]), "not the loser's");
}

#[test]
fn with_three_seats_or_more_the_house_plays_on_for_the_one_that_is_out() {
    for seats in [3, 4] {
        let (mut referee, rulings) = game(seats, &[output("7S"), output("7D 3H 4C"), output("7H")]);
        assert!(rulings.iter().all(|(_, ruling)| ruling.verdict == Verdict::Ok));
        assert!(matches!(refereed::outcome(&mut referee), Outcome::Played { .. }));

        // Seat 1 captures, and faults when it is asked again.
        let mut answers = vec![output("7S"), output("7D 3H 4C"), output("7H")];
        answers.extend(vec![output("JS"); seats - 3]);
        answers.extend([output("8C"), stopped(Verdict::Crash, "signal 11")]);
        let fault = answers.len() - 1;
        let (mut referee, rulings) = game(seats, &answers);
        assert_eq!(rulings[fault], (seat(1), ruling(Verdict::Crash, "signal 11")));
        assert!(rulings[fault + 1..].iter().all(|(asked, _)| *asked != seat(1)));

        let history = referee.history(0);
        let out = history.iter().position(|line| line == "out 1 crash").unwrap();
        let moves = |seat: usize| {
            let start = format!("{seat} ");
            history[out..].iter().filter(move |line| line.starts_with(&start)).count()
        };
        assert_eq!(history[out + 1], "1 2D", "the house lays the first card down");
        assert_eq!(moves(1), moves(2));

        let outcome = refereed::outcome(&mut referee);
        assert!(matches!(outcome, Outcome::Played { .. }));
        assert_eq!(outcome.faults(), [(seat(1), Verdict::Crash)]);
        let told = |seat: usize| {
            let start = format!("score {seat} ");
            let line = history.iter().find_map(|line| line.strip_prefix(&start)).unwrap();
            line.split(' ').next().unwrap().parse::<i32>().unwrap()
        };
        assert!(told(1) > 0, "it has points");
        for (seat, score) in scores(&outcome).into_iter().enumerate() {
            let expected = if seat == 1 { 0 } else { told(seat) };
            assert_eq!(score, Score::points(expected), "seat {seat} of {seats}");
        }
    }
}

#[test]
fn the_last_contender_left_wins_at_once() {
    let timeout = || stopped(Verdict::Timeout, "late");
    let (mut referee, rulings) = game(3, &[timeout(), output("7D 3H 4C"), timeout()]);
    assert_eq!(rulings.len(), 3);
    let outcome = refereed::outcome(&mut referee);
    assert_eq!(scores(&outcome), points(&[0, 25, 0]));
    assert_eq!(outcome.faults(), [(seat(0), Verdict::Timeout), (seat(2), Verdict::Timeout)]);

    let (mut referee, rulings) =
        game(4, &[output("7S 3H 3S 4C 4D"), timeout(), output(""), output("?")]);
    assert_eq!(rulings.len(), 4);
    let outcome = refereed::outcome(&mut referee);
    assert!(matches!(outcome, Outcome::Walkover { .. }));
    assert_eq!(scores(&outcome), points(&[26, 0, 0, 0]));
    let faults = [Verdict::Timeout, Verdict::NoAnswer, Verdict::Malformed];
    assert_eq!(outcome.faults(), [1, 2, 3].map(|at| (seat(at), faults[at - 1])));
}

// Requests.

#[test]
fn a_request_holds_the_heading_and_what_the_seat_may_know() {
    let mut referee = refereed::referee("seats=3", &SEED);
    let mut deals = FIRST_DEAL.iter();
    let mut number = 0;
    refereed::play(
        &mut referee,
        |draw| match deals.next() {
            Some(deal) if deals.len() > 0 => draw.happen(deal).unwrap(),
            _ => draw.draw(&mut SEED.nature(1)),
        },
        |question| {
            let asked = question.seat();
            let before = question.number();
            assert_eq!(before as usize % 3, asked.index(), "moves of the house count too");
            number += 1;
            let text = question.request();
            assert!(text.is_ascii() && text.ends_with("\nend\n"));
            let request: Request<Tablic> = text.parse().unwrap();
            assert_eq!(request.to_string(), text);
            assert_eq!(request.options.seats.get(), 3);
            let heading = request.heading;
            assert_eq!((heading.seat, heading.number, heading.time), (asked, before, 1000));
            assert_eq!(heading.id, SEED.name(0));
            assert_eq!(heading.seed, SEED.bots(0).seed(asked, before));
            let legal: Vec<String> = request.legal.iter().map(ToString::to_string).collect();
            assert_eq!((legal, request.listing), question.legal_moves());
            if number <= 3 {
                for other in (0..3).filter(|other| *other != asked.index()) {
                    let hand = FIRST_DEAL[other + 1].split(' ').skip(2);
                    let held = hand.skip(usize::from(other < asked.index()));
                    for card in held {
                        assert!(!text.contains(card), "seat {asked} is told of {card}:\n{text}");
                    }
                }
            }
            if asked == seat(2) && number > 6 {
                assert!(text.contains("\nout 1 no-answer\n"));
            }
            let first = &question.legal_moves().0[0];
            if number == 5 { output("") } else { output(first) }
        },
    );
    assert!(number > 20);
}

#[test]
fn a_question_that_is_not_answered_is_asked_again() {
    let mut referee = refereed::referee("seats=2", &SEED);
    for deal in &FIRST_DEAL[..3] {
        let Step::Nature(draw) = referee.step() else { panic!("nature's turn") };
        draw.happen(deal).unwrap();
    }
    let mut ask = || match referee.step() {
        Step::Ask(question) => (question.seat(), question.number(), question.request()),
        _ => panic!("seat 0 is to move"),
    };
    assert_eq!(ask(), ask());
}

#[test]
fn a_draw_that_cannot_be_changes_nothing() {
    let mut referee = refereed::referee("seats=2", &SEED);
    for draw in
        ["", "deal", "deal table", "deal 0 2C", "deal table 2C 2C 3C 4C", "deal table 2C 3C"]
    {
        let Step::Nature(owed) = referee.step() else { panic!("nature's turn") };
        assert!(owed.happen(draw).is_err(), "{draw}");
    }
    assert!(referee.inputs().is_empty() && referee.history_len() == 0);
    let Step::Nature(draw) = referee.step() else { panic!("nature's turn") };
    let sampled = draw.sample(&mut SEED.nature(0)).unwrap();
    draw.draw(&mut SEED.nature(0));
    assert_eq!(referee.inputs(), [RefereeInput::Chance(sampled.clone())]);
    assert_eq!(referee.history(0), [sampled]);
}

#[test]
fn unknown_options_are_refused_before_the_game() {
    let terms = |seats| GameTerms::even(SEED.name(0), seats, 1, SEED.bots(0));
    let open_with =
        |options, seats| Referee::new(&GameKind::of::<Tablic>(), options, terms(seats)).map(|_| ());
    let open = |options| open_with(options, 48);
    let refused = open_with("seats=2", 3).unwrap_err();
    assert_eq!(refused.to_string(), "expected a time for each of 2 seats, found `3`");
    let refused: Result<(), NotText> = open("seats=5");
    assert!(refused.unwrap_err().to_string().contains("48 seats"));
    assert!(open("cards=5").is_err());
    assert_eq!(open("seats=48"), Ok(()));
}

#[test]
fn the_log_keeps_an_output_but_for_one_line_end_after_other_text() {
    let outputs = [
        ("7S", "7S"),
        ("7S\n", "7S"),
        ("7S\r\n", r"7S\x0d"),
        ("7S\n\n", r"7S\n"),
        ("\n", r"\n"),
        ("", ""),
        ("a\\\n", r"a\\"),
    ];
    for (text, kept) in outputs {
        let (referee, rulings) = game(2, &[output(text)]);
        let answered = referee.inputs().iter().find_map(|input| match input {
            RefereeInput::Answer(answered) => Some(answered),
            RefereeInput::Chance(_) => None,
        });
        let answered = answered.unwrap();
        assert_eq!(answered.reply.to_string(), kept);
        let logged = (answered.seat, answered.verdict, &answered.detail);
        let (asked, ruling) = &rulings[0];
        assert_eq!(logged, (*asked, ruling.verdict, &ruling.detail));
    }
}

#[test]
fn every_step_of_a_game_has_running_text() {
    let names = PerSeat::from(vec!["Ana".to_owned(), "Bo".to_owned(), "Cy".to_owned()]);
    let mut referee = refereed::referee("seats=3", &SEED);
    let (mut nature, mut asked, mut text) = (SEED.nature(0), 0, String::new());
    loop {
        let from = referee.history_len();
        let over = match referee.step() {
            Step::Nature(draw) => {
                draw.draw(&mut nature);
                false
            }
            Step::Ask(question) => {
                asked += 1;
                let answer =
                    if asked == 8 { output("") } else { output(&question.legal_moves().0[0]) };
                question.answer(answer);
                false
            }
            Step::Moved => false,
            Step::Over(_) => true,
        };
        text += &referee.narrate(from, &names);
        if over {
            break;
        }
    }
    let lines =
        ["deal 1 of 3", "Bo is out: no-answer", "deal 2 of 3", "deal 3 of 3", "Cy     0 points"];
    let mut from = 0;
    for line in lines {
        let at = text[from..].find(line);
        from += at.unwrap_or_else(|| panic!("no `{line}` in its place:\n{text}"));
    }
}
