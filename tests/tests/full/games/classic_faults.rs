//! The classic dialect of Coup with real programs: what each way to misuse the file costs, and that
//! the log of it verifies.

#![cfg(unix)]

use std::fs;
#[cfg(target_os = "linux")]
use std::path::Path;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::classic::{all_sane, play, shell};
#[cfg(target_os = "linux")]
use tests::immutable;
#[cfg(target_os = "linux")]
use tests::keeping::Keeping;
use tests::log;

/// Commands of a program where its file ends in some way.
type Cases<'a> = &'a [(&'a str, &'a str)];

/// Plays a game in which one of the two does something wrong, and asserts who is out, why, and
/// what the other has.
#[track_caller]
fn is_out(options: &[&str], cases: [Cases; 2], culprit: usize, verdict: &str, detail: &str) {
    let bench = Bench::new();
    let bots = [shell(&bench, "zero", cases[0]), shell(&bench, "one", cases[1])];
    let game = bench.play("coup", options, &[&bots[0], &bots[1]]).remove(0);
    let mut out = [None, None];
    out[culprit] = Some(verdict);
    let mut scores = [1, 1];
    scores[culprit] = 0;
    assert_eq!(game["result"]["ending"], "walkover", "{game}");
    assert_eq!(game["result"]["out"], json!(out), "{game}");
    assert_eq!(game["result"]["scores"], json!(scores), "{game}");
    let answers = log::answers(&game);
    let last = answers.last().expect("an answer");
    assert_eq!((&last["seat"], &last["verdict"]), (&json!(culprit), &json!(verdict)), "{game}");
    let found = last["detail"].as_str().unwrap_or_default();
    assert!(found.contains(detail), "{cases:?}: `{detail}` is not in `{found}`");
}

/// Seat 0 begins with foreign aid; the answers to it do these things. The crate `rules` has each text that may not be
/// appended or printed, and `games::classic_vectors` has many of them by real programs.
#[test]
fn an_answer_that_is_a_fault_costs_the_game() {
    let done = "printf p >> \"$file\"";
    let exits = [format!("{done}; exit 3"), format!("{done}; kill -SEGV $$")];
    let changed = "the file was changed";
    // A folder in place of its own, in which the file holds what would be a legal answer.
    let elsewhere = Bench::new();
    let other = elsewhere.write("game", "Fp");
    let folder = other.parent().expect("the bench").display();
    let link = format!("rm -r \"${{file%/*}}\"; ln -s '{folder}' \"${{file%/*}}\"; exit 0");
    for (commands, verdict, detail) in [
        (
            "answer=\"p${nl}I$nl\"",
            "illegal",
            "expected exactly one of `d` `p` appended to the file",
        ),
        ("answer=$(printf '\\377')", "illegal", "found `\\xff`"),
        ("answer=", "no-answer", "nothing was appended"),
        ("printf 'I\\nF' > \"$file\"; answer=p", "malformed", changed),
        (": > \"$file\"; answer=", "malformed", changed),
        ("rm \"$file\"; exit 0", "malformed", changed),
        ("mv \"$file\" \"$file.old\"; ln -s \"$file.old\" \"$file\"", "malformed", changed),
        ("rm \"$file\"; ln -s /etc/passwd \"$file\"; exit 0", "malformed", changed),
        ("rm \"$file\"; mkfifo \"$file\"; exit 0", "malformed", changed),
        ("rm \"$file\"; mkdir \"$file\"; exit 0", "malformed", changed),
        ("rm -r \"${file%/*}\"; exit 0", "malformed", changed),
        (&link, "malformed", changed),
        (&exits[0], "crash", "exit 3"),
        (&exits[1], "crash", "signal 11 (SIGSEGV)"),
        ("kill -KILL $$", "crash", "signal 9 (SIGKILL)"),
    ] {
        is_out(&[], [&[("''", "answer=F")], &[("F", commands)]], 1, verdict, detail);
    }
    assert_eq!(fs::read_to_string(other).expect("it is let be"), "Fp");
}

/// Answers an exchange with cards that it may not keep.
const PRINTS: &str = "printf '%s' \"$nl\" >> \"$file\"; printf '~\\n'; exit 0";

#[test]
fn a_first_move_or_an_exchange_that_is_a_fault_costs_the_game() {
    let exchange: Cases = &[("''", "answer=E"), ("Ep", PRINTS)];
    let first: [(&[&str], Cases, &str, &str); 5] = [
        (&[], &[("''", "answer=q")], "illegal", "`I\\n` `F` `E` `S` `T`"),
        // An empty file has nothing that could be missing.
        (
            &[],
            &[("''", "rm \"$file\"; mkdir \"$file\"; exit 0")],
            "no-answer",
            "nothing was appended",
        ),
        (&[], &[("''", "printf F >> \"$file\"; exit 1")], "crash", "exit 1"),
        // The log leaves the last line end out, and verifies all the same.
        (&[], exchange, "illegal", "found `~`"),
        (&["--retries", "1"], exchange, "illegal", "found `~`"),
    ];
    for (options, cases, verdict, detail) in first {
        is_out(options, [cases, &[]], 0, verdict, detail);
    }
}

