//! Notes in standard error: which lines are notes, their bounds, and that no bytes make their reader panic.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rules::{Measurements, NoteKey, NoteValue, Notes};
use serde_json::json;

/// The notes as their texts.
fn notes(stderr: &str) -> Vec<String> {
    Notes::read(stderr.as_bytes(), 0).iter().map(ToString::to_string).collect()
}

fn long(letter: &str, length: usize) -> String {
    letter.repeat(length)
}

#[test]
fn lines_that_are_notes() {
    for (line, note) in [
        ("note eval 0.61", "eval 0.61"),
        ("note eval 0.61\r", "eval 0.61"),
        ("note  eval   0.61  ", "eval 0.61"),
        ("note eval \t0.61\t", "eval 0.61"),
        ("note best 4H 4C  5D", "best 4H 4C  5D"),
        ("note a-B_9.x ~!\"<b>", "a-B_9.x ~!\"<b>"),
        ("note note note", "note note"),
        ("note - -", "- -"),
        (&format!("note {} 1", long("k", 32)), &format!("{} 1", long("k", 32))),
        (&format!("note k {}", long("v", 100)), &format!("k {}", long("v", 100))),
    ] {
        assert_eq!(notes(line), [note], "{line:?}");
        assert_eq!(notes(&format!("before\n{line}\nbehind")), [note], "{line:?}");
    }
}

#[test]
fn lines_that_are_no_notes() {
    for line in [
        "",
        "note",
        "note ",
        "note eval",
        "note eval ",
        "note  eval  ",
        " note eval 1",
        "Note eval 1",
        "notes eval 1",
        "note\teval 1",
        "note eval\t1",
        "note eval 1\t2",
        "note ev:al 1",
        "note é 1",
        "note eval é",
        "note eval \u{1b}[31m1",
        "note eval 1\0",
        &format!("note {} 1", long("k", 33)),
        &format!("note k {}", long("v", 101)),
    ] {
        assert_eq!(notes(line), [""; 0], "{line:?}");
    }
    assert!(Notes::read(b"note eval \xff\nnote \xff 1\n", 0).is_empty());
}

#[test]
fn values_that_are_finite_numbers_are_numbers() {
    for (text, number) in [
        ("0.610", Some(0.61)),
        ("-3", Some(-3.0)),
        ("+.5", Some(0.5)),
        ("5.", Some(5.0)),
        ("1e3", Some(1000.0)),
        ("inf", None),
        ("-infinity", None),
        ("nan", None),
        ("1e999", None),
        ("0x10", None),
        ("1_000", None),
        ("1 000", None),
        ("4H", None),
    ] {
        let value: NoteValue = text.parse().expect("a value");
        assert_eq!(value.number(), number, "{text}");
        assert_eq!(value.as_str(), text, "it is kept as it was written");
    }
}

#[test]
fn numbers_are_numbers_in_json_and_all_else_is_text() {
    let stderr =
        "note n 4096\nnote x 0.50\nnote big 1e300\nnote bad nan\nnote zero -0\nnote m 4H\n";
    let written = serde_json::to_string(&Notes::read(stderr.as_bytes(), 0))
        .expect("all notes have a form in JSON");
    let expected = r#"{"n":4096,"x":0.5,"big":1e+300,"bad":"nan","zero":0,"m":"4H"}"#;
    assert_eq!(written, expected);
    let parsed: serde_json::Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(parsed["n"], json!(4096));
}

#[test]
fn the_last_value_of_a_key_and_the_first_keys_count() {
    assert_eq!(notes("note a 1\nnote b 2\nnote a 3\n"), ["a 3", "b 2"]);
    let many: String = (0..20).map(|key| format!("note k{key} {key}\n")).collect();
    let found = notes(&format!("{many}note k3 again\nnote k19 again\n"));
    assert_eq!(found.len(), Notes::MOST);
    assert_eq!((found[3].as_str(), found[15].as_str()), ("k3 again", "k15 15"));
}

#[test]
fn a_line_that_was_cut_off_is_no_note() {
    let read = |stderr: &str, dropped| {
        let stderr = stderr.as_bytes().to_vec().into();
        let notes =
            Measurements { stderr, stderr_dropped: dropped, ..Measurements::default() }.notes();
        notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(read("note a 1\nnote nodes 12", 0), ["a 1", "nodes 12"]);
    assert_eq!(read("note a 1\nnote nodes 12", 3), ["a 1"]);
    assert_eq!(read("note a 1\nnote nodes 12\n", 3), ["a 1", "nodes 12"]);
    assert_eq!(read("note nodes 12", 1), [""; 0]);
}

#[test]
fn a_key_that_is_none_says_what_was_expected() {
    let problem = "a b".parse::<NoteKey>().unwrap_err().to_string();
    assert_eq!(problem, "expected a key of 1 to 32 letters, digits and `_`, `-`, `.`, found `a b`");
}

/// Pieces of which lines that are nearly notes are made.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    const KNOWN: &[&[u8]] = &[
        b"\nnote eval ",
        b"\nnote n.1 ",
        b"note ",
        b"\n",
        b" ",
        b"0.5",
        b"\r",
        b"1e9",
        b"\xff",
        b"nan",
    ];
    prop_oneof![4 => select(KNOWN).prop_map(<[u8]>::to_vec), 1 => vec(any::<u8>(), 0..120)]
}

proptest! {
    #[test]
    fn any_standard_error_has_notes_within_bounds(pieces in vec(piece(), 0..60), dropped in 0..3_u64) {
        let stderr = pieces.concat();
        let notes = Notes::read(&stderr, dropped);
        prop_assert!(notes.iter().count() <= Notes::MOST);
        for note in notes.iter() {
            prop_assert_eq!(note.key.as_str().parse(), Ok(note.key.clone()));
            prop_assert_eq!(note.value.as_str().parse(), Ok(note.value.clone()));
            prop_assert_eq!(notes.get(&note.key), Some(&note.value), "each key once");
            prop_assert!(note.value.number().is_none_or(f64::is_finite));
        }
        // What is written is read again.
        let again: String = notes.iter().map(|note| format!("note {note}\n")).collect();
        prop_assert_eq!(&Notes::read(again.as_bytes(), 0), &notes);
        let object = serde_json::to_value(&notes).expect("all notes have a form in JSON");
        prop_assert_eq!(object.as_object().map(serde_json::Map::len), Some(notes.iter().count()));
    }
}
