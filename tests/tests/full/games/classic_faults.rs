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

fn bench() -> Bench {
    Bench::new()
}

/// Plays a game in which one of the two does something wrong, and asserts who is out, why, and
/// what the other has.
#[track_caller]
fn is_out(cases: [&[(&str, &str)]; 2], culprit: usize, verdict: &str, detail: &str) {
    is_out_with(&[], cases, culprit, verdict, detail);
}

/// Like `is_out`, with options of the match.
#[track_caller]
fn is_out_with(
    options: &[&str],
    cases: [&[(&str, &str)]; 2],
    culprit: usize,
    verdict: &str,
    detail: &str,
) {
    let bench = bench();
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
    assert!(found.contains(detail), "`{detail}` is not in `{found}`");
}

/// Seat 0 begins with foreign aid; the answer to it does this.
#[track_caller]
fn answer_is_out(commands: &str, verdict: &str, detail: &str) {
    is_out([&[("''", "answer=F")], &[("F", commands)]], 1, verdict, detail);
}

#[test]
fn appending_more_than_one_move_is_a_fault() {
    // A block undone by its victim, which the script of the contest took for an end of the turn.
    let thief: &[(&str, &str)] = &[("''", "answer=S"), ("Sc", "answer=\"p$nl\"")];
    let detail = "expected exactly one of `q` `\\n` appended to the file, found `p\\n`";
    is_out([thief, &[("S", "answer=c")]], 0, "illegal", detail);
    // The other's turn voided, which it took for a pass.
    let detail = "expected exactly one of `d` `p` appended to the file, found `\\np`";
    answer_is_out("answer=\"${nl}p\"", "illegal", detail);
    answer_is_out("answer=pp", "illegal", "found `pp`");
    answer_is_out("answer=\"p${nl}I$nl\"", "illegal", "found `p\\nI\\n`");
    is_out([&[("''", "answer=\"Fp$nl\"")], &[]], 0, "illegal", "found `Fp\\n`");
}

#[test]
fn appending_an_illegal_text_is_a_fault() {
    answer_is_out("answer=q", "illegal", "found `q`");
    answer_is_out("answer=x", "illegal", "found `x`");
    answer_is_out("answer=\"$nl\"", "illegal", "found `\\n`");
    answer_is_out("answer=D", "illegal", "found `D`");
    answer_is_out("answer=$(printf '\\377')", "illegal", "found `\\xff`");
    is_out([&[("''", "answer=q")], &[]], 0, "illegal", "`I\\n` `F` `E` `S` `T`");
    is_out([&[("''", "answer=C")], &[]], 0, "illegal", "found `C`");
    is_out([&[("''", "answer=I")], &[]], 0, "illegal", "found `I`");
}

#[test]
fn appending_nothing_is_a_fault() {
    answer_is_out("answer=", "no-answer", "nothing was appended");
    is_out([&[("''", "answer=")], &[]], 0, "no-answer", "nothing was appended");
}

#[test]
fn rewriting_the_file_is_a_fault() {
    let changed = "the file was changed";
    answer_is_out("printf 'I\\nF' > \"$file\"; answer=p", "malformed", changed);
    answer_is_out(": > \"$file\"; answer=", "malformed", changed);
    answer_is_out("printf 'I\\n' > \"$file\"; answer=", "malformed", changed);
    answer_is_out("rm \"$file\"; exit 0", "malformed", changed);
}

#[test]
fn replacing_the_file_is_a_fault() {
    let changed = "the file was changed";
    let link = "mv \"$file\" \"$file.old\"; ln -s \"$file.old\" \"$file\"";
    answer_is_out(link, "malformed", changed);
    answer_is_out("rm \"$file\"; ln -s /etc/passwd \"$file\"; exit 0", "malformed", changed);
    answer_is_out("rm \"$file\"; mkfifo \"$file\"; exit 0", "malformed", changed);
    answer_is_out("rm \"$file\"; mkdir \"$file\"; exit 0", "malformed", changed);
    answer_is_out("rm -r \"${file%/*}\"; exit 0", "malformed", changed);
    // A folder in place of its own, in which the file holds what would be a legal answer.
    let bench = bench();
    let other = bench.write("game", "Fp");
    let folder = other.parent().expect("the bench").display();
    let link = format!("rm -r \"${{file%/*}}\"; ln -s '{folder}' \"${{file%/*}}\"; exit 0");
    answer_is_out(&link, "malformed", changed);
    assert_eq!(fs::read_to_string(other).expect("it is let be"), "Fp");
    // An empty file has nothing that could be missing.
    let first = [("''", "rm \"$file\"; mkdir \"$file\"; exit 0")];
    is_out([&first, &[]], 0, "no-answer", "nothing was appended");
}

