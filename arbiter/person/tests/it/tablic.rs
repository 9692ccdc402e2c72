//! A person who plays Tablić: every rule of the two choices, with scripted lines.

use std::collections::BTreeSet;

use rules::tablic::Tablic;
use rules::{Answer, GameKind, VoidCause};

use crate::script::{Asking, ask};

/// A request with this hand and table.
fn request(hand: &str, table: &str, seed: u64) -> String {
    let cards = hand.split(' ').count();
    format!(
        "arbiter 1\ngame tablic seats=2\nmatch 21646c6f7a58a43890e60a5be1ebbac2\nseat 0\nmove 0\n\
         time 0\nseed {seed:016x}\nview 9\nhand {hand}\ntable {table}\ntaken\ntalon 24\n\
         hands {cards} {cards}\ncards 0 0\npoints 0 0\ntablas 0 0\nlast none\nhistory 0\nlegal 0\nend\n"
    )
}

fn play(hand: &str, table: &str, lines: &[&str]) -> Asking {
    ask(&GameKind::of::<Tablic>(), &request(hand, table, 7), 2, lines)
}

/// The hand, the table, the lines that are typed, and the move that comes of them.
const CHOICES: [(&str, &str, &[&str], &str); 46] = [
    // A card and nothing with it.
    ("7S QC", "3H 4D", &["q"], "QC"),
    ("7S QC", "3H 4D", &["7", ""], "7S"),
    ("7S QC", "", &["7s"], "7S"),
    // Letter case, order, English and Croatian.
    ("7S QC", "3H 4D", &["QC"], "QC"),
    ("7S QC", "3H 4D", &["cq"], "QC"),
    ("7S QC", "3H 4D", &["Clubs Q"], "QC"),
    ("7S QC", "3H 4D", &["  q   of CLUBS "], "QC"),
    ("7S QC", "3H 4D", &["TREF q"], "QC"),
    ("7S QC", "3H 4D", &["pik 7", "herc 3", "karo 4"], "7S 3H 4D"),
    ("7S QC", "3H 4D", &["7pik", "srce 3", "4d"], "7S 3H 4D"),
    ("AC KH", "AD 3S", &["a", "ad"], "AC AD"),
    ("AC KH", "KD 3S", &["K", "k"], "KH KD"),
    ("JC 10H", "10S JD", &["j", "J"], "JC JD"),
    // One card a line, ended by an empty line, or by itself when nothing more can be added.
    ("7S QC", "3H 4D 7C", &["7", "3", "4", ""], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7", "7", ""], "7S 7C"),
    ("7S QC", "3H 4D 7C", &["7", "4", "7", "3"], "7S 3H 4D 7C"),
    ("QC 7S", "QD QH 2S", &["q", "d", "qd", "qh"], "QC QD QH"),
    ("9S 4H", "2C 7D 9H 5C 4D", &["9", "9", "2", "7", "5", "4"], "9S 2C 4D 5C 7D 9H"),
    ("AH JC", "10C AD 9S", &["a", "10", "a"], "AH 10C AD"),
    // The 2 of clubs and the 10 of diamonds are asked for where others are meant by the name.
    ("2C 2H 9S", "KD", &["2", "c"], "2C"),
    ("2C 2H 9S", "KD", &["2", "2C"], "2C"),
    ("2C 2H 9S", "KD", &["2", "tref"], "2C"),
    ("2C 2H 9S", "KD", &["2", "other"], "2H"),
    ("2C 2H 9S", "KD", &["2", "hearts"], "2H"),
    ("2C 2H 9S", "KD", &["2", "2", "", "2s", "h"], "2H"),
    // Whoever names a card of another rank there does not mean its suit.
    ("2C 2H 9S KC", "KD", &["2", "kc", "h"], "2H"),
    ("2C 2D 9S", "3H", &["2", "KD", "10d", "9", "undo", "9"], "9S"),
    ("10C 10D 9S", "KD", &["10", "2d", "10d"], "10D"),
    ("2C 2H 9S", "KD", &["2c"], "2C"),
    ("10C 10D 9S", "KD", &["10", "karo"], "10D"),
    ("10C 10D 9S", "KD", &["10", "OTHER"], "10C"),
    ("10C 10D 9S", "KD", &["10", "undo", "9"], "9S"),
    // Of the table they are taken first.
    ("2S 9H", "2C 2D", &["2", "2", ""], "2S 2C"),
    ("2S 9H", "2C 2D", &["2", "2", "2"], "2S 2C 2D"),
    ("10S 9H", "10C 10D", &["10", "10", ""], "10S 10D"),
    // A single card plays itself; what it takes is chosen all the same.
    ("7S", "QC", &[], "7S"),
    ("7S", "", &[], "7S"),
    ("7S", "3H 4D", &["3", "4"], "7S 3H 4D"),
    ("7S", "3H 4D", &[""], "7S"),
    ("7S", "3H 4D", &["undo", "3", "undo", "undo", ""], "7S"),
    // The cards that greedy would add to the choice, and greedy's move.
    ("7S QC", "3H 4D 7C 5S 2C", &["7", "3", "auto"], "7S 2C 3H 4D 5S 7C"),
    ("KS QC", "10D 4H 4S AC 3C", &["k", "4h", "auto"], "KS 3C 4H 10D AC"),
    ("7S QC", "3H 4D QD", &["auto"], "QC QD"),
    // Undo, as long as the move is not complete.
    ("7S QC", "3H 4D 7C", &["7", "3", "undo", "7", ""], "7S 7C"),
    ("7S QC", "3H 4D 7C", &["7", "undo", "q"], "QC"),
    ("7S QC", "3H 4D 7C", &["undo", "7", "3", "undo", "undo", "q"], "QC"),
];

#[test]
fn every_choice_comes_to_its_move() {
    for (hand, table, lines, expected) in CHOICES {
        let asking = play(hand, table, lines);
        assert_eq!(asking.played(), expected, "{lines:?}\n{}", asking.shown);
        assert_eq!(asking.unread, 0, "{lines:?} ends earlier\n{}", asking.shown);
    }
}

/// A whole move in one line, in every spelling of a card.
const WHOLE_MOVES: [(&str, &str, &[&str], &str); 27] = [
    ("7S QC", "3H 4D 7C", &["7S 3H 4D"], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7S takes 3H 4D"], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7 3 4"], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7, 3, 4"], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7s 4d 3h"], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7♠ ♥3 4♦"], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["pik 7 herc 3 karo 4"], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7 spades 3 hearts 4 diamonds"], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7 of spades takes 3 of hearts and 4 of diamonds"], "7S 3H 4D"),
    // A suit between two ranks belongs to the one with which the line can be played.
    ("7S QC", "3H 4D 7C", &["7 herc 3 karo 4"], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7 pik 3 4"], "7S 3H 4D"),
    // A line that could take more is a whole move all the same.
    ("7S QC", "3H 4D 7C", &["7 7"], "7S 7C"),
    ("7S QC", "3H 4D 7C", &["7 7 3 4"], "7S 3H 4D 7C"),
    // Suits that are said leave the others to those that are not.
    ("2S 9H", "2C 2D", &["2s 2 2c"], "2S 2C 2D"),
    ("2S 9H", "2C 2D", &["2s 2"], "2S 2C"),
    // It is asked for what matters, and for nothing before the rest is known to be possible.
    ("2C 2H 9S", "2D KD", &["2 2d", "other"], "2H 2D"),
    ("2C 2H 9S", "2D KD", &["2 kd", "2 2d", "c"], "2C 2D"),
    ("2C 2H 9S", "2D KD", &["2 2d", "undo", "9"], "9S"),
    // Several cards in one line, where the card to play is named already.
    ("7S QC", "3H 4D 7C", &["7", "3 4", ""], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7", "3 4 7"], "7S 3H 4D 7C"),
    ("7S QC", "3H 4D 7C", &["7", "3h, 4d", "undo", "4", ""], "7S 3H 4D"),
    ("7S QC", "3H 4D 7C", &["7", "herc 3 karo 4", "auto"], "7S 3H 4D 7C"),
    // And the whole move there, which the last card of a hand is never asked for.
    ("7S", "3H 4D 7C", &["7S 3H 4D"], "7S 3H 4D"),
    ("7S", "3H 4D 7C", &["3 4 7"], "7S 3H 4D 7C"),
    ("7S", "3H 4D 7C", &["7C", "7s 7c"], "7S 7C"),
    // A line that cannot be played chooses nothing.
    ("7S QC", "3H 4D 7C", &["7 3 9", "7 7"], "7S 7C"),
    ("7S QC", "3H 4D 7C", &["7", "3 9", "7", ""], "7S 7C"),
];

#[test]
fn whole_moves_are_taken_in_one_line() {
    for (hand, table, lines, expected) in WHOLE_MOVES {
        let asking = play(hand, table, lines);
        assert_eq!(asking.played(), expected, "{lines:?}\n{}", asking.shown);
        assert_eq!(asking.unread, 0, "{lines:?} ends earlier\n{}", asking.shown);
    }
}

#[test]
fn a_whole_move_that_cannot_be_played_says_which_rule_it_breaks() {
    let cases: [(&str, &str); 8] = [
        ("8 3 4", "no 8 is in the hand"),
        ("7 9", "no 9 is on the table"),
        ("7 3", "7S cannot capture 3H: no split into groups that each sum to 7"),
        ("7 3 qd", "7S cannot capture QD: no split into groups that each sum to 7, no matter"),
        ("7 3h 3h", "3H is chosen already"),
        ("kd 3 4", "KD is not in the hand"),
        ("7 3 x", "expected a card such as `7`, `QH`, `clubs 2` or `tref 2`, found `7 3 x`"),
        ("7 and clubs", "expected a card such as"),
    ];
    for (line, expected) in cases {
        let asking = play("7S QC", "3H 4D QD", &[line, "auto"]);
        assert!(asking.shown.contains(expected), "{line}: {expected}\n{}", asking.shown);
        assert_eq!((asking.played(), asking.unread), ("QC QD", 0), "{}", asking.shown);
    }
}

/// Both readings can be played, so that neither is.
#[test]
fn a_line_that_can_be_read_in_two_ways_is_asked_for_again() {
    let asking = play("7S 7H KC", "3S 3H 4D", &["7 hearts 3 4", "7, hearts 3, 4"]);
    assert!(asking.shown.contains("can be read in two ways: put commas"), "{}", asking.shown);
    assert!(["7S 3H 4D", "7H 3H 4D"].contains(&asking.played()), "{}", asking.shown);
}

/// Wrong input, the reply, and the right line, which is asked for afterwards.
#[test]
fn an_illegal_choice_says_which_rule_it_breaks() {
    let long = "x".repeat(8000);
    let cut = format!("found `{}…`\n", "x".repeat(60));
    let cases: [(&[&str], &str); 15] = [
        (&[&long], &cut),
        (&["kd"], "KD is not in the hand"),
        (&["k"], "no K is in the hand"),
        (&["x"], "expected a card such as `7`, `QH`, `clubs 2` or `tref 2`, found `x`"),
        (&["1"], "expected a card"),
        (&[""], "expected a card of the hand, or `help`"),
        (&["undo"], "nothing is chosen yet"),
        (&["7", "kd"], "KD is not on the table"),
        (&["7", "k"], "no K is on the table"),
        (&["7", "3h", "3h"], "3H is chosen already"),
        (&["7", "3", "3"], "no other 3 is on the table"),
        (&["7", "9"], "7S cannot capture 9C: no split into groups that each sum to 7"),
        (&["7", "9"], "no matter what else is taken"),
        (&["7", "3", ""], "7S cannot capture 3H: no split into groups that each sum to 7\n"),
        (&["7", "tref"], "expected a card such as"),
    ];
    for (lines, expected) in cases {
        // Whatever was wrong, greedy's choice is possible from there.
        let lines = [lines, &["auto"]].concat();
        let asking = play("7S 8C", "3H 4D 9C", &lines);
        assert!(asking.shown.contains(expected), "{lines:?}: {expected}\n{}", asking.shown);
        assert_eq!((asking.played(), asking.unread), ("7S 3H 4D", 0), "{}", asking.shown);
    }
}

#[test]
fn a_card_of_another_rank_is_no_answer_to_the_question_for_a_suit() {
    let asking = play("2C 2H 9S KC", "KD", &["2", "kc", "s", "2", "9x", "c"]);
    assert_eq!((asking.played(), asking.unread), ("2C", 0), "{}", asking.shown);
    for refusal in ["KC is not of rank 2; expected a suit, or `other`\n", "2S is not in the hand\n"]
    {
        assert_eq!(asking.shown.matches(refusal).count(), 1, "{}", asking.shown);
    }
    assert_eq!(asking.shown.matches("\nexpected a suit, or `other`\n").count(), 2);
}

#[test]
fn a_suit_that_is_not_said_is_drawn_among_equivalents() {
    let cases = [
        ("5C 5H 9S", "KD", "5", &[][..], BTreeSet::from(["5C", "5H"])),
        ("2H 2S 9S", "KD", "2", &[], BTreeSet::from(["2H", "2S"])),
        ("2C 2H 2S", "KD", "2", &["other"], BTreeSet::from(["2H", "2S"])),
        ("7S KC", "7C 7D", "7", &["7", ""], BTreeSet::from(["7S 7C", "7S 7D"])),
        ("2S KC", "2C 2D 2H", "2", &["2", "2", ""], BTreeSet::from(["2S 2C 2D", "2S 2C 2H"])),
    ];
    for (hand, table, card, rest, expected) in cases {
        let lines = [&[card], rest].concat();
        let played = |seed| {
            let asking = ask(&GameKind::of::<Tablic>(), &request(hand, table, seed), 2, &lines);
            assert_eq!(asking.unread, 0, "{}", asking.shown);
            asking.played().to_owned()
        };
        let drawn: BTreeSet<String> = (0..40).map(played).collect();
        assert_eq!(drawn, expected.into_iter().map(str::to_owned).collect());
        assert_eq!(played(3), played(3), "the seed of the request decides");
    }
}

#[test]
fn table_and_hand_are_shown_before_the_choice() {
    let shown = play("7S QC", "3H 4D", &["q"]).shown;
    let commands = "type your move, or one of: help, rules, hint, auto, quit";
    let expected = format!("table   3H 4D\nhand    7S QC\n{commands}\ncard> q\n");
    assert!(shown.contains(&expected), "{shown}");
    let shown = play("7S QC", "", &["q"]).shown;
    assert!(shown.contains("table   empty\n"), "{shown}");
}

#[test]
fn help_history_and_hints_are_given_at_every_prompt() {
    let lines = ["help", "HISTORY", "Hint", "?", "7", "help", "history", "hint", ""];
    let asking = play("7S QC", "3H 4D", &lines);
    assert_eq!((asking.played(), asking.unread), ("7S", 0));
    let times = |text: &str| asking.shown.matches(text).count();
    assert_eq!(times("history   the moves so far"), 3);
    assert_eq!(times("so far this"), 3, "once when it happened, and twice again");
    assert_eq!(times("greedy would take 3H 4D with 7S"), 1);
    assert_eq!(times("greedy would take 3H 4D\n"), 1);
    let lay_down = play("7S QC", "", &["hint", "q"]).shown;
    assert!(lay_down.contains("greedy would lay down 7S"), "{lay_down}");
}

#[test]
fn quit_asks_and_the_end_of_the_input_does_not() {
    let left = |lines: &[&str]| {
        let asking = play("2C 2H 7S", "3H 4D", lines);
        assert_eq!(asking.answer, Answer::Void(VoidCause::Left("name0".to_owned())), "{lines:?}");
        assert_eq!(asking.unread, 0, "{lines:?}");
        asking.shown
    };
    for lines in [
        &["quit", "yes"][..],
        &["QUIT", "perhaps", "y"],
        &["quit", "no", "7", "quit", "yes"],
        &["2", "quit", "yes"],
        &["^C", "yes"],
        &["^C", "^C"],
        &["^C", "no", "7", "3", "^C"],
    ] {
        assert!(left(lines).contains("the log is kept\nleave the game, yes or no? "), "{lines:?}");
    }
    for lines in [&[][..], &["7"], &["2"]] {
        assert!(!left(lines).contains("leave the game"), "{lines:?}");
    }
}
