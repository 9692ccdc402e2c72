//! Any one value in a log of any game is changed and the chain made anew: what is derived again
//! gives the change away, but for the values that `docs/reference/log.md` says only the head stands for.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::io::Cursor;
use std::path::PathBuf;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use record::Line;
use record::verify::verify_from;
use serde_json::Value;
use tests::chain;
use tests::forging::forged;

use super::is_log;

/// The variable of proptest that repeats a run.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// Number of changes tried in each log.
const CASES: u32 = 250;

/// Number of changes in a long log, and the number of lines from which on a log is long.
const CASES_IN_LONG: u32 = 25;
const LONG: usize = 100;

/// A log of every game, with second to fourth seats, faults, and both dialects.
fn logs() -> Vec<(String, String)> {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let entries = |name| fs::read_dir(examples.join(name)).expect("the examples are there");
    let matches = entries("matches").flatten().map(|file| file.path());
    let matches = matches.filter(|path| is_log(path));
    let tournaments = entries("tournaments").flatten().map(|it| it.path().join("games.jsonl"));
    let mut logs: Vec<_> = matches
        .chain(tournaments)
        .map(|path| {
            let text = fs::read_to_string(&path).expect("it can be read");
            (path.display().to_string(), text)
        })
        .collect();
    logs.sort();
    assert!(logs.len() >= 8, "not all examples are there: {}", logs.len());
    logs
}

/// A change of one value of any type.
#[derive(Debug, Clone)]
struct Change {
    line: Index,
    value: Index,
    place: Index,
    letter: Index,
}

fn change() -> impl Strategy<Value = Change> {
    let indices = (any::<Index>(), any::<Index>(), any::<Index>(), any::<Index>());
    indices.prop_map(|(line, value, place, letter)| Change { line, value, place, letter })
}

impl Change {
    /// Changes a value in a line, and says where it stands.
    fn apply(&self, line: &mut Value) -> String {
        let mut pointers = Vec::new();
        collect(line, String::new(), &mut pointers);
        let pointer = pointers[self.value.index(pointers.len())].clone();
        match line.pointer_mut(&pointer).expect("it was found there") {
            Value::Null => {}
            Value::Bool(value) => *value = !*value,
            Value::Number(number) => {
                let other = number.as_f64().map_or(0.0, |number| number + 1.0);
                *number = match number.as_u64() {
                    Some(number) => (number + 1).into(),
                    None => serde_json::Number::from_f64(other).expect("it is finite"),
                };
            }
            Value::String(text) => self.change_text(text),
            Value::Array(values) if values.is_empty() => {}
            Value::Array(values) => {
                let at = self.place.index(values.len());
                match self.letter.index(3) {
                    0 => drop(values.remove(at)),
                    1 => values.insert(at, values[at].clone()),
                    _ => values.swap(at, 0),
                }
            }
            Value::Object(_) => unreachable!("an object is changed within"),
        }
        pointer
    }

    fn change_text(&self, text: &mut String) {
        const LETTERS: &[char] = &['0', '1', '2', '7', 'A', 'C', 'D', 'H', 'Q', 'a', 'f', 'x'];
        let letter = LETTERS[self.letter.index(LETTERS.len())];
        let mut letters: Vec<char> = text.chars().collect();
        match letters.len() {
            0 => letters.push(letter),
            length => letters[self.place.index(length)] = letter,
        }
        *text = letters.into_iter().collect();
    }
}

/// The places of all values that are no objects.
fn collect(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(values) => {
            values.iter().for_each(|(key, it)| collect(it, format!("{pointer}/{key}"), pointers));
        }
        Value::Array(values) => {
            let each = values.iter().enumerate();
            each.for_each(|(number, it)| collect(it, format!("{pointer}/{number}"), pointers));
            pointers.push(pointer);
        }
        _ => pointers.push(pointer),
    }
}