#[test]
fn a_second_try_at_the_end_of_an_exchange_can_be_good() {
    let bench = Bench::new();
    // Its own folder lasts, so it knows that it has tried.
    let tried = format!("[ -e tried ] || {{ : > tried; {PRINTS}; }}");
    let bot = shell(&bench, "bot", &[("''", "answer=E"), ("Ep", &tried)]);
    let games = bench.play("coup", &["--retries", "1"], &[&bot, "greedy"]);
    let answers = log::answers(&games[0]);
    let bad = answers.iter().filter(|answer| answer["verdict"] == "illegal").count();
    assert_eq!(bad, 1, "{answers:?}");
    all_sane(&games);
}

/// The limit of an answer is one of standard output; what is appended is read whole.
#[test]
fn however_little_may_be_printed_exactly_one_of_the_legal_texts_counts() {
    let little = ["--answer-size", "1"];
    let bench = Bench::new();
    let honest = shell(&bench, "honest", &[]);
    all_sane(&bench.play("coup", &little, &[&honest, &honest.replace("honest=", "other=")]));
    let aid: Cases = &[("''", "answer=F")];
    for answer in ["answer=pp", "answer=\"p$nl\"", "answer=pppppppp"] {
        let says = "expected exactly one of `d` `p`";
        is_out(&little, [aid, &[("F", answer)]], 1, "illegal", says);
    }
    let twice = [("''", "answer=\"I$nl$nl\"")];
    is_out(&little, [&twice, &[]], 0, "illegal", "expected exactly one of `I\\n`");
}

/// A program that holds the file open and goes on writing when the one that was called has exited.
#[test]
fn leaving_a_writer_behind_is_a_fault() {
    // It has written more than is legal before the exit, and cannot be quick enough to hide it.
    let writes = "while :; do printf q; done >> \"$file\" &\n\
                  while [ \"$(wc -c < \"$file\")\" -lt 10 ]; do :; done; exit 0";
    let cases: [Cases; 2] = [&[("''", "answer=F")], &[("F", writes)]];
    is_out(&[], cases, 1, "illegal", "found `qqqqqqqqq");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_removed_is_reported() {
    let bench = Bench::new();
    if !immutable::can_be_made(bench.folder()) {
        return;
    }
    let keeps = "printf F >> \"$file\"; chattr +i \"$file\"; exit 0";
    let bot = shell(&bench, "bot", &[("''", keeps)]);
    let words = ["match", "--game", "coup", "--json", "--seed", tests::bench::SEED, &bot, "random"];
    // An isolated bot has no right to do so.
    let lines = bench.run([&words[..], Keeping::Off.words()].concat()).json();
    immutable::release(&bench.scratch());
    let warnings: Vec<&Value> = lines.iter().filter_map(|line| line.get("warning")).collect();
    assert!(!warnings.is_empty(), "{lines:?}");
    for warning in warnings {
        assert_eq!(warning["name"], "bot");
        let text = warning["text"].as_str().expect("a text");
        assert!(text.starts_with("cannot remove scratch folder `"), "{text}");
        let folder = text.split('`').nth(1).expect("a path");
        assert!(Path::new(folder).join("game").exists(), "{text}");
    }
}

/// A child of an answer waits for the next one, learns its file and writes into it, if it lives.
fn nothing_writes_later(starts: &str) -> Value {
    let bench = Bench::new();
    let child = "echo > started; while [ ! -e second ]; do :; done\n\
                 printf q >> \"$(cat second)\"; echo > written\n";
    let leaves = format!(
        "[ -e started ] || {{ {starts} /bin/sh -c '{child}' &\n\
         while [ ! -e started ]; do :; done; }}; answer=p"
    );
    // Long enough for a child that lives to have written.
    let waits = "[ ! -e started ] || [ -e second ] || { echo \"$file\" > path; mv path second\n\
                 for turn in 1 2 3 4 5 6 7 8 9 10; do [ -e written ] || sleep 0.1; done; }";
    let first = shell(&bench, "first", &[("''", "[ \"$first\" = C ] || answer=F")]);
    let bot = shell(&bench, "bot", &[("F", &leaves), ("''", waits)]);
    let mut games = play(&bench, 1, [&first, &bot]);
    all_sane(&games);
    games.remove(0)
}

#[test]
fn nothing_that_is_left_running_writes_later() {
    nothing_writes_later("");
}

/// Nor does what has left the group of its program, and the log says that it was there.
#[cfg(target_os = "linux")]
#[test]
fn nothing_that_has_escaped_writes_later() {
    let game = nothing_writes_later("setsid");
    let measured = game["measured"].as_array().expect("a game is measured");
    let escaped: Vec<usize> =
        (0..measured.len()).filter(|place| measured[*place]["escaped"] == json!(1)).collect();
    let answers = log::answers(&game);
    assert_eq!(escaped.len(), 1, "{measured:?}");
    assert_eq!(
        (&answers[escaped[0]]["seat"], &answers[escaped[0]]["reply"]),
        (&json!(1), &json!("p"))
    );
}
