//! Output of a match: for people, for programs, for none, and into a pipe that is not read.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use tests::bench::{Bench, wait, without_notices};

const SEED: &str = "7777777777777777777777777777777777777777777777777777777777777777";

/// Two bots that give the first legal move: they never capture, so all games are drawn.
struct Play {
    bench: Bench,
    bots: [String; 2],
}

impl Play {
    fn new() -> Play {
        let bench = Bench::new();
        let bots = ["a", "b"].map(|name| format!("{name}={}", bench.faulty("ok")));
        Play { bench, bots }
    }

    fn words<'a>(&'a self, words: &[&'a str]) -> Vec<&'a str> {
        let mut all = vec!["match", "--game", "tablic", "--seed", SEED];
        all.extend(words);
        all.extend(self.bots.iter().map(String::as_str));
        all
    }

    fn succeed(&self, words: &[&str]) -> String {
        self.bench.succeed(self.words(words))
    }
}

/// Programs read this: it changes only with a reason.
#[test]
fn the_shape_of_json() {
    let printed = Play::new().succeed(&["--json", "--games", "2"]);
    let expected = concat!(
        r#"{"start":{"game":"tablic","options":"seats=2","games":2,"commitment":"#,
        r#""e29442e61ad354e5cb0831e2e8359e8fb50cf024ad5a8f407c8f9de63bdf7371","entropy":[]}}"#,
        "\n",
        r#"{"game":{"number":0,"attempt":0,"seats":[{"name":"a","points":0,"fault":null},"#,
        r#"{"name":"b","points":0,"fault":null}],"ending":"played","counts":true}}"#,
        "\n",
        r#"{"game":{"number":1,"attempt":0,"seats":[{"name":"b","points":0,"fault":null},"#,
        r#"{"name":"a","points":0,"fault":null}],"ending":"played","counts":true}}"#,
        "\n",
        r#"{"result":{"players":[{"name":"a","points":0,"won":0,"drawn":2,"lost":0,"faults":0,"first_fault":null,"escaped":0},"#,
        r#"{"name":"b","points":0,"won":0,"drawn":2,"lost":0,"faults":0,"first_fault":null,"escaped":0}],"winner":null,"played_again":0,"suspect":[],"#,
        r#""seed":"7777777777777777777777777777777777777777777777777777777777777777"}}"#,
        "\n",
    );
    assert_eq!(printed, expected);
}

/// Neither escape sequences nor a bar: the output is not a terminal here.
#[test]
fn in_a_pipe_there_is_text_only() {
    let play = Play::new();
    for words in [&["--games", "2"][..], &["--watch"], &["--quiet"], &["-q"]] {
        let mut command = play.bench.arbiter(play.words(words));
        let output = command.env("TERM", "xterm-256color").output().expect("the referee starts");
        assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
        let is_odd = |byte: &u8| !matches!(byte, b' '..=b'~' | b'\n');
        assert_eq!(output.stdout.iter().copied().find(is_odd), None, "{words:?}");
        let is_quiet = matches!(words[0], "--quiet" | "-q");
        assert_eq!(output.stdout.is_empty(), is_quiet, "{words:?}");
    }
}

/// A bot's escape sequences are shown to watchers once, and do nothing, also where the house plays on.
#[test]
fn faults_are_escaped_for_watchers() {
    let mut play = Play::new();
    play.bots[0] = format!("a={}", play.bench.faulty("escapes"));
    let third = format!("c={}", play.bench.faulty("ok"));
    for others in [&[][..], &[third.as_str()]] {
        let told = play.succeed(&[&["--watch"], others].concat());
        assert!(told.contains("a is out: malformed\n  printed `\\x1b[2J\\x1b[31m"), "{told}");
        assert_eq!(told.matches("  printed `").count(), 1, "{told}");
        let by_house = told.matches("\na  ").count();
        assert!(others.is_empty() || by_house > 5, "the house plays on:\n{told}");
        let is_over = told.contains("\nresult: a 0, b 25 (walkover)\n");
        assert!(is_over == others.is_empty() && !told.contains('\x1b'), "{told}");
    }
}

/// As in `arbiter match … | head -1`: a match that was not played to its end is no success.
#[test]
fn a_reader_that_goes_away_stops_the_match() {
    let play = Play::new();
    for words in [["--json", "--games", "20"], ["--watch", "--games", "20"]] {
        let mut command = play.bench.arbiter(play.words(&words));
        let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().expect("the referee starts");
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        assert_ne!(line, "");
        drop(reader);
        let mut said = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut said).expect("text");
        let status = wait(&mut child, &words);
        assert_eq!(status.code(), Some(1), "{words:?}");
        assert!(said.ends_with(&format!("\nseed: {SEED}\n")), "the seed was promised: {said}");
        assert!(!said.contains("error: "), "{said}");
    }
}

