//! A log that was changed and given a new chain: what is derived again gives the forger away, and
//! for what cannot be derived there is a table that says so.

use std::io::Cursor;
use std::sync::OnceLock;

use record::verify::verify_from;
use record::{Line, LogFileError, LogProblem};
use tests::{chain, forging};

/// Edits that must be found: what is changed, the line that is found, all words that verification says, and the changes. The
/// lines are the header, games 0, 1 and 2, and the end; seat 1 crashes in the games 0 and 2. Lines that are missing,
/// doubled or in another order are edits of `logs::same_logs`. The changes are written as `tests::forging` reads them.
const FOUND: &str = r#"
game | 1 | a game that this build knows; whist | 0/game = whist
options | 1 | 2 players for 3 seats | 0/options = seats=3
spelling of the options | 1 | options; seats=2 | 0/options = seats=2 seats=2
options of no game | 1 | 48 seats for tablic | 0/options = seats=5
games in the header | 5 | 3 of 4 games | 0/games = 4
commitment | 1 | a different seed | 0/commitment ^
a player's name | 2 | seat 0 is not a's | 0/players/0/name = c
two players of one name | 1 | two players called `a` | 0/players/1/name = a
players swapped | 2 | seat 0 is not a's | 0/players/0 <> 0/players/1
a player too many | 1 | 3 players for 2 seats | 0/players/0 *
no players | 1 | 0 players for 2 seats | 0/players = []
id | 3 | game 1, heading; name of the game | 2/id ^
bot_seeds | 4 | bots' seeds | 3/bot_seeds ^
a seat too many | 2 | 2 seats, 3 names | 1/seats/1 *
a card of a deal | 3 | draw 1; the seed gives | 2/inputs/1/chance ~ 2/inputs/2/chance
cards of two deals swapped | 2 | draw 1; the seed gives | 1/inputs/1 <> 1/inputs/2
a deal left out | 3 | draw 2; expected cards to be dealt | 2/inputs/2 -
two answers swapped | 3 | move 0; the logged request | 2/a0 <> 2/a2
two legal replies swapped | 3 | move 1; the logged request | 2/a0/reply <> 2/a2/reply
an illegal reply | 2 | move 0; logged as ok, but is illegal | 1/a0/reply = KS KC KD
a malformed reply | 2 | move 0; logged as ok, but is malformed | 1/a0/reply = 7\xff
an answer left out | 3 | move; expected | 2/a3 -
an answer doubled | 3 | move 4; expected an answer of seat 0, found | 2/a3 *
an answer after the end | 3 | result; expected the end of the game | 2/last *
the seat of an answer | 3 | move 2; expected an answer of seat | 2/a2/seat = 1
a verdict of ok made illegal | 3 | move 3; logged as illegal, but is ok | 2/a3/verdict = illegal
a verdict of crash made ok | 2 | move 5; logged as ok, but is no-answer | 1/a5/verdict = ok
a verdict of crash made timeout | 2 | event; out 1 crash; out 1 timeout | 1/a5/verdict = timeout
a verdict of crash made void | 2 | event | 1/a5/verdict = void
detail of an ok answer | 3 | move 0; the reason is logged as | 2/a0/detail = well played
an event | 2 | event 3; is logged, the inputs give | 1/events/3 = 0 2C 2D
an event left out | 3 | event | 2/events/0 -
an event added | 4 | event; events logged | 3/events/last *
a score | 2 | result; points 25 0 | 1/result/scores/0 = 24
a score of the loser | 4 | result | 3/result/scores/1 = 1
the ending | 2 | result | 1/result = {"ending":"void","reason":"lightning"}
who is out | 2 | result | 1/result/out/1 = null
why a seat is out | 2 | result; timeout | 1/result/out/1 = timeout
no scores | 2 | result | 1/result/scores = []
a score too many | 3 | result | 2/result/scores/0 *
a fault too few | 3 | result | 2/result/out/0 -
a measurement too many | 3 | measured | 2/measured/0 *
a measurement left out | 2 | measured; 6 answers, 5 measured | 1/measured/0 -
seed | 1 | commits to a different seed | 4/seed ^
entropy | 2 | game 0, heading | 0/entropy = ["words of mine"]
time limit | 2 | move 0; the logged request | 0/players/0/limits/time_ms = 1
digest of a request | 3 | move 3; the logged request | 2/a3/asked ^
a second attempt at a game that counts | 3 | game 1 was expected | 1 *, 2/attempt = 1
a game made void, and played again | 2 | result | 1 *, 1/result = {"ending":"void","reason":"x"}, 2/attempt = 1
no points at the end | 5 | points that do not match | 4/points = []
points at the end swapped | 5 | points that do not match | 4/points/0 <> 4/points/1
"#;

