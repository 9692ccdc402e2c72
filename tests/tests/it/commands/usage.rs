//! Wrong usage: exit code 2, an error that names the culprit, nothing played and nothing written.

use tests::bench::{Bench, Ended, run};

/// Asserts an error of usage that holds a word. Its first line is the error; what the parser of
/// the command line adds to it is help.
fn assert_usage(ended: &Ended, word: &str, what: &impl std::fmt::Debug) {
    assert_eq!(ended.code, Some(2), "{what:?}: {ended:?}");
    assert_eq!(ended.stdout, "", "{what:?}");
    let mut lines = ended.stderr.lines();
    let error = lines.next().unwrap_or_default();
    assert!(error.starts_with("error: "), "{what:?}: {ended:?}");
    // If an argument is missing, the next line names it.
    let named = error.contains(word) || lines.next().is_some_and(|line| line.contains(word));
    assert!(named, "{what:?}: `{word}` is not in {ended:?}");
    let is_odd = |c: char| c == '\u{202e}' || c.is_control() && c != '\n';
    assert!(!ended.stderr.contains(is_odd), "{what:?}: {ended:?}");
    assert!(!ended.stderr.contains("panicked"), "{what:?}: {ended:?}");
    assert!(!ended.stderr.contains("RUST_BACKTRACE"), "{what:?}: {ended:?}");
    assert!(!ended.stderr.contains("stack backtrace"), "{what:?}: {ended:?}");
}

fn assert_refused(words: &[&str], word: &str) {
    let bench = Bench::new();
    let ended = run(bench.arbiter(words).env("RUST_BACKTRACE", "1"));
    assert_usage(&ended, word, &words);
    let left = std::fs::read_dir(bench.folder()).expect("it is ours").flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["tmp"], "{words:?} left something");
}

fn assert_match_refused(words: &[&str], word: &str) {
    let head = ["match", "--game", "tablic", "--log", "log"];
    assert_refused(&[&head, words].concat(), word);
}

const TWO: [&str; 2] = ["random", "greedy"];

#[test]
fn seats() {
    assert_match_refused(&["--seats", "3", "random", "greedy"], "2 bots for 3 seats");
    assert_match_refused(&["--seats", "2", "random", "greedy", "random"], "3 bots for 2 seats");
    assert_match_refused(&["random"; 5], "48 seats for tablic, found `5`");
    assert_match_refused(&["random"; 49], "48 seats for tablic, found `49`");
    assert_match_refused(&["random"], "2 values required");
    assert_match_refused(&[], "<BOT>");
    for (seats, word) in [("1", "1"), ("5", "5"), ("x", "--seats"), ("-2", "--seats")] {
        assert_match_refused(&[&format!("--seats={seats}"), "random", "greedy"], word);
    }
}

#[test]
fn odd_names_are_refused() {
    for name in ["../a", "a\u{202e}b", "", &"n".repeat(300)] {
        assert_match_refused(&["--", &format!("{name}=random"), "greedy"], "invalid bot name");
    }
    assert_match_refused(&["a=random", "a=greedy"], "two bots are named `a`");
}

/// What else is no value, the parsers' own tests say.
#[test]
fn values_of_options() {
    let (long, wide) = ("0".repeat(65), "é".repeat(32));
    for (option, values) in [
        ("--games", &["0", "-1", "x", "1.5", "", "18446744073709551616"][..]),
        ("--seed", &["", "1x", "0x12", &long, &long[..63], &wide]),
        ("--time-limit", &["0s", "999us", "-1s", "5", "1e999s", "", "9999999999999years"]),
    ] {
        for value in values {
            assert_match_refused(&[&format!("{option}={value}"), TWO[0], TWO[1]], option);
        }
    }
}

#[test]
fn game() {
    assert_refused(&["match", "--game", "whist", "random", "greedy"], "whist");
    assert_refused(&["match", "--game", "", "random", "greedy"], "--game");
    assert_refused(&["match", "random", "greedy"], "--game");
}

#[test]
fn options_of_the_game() {
    assert_match_refused(&["--options", "deck=36", TWO[0], TWO[1]], "`deck=36`");
    assert_match_refused(&["--options", "seats=2", TWO[0], TWO[1]], "use --seats");
    assert_match_refused(&["--options", "\u{1b}[2J", TWO[0], TWO[1]], "\\u{1b}[2J");
    assert_match_refused(&["--options"], "--options");
    let durak = ["match", "--game", "durak", "--log", "log", "--options"];
    for (options, word) in
        [("deck", "`deck`"), ("transfer=maybe", "`maybe`"), ("deck=24 colour=red", "`colour=red`")]
    {
        assert_refused(&[&durak[..], &[options], &TWO].concat(), word);
    }
    assert_refused(&[&durak[..], &["deck=24"], &["random"; 5]].concat(), "at most 4 seats");
}