/// A check whose output is not read to its end is not passed.
#[test]
fn a_reader_that_goes_away_stops_a_check() {
    let bench = Bench::new();
    for words in [&["check", "--json", "random"][..], &["check", "random"]] {
        let mut command = bench.arbiter(words);
        let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().expect("the referee starts");
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        reader.read_line(&mut String::new()).expect("a line");
        drop(reader);
        let mut said = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        assert_eq!(wait(&mut child, &words).code(), Some(1), "{words:?}: {said}");
        assert_eq!(without_notices(&said), "", "nobody needs to be told: {words:?}");
    }
}

/// Runs the referee with a standard output without a reader.
fn unread(bench: &Bench, words: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = bench.arbiter(words);
    let mut child = command.stdout(writer).stderr(Stdio::piped()).spawn().expect("it starts");
    // The command would keep the pipe open.
    drop(command);
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    (wait(&mut child, &words).code(), said)
}

/// As in `arbiter show log | head`: what only tells ends well, what was to do or to judge does not.
#[test]
fn commands_whose_output_is_closed_end_quietly() {
    let bench = Bench::new();
    let coup = ["--game", "coup", "--seed", SEED];
    let begun = |words: &[&'static str], rest: &[&'static str]| [words, &coup, rest].concat();
    bench.succeed(begun(&["match"], &["--quiet", "--log", "log", "random", "greedy"]));
    let cup = ["--quiet", "--deals", "2", "--dir", "cup", "random", "greedy"];
    bench.succeed(begun(&["tournament"], &cup));
    let telling: [&[&str]; 17] = [
        &["--help"],
        &["match", "--help"],
        &["--version"],
        &["bots"],
        &["games", "--json"],
        &["show", "log"],
        &["show", "log", "--json"],
        &["export", "log", "--features", "moves"],
        &["tournament", "standings", "cup"],
        &["tournament", "status", "cup", "--json"],
        &["explain", "log", "--game", "0", "--move", "0"],
        &["request", "log", "--game", "0", "--move", "0"],
        &["head", "log"],
        &["simulate", "--game", "coup", "--deals", "1", "random", "greedy"],
        &["report", "log", "-o", "pages"],
        &["completions", "bash"],
        &["man"],
    ];
    for words in telling {
        assert_eq!(unread(&bench, words), (Some(0), String::new()), "{words:?}");
    }
    let doing = [
        begun(&["match"], &["--log", "cut", "random", "greedy"]),
        begun(&["match"], &["--json", "random", "greedy"]),
        begun(&["match"], &["--watch", "random", "greedy"]),
        begun(&["play"], &["greedy"]),
        begun(&["check"], &["--games", "1", "greedy"]),
        begun(&["check"], &["--json", "--games", "1", "greedy"]),
        begun(&["tournament"], &["--deals", "2", "--dir", "cut-cup", "random", "greedy"]),
        vec!["verify", "log"],
        vec!["rerun", "log"],
    ];
    for words in doing {
        assert_eq!(unread(&bench, &words), (Some(1), String::new()), "{words:?}");
    }
    // The games played before are not lost.
    bench.run(["verify", "cut"]).assert_refused(3, &["cut: ", "is missing: the log"]);
    bench.succeed(["tournament", "resume", "cut-cup", "--quiet"]);
    bench.succeed(["verify", "cut-cup"]);
    assert_eq!(bench.run(["diff", "cup", "cut-cup"]).code, Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_without_room_is_the_machines_failure() {
    let play = Play::new();
    for words in [
        play.words(&[]),
        play.words(&["--json"]),
        play.words(&["--watch"]),
        vec!["check", "--game", "coup", "--games", "0", "greedy"],
    ] {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let mut command = play.bench.arbiter(&words);
        command.stdout(full).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the referee starts");
        let mut said = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        assert_eq!(wait(&mut child, &words).code(), Some(1), "{words:?}: {said}");
        let said = without_notices(&said);
        assert!(said.starts_with("error: cannot write to standard output: "), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
