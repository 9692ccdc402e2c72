//! The classic dialect of Coup: every row of its table of legal moves, every shape of a line, what
//! is read and what is not, and vectors made by an independent implementation.

use std::collections::BTreeSet;

use rules::Verdict;
use rules::coup::classic::{UnreadableAnswer, file};
use rules::coup::{Event, Move};
use rules::dialect::Strictness;

use crate::coup::scene;
use crate::coup::scene::{Scene, lines, seat};

fn scene(first: &str, second: &str) -> Scene {
    Scene::turn([first, second], [3, 3])
}

/// Asserts what may be appended by whom, and what FILE holds.
fn assert_row(scene: &Scene, file: &str, mover: usize, appendable: &[&str]) {
    assert_eq!(scene.call().file, file);
    assert_eq!(scene.mover(), mover, "{file:?}");
    assert_eq!(scene.appendable(), appendable, "{file:?}");
}

#[test]
fn legal_in_an_empty_file() {
    let start = Scene::dealt("duke contessa", "assassin assassin");
    assert_row(&start, "", 0, &["I\n", "F", "E", "S", "T"]);
    assert_eq!(start.call().arguments[..3], ["1", "1", "$!"]);
}

#[test]
fn legal_after_a_line_end() {
    let turn = |coins| {
        let scene = Scene::turn_of(seat(1), [lines::hand("0="), lines::hand("<")], coins);
        scene.then("income")
    };
    assert_row(&turn([2, 0]), "I\n", 0, &["I\n", "F", "E", "T", "S"]);
    assert_row(&turn([3, 0]), "I\n", 0, &["I\n", "F", "E", "T", "A", "S"]);
    assert_row(&turn([7, 0]), "I\n", 0, &["I\n", "F", "E", "T", "A", "C", "S"]);
    assert_row(&turn([10, 0]), "I\n", 0, &["C"]);
    let broke = Scene::turn_of(seat(1), [lines::hand("0="), lines::hand("<")], [9, 0]);
    let broke = broke.then("foreign-aid; block duke; pass");
    assert_row(&broke, "Fd\n", 0, &["I\n", "F", "E", "T", "A", "C"]);
}

#[test]
fn legal_after_foreign_aid() {
    assert_row(&scene("duke", "duke").then("foreign-aid"), "F", 1, &["d", "p"]);
}

#[test]
fn legal_after_exchange_and_tax() {
    assert_row(&scene("duke", "duke").then("exchange"), "E", 1, &["p", "q"]);
    assert_row(&scene("duke", "duke").then("tax"), "T", 1, &["p", "q"]);
}

#[test]
fn legal_after_a_steal() {
    assert_row(&scene("duke", "duke").then("steal 1"), "S", 1, &["a", "c", "p", "q"]);
}

#[test]
fn legal_after_an_assassination() {
    let asked = scene("duke", "duke ambassador").then("assassinate 1");
    assert_row(&asked, "A", 1, &["s", "q", "0", "_"]);
}

#[test]
fn legal_after_a_coup() {
    let rich = Scene::turn(["duke", "duke duke"], [7, 0]).then("coup 1");
    assert_row(&rich, "C", 1, &["0", "0"]);
}

#[test]
fn legal_after_a_block() {
    let start = || scene("duke duke", "duke captain");
    for (script, file) in [
        ("foreign-aid; block duke", "Fd"),
        ("steal 1; block ambassador", "Sa"),
        ("steal 1; block captain", "Sc"),
        ("assassinate 1; block contessa", "As"),
    ] {
        assert_row(&start().then(script), file, 0, &["q", "\n"]);
    }
}

#[test]
fn legal_after_a_pass_or_a_surrendered_card() {
    let start = || Scene::turn(["duke captain", "contessa contessa"], [7, 3]);
    assert_row(&start().then("tax; pass"), "Tp", 0, &["\n"]);
    assert_row(&start().then("coup 1; lose contessa"), "C=", 0, &["\n"]);
    assert_row(&start().then("assassinate 1; lose contessa"), "A=", 0, &["\n"]);
    let fallen = start().then("foreign-aid; block duke; challenge; lose contessa");
    assert_row(&fallen, "Fdq=", 0, &["\n"]);
    let shown = start().then("tax; challenge; show duke; draw 0 duke; lose contessa");
    assert_row(&shown, "Tq$=", 0, &["\n"]);
    let exchange = start().then("exchange; pass; draw 0 assassin ambassador");
    assert_row(&exchange, "Ep", 0, &["\n"]);
    assert_eq!(exchange.call().arguments[2], "^~$*", "drawn cards in front");
}