#[test]
fn options() {
    for options in ["--loud", "--json --quiet", "--json --watch", "--watch --quiet"] {
        let words: Vec<&str> = options.split(' ').chain(TWO).collect();
        assert_match_refused(&words, words[0]);
    }
    let zeros = "0".repeat(64);
    for (line, word) in [
        ("replay", "replay"),
        ("play", "--game"),
        ("play --game tablic --games 0 greedy", "--games"),
        ("verify", "no last match: name a log"),
        ("show", "no last match: name a log"),
        ("request log --move 0", "--game"),
        ("request log --game 0 --move x", "--move"),
        ("explain log --game 0 --retry 1", "--move"),
        ("rerun log --times 0", "--times"),
        ("rerun nothing", "nothing: cannot be read"),
        ("diff log", "<LOG|DIR>"),
        ("head nothing", "nothing: cannot be read"),
        ("verify --head abc log", "--head"),
        ("verify --jobs 0 log", "--jobs"),
        (&format!("verify --head {zeros} a b"), "needs exactly one log"),
        ("show log --game -1", "-1"),
        ("show log --game x", "--game"),
    ] {
        assert_refused(&line.split(' ').collect::<Vec<_>>(), word);
    }
}

#[test]
fn words_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let bench = Bench::new();
    let odd = OsStr::from_bytes(b"\xff\xfe");
    let words = ["match", "--game", "tablic", "random"].map(OsStr::new);
    let ended = bench.run([&words[..], &[odd]].concat());
    assert_usage(&ended, "UTF-8", &"a bot");
    bench.run([OsStr::new("verify"), odd]).assert_refused(2, &["cannot be read"]);
}

#[test]
fn supervisor() {
    for name in ["nonsense", ""] {
        let bench = Bench::new();
        let words = ["match", "--game", "tablic", "--log", "log", "random", "greedy"];
        let ended = run(bench.arbiter(words).env("ARBITER_SUPERVISOR", name));
        ended.assert_refused(2, &["ARBITER_SUPERVISOR", name, "`portable`"]);
        assert!(!bench.path("log").exists());
    }
}

/// A limit that no clock reaches is as good as none.
#[test]
fn an_endless_time_limit_is_fine() {
    for supervisor in ["linux", "portable"] {
        let bench = Bench::new();
        let words = ["match", "--game", "tablic", "--quiet", "--time-limit", "500000000000years"];
        let mut command = bench.arbiter(words.iter().chain(&TWO));
        let ended = run(command.env("ARBITER_SUPERVISOR", supervisor));
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{supervisor}");
    }
}

#[test]
fn a_game_that_the_log_does_not_hold() {
    let bench = Bench::new();
    bench.write("log", tests::real::log());
    for game in ["3", "18446744073709551615"] {
        bench.run(["show", "log", "--game", game]).assert_refused(2, &["no game", game, "3"]);
    }
}

/// No folder for scratch folders: the machine's failure, not a bot's.
#[test]
fn no_temporary_folder() {
    let bench = Bench::new();
    let words = ["match", "--game", "tablic", "--log", "log", "random", "greedy"];
    let ended = run(bench.arbiter(words).env("TMPDIR", "/no/such/folder"));
    ended.assert_refused(1, &["scratch folder", "/no/such/folder"]);
    assert!(!bench.path("log").exists());
}

/// Every exit code of the program is in its help and in the documents, with one meaning.
#[test]
fn every_exit_code_is_in_the_help_and_in_the_documents() {
    use text::failure::EXIT_CODES;

    let help = Bench::new().succeed(["--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/commands.md");
    let page = std::fs::read_to_string(page).expect("it is there");
    let (_, table) = page.split_once("| code | meaning |\n| ---: | --- |\n").expect("a table");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let documented: Vec<u8> = rows
        .filter_map(|row| row.split('|').nth(1))
        .flat_map(|cell| cell.split(',').map(|code| code.trim().parse().expect("a code")))
        .collect();
    assert_eq!(documented, EXIT_CODES.map(|(code, _)| code));
    for (code, meaning) in EXIT_CODES {
        assert!(help.contains(&format!("{code} {meaning}")), "{code} {meaning}: {help}");
    }
}
