//! A person who plays a custom game, of which only the text of its requests is known.

use std::sync::OnceLock;

use rules::custom::{
    CustomGame, CustomRulesKind, NoAnswer, PROTOCOL, RulesId, RulesInstance, RulesSource,
};
use rules::{Digest, GameKind};

use crate::script::{Asking, ask};

const ABOUT: &str = "\
rules 1
name leduc
title Leduc poker
about two rounds of betting with six cards
seats 2
help There are six cards: two jacks, two queens and two kings.
";

/// Rules that only say what game they are for.
struct Described(&'static str);

impl RulesSource for Described {
    fn start(&self) -> Result<Box<dyn RulesInstance>, NoAnswer> {
        Ok(Box::new(Described(self.0)))
    }
}

impl RulesInstance for Described {
    fn call(&mut self, _call: &str) -> Result<String, NoAnswer> {
        Ok(self.0.to_owned())
    }
}

/// Leduc poker, known to this process.
fn leduc() -> GameKind {
    static LEDUC: OnceLock<GameKind> = OnceLock::new();
    let opened = LEDUC.get_or_init(|| {
        let digest = Digest::hash(ABOUT.as_bytes());
        let id = RulesId { carrier: CustomRulesKind::Program, protocol: PROTOCOL, digest };
        let kind = CustomGame::open(id, Box::new(Described(ABOUT))).expect("a game").into_kind();
        kind.make_known();
        kind
    });
    opened.clone()
}

/// A request with these moves, as the line `legal` and those behind it.
fn request(legal: &str) -> String {
    format!(
        "arbiter 1\ngame leduc seats=2\nmatch 0123456789abcdef0123456789abcdef\nseat 0\nmove 4\n\
         time 1000\nseed 0011223344556677\n\
         view 5\nround 2\npot 3 5\nfirst check raise call\nboard Q\ncard K\n\
         history 2\ndeal 0 K\ndeal 1 ?\nlegal {legal}\nend\n"
    )
}

fn play(legal: &str, lines: &[&str]) -> Asking {
    ask(&leduc(), &request(legal), 2, lines)
}

#[test]
fn a_question_shows_the_lines_of_the_view_and_the_moves() {
    let asking = play("3\nfold\ncall\nraise", &["raise"]);
    assert_eq!(asking.played(), "raise");
    let expected = "\
so far this

seats  0 name0 (your seat), 1 name1
round  2
pot    3 5
first  check raise call
board  Q
card   K
your move:
  1  fold
  2  call
  3  raise
type your move, or one of: help, rules, auto, quit
move> raise
";
    assert_eq!(asking.shown, expected);
}

#[test]
fn a_move_is_chosen_by_its_number_or_by_its_text() {
    for typed in ["2", "call", "CALL", "c"] {
        assert_eq!(play("3\nfold\ncall\nraise", &[typed]).played(), "call", "{typed}");
    }
    for (typed, expected) in [
        ("4", "no move 4: expected a number from 1 to 3, the text of a move, or `help`"),
        ("bet", "it is not one of the legal moves"),
        ("hint", "no built-in bot plays this game\n"),
        ("help", "Choose a move by number or by text"),
        ("rules", "There are six cards"),
        ("undo", "a move stands"),
        ("", "expected a move, or `help`"),
    ] {
        let asking = play("3\nfold\ncall\nraise", &[typed, "1"]);
        assert!(asking.shown.contains(expected), "{typed}: {}", asking.shown);
        assert_eq!((asking.played(), asking.unread), ("fold", 0), "{typed}");
    }
}

/// A number would mean a move and a place in the list.
#[test]
fn moves_that_are_numbers_are_chosen_by_their_text_alone() {
    let asking = play("3\n0\n1\n2", &["1"]);
    assert_eq!(asking.played(), "1");
    assert!(asking.shown.contains("your move:\n  0\n  1\n  2\n"), "{}", asking.shown);
}

/// Only the rules could refuse it, at the cost of the seat.
#[test]
fn a_move_that_is_not_listed_is_played_when_it_is_typed_again() {
    let asking = play("2 more\nfold\ncall", &["raise 7", "raise  7"]);
    assert_eq!((asking.played(), asking.unread), ("raise 7", 0));
    let doubt = "`raise 7` is not listed, and only the rules know if it is legal";
    assert_eq!(asking.shown.matches(doubt).count(), 1, "{}", asking.shown);
    let asking = play("2 more\nfold\ncall", &["raise 7", "raise 8", "9", "fold"]);
    assert_eq!((asking.played(), asking.unread), ("fold", 0));
    assert!(asking.shown.contains("no move 9"), "{}", asking.shown);
}

#[test]
fn of_many_moves_that_fit_only_some_are_named() {
    let moves: Vec<String> = (1..=300).map(|number| format!("bet {number}x")).collect();
    let legal = format!("300\n{}", moves.join("\n"));
    let asking = play(&legal, &["bet", "bet 300x"]);
    assert_eq!(asking.played(), "bet 300x");
    let which = asking.shown.lines().find(|line| line.starts_with("move> bet")).is_some();
    assert!(which && asking.shown.contains("bet 20x or one of 280 more?"), "{}", asking.shown);
}
