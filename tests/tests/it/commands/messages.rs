//! The words of messages: numbers agree with their nouns, ranges are said in words, and what the
//! system says of an error comes without its number.

use std::fs;

use tests::bench::{Bench, SEED, files_below};
use tests::sources;

#[test]
fn errors_of_the_system_are_shown_without_numbers() {
    let bench = Bench::new();
    fs::create_dir(bench.path("folder")).expect("a folder");
    bench.write("file", "");
    let cases: [(&[&str], i32); 13] = [
        (&["show", "nothing"], 2),
        (&["verify", "nothing"], 2),
        (&["head", "nothing"], 2),
        (&["diff", "nothing", "nowhere"], 2),
        (&["explain", "nothing", "--game", "0"], 2),
        (&["rerun", "nothing"], 2),
        (&["seed", "nowhere/seed"], 2),
        (&["match", "--game", "coup", "--log", "nowhere/log", "random", "greedy"], 2),
        (&["match", "--game", "coup", "--seed-file", "nowhere", "random", "greedy"], 2),
        (&["tournament", "--game", "coup", "--submissions", "nowhere", "--dir", "cup"], 2),
        (&["tournament", "--dir", "cup", "nowhere.toml"], 2),
        (&["export", "nothing", "--features", "moves"], 2),
        (&["build", "nowhere"], 2),
    ];
    for (words, code) in cases {
        let ended = bench.run(words);
        ended.assert_refused(code, &["no such file or directory"]);
        assert!(!ended.stderr.contains("os error"), "{words:?}: {ended:?}");
    }
    for words in [["man", "--dir", "file/man"], ["report", "nothing", "--output=file/pages"]] {
        let ended = bench.run(words);
        assert_ne!(ended.code, Some(0), "{ended:?}");
        assert!(!ended.stderr.contains("os error"), "{words:?}: {ended:?}");
    }
}

/// Every text of the system's goes through the function that takes its number away.
#[test]
fn no_message_shows_an_error_of_the_system_as_it_is() {
    for path in sources::folders().into_iter().flat_map(|folder| files_below(&folder)) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        // An error whose variant holds one of the system's, and whose text is that as it is.
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let shows = pair[0].contains("#[error(") && !pair[0].contains("system_error");
            assert!(!(shows && pair[1].contains("io::Error)")), "{path:?}: {}", pair[0]);
        }
    }
}

#[test]
fn counts_agree_with_their_words() {
    let bench = Bench::new();
    let one = |command: &'static str| [command, "--game", "coup", "--seed", SEED];
    let told = [
        bench.succeed([&one("match")[..], &["--log", "log", "greedy", "random"]].concat()),
        bench.succeed(["verify", "log"]),
        bench.run(["show", "log", "--game", "7"]).stderr,
        bench.succeed(["rerun", "log"]),
        bench.succeed(
            [&one("tournament")[..], &["--deals", "1", "--dir", "cup", "greedy", "random"]]
                .concat(),
        ),
        bench.succeed(["tournament", "status", "cup"]),
        bench.succeed(
            [&one("simulate")[..], &["--deals", "1", "--order", "fixed", "greedy", "random"]]
                .concat(),
        ),
        bench.succeed([&one("check")[..], &["--games", "1", "greedy"]].concat()),
        bench.succeed(["report", "log", "-o", "pages"]),
    ];
    let all = told.join("\n");
    assert!(all.contains("wins with 1 point\n"), "{all}");
    assert!(all.contains("1 game of coup"), "{all}");
    let counted =
        ["points", "games", "deals", "warnings", "answers", "bytes", "processes", "lines"];
    let words: Vec<&str> = all.split_whitespace().collect();
    for pair in words.windows(2) {
        let noun = pair[1].trim_matches(|c: char| !c.is_ascii_alphabetic());
        assert!(pair[0] != "1" || !counted.contains(&noun), "{pair:?} in {all}");
    }
}

#[test]
fn numbers_out_of_range_are_refused_in_words() {
    let bench = Bench::new();
    let cases: [(&[&str], &str); 8] = [
        (&["match", "--games", "0"], "must be a number of games from 1 to 1000000000"),
        (&["match", "--games", "18446744073709551616"], "must be a number of games from 1"),
        (&["match", "--retries", "101"], "must be a number of retries from 0 to 100"),
        (&["match", "--seats", "two"], "must be a number of seats, 2 or more"),
        (&["simulate", "--deals", "0"], "must be a number of deals from 1 to 1000000000"),
        (&["simulate", "--workers", "0"], "must be a number of threads from 1 to 1024"),
        (&["show", "log", "--game", "-"], "must be the number of a game, 0 or more"),
        (&["rerun", "log", "--times", "0"], "must be a number of times, 1 or more"),
    ];
    for (words, says) in cases {
        let ended = bench.run(words);
        let first = ended.stderr.lines().next().unwrap_or_default();
        assert_eq!(ended.code, Some(2), "{words:?}: {ended:?}");
        assert!(first.starts_with("error: invalid value '"), "{ended:?}");
        assert!(first.contains(says), "`{says}` is not in {first}");
    }
}