/// Edits that nothing contradicts: what they touch was seen once and cannot be derived.
const NOT_FOUND: &str = r#"
version of the program | 0/version = 9.9.9
that nothing was measured | 0/simulated = true
command of a player | 0/players/0/command = other
digest of a player's file | 0/players/0/files/0/sha256 ^
list of a player's files | 0/players/0/files = []
permission of a player | 0/players/0/granted = {"network":true}
life of a player's program | 0/players/0/mode = resident
isolation | 0/isolation = {"asked":"strict"}
permission to think during the turns of others | 0/ponder = true
limit of CPU time | 0/players/0/limits/cpu_ms = 1
limit of memory | 0/players/0/limits/memory_bytes = 1
limit of address space | 0/players/0/limits/address_space_bytes = 1
limit of processes | 0/players/0/limits/processes = 1
limit of files | 0/players/0/limits/file_bytes = 1
limit of open files | 0/players/0/limits/open_files = 1
limit of answers | 0/players/0/limits/answer_bytes = 1
limit of standard error | 0/players/0/limits/stderr_bytes = 1
second chances that nobody needed | 0/retries = 1
suspect games to be played again | 0/suspect_games = play-again
CPU response time | 1/measured/0/cpu_ms = 0.001
wait of an answer | 1/measured/0/waited_ms = 5000.0
escaped processes of an answer | 1/measured/0/escaped = 7
response time | 1/measured/0/ms = 0.001
standard error of an answer | 1/measured/0/stderr = fine
count of dropped standard error | 1/measured/0/stderr_dropped = 5
spelling of a reply | 1/a0/reply >
what was printed before a crash | 1/a5/reply = 7S
detail of a crash | 1/a5/detail = exit 2
crash made timeout in all places | all "crash" = "timeout", all out 1 crash = out 1 timeout
a player's name in all places | all "a" = "c"
"#;

