//! A class of twelve over a day, in short: they hand in, fail, mend, hand in again and leave, while
//! rounds are played and killed.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
use tests::league::{folder, league, play, round, states, status};
use tests::missing;
use tests::running::{Running, wait_for_no_scratch};

/// The games that are played for the comparison with a round robin.
const GAMES: &str = "240";
/// Number of deals of the round robin.
const DEALS: &str = "6";
/// Factor by which an interval is wider here than for 95%: only an error leaves it.
const WIDER: f64 = 2.0;

/// The languages of the class, with a program that tells whether they are there.
const LANGUAGES: [(&str, &str); 5] =
    [("python", "python3"), ("node", "node"), ("perl", "perl"), ("c", "cc"), ("shell", "sh")];

/// Participants that do nothing useful: a name, and a script.
const OTHERS: [(&str, &str); 5] = [
    ("broken", "exit 1\n"),
    ("silent", "sleep 1000\n"),
    ("loud", "while :; do echo louder and louder; done\n"),
    ("hostile", "kill -9 $PPID; echo KS\n"),
    ("cheat", "echo KS; cat ../*/bot.sh /proc/1/environ\n"),
];

fn is_there(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    found.is_ok_and(|found| found.status.success())
}

/// Hands in a bot in each language that this machine has, and gives their names.
fn hand_in_starters(bench: &Bench) -> Vec<String> {
    fs::create_dir_all(bench.path("in")).expect("the folder is ours");
    let mut names = Vec::new();
    for (language, program) in LANGUAGES {
        if !is_there(program) {
            missing::tell(&format!("no {program}"));
            continue;
        }
        let place = format!("in/of-{language}");
        bench.succeed(["new", &place, "--language", language, "--game", "coup"]);
        // One start for a game and not for each move: this is about leagues.
        let manifest = bench.path(&place).join("bot.toml");
        let text = fs::read_to_string(&manifest).expect("a manifest");
        fs::write(&manifest, text.replace("# mode = ", "mode = ")).expect("it is ours");
        names.push(format!("of-{language}"));
    }
    names
}

fn look(bench: &Bench) -> String {
    bench.ok("league watch class in --once")
}

/// Plays for a while and is killed with all that it has started.
fn play_until_killed(bench: &Bench, milliseconds: u64) {
    let words = ["league", "run", "class", "--quiet"];
    let mut running = Running::start(bench.arbiter(words).process_group(0));
    // At some moment: nothing depends on which one it is.
    thread::sleep(Duration::from_millis(milliseconds));
    let second = bench.run(words);
    assert!(matches!(second.code, Some(0 | 75)), "{second:?}");
    running.signal_group(Signal::KILL);
    running.wait();
    wait_for_no_scratch(bench);
}

/// The ratings of standings, with the ends of their intervals.
fn ratings(standings: &Value) -> Vec<(String, f64, f64, f64)> {
    let rows = standings["all"]["rows"].as_array().expect("rows");
    let one = |row: &Value| {
        let rating = &row["rating"];
        let value = rating["value"].as_f64()?;
        let end = |key: &str| rating["interval"][key].as_f64();
        let (low, high) = (end("low"), end("high"));
        let name = row["name"].as_str().expect("a name").split('@').next()?.to_owned();
        Some((name, value, low.unwrap_or(f64::MIN), high.unwrap_or(f64::MAX)))
    };
    rows.iter().filter_map(one).collect()
}