#[test]
fn legal_after_a_challenge() {
    let action = scene("duke captain", "duke").then("tax; challenge");
    assert_row(&action, "Tq", 0, &["$"]);
    let bluff = scene("contessa captain", "duke").then("tax; challenge");
    assert_row(&bluff, "Tq", 0, &["=\n", "<\n"]);
    let block = scene("captain", "duke captain").then("foreign-aid; block duke; challenge");
    assert_row(&block, "Fdq", 1, &["$"]);
    let bluff = scene("captain", "contessa captain").then("foreign-aid; block duke; challenge");
    assert_row(&bluff, "Fdq", 1, &["=", "<"]);
}

#[test]
fn legal_after_a_shown_card() {
    let action = scene("duke captain", "contessa contessa");
    let action = action.then("tax; challenge; show duke; draw 0 duke");
    assert_row(&action, "Tq$", 1, &["=", "="]);
    let block = scene("captain contessa", "duke captain");
    let block = block.then("foreign-aid; block duke; challenge; show duke; draw 1 duke");
    assert_row(&block, "Fdq$", 0, &["<\n", "=\n"]);
}

/// Plays on to every end of the line, by everything that may be appended.
fn play_line(scene: &Scene, ends: &mut BTreeSet<String>) {
    let mut scene = scene.clone();
    scene.draw(&mut scene::nature());
    let written = file(&scene.events);
    if written.ends_with('\n') || scene.scores().is_some() {
        assert_eq!(lines::events(&written), moves(&scene), "{written:?}");
        ends.insert(lines::shape(&written));
        return;
    }
    let call = scene.call();
    assert_eq!(call.file, written);
    for appended in &call.arguments[3..] {
        let after = format!("{written}{appended}");
        let kept: String = call.arguments[2].chars().skip(2).collect();
        let mv = call.read(Strictness::Strict, after.as_bytes(), kept.as_bytes()).unwrap();
        let mut next = scene.clone();
        next.play(mv);
        assert_eq!(file(&next.events), after);
        play_line(&next, ends);
    }
}

/// The decisions of a scene, as a file can tell them.
fn moves(scene: &Scene) -> Vec<Event> {
    let told = scene.events.iter().filter_map(|event| match *event {
        Event::Move { seat, mv: Move::Keep(_) } => Some(Event::Move { seat, mv: Move::End }),
        Event::Move { .. } => Some(*event),
        _ => None,
    });
    told.collect()
}

#[test]
fn all_35_shapes_of_lines_occur_and_no_other() {
    let hands =
        ["_", "'", "<", "=", "0", "_'", "_<", "_=", "_0", "'<", "'=", "'0", "<=", "<0", "=0"];
    let mut ends = BTreeSet::new();
    for first in hands.map(lines::hand) {
        for second in hands.map(lines::hand) {
            play_line(&Scene::turn_of(seat(0), [first, second], [9, 9]), &mut ends);
        }
    }
    let complete = "I Fp Fd FdqX Fdq$X CX Ep EqX Eq~X Tp TqX Tq$X Sp SqX Sq*X Sa SaqX Saq~X \
                    Sc ScqX Scq*X AX As AqX Asq!X";
    let last = "CX AX Tq$X Sq*X Eq~X FdqX SaqX ScqX Aq^X AsqX";
    let expected = complete.split_ascii_whitespace().map(|line| format!("{line}\n"));
    let expected: BTreeSet<String> =
        expected.chain(last.split_ascii_whitespace().map(str::to_owned)).collect();
    assert_eq!(expected.len(), 35);
    assert_eq!(ends, expected);
}

