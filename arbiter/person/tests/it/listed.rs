//! A person who plays Coup or Durak: moves from a list, with scripted lines.

use std::fs;
use std::path::Path;

use rules::coup::Coup;
use rules::durak::Durak;
use rules::{Answer, Card, GameKind, StandaloneRequest, VoidCause};

use crate::script::{Asking, ask};

/// A request of the examples.
fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/requests").join(name);
    fs::read_to_string(path).expect("a request of the examples")
}

fn play(name: &str, lines: &[&str]) -> Asking {
    let text = example(name);
    let sample = StandaloneRequest::read(&text).expect("a request");
    let seats = text.lines().find_map(|line| line.strip_prefix("hands ")).expect("hands");
    ask(sample.kind(), &text, seats.split(' ').count(), lines)
}

/// Every example of the two games: each listed move is played by its number, by its text, and by
/// its text in capitals.
#[test]
fn every_legal_move_of_the_examples_can_be_chosen() {
    for kind in [GameKind::of::<Coup>(), GameKind::of::<Durak>()] {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/requests").join(kind.name());
        let mut seen = 0;
        for entry in fs::read_dir(folder).expect("examples") {
            let file = entry.expect("a file").file_name();
            let name = format!("{}/{}", kind.name(), file.to_string_lossy());
            let sample = StandaloneRequest::read(&example(&name)).expect("a request");
            for (number, mv) in (1..).zip(sample.legal()) {
                for typed in [number.to_string(), mv.clone(), mv.to_uppercase()] {
                    let asking = play(&name, &[&typed]);
                    assert_eq!(asking.played(), mv, "{name}: {typed}\n{}", asking.shown);
                    let listed = format!("  {number:2}  {mv} ");
                    assert!(asking.shown.contains(&listed), "{listed}\n{}", asking.shown);
                }
                seen += 1;
            }
        }
        assert!(seen > 40, "{seen} moves of {kind}");
    }
}

#[test]
fn what_is_no_legal_move_is_refused_with_the_rule_that_it_breaks() {
    let long = "9".repeat(8000);
    let cut = format!("found `{}…`; expected a number", "y".repeat(60));
    let cases: [(&str, &[&str], &str); 15] = [
        ("coup/first-move.txt", &["block duke"], "`block duke` is no answer here"),
        ("coup/first-move.txt", &["coup"], "expected `coup SEAT`, found `coup`"),
        ("coup/first-move.txt", &["coup 1"], "`coup 1` costs 7, but there are 1 coins"),
        ("coup/first-move.txt", &["jump"], "expected a move of coup, found `jump`"),
        ("coup/first-move.txt", &["zzz"], "found `zzz`; expected a number from 1 to "),
        ("coup/first-move.txt", &["zzz"], ", the text of a move, or `help`\n"),
        ("coup/first-move.txt", &["é"], "no move has a `é`: expected a number from 1 to "),
        ("durak/first-move.txt", &["lead 7\u{200b}"], "no move has a `\\u{200b}`: expected"),
        ("durak/first-move.txt", &[&long.replace('9', "y")], &cut),
        ("durak/first-move.txt", &[&long], "found `999"),
        ("coup/first-move.txt", &["99"], "no move 99: expected a number from 1 to "),
        ("coup/first-move.txt", &[""], "expected a move, or `help`"),
        ("coup/first-move.txt", &["undo"], "a move stands"),
        ("durak/first-move.txt", &["take"], "`take` is no answer here"),
        ("durak/first-move.txt", &["lead"], "which one: lead "),
    ];
    for (name, lines, expected) in cases {
        let asking = play(name, &[lines, &["1"]].concat());
        let sample = StandaloneRequest::read(&example(name)).expect("a request");
        let first = &sample.legal()[0];
        assert!(asking.shown.contains(expected), "{name} {lines:?}\n{}", asking.shown);
        assert_eq!((asking.played(), asking.unread), (first.as_str(), 0));
    }
}

#[test]
fn moves_are_told_in_plain_words() {
    let cases = [
        ("coup/first-move.txt", "tax          claim duke: take 3 coins"),
        ("coup/first-move.txt", "income       take 1 coin"),
        ("coup/assassinated.txt", "claim contessa: block it"),
        ("durak/first-move.txt", "attack name1 with "),
        ("durak/defend.txt", "take up all the cards"),
        ("durak/transfer.txt", "pass the attack on to the next seat with "),
        ("durak/throw.txt", "throw in nothing"),
        ("durak/throw-on-take.txt", " as well"),
    ];
    for (name, expected) in cases {
        let shown = play(name, &["1"]).shown;
        assert!(shown.contains(expected), "{name}: {expected}\n{shown}");
    }
}

