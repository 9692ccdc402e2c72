//! The real programs: what they answer, and how they refuse.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use crate::{asked, samples};

const RANDOM: &str = env!("CARGO_BIN_EXE_random");
const GREEDY: &str = env!("CARGO_BIN_EXE_greedy");
const EXPERT: &str = env!("CARGO_BIN_EXE_expert");
const BOTH: [&str; 2] = [RANDOM, GREEDY];

fn run(program: &str, input: &[u8]) -> Output {
    asked::run(&mut Command::new(program), input)
}

/// The first request of a game.
fn request() -> String {
    let (name, request) = samples::all().swap_remove(0);
    assert_eq!(name, "first-move.txt");
    request
}

/// Checks that both programs refuse the input with exit code 1 and one line that ends like this.
#[track_caller]
fn is_refused(input: &[u8], problem: &str) {
    for program in BOTH {
        let output = run(program, input);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert_eq!(output.stdout, b"");
        let name = if program == RANDOM { "random" } else { "greedy" };
        assert_eq!(error, format!("{name}: {problem}\n"));
    }
}

#[test]
fn every_sample_is_answered_legally_and_always_the_same() {
    for (name, request) in samples::all() {
        for program in BOTH {
            let output = run(program, request.as_bytes());
            asked::is_legal(&output, &request, &format!("{program} on {name}"));
            assert_eq!(run(program, request.as_bytes()).stdout, output.stdout);
        }
    }
}

#[test]
fn a_program_that_is_kept_alive_answers_as_one_that_is_not() {
    for program in BOTH {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for (_, request) in samples::all() {
            input.write_all(request.as_bytes()).unwrap();
            let mut answer = String::new();
            output.read_line(&mut answer).unwrap();
            assert_eq!(answer.as_bytes(), run(program, request.as_bytes()).stdout);
        }
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn no_request_at_all_is_a_normal_end() {
    for program in BOTH {
        let output = run(program, b"");
        assert!(output.status.success());
        assert!(output.stdout.is_empty() && output.stderr.is_empty());
    }
}

#[test]
fn garbage_is_refused() {
    is_refused(
        b"7H please\nend\n",
        "line 1 of the request: expected `arbiter VERSION`, found `7H please`",
    );
    is_refused(b"\n", "line 1 of the request: expected `arbiter VERSION`, found nothing");
    is_refused(b"arbiter 1\nend\n", "line 2 of the request: expected `game NAME`, found `end`");
    is_refused(
        b"arbiter 1\ngame \xff\xfe\nend\n",
        "line 2 of the request: expected text in ASCII, found `other bytes`",
    );
}

#[test]
fn a_request_that_breaks_off_is_refused() {
    let request = request();
    let without_end = request.strip_suffix("end\n").unwrap();
    let line = request.lines().count();
    is_refused(
        without_end.as_bytes(),
        &format!("line {line} of the request: expected a line `end`, found nothing"),
    );
}

#[test]
fn another_version_of_the_protocol_is_refused() {
    is_refused(
        request().replacen("arbiter 1", "arbiter 2", 1).as_bytes(),
        "line 1 of the request: expected protocol version 1, found `2`",
    );
}

#[test]
fn an_unknown_game_is_played_by_random_and_refused_by_the_others() {
    let request = request().replacen("game tablic", "game chess", 1);
    let legal = request.lines().skip_while(|line| !line.starts_with("legal ")).skip(1);
    let legal: Vec<&str> = legal.take_while(|line| *line != "end").collect();
    let output = run(RANDOM, request.as_bytes());
    let answer = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && legal.contains(&answer.trim_end()), "{answer}");
    let output = run(GREEDY, request.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let problem = "line 2 of the request: expected a game that this build knows, found `chess`";
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("greedy: {problem}\n"));
}

#[test]
fn a_bad_card_is_refused_with_its_line() {
    let request = request();
    let (before, after) = request.split_once("history ").unwrap();
    let (count, _) = after.split_once('\n').unwrap();
    let line = before.lines().count() + 2;
    is_refused(
        format!("{before}history {count}\ndeal table 1C\n").as_bytes(),
        &format!("line {line} of the request: expected a card, found `1C`"),
    );
}

#[test]
fn an_empty_hand_is_refused() {
    let request = request();
    let (before, after) = request.split_once("\nhand ").unwrap();
    let (_, after) = after.split_once('\n').unwrap();
    is_refused(format!("{before}\nhand\n{after}").as_bytes(), "found no move in this request");
}

#[test]
fn unknown_keys_are_skipped() {
    let request = request();
    let mut lines: Vec<&str> = request.lines().collect();
    let keys = ["match", "seat", "move", "time", "seed", "view", "history", "legal", "end"];
    for key in keys {
        let is_key = |line: &&str| line.split(' ').next() == Some(key);
        let place = lines.iter().position(is_key).unwrap();
        lines.insert(place, "weather fair 3");
    }
    let view = lines.iter().position(|line| line.starts_with("view ")).unwrap();
    let longer_view = "view 10";
    assert_eq!(lines[view], "view 9");
    lines[view] = longer_view;
    lines.insert(view + 3, "pile 3 unknown");
    let more = lines.join("\n") + "\n";
    for program in BOTH {
        let answer = run(program, more.as_bytes());
        assert_eq!(answer.stdout, run(program, request.as_bytes()).stdout);
        assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    }
}

#[test]
fn the_command_line_has_help_and_version_only() {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    for (program, name) in [(RANDOM, "random"), (GREEDY, "greedy")] {
        let run = |arguments: &[&str]| asked::run(Command::new(program).args(arguments), b"");
        for argument in ["-h", "--help"] {
            let output = run(&[argument]);
            assert!(output.status.success());
            let help = text(output.stdout);
            assert!(help.starts_with(&format!("{name}: ")) && help.contains("Games: tablic"));
        }
        let version = format!("{name} {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(text(run(&["--version"]).stdout), version);
        for arguments in [&["--depth"][..], &["--depth", "5"]] {
            let output = run(arguments);
            assert_eq!(output.status.code(), Some(2));
            let error = format!("{name}: unknown argument `--depth`, try --help\n");
            assert_eq!(text(output.stderr), error);
        }
    }
}

/// A mended bug: the error came from the first game, which does not have the option.
#[test]
fn a_wrong_value_is_refused_by_a_game_that_has_the_option() {
    for (arguments, problem) in [
        (["--trust", "101"], "expected a number from 0 to 100 after `--trust`, found `101`"),
        (
            ["--positions", "0"],
            "expected a number from 1 to 18446744073709551615 or none after `--positions`, found `0`",
        ),
        (["--deep", "3"], "unknown argument `--deep`"),
    ] {
        let output = asked::run(Command::new(EXPERT).args(arguments), b"");
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8(output.stderr).expect("text");
        assert_eq!(told, format!("expert: {problem}, try --help\n"));
    }
}

/// Time that is up at once cuts a search short, and the log is told how far it came.
#[test]
fn a_move_that_time_cut_short_has_a_note() {
    let request = include_str!("../../../../examples/requests/coup/first-move.txt");
    let noted = |time: &str| {
        let output = asked::run(Command::new(EXPERT).args(["--time", time]), request.as_bytes());
        assert!(output.status.success() && output.stdout.ends_with(b"\n"), "{output:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    assert_eq!(noted("0ms"), "note worlds 0\n");
    assert_eq!(noted("none"), "");
}