#[test]
fn anything_but_exactly_one_legal_text_is_refused() {
    let call = scene("duke", "duke captain").then("tax").call();
    let read = |file: &[u8]| call.read(Strictness::Strict, file, b"").unwrap_err();
    for (after, verdict, error) in [
        (
            &b"T"[..],
            Verdict::NoAnswer,
            "nothing was appended to the file: expected exactly one of `p` `q`",
        ),
        (
            b"",
            Verdict::Malformed,
            "the file was changed: expected its old text and exactly one of `p` `q`",
        ),
        (
            b"Fp",
            Verdict::Malformed,
            "the file was changed: expected its old text and exactly one of `p` `q`",
        ),
        (
            b"Td",
            Verdict::Illegal,
            "expected exactly one of `p` `q` appended to the file, found `d`",
        ),
        (
            b"Tpp",
            Verdict::Illegal,
            "expected exactly one of `p` `q` appended to the file, found `pp`",
        ),
        (
            b"T\np",
            Verdict::Illegal,
            "expected exactly one of `p` `q` appended to the file, found `\\np`",
        ),
        (
            b"T\xff",
            Verdict::Illegal,
            "expected exactly one of `p` `q` appended to the file, found `\\xff`",
        ),
    ] {
        assert_eq!(read(after).to_string(), error);
        assert_eq!(read(after).verdict(), verdict);
    }
    let long = [b"T".to_vec(), vec![b'x'; 10_000]].concat();
    assert!(read(&long).to_string().len() < 200);
    assert_eq!(
        call.read(Strictness::Strict, b"Tq", b"anything \xff at all").unwrap(),
        Move::Challenge
    );
}

#[test]
fn tricks_with_several_bytes_are_refused() {
    let blocked = scene("duke", "duke").then("steal 1; block captain").call();
    let found = blocked.read(Strictness::Strict, b"Scp\n", b"").unwrap_err();
    assert!(matches!(found, UnreadableAnswer::NotLegal { .. }), "a block cannot be undone");
    let aid = scene("duke", "duke").then("foreign-aid").call();
    let found = aid.read(Strictness::Strict, b"F\np", b"").unwrap_err();
    assert!(matches!(found, UnreadableAnswer::NotLegal { .. }), "a turn cannot be voided");
    let doubles = Scene::turn(["duke", "duke duke"], [7, 0]).then("coup 1").call();
    let listed = doubles.read(Strictness::Strict, b"C00", b"").unwrap_err().to_string();
    assert_eq!(listed, "expected exactly one of `0` appended to the file, found `00`");
}

#[test]
fn the_cards_of_an_exchange_come_from_standard_output() {
    let call = scene("duke captain", "duke").then("exchange; pass; draw 0 captain assassin").call();
    assert_eq!(call.arguments[2], "*^$*");
    let read = |output: &str| call.read(Strictness::Strict, b"Ep\n", output.as_bytes());
    for (output, keep) in [
        ("*$", "keep captain duke"),
        (" $*\n", "keep duke captain"),
        ("**\n\n", "keep captain captain"),
    ] {
        assert_eq!(read(output).unwrap().to_string(), keep);
    }
    for output in ["", "$", "$*^", "$ *", "$$", "0<", "$*\nbye", "~$", "$*^*$"] {
        let error = read(output).unwrap_err();
        assert_eq!(error.verdict(), Verdict::Illegal);
        let text = error.to_string();
        let expected = "expected 2 of the cards `*^$*` on standard output, found `";
        assert!(text.starts_with(expected) && !text.contains('\n'), "{text}");
    }
    assert!(
        matches!(
            call.read(Strictness::Strict, b"Ep", b"*$"),
            Err(UnreadableAnswer::Nothing { .. })
        ),
        "the line must end"
    );
}

#[test]
fn a_call_tells_the_cards_in_the_order_of_the_hand() {
    let start = scene("captain duke", "contessa contessa").then("steal 1; challenge; show captain");
    let end = start.then("draw 0 ambassador; lose contessa");
    assert_eq!(end.call().arguments[2], "$~", "a new card comes last");
    let drawn = scene("captain duke", "contessa").then("exchange; pass; draw 0 duke assassin");
    let mv = drawn.call().read(Strictness::Strict, b"Ep\n", b"*^").unwrap();
    assert_eq!(mv.to_string(), "keep captain assassin");
    assert_eq!(drawn.then("keep assassin captain").hands()[0], "assassin captain");
}