#[test]
fn bluffs_are_marked_as_such() {
    let shown = play("coup/second-seat.txt", &["1"]).shown;
    let hand = example("coup/second-seat.txt");
    let hand = hand.lines().find_map(|line| line.strip_prefix("hand ")).expect("a hand");
    for (claim, character) in [("claim duke", "duke"), ("claim captain", "captain")] {
        for line in shown.lines().filter(|line| line.contains(claim)) {
            assert_eq!(line.ends_with(" (a bluff)"), !hand.contains(character), "{line} of {hand}");
        }
    }
}

/// In hand, on the table, and in what the moves do; no other card has a star.
#[test]
fn trumps_have_a_star() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/requests/durak");
    let (mut starred, mut plain) = (0, 0);
    for entry in fs::read_dir(folder).expect("examples") {
        let file = entry.expect("a file").file_name();
        let name = format!("durak/{}", file.to_string_lossy());
        let text = example(&name);
        let trump = text.lines().find_map(|line| line.strip_prefix("trump ")).expect("a trump");
        let suit = trump.chars().next_back().expect("a card");
        let shown = play(&name, &["1"]).shown;
        let rows = shown
            .lines()
            .filter(|row| ["trump ", "hand ", "table "].iter().any(|key| row.starts_with(key)));
        for word in rows.flat_map(|row| row.split([' ', ','])) {
            let card = word.trim_end_matches('*');
            if card.parse::<Card>().is_err() {
                continue;
            }
            assert_eq!(word.ends_with('*'), card.ends_with(suit), "{word} in {name}\n{shown}");
            if word == card { plain += 1 } else { starred += 1 }
        }
    }
    assert!(starred > 20 && plain > 20, "{starred} and {plain}");
    let listed = play("durak/first-move.txt", &["1"]).shown;
    assert!(listed.lines().any(|row| row.contains(" attack ") && row.ends_with('*')), "{listed}");
}

/// A card alone, in letters or signs, in any spelling.
#[test]
fn a_move_of_durak_is_chosen_by_its_card() {
    let name = "durak/first-move.txt";
    let text = example(name);
    let moves = StandaloneRequest::read(&text).expect("a request").legal().to_vec();
    let mut chosen = 0;
    for mv in moves {
        let card: Card = mv.split(' ').nth(1).expect("a card").parse().expect("a card");
        let sign = ['♣', '♦', '♥', '♠'][card.suit() as usize];
        let rank = card.rank().name();
        for typed in [card.to_string(), format!("{rank}{sign}"), format!("lead {rank}{sign}")] {
            assert_eq!(play(name, &[&typed]).played(), mv, "{typed}");
            chosen += 1;
        }
    }
    assert!(chosen > 10, "{chosen}");
}

#[test]
fn the_person_is_shown_what_the_view_tells() {
    let shown = play("durak/cards-taken-up.txt", &["1"]).shown;
    for expected in ["trump", "talon", "among them", "\ntable", "\nhand"] {
        assert!(shown.contains(expected), "{expected}\n{shown}");
    }
    let shown = play("coup/one-card-left.txt", &["1"]).shown;
    assert!(shown.contains("??") && shown.contains(", lost "), "{shown}");
}

#[test]
fn greedy_chooses_a_move_if_asked_to() {
    for name in ["coup/first-move.txt", "durak/first-move.txt"] {
        let asking = play(name, &["auto"]);
        assert!(matches!(asking.answer, Answer::Output(_)), "{name}");
        assert!(asking.shown.contains("help, rules, hint, auto, quit\n"), "{name}");
    }
}

#[test]
fn hints_history_and_quit_are_there() {
    for name in ["coup/first-move.txt", "durak/first-move.txt"] {
        let asking = play(name, &["hint", "history", "help", "quit", "no", "quit", "yes"]);
        assert_eq!(asking.answer, Answer::Void(VoidCause::Left("name0".to_owned())));
        for (expected, times) in
            [("greedy would play ", 1), ("so far this", 2), ("by number", 1), ("  undo", 0)]
        {
            assert_eq!(asking.shown.matches(expected).count(), times, "{expected}");
        }
        assert_eq!(asking.unread, 0);
    }
}