#[test]
fn a_bad_exit_is_a_fault_even_after_a_legal_text() {
    let done = "printf p >> \"$file\"";
    answer_is_out(&format!("{done}; exit 3"), "crash", "exit 3");
    answer_is_out(&format!("{done}; kill -SEGV $$"), "crash", "signal 11 (SIGSEGV)");
    answer_is_out("kill -KILL $$", "crash", "signal 9 (SIGKILL)");
    is_out([&[("''", "printf F >> \"$file\"; exit 1")], &[]], 0, "crash", "exit 1");
}

/// Ends an exchange by printing this, with the escapes of `printf`.
fn ends_exchange(printed: &str) -> String {
    format!("printf '%s' \"$nl\" >> \"$file\"; printf '{printed}'; exit 0")
}

#[test]
fn printing_no_choice_of_cards_is_a_fault() {
    for printed in ["", "~", "~~~", "$$$$", "duke captain", "xx", "0<"] {
        let prints = ends_exchange(printed);
        let cases = [("''", "answer=E"), ("Ep", prints.as_str())];
        is_out([&cases, &[]], 0, "illegal", "of the cards `");
    }
}

/// The log leaves the last line end out, and verifies all the same.
#[test]
fn printing_no_choice_of_cards_and_a_line_end_is_a_fault() {
    let long = "x".repeat(32);
    for (printed, quoted) in [
        ("~\\n", "found `~`"),
        ("~\\n\\n", "found `~`"),
        ("\\n", "found ``"),
        ("xx  \\n", "found `xx`"),
        (&format!("{long}\\n"), &format!("found `{long}`")),
    ] {
        let prints = ends_exchange(printed);
        let cases = [("''", "answer=E"), ("Ep", prints.as_str())];
        is_out([&cases, &[]], 0, "illegal", quoted);
        is_out_with(&["--retries", "1"], [&cases, &[]], 0, "illegal", quoted);
    }
}

#[test]
fn a_second_try_at_the_end_of_an_exchange_can_be_good() {
    let bench = bench();
    // Its own folder lasts, so it knows that it has tried.
    let prints = ends_exchange("~\\n");
    let tried = format!("[ -e tried ] || {{ : > tried; {prints}; }}");
    let bot = shell(&bench, "bot", &[("''", "answer=E"), ("Ep", &tried)]);
    let games = bench.play("coup", &["--retries", "1"], &[&bot, "greedy"]);
    let verdicts: Vec<&Value> =
        log::answers(&games[0]).iter().map(|answer| &answer["verdict"]).collect();
    assert_eq!(verdicts.iter().filter(|verdict| **verdict == "illegal").count(), 1, "{verdicts:?}");
    all_sane(&games);
}

/// The limit of an answer is one of standard output; what is appended is read whole.
#[test]
fn however_little_may_be_printed_exactly_one_of_the_legal_texts_counts() {
    let little = ["--answer-size", "1"];
    let bench = bench();
    let honest = shell(&bench, "honest", &[]);
    all_sane(&bench.play("coup", &little, &[&honest, &honest.replace("honest=", "other=")]));
    let aid: &[(&str, &str)] = &[("''", "answer=F")];
    for answer in ["pp", "p$nl", "ppp", "dq", "pppppppp"] {
        let answer = format!("answer=\"{answer}\"");
        let cases = [("F", answer.as_str())];
        is_out_with(&little, [aid, &cases], 1, "illegal", "expected exactly one of `d` `p`");
    }
    for answer in ["I$nl$nl", "I${nl}F", "Fp"] {
        let answer = format!("answer=\"{answer}\"");
        let cases = [("''", answer.as_str())];
        is_out_with(&little, [&cases, &[]], 0, "illegal", "expected exactly one of `I\\n`");
    }
}

/// A program that holds the file open and goes on writing when the one that was called has exited.
#[test]
fn leaving_a_writer_behind_is_a_fault() {
    // It has written more than is legal before the exit, and cannot be quick enough to hide it.
    let writes = "while :; do printf q; done >> \"$file\" &";
    let waits = "while [ \"$(wc -c < \"$file\")\" -lt 10 ]; do :; done; exit 0";
    answer_is_out(&format!("{writes}\n{waits}"), "illegal", "found `qqqqqqqqq");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_removed_is_reported() {
    let bench = bench();
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
    let bench = bench();
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