#[test]
fn a_class_of_twelve_plays_over_a_day() {
    let bench = league(&["random", "greedy"]);
    let mut names = hand_in_starters(&bench);
    for (name, script) in OTHERS {
        folder(&bench, &format!("in/{name}"), name, "first");
        fs::write(bench.path(&format!("in/{name}/bot.sh")), script).expect("it is ours");
    }
    // Answers that never come are waited for as long as the league allows.
    let settings = bench.path("class/league.toml");
    let text = fs::read_to_string(&settings).expect("settings");
    fs::write(&settings, text.replace("\"30s\"", "\"5s\"")).expect("it is ours");

    // In the morning some enter, and the others learn why they do not.
    let told = look(&bench);
    for name in &names {
        assert!(told.contains(&format!("in/{name}: entered as {name}@1")), "{told}");
    }
    for (name, _) in OTHERS {
        assert!(told.contains(&format!("in/{name}: rejected: ")), "{told}");
        let report = fs::read_to_string(bench.path(&format!("in/{name}.report.txt")));
        assert!(report.expect("a report").contains("rejected: "), "{name}");
    }
    let refused = fs::read_dir(bench.path("class/refused")).expect("a folder").count();
    assert_eq!(refused, OTHERS.len());
    play_until_killed(&bench, 700);
    bench.ok("verify class");

    // At noon two have mended theirs, one has a new version, one leaves, and a run is killed again.
    folder(&bench, "in/broken", "broken", "mended");
    folder(&bench, "in/silent", "silent", "mended");
    names.extend(["broken".to_owned(), "silent".to_owned()]);
    let script = bench.path("in/of-shell/README.md");
    fs::write(&script, "another version\n").expect("it is ours");
    let told = look(&bench);
    for entered in ["broken@1", "silent@1", "of-shell@2"] {
        assert!(told.contains(&format!("entered as {entered}")), "{told}");
    }
    play_until_killed(&bench, 400);
    bench.ok("league retire class of-python");
    names.retain(|name| name != "of-python");
    play_until_killed(&bench, 300);
    assert_eq!(look(&bench), "", "who has left comes back with a change only");

    // In the evening it is played without a disturbance.
    play(&bench, GAMES);
    bench.ok("verify class");
    let states = states(&bench);
    for state in ["of-shell@1 replaced", "of-shell@2 active", "of-python@1 retired"] {
        assert!(states.contains(&state.to_owned()), "{state} in {states:?}");
    }
    assert_every_pairing_is_explained(&bench);
    let standings = bench.ok("league standings class --format json");
    let league = ratings(&serde_json::from_str(&standings).expect("JSON"));
    let mut expected: Vec<&str> = names.iter().map(String::as_str).collect();
    expected.extend(["random", "greedy"]);
    assert_eq!(league.len(), expected.len(), "{league:?}");
    compare_with_a_round_robin(&bench, &league);
}

/// Every table has a reason that names two who sit at it.
fn assert_every_pairing_is_explained(bench: &Bench) {
    let rounds = status(bench)["rounds"].as_u64().expect("a number");
    assert!(rounds > 0);
    for number in 0..rounds {
        let line = round(bench, &number.to_string());
        let names = |table: &Value| {
            let bots = table["bots"].as_array().expect("a list").iter();
            bots.map(|bot| bot.as_u64().expect("a place")).collect::<Vec<_>>()
        };
        for table in line["tables"].as_array().expect("a list") {
            let (why, bots) = (&table["why"], names(table));
            let reasons = [&why["uncertain"], &why["least-met"]].into_iter();
            let pairs = reasons.filter_map(|reason| reason["pair"].as_array()).flatten();
            let pair: Vec<u64> = pairs.filter_map(Value::as_u64).collect();
            assert!(pair.len() == 2 && pair.iter().all(|bot| bots.contains(bot)), "{table}");
        }
    }
}

/// The ratings of the league agree with those of a round robin of the same programs.
fn compare_with_a_round_robin(bench: &Bench, league: &[(String, f64, f64, f64)]) {
    let bots: Vec<String> = league
        .iter()
        .map(|(name, ..)| match name.as_str() {
            "random" | "greedy" => name.clone(),
            name => {
                let copies = fs::read_dir(bench.path("class/bots")).expect("a folder");
                let versions =
                    copies.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
                let newest = versions.filter(|it| it.starts_with(&format!("{name}@"))).max();
                Path::new("class/bots").join(newest.expect("a copy")).display().to_string()
            }
        })
        .map(|bot| if bot.contains('/') { format!("./{bot}") } else { bot })
        .collect();
    let words = ["tournament", "--game", "coup", "--dir", "cup", "--deals", DEALS, "--quiet"];
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
    bench.succeed([&words[..], &bots].concat());
    let standings = bench.ok("tournament standings cup --format json");
    let cup = ratings(&serde_json::from_str(&standings).expect("JSON"));
    // Both have a mean of 0 over their own bots; the league also has those that have left.
    let mean = |all: &[(String, f64, f64, f64)]| {
        all.iter().map(|(_, value, ..)| value).sum::<f64>() / all.len() as f64
    };
    let shift = mean(league) - mean(&cup);
    for (name, value, low, high) in league {
        let found = cup.iter().find(|(other, ..)| other == name);
        let (_, other, other_low, other_high) = found.expect("it has played");
        let below = WIDER * ((value - low).min(4000.0) + (other_high - other).min(4000.0));
        let above = WIDER * ((high - value).min(4000.0) + (other - other_low).min(4000.0));
        let difference = value - shift - other;
        assert!(
            difference <= below && -difference <= above,
            "{name}: {value} ({low} to {high}) in the league, {other} ({other_low} to {other_high}) in a round robin"
        );
    }
}
