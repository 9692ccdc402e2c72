//! A clock for a game: bots whose time for it is used up, what they were told, and what a log proves.
//!
//! Other bots and the starts of all have far more time than they need on any machine.

#![cfg(unix)]

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tests::bench::Bench;
use tests::installed::bench_with;
use tests::{chain, log};

/// A Python bot that plays the first legal move, notes its clock, and does something else at its turn
/// 1, 2, 3 and so on, which is `turn`.
const PYTHON: &str = "\
import sys, time
turn, values, lines = 0, {}, iter(sys.stdin.readline, '')
for line in lines:
    key, _, value = line.rstrip('\\n').partition(' ')
    if key == 'end':
        turn += 1
        note = ' '.join(key + '=' + values.get(key, '-') for key in ('time', 'bank', 'increment'))
        print('note clock', note, file=sys.stderr, flush=True)
        DEED
        print(values['legal'], flush=True)
        values = {}
    elif key in ('view', 'history', 'legal'):
        block = [next(lines).rstrip('\\n') for _ in range(int(value.split()[0]))]
        values[key] = block[0] if block else ''
    else:
        values[key] = value
";

/// The command of a Python bot that does this before it answers.
fn python(bench: &Bench, name: &str, mode: &str, deed: &str) -> String {
    bench.write(&format!("{name}.py"), PYTHON.replace("DEED", deed));
    format!("{name}={mode}python3 ./{name}.py {}", bench.marker())
}

/// The log of a match of two bots, which verifies.
fn play(bench: &Bench, options: &[&str], bots: &[&str]) -> PathBuf {
    let fixed =
        ["match", "--game", "tablic", "--quiet", "--seed", "1", "--overwrite", "--log", "log"];
    bench.succeed([&fixed[..], options, bots].concat());
    let path = bench.path("log");
    bench.verify(&path);
    path
}

/// The answers of a player in its first game, each with its measurements.
fn own_answers(path: &std::path::Path, name: &str) -> Vec<(Value, Value)> {
    let game = &log::games(path)[0];
    let seat = log::seat_of(game, name);
    let measured = game["measured"].as_array().expect("a list").iter().cloned();
    let answers = log::answers(game).into_iter().cloned().zip(measured);
    answers.filter(|(answer, _)| answer["seat"] == seat).collect()
}

/// A time of a log in microseconds, of which it is a whole number.
fn micros(measured: &Value) -> u64 {
    (measured["ms"].as_f64().expect("a time") * 1000.0).round() as u64
}

/// Checks every bank that a bot was shown against the times of the log; gives the rest at the
/// last answer, in microseconds.
fn check_banks(
    answers: &[(Value, Value)],
    (bank, increment, limit): (u64, u64, u64),
    free: usize,
) -> u64 {
    let mut left = bank * 1000;
    let mut at_last = left;
    for (number, (answer, measured)) in answers.iter().enumerate() {
        let (shown, time) =
            (left / 1000, if number < free { 60_000 } else { limit.min(left / 1000) });
        let expected = format!("note clock time={time} bank={shown} increment={increment}");
        let stderr = measured["stderr"].as_str().unwrap_or_default();
        // A bot that is late may not have come so far.
        if answer["verdict"] != "timeout" {
            assert!(stderr.starts_with(&expected), "answer {number}: `{stderr}`, not `{expected}`");
        }
        at_last = left;
        if number >= free {
            left = left.saturating_sub(micros(measured));
            left += if answer["verdict"] == "ok" { increment * 1000 } else { 0 };
        }
    }
    at_last
}

fn assert_out(path: &std::path::Path, name: &str, answers: &[(Value, Value)], left: u64) {
    let (last, measured) = answers.last().expect("it was asked");
    let left = left / 1000;
    let detail = format!("its time for the game was used up: {left} ms were left for this answer");
    assert_eq!((&last["verdict"], &last["detail"]), (&"timeout".into(), &detail.into()));
    assert!(micros(measured) >= left * 1000);
    let game = &log::games(path)[0];
    assert_eq!(game["result"]["ending"], "walkover");
    assert_eq!(game["result"]["out"][log::seat_of(game, name)], "timeout");
}

const PATIENT: &str = "60s";

#[test]
fn a_resident_bot_is_out_when_its_bank_is_used_up() {
    let Some(bench) = bench_with("python3") else { return };
    let bot = python(&bench, "slow", "resident:", "time.sleep(0.2 if turn < 4 else 1000)");
    let options = ["--game-time", "slow=6s+30ms", "--time-limit", PATIENT];
    let path = play(&bench, &options, &[&bot, "random"]);
    let answers = own_answers(&path, "slow");
    let left = check_banks(&answers, (6000, 30, 60_000), 0);
    assert_out(&path, "slow", &answers, left);
    let limits = &log::lines(&path)[0]["header"]["players"];
    assert_eq!(limits[0]["limits"]["game_time"]["bank_ms"], 6000);
    assert_eq!(limits[0]["limits"]["time_ms"], 60_000);
    assert!(limits[1]["limits"].get("game_time").is_none(), "{limits}");
}

