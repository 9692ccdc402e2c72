//! The lenient reading of the classic dialect: one text, in one place, and nothing else.

use std::collections::BTreeSet;

use rules::coup::Move;
use rules::coup::classic::file;
use rules::dialect::Strictness::{self, Lenient, Strict};

use crate::coup::scene;
use crate::coup::scene::{Scene, lines, seat};

/// Every byte that the dialect knows, in FILE or on standard output, and one that it does not.
const BYTES: &[u8] = b"_'<=0~^*!$IFCETASpqdacs\nx";

/// For each appended text: does a strict reading take it for a move, and does a lenient one?
#[test]
fn the_text_of_the_winner_is_read_in_its_place_only() {
    let start = || Scene::turn(["captain duke", "contessa contessa"], [7, 3]);
    let won = || start().then("foreign-aid; block duke; challenge; lose contessa");
    let honest = || Scene::turn(["captain duke", "duke ambassador"], [7, 3]);
    for (scene, appended, reads) in [
        // A challenge to a block that was won.
        (won(), "_\n", [false, true]),
        (start().then("steal 1; block captain; challenge; lose contessa"), "_\n", [false, true]),
        (start().then("steal 1; block ambassador; challenge; lose contessa"), "_\n", [false, true]),
        // Any other text there.
        (won(), "\n", [true, true]),
        (won(), "_", [false, false]),
        (won(), "_\n\n", [false, false]),
        (won(), "__\n", [false, false]),
        (won(), "\n_\n", [false, false]),
        (won(), "<\n", [false, false]),
        (won(), "p\n", [false, false]),
        (won(), "_\nI\n", [false, false]),
        // A block that stands, where there is a choice: the contest let it be undone.
        (start().then("steal 1; block captain"), "_\n", [false, false]),
        (start().then("steal 1; block captain"), "p\n", [false, false]),
        // A challenge to a block that was lost: the caller must give up a card.
        (
            honest().then("foreign-aid; block duke; challenge; show duke; draw 1 duke"),
            "_\n",
            [false, false],
        ),
        // The only legal text is the line end, but no block was challenged.
        (start().then("tax; pass"), "_\n", [false, false]),
        (start().then("coup 1; lose contessa"), "_\n", [false, false]),
        (start().then("assassinate 1; lose contessa"), "_\n", [false, false]),
        (
            honest().then("tax; challenge; show duke; draw 0 duke; lose ambassador"),
            "_\n",
            [false, false],
        ),
        (start().then("exchange; pass; draw 0 assassin ambassador"), "_\n", [false, false]),
    ] {
        let call = scene.call();
        let after = format!("{}{appended}", call.file);
        let read = |reading| call.read(reading, after.as_bytes(), b"~^").is_ok();
        assert_eq!([Strict, Lenient].map(read), reads, "{after:?}");
    }
}

/// Every text of one or two bytes, and those that go on after the text of the winner or before it.
fn texts() -> Vec<Vec<u8>> {
    let one = || BYTES.iter().map(|byte| vec![*byte]);
    let two = || one().flat_map(|first| one().map(move |second| [&*first, &*second].concat()));
    let more = one().flat_map(|byte| [[b"_\n", &*byte].concat(), [&*byte, b"_\n"].concat()]);
    one().chain(two()).chain(more).collect()
}

/// Tries every text at every decision to the end of the line, and collects where the readings differ.
fn try_line(scene: &Scene, texts: &[Vec<u8>], differ: &mut BTreeSet<String>) {
    let mut scene = scene.clone();
    scene.draw(&mut scene::nature());
    let written = file(&scene.events);
    if written.ends_with('\n') || scene.scores().is_some() {
        return;
    }
    let call = scene.call();
    let kept: String = call.arguments[2].chars().skip(2).collect();
    let read = |reading: Strictness, text: &[u8]| {
        call.read(reading, &[written.as_bytes(), text].concat(), kept.as_bytes())
    };
    for text in texts {
        let (strict, lenient) = (read(Strict, text), read(Lenient, text));
        if strict == lenient {
            continue;
        }
        assert_eq!((text.as_slice(), lenient), (&b"_\n"[..], Ok(Move::End)), "{written:?}");
        assert_eq!(read(Strict, b"\n"), Ok(Move::End), "it is the move that is left");
        assert_eq!(call.arguments[3..], ["\n"], "and the only one");
        differ.insert(lines::shape(&written));
    }
    for appended in &call.arguments[3..] {
        let mut next = scene.clone();
        next.play(read(Strict, appended.as_bytes()).unwrap());
        try_line(&next, texts, differ);
    }
}

#[test]
fn the_readings_differ_after_a_won_challenge_to_a_block_and_nowhere_else() {
    let (texts, mut differ) = (texts(), BTreeSet::new());
    let hands = ["_", "_'", "<=", "0<"].map(lines::hand);
    for first in hands {
        for second in hands {
            try_line(&Scene::turn_of(seat(0), [first, second], [9, 9]), &texts, &mut differ);
        }
    }
    assert_eq!(differ, BTreeSet::from(["FdqX", "SaqX", "ScqX"].map(str::to_owned)));
}