/// Returns true if only the head vouches for a value, which follows from nothing else.
fn only_head_finds(line: &Value, pointer: &str) -> bool {
    let keys: Vec<&str> = pointer.split('/').skip(1).collect();
    match keys.as_slice() {
        ["header", "version" | "retries" | "suspect_games"] => true,
        ["header", "players", _, "command" | "files", ..] => true,
        // The classic dialect does not tell a program its time.
        ["header", "players", number, "limits", "time_ms"] => {
            line.pointer(&format!("/header/players/{number}/dialect")) == Some(&"classic".into())
        }
        ["header", "players", _, "limits", _] => true,
        // A rule that could have ended a tournament early leaves no trace if it did not.
        ["header", "tournament", "disqualify_after" | "sprt", ..] => true,
        ["game", "measured", ..] => true,
        ["game", "inputs", _, "answer", "classic", "printed"] => true,
        // The actions of a program that the referee ended cannot be derived.
        ["game", "inputs", number, "answer", "reply" | "detail"] => {
            line.pointer(&format!("/game/inputs/{number}/answer/verdict")) != Some(&"ok".into())
        }
        _ => false,
    }
}

/// The verification of a log after changes as `tests::forging` reads them.
fn verified(log: &str, changes: &str) -> Result<(), String> {
    let written = |line| {
        let line: Line = serde_json::from_value(line).expect("a line");
        let text = serde_json::to_string(&line).expect("a text");
        text.strip_suffix('}').expect("a brace").to_owned()
    };
    let contents: Vec<String> = forged(log, changes).into_iter().map(written).collect();
    let verified = verify_from(Cursor::new(chain::chain(&contents)));
    verified.map(drop).map_err(|wrong| wrong.to_string())
}

/// A request holds the time limit, and so its digest gives a changed one away, but a call of the classic dialect holds no
/// time. A negative time is no measurement, and could make a game suspect that is not.
#[test]
fn changed_limits_and_negative_times_are_found() {
    let logs = logs();
    let is_classic = |(name, _): &&(String, String)| name.ends_with("coup-classic.jsonl");
    let (_, classic) = logs.iter().find(is_classic).expect("a log");
    assert_eq!(verified(classic, "0/players/0/limits/time_ms = 6000"), Ok(()));
    assert!(verified(classic, "0/players/1/limits/time_ms = 6000").is_err());
    for (name, log) in logs {
        for key in ["ms", "cpu_ms"] {
            let wrong = verified(&log, &format!("1/measured/0/{key} = -1.5")).expect_err(&name);
            assert!(wrong.contains(&format!("has {key} -")), "{name}: {wrong}");
        }
    }
}

#[test]
fn a_value_changed_anywhere_in_any_game() {
    for (name, log) in logs() {
        let contents = chain::contents(&log);
        let chosen = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok());
        let seed: u64 = chosen.unwrap_or_else(|| RandomState::new().hash_one(0));
        let rng_seed = RngSeed::Fixed(seed);
        let cases = if contents.len() > LONG { CASES_IN_LONG } else { CASES };
        let config = Config {
            cases,
            max_global_rejects: 20 * cases,
            rng_seed,
            failure_persistence: None,
            ..Config::default()
        };
        let outcome = TestRunner::new(config).run(&change(), |change| {
            let at = change.line.index(contents.len());
            let before: Value = serde_json::from_str(&format!("{}}}", contents[at])).expect("JSON");
            let mut after = before.clone();
            let pointer = change.apply(&mut after);
            prop_assume!(!only_head_finds(&before, &pointer));
            // A value that cannot be read as a line is no line of a log; one that can is spelt as
            // it must be.
            let Ok(line) = serde_json::from_value::<Line>(after) else { return Ok(()) };
            let text = serde_json::to_string(&line).expect("a line has a text");
            let text = text.strip_suffix('}').unwrap_or(&text).to_owned();
            // A move may be spelt in either case.
            prop_assume!(!text.eq_ignore_ascii_case(&contents[at]));
            let mut forged = contents.clone();
            forged[at] = text;
            let verified = verify_from(Cursor::new(chain::chain(&forged)));
            let value = before.pointer(&pointer);
            prop_assert!(verified.is_err(), "line {}, {pointer} was {value:?}: verified", at + 1);
            Ok(())
        });
        let repeat =
            format!("{SEED_VARIABLE}={seed} cargo test -p tests --test full logs::forged_values");
        if let Err(failure) = outcome {
            unreachable!("{name}: {failure}\nto repeat: {repeat}");
        }
    }
}