#[test]
fn a_bot_that_is_started_for_each_move_pays_for_each_start() {
    let Some(bench) = bench_with("python3") else { return };
    let bot = python(&bench, "slow", "", "time.sleep(0.4)");
    // Without a limit of its own an answer may take the whole bank.
    let path = play(&bench, &["--game-time", "slow=2500ms"], &[&bot, "random"]);
    let answers = own_answers(&path, "slow");
    let left = check_banks(&answers, (2500, 0, 2500), 0);
    assert_out(&path, "slow", &answers, left);
    assert_eq!(log::lines(&path)[0]["header"]["players"][0]["limits"]["time_ms"], 2500);
}

#[test]
fn the_first_answer_is_off_the_clock_and_each_try_is_on_it() {
    let Some(bench) = bench_with("python3") else { return };
    let deed = "values['legal'] = 'zz' if 'retry' not in values and turn > 1 else values['legal']";
    let bot = python(&bench, "hasty", "resident:", deed);
    let first = ["--first-time", PATIENT, "--time-limit", PATIENT, "--retries", "1"];
    let options = [&["--game-time", "hasty=50s+10ms"], &first[..]].concat();
    let path = play(&bench, &options, &[&bot, "random"]);
    let answers = own_answers(&path, "hasty");
    check_banks(&answers, (50_000, 10, 60_000), 1);
    let wrong = answers.iter().filter(|(answer, _)| answer["verdict"] == "malformed").count();
    assert_eq!(answers.len(), 2 * wrong + 1);
    assert_eq!(log::games(&path)[0]["result"]["ending"], "played");
}

/// Other commands derive the same requests from the log as the bot got.
#[test]
fn readers_of_a_log_show_the_clock_and_forged_ones_are_found() {
    let bench = Bench::new();
    let path = play(&bench, &["--game-time", "50s+7ms"], &["random", "greedy"]);
    let game = &log::games(&path)[0];
    let own = log::answers(game)[0]["seat"].as_u64().expect("a seat") as usize;
    let used = micros(&game["measured"][0]);
    let next = log::answers(game).iter().skip(1).position(|answer| answer["seat"] == own);
    let number = (next.expect("a second answer") + 1).to_string();
    let request = bench.succeed(["request", "log", "--game", "0", "--move", &number]);
    let bank = (50_000_000 - used + 7000) / 1000;
    assert!(request.contains(&format!("\nbank {bank}\nincrement 7\nseed ")), "{request}");
    let explained = bench.succeed(["explain", "log", "--game", "0", "--move", &number]);
    assert!(explained.contains(&format!("{bank} ms left in the time bank")), "{explained}");
    let shown = bench.succeed(["show", "log", "--game", "0"]);
    assert!(shown.contains("50.0 s"), "{shown}");
    // What a forger changes of times, with a new chain.
    let text = fs::read_to_string(&path).expect("it was written");
    let first = format!("\"measured\":[{{\"ms\":{}", game["measured"][0]["ms"]);
    let clock = "\"game_time\":{\"bank_ms\":50000,\"increment_ms\":7},";
    let request = "the logged request";
    for (line, before, after, says) in [
        (1, first.as_str(), "\"measured\":[{\"ms\":17.25", request),
        (1, &first, "\"measured\":[{\"ms\":50000.001", "at most 50000 ms"),
        (0, "\"bank_ms\":50000", "\"bank_ms\":50001", request),
        (0, "\"increment_ms\":7", "\"increment_ms\":8", request),
        (0, clock, "", request),
    ] {
        let mut contents = chain::contents(&text);
        assert!(contents[line].contains(before), "{before} in {}", contents[line]);
        contents[line] = contents[line].replacen(before, after, 1);
        bench.write("forged", chain::chain(&contents));
        bench.run(["verify", "forged"]).assert_refused(3, &[says]);
    }
    // A game without a clock is logged and asked as ever.
    let path = play(&bench, &[], &["random", "greedy"]);
    let text = fs::read_to_string(&path).expect("it was written");
    for word in ["game_time", "first_ms", "bank", "waited_ms"] {
        assert!(!text.contains(word), "{word}");
    }
    let request = bench.succeed(["request", "log", "--game", "0", "--move", "0"]);
    assert!(request.contains("\ntime 5000\nseed "), "{request}");
}