#[test]
fn forged_derived_values_are_found() {
    let mut failures = Vec::new();
    for row in FOUND.trim().lines() {
        let [what, line, says, changes] = row.split(" | ").collect::<Vec<_>>()[..] else {
            unreachable!("{row}")
        };
        match forged(what, changes).map(|wrong| (wrong.line.to_string(), wrong.to_string())) {
            Some((found, text))
                if found == line && says.split("; ").all(|it| text.contains(it)) => {}
            found => failures.push(format!("{what}: {found:?}, expected line {line}: {says}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let seed: rules::Seed = format!("{}7a30", "7a31".repeat(15)).parse().expect("a seed");
    let commitment = rules::Digest::hash(&seed.0);
    let both = format!("4/seed = {seed}, 0/commitment = {commitment}");
    let long = format!("0/players/0/name = {}", "x".repeat(70_000));
    for (what, line, says, changes) in [
        ("seed and commitment", 2, "game 0, heading", both),
        ("a name as long as a page", 1, "not a valid name", long),
    ] {
        let found = forged(what, &changes).map(|wrong| (wrong.line, wrong.to_string()));
        let is_found = found.as_ref().is_some_and(|it| it.0 == line && it.1.contains(says));
        assert!(is_found, "{what}: {found:?}");
    }
}

#[test]
fn values_that_cannot_be_derived_are_known() {
    // The chain of this test is the chain of the referee.
    assert_eq!(chain::chain(&chain::contents(whole())), whole());
    for row in NOT_FOUND.trim().lines() {
        let (what, changes) = row.split_once(" | ").expect("two columns");
        assert_eq!(forged(what, changes), None, "{what}: to be moved to the other table");
    }
}

/// Texts that are read as the same line, but are not the one that is written.
#[test]
fn another_spelling_of_a_line_is_found() {
    let edits = [
        ("a blank", 1, "\"format\":1", "\"format\": 1"),
        ("an escaped letter", 1, "\"tablic\"", "\"t\\u0061blic\""),
        ("an unknown key", 1, "{\"format\"", "{\"more\":1,\"format\""),
        ("a doubled key", 1, "\"format\":1", "\"format\":1,\"format\":1"),
        ("another order of keys", 2, "\"number\":0,\"deal\":0", "\"deal\":0,\"number\":0"),
        ("a float for a whole score", 2, "\"scores\":[25,", "\"scores\":[25.0,"),
        ("a score with an unseen rest", 2, "\"scores\":[25,", "\"scores\":[25.000000001,"),
        ("capitals in the seed", 5, "\"seed\":\"7a", "\"seed\":\"7A"),
        ("two contents in one line", 5, "{\"end\"", "{\"end\":1,\"end\""),
        ("a float for the format", 1, "\"format\":1", "\"format\":1.0"),
        ("an empty list", 1, "\"retries\":0", "\"retries\":0,\"entropy\":[]"),
        ("a value that goes without saying", 2, "\"number\":0", "\"number\":0,\"attempt\":0"),
        ("two digits for one", 2, "\"number\":0", "\"number\":00"),
        ("an empty text", 2, "\"verdict\":\"ok\"", "\"verdict\":\"ok\",\"detail\":\"\""),
        ("an exponent", 2, "\"scores\":[25,", "\"scores\":[25e0,"),
    ];
    for (what, line, before, after) in edits {
        let mut contents = chain::contents(whole());
        let content = &mut contents[line - 1];
        assert!(content.contains(before), "{what}: `{before}` is not in {content}");
        *content = content.replacen(before, after, 1);
        let wrong = verified(&chain::chain(&contents));
        let wrong = wrong.unwrap_or_else(|| unreachable!("not found: {what}"));
        assert_eq!(wrong.line, line, "{what}: {wrong}");
        assert!(wrong.problem.contains("is not a line of a log"), "{what}: {wrong}");
    }
}

/// A seed that is not found would leave every card unproved.
#[test]
fn the_seed_is_found_in_an_end_of_any_length() {
    for players in [0, 1, 1_000, 6_000, 100_000] {
        let mut contents = chain::contents(whole());
        let last = contents.pop().expect("the end");
        let points = format!("\"points\":[{}", "0,".repeat(players));
        contents.push(last.replacen("\"points\":[", &points, 1));
        let log = chain::chain(&contents);
        let found = record::revealed_seed(&mut Cursor::new(&log));
        assert!(found.expect("memory can be read").is_some(), "{players}: {}", log.len());
    }
}

fn whole() -> &'static str {
    static LOG: OnceLock<String> = OnceLock::new();
    LOG.get_or_init(tests::real::log)
}

/// The finding of the verification in the log after changes, called like this in a failure.
fn forged(what: &str, changes: &str) -> Option<LogProblem> {
    let written = |line| {
        let line = serde_json::from_value::<Line>(line);
        let line = line.unwrap_or_else(|error| unreachable!("{what}: not a line: {error}"));
        let text = serde_json::to_string(&line).expect("a line has a text");
        text.strip_suffix('}').unwrap_or(&text).to_owned()
    };
    let lines = forging::forged(whole(), changes).into_iter();
    let forged = chain::chain(&lines.map(written).collect::<Vec<_>>());
    assert_ne!(forged, whole(), "{what}: nothing was changed");
    verified(&forged)
}

fn verified(log: &str) -> Option<LogProblem> {
    match verify_from(Cursor::new(log)) {
        Ok(_) => None,
        Err(LogFileError::Wrong(wrong)) => Some(wrong),
        Err(LogFileError::Unreadable(error)) => unreachable!("memory can be read: {error}"),
    }
}
