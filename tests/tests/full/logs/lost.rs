//! A log that is removed, replaced, moved or changed while it is written: the referee says so,
//! and where the games went, and ends with 1.

use std::fs;

use tests::bench::{Bench, Ended, run};

/// The bots do it themselves, which an isolated one cannot.
const OPEN: [&str; 2] = ["--isolation", "off"];

/// An action on the file `$log`, and the error for it.
type Deed = (&'static str, &'static str);

const REMOVES: Deed =
    ("rm \"$log\"", "was removed while it was written, and GAMES with it are lost");
const REPLACES: Deed = (
    "echo new > other && mv other \"$log\"",
    "was replaced by another file while it was written, and GAMES with it are lost",
);
const MOVES: Deed = ("mv \"$log\" elsewhere", "elsewhere` while it was written, with GAMES");
const RENAMES: Deed = (
    "ln \"$log\" other && rm \"$log\"",
    "was removed while it was written; GAMES are in a file with a different name",
);
const MOVES_AND_REPLACES: Deed =
    ("mv \"$log\" elsewhere && echo new > \"$log\"", "elsewhere` while it was written, with GAMES");
const EMPTIES: Deed =
    (": > \"$log\"", "was changed by another program while it was written: it has 0 bytes");
const APPENDS: Deed =
    ("echo more >> \"$log\"", "was changed by another program while it was written: it has ");

/// A bot that gives the first legal move, and does something to a file in its first call after the
/// condition holds.
fn bot(bench: &Bench, log: &str, condition: &str, deed: &str) -> String {
    let script = format!(
        "cd '{}' || exit 1\nlog={log}\n\
         if [ ! -e done ] && {condition}; then touch done; {deed}; fi\n\
         sed -n '/^legal/{{n;p;q}}'\n",
        bench.folder().display()
    );
    bench.write("bad.sh", script);
    "bad=sh bad.sh".to_owned()
}

fn assert_told(ended: &Ended, log: &str, says: &str, games: &str, case: &str) {
    assert_eq!(ended.code, Some(1), "{case}");
    let error = ended.stderr.lines().last().unwrap_or_default();
    assert!(error.starts_with("error: cannot write to the log: `"), "{case}");
    assert!(error.contains(&format!("{log}` was ")), "{case}");
    assert!(error.contains(&says.replace("GAMES", games)), "{case}");
}

#[test]
fn a_log_that_is_lost_while_a_match_writes_it() {
    for (deed, says) in [REMOVES, REPLACES, MOVES, RENAMES, MOVES_AND_REPLACES, EMPTIES, APPENDS] {
        let bench = Bench::new();
        // After the header and two games, in the third one.
        let bot = bot(&bench, "log", "[ $(wc -l < $log) -ge 3 ]", deed);
        let words = ["match", "--game", "coup", "--json", "--games", "9", "--log", "log"];
        let ended = bench.run([&words[..], &OPEN, &[&bot, "greedy"]].concat());
        let case = format!("{deed}: {ended:?}");
        assert_told(&ended, "log", says, "2 games", &case);
        assert_eq!(ended.stdout.matches("\"counts\":true").count(), 2, "{case}");
        assert!(!ended.stdout.contains("\"result\""), "{case}");
        let last = &ended.json().pop().expect("a line")["stopped"];
        assert_eq!(last["played"], 2, "{case}");
        assert!(last["seed"].is_string(), "{case}");
        // The games are where the error says.
        if says.contains("elsewhere") {
            let shown = bench.succeed(["show", "elsewhere"]);
            assert_eq!(shown.matches("result: ").count(), 2, "{case}");
        }
    }
}

/// Nothing comes after the last line, so it is looked at once more behind it.
#[test]
fn a_log_that_is_lost_in_the_last_game() {
    for (deed, says) in [REMOVES, MOVES, RENAMES, EMPTIES] {
        let bench = Bench::new();
        let bot = bot(&bench, "log", "[ -s log ]", deed);
        let words = ["match", "--game", "coup", "--quiet", "--log", "log", &bot, "greedy"];
        let ended = bench.run([&words[..], &OPEN].concat());
        assert_eq!(ended.code, Some(1), "{deed}: {ended:?}");
        let says = says.split("GAMES").next().unwrap_or_default();
        let says =
            says.trim_end_matches(", and ").trim_end_matches(", with ").trim_end_matches("; ");
        assert!(ended.stderr.contains(says), "{deed}: {ended:?}");
        assert!(!ended.stderr.contains("games"), "none was in it: {ended:?}");
    }
}

#[test]
fn a_log_that_is_lost_while_a_person_plays() {
    let bench = Bench::new();
    for deed in ["rm \"$log\"", ": > \"$log\""] {
        let _ = fs::remove_file(bench.path("done"));
        let _ = fs::remove_file(bench.path("log"));
        let bot = bot(&bench, "log", "[ -s log ]", deed);
        // The bot has the first move, and the person leaves.
        let words = ["play", "--game", "coup", "--seat", "1", "--log", "log", &bot];
        let ended = bench.run([&words[..], &OPEN].concat());
        let says = if deed.starts_with("rm") { "was removed" } else { "was changed" };
        assert_told(&ended, "log", says, "", &format!("{deed}: {ended:?}"));
    }
}

#[test]
fn a_log_that_is_lost_while_a_tournament_writes_it() {
    for (deed, says) in [REMOVES, MOVES, APPENDS] {
        let bench = Bench::new();
        let log = "cup/games.jsonl";
        let bot = bot(&bench, log, "[ $(wc -l < $log) -ge 3 ]", deed);
        let words = ["tournament", "--game", "coup", "--dir", "cup", "--deals", "9", "--quiet"];
        let ended = bench.run([&words[..], &OPEN, &["--workers", "1", &bot, "greedy"]].concat());
        let case = format!("{deed}: {ended:?}");
        assert_told(&ended, log, says, "2 games", &case);
        assert!(!bench.path("cup/standings.json").exists(), "{case}");
    }
}

/// The first game waits until others have ended ahead of it.
#[test]
fn games_ahead_of_their_turn_that_are_lost() {
    for (deed, says) in [REMOVES, EMPTIES] {
        let bench = Bench::new();
        let log = "cup/ahead.jsonl";
        // Before there is a log, the bot is only tried.
        let waits = "[ -s cup/games.jsonl ] && mkdir first 2>/dev/null && { until [ -s \"$log\" ] && \
                     [ $(wc -l < \"$log\") -ge 2 ]; do sleep 0.02; done; }";
        let bot = bot(&bench, log, waits, deed);
        let words = ["tournament", "--game", "coup", "--dir", "cup", "--deals", "20", "--quiet"];
        let words =
            [&words[..], &OPEN, &["--workers", "2", "--time-limit", "10min"], &[&bot, "greedy"]];
        let ended = run(&mut bench.arbiter(words.concat()));
        let case = format!("{deed}: {ended:?}");
        let says = says.split("GAMES").next().unwrap_or_default();
        assert_told(&ended, log, says, "", &case);
        assert!(!bench.path("cup/standings.json").exists(), "{case}");
    }
}
