//! `arbiter simulate` as a program, and its players against their own programs in real matches.

use std::path::PathBuf;
use std::process::{Command, Output};

use bots::programs;
use record::GameReader;
use record::checked_log::CheckedGame;
use rules::tablic::Tablic;
use rules::{GameKind, Seed};
use serde_json::Value;
use simulation::{BuiltInPlayer, SeatOrder, Simulation};
use tests::binaries;

const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn arbiter() -> PathBuf {
    binaries::program(&binaries::folder(), "arbiter")
}

fn simulate(arguments: &[&str]) -> Output {
    let command = ["simulate", "--game", "tablic"];
    Command::new(arbiter()).args(command).args(arguments).output().unwrap()
}

/// Output of a simulation, with nothing beside it.
fn printed(arguments: &[&str]) -> String {
    let output = simulate(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Plays a match of real processes between these commands, and its games again in this process.
fn plays_alike(commands: &[&str], games: usize) {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("match.jsonl");
    let played = Command::new(arbiter())
        .args(["match", "--game", "tablic", "--quiet", "--seed", SEED, "--log"])
        .arg(&log)
        .args(["--games", &games.to_string(), "--time-limit", "30s"])
        .args(commands)
        .output()
        .unwrap();
    assert!(played.status.success(), "{played:?}");
    let player = |command: &&str| {
        let mut words = command.split_ascii_whitespace().map(str::to_owned);
        let program = words.next().unwrap();
        BuiltInPlayer { name: program.clone(), program, options: words.collect() }
    };
    let simulation = Simulation {
        kind: GameKind::of::<Tablic>(),
        options: format!("seats={}", commands.len()),
        players: commands.iter().map(player).collect(),
        order: SeatOrder::Rotate,
        deals: games as u64,
        seed: SEED.parse::<Seed>().unwrap(),
    };
    let mut logged = GameReader::open(&log).unwrap();
    let mut compared = 0;
    while let Some(CheckedGame { game, .. }) = logged.next_game().unwrap() {
        // Game g of a match is deal g, with the players rotated g times.
        let per_deal = simulation.games_per_deal();
        let events = simulation.events(game.deal * per_deal + game.game % per_deal).unwrap();
        assert_eq!(events, game.events, "game {} of {commands:?}", game.game);
        compared += 1;
    }
    assert_eq!(compared, games);
}

#[test]
fn built_in_players_play_as_their_programs_move_for_move() {
    for program in programs::ALL {
        // Without a time, it must not depend on the moment.
        let in_worlds = "expert --worlds 100 --time none";
        plays_alike(
            &[if program.name == "expert" { in_worlds } else { program.name }, "greedy"],
            2,
        );
    }
    plays_alike(&["expert --worlds 20 --time none", "greedy", "random"], 3);
    plays_alike(&["random", "greedy", "random"], 3);
    plays_alike(&["random", "random", "greedy", "greedy", "random", "greedy"], 2);
    // Three seats hold four cards in the last deal, which is searched long before time is up.
    plays_alike(&["minimax --depth 1", "greedy", "minimax --depth=2 --time none"], 3);
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let of = |workers| {
        let bots = ["--json", "greedy", "random", "random"];
        let arguments = ["--seed", SEED, "--deals", "60", "--workers", workers];
        printed(&[&arguments[..], &bots].concat())
    };
    let one = of("1");
    assert_eq!(one.lines().count(), 1, "{one}");
    for workers in ["2", "8"] {
        assert_eq!(of(workers), one, "{workers} threads");
    }
}

/// Address space for some of the threads that are asked for, or for none.
#[cfg(target_os = "linux")]
#[test]
fn the_other_threads_play_if_some_cannot_be_started() {
    let arguments = ["--seed", SEED, "--deals", "2000", "greedy", "random"];
    let limited = |kilobytes: &str| {
        let script = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).arg(arbiter());
        shell.args(["simulate", "--game", "tablic", "--workers", "1024"]).args(arguments);
        shell.output().unwrap()
    };
    let some = limited("700000");
    assert!(some.status.success() && some.stderr.is_empty(), "{some:?}");
    assert_eq!(String::from_utf8(some.stdout).unwrap(), printed(&arguments));
    // The memory of the program itself depends on how it was compiled, so the test looks for the
    // limit at which it has room for everything but a thread, in steps that are smaller than a
    // thread.
    let starts = |error: &str| error.starts_with("error: no thread can be started: ");
    let errors = (12_000..64_000).step_by(500).map(|kilobytes| {
        let none = limited(&kilobytes.to_string());
        (none.status.code(), String::from_utf8_lossy(&none.stderr).into_owned())
    });
    let (code, error) = errors.into_iter().find(|(_, error)| starts(error)).expect("a limit");
    assert_eq!((code, error.lines().count()), (Some(1), 1), "{error}");
}

fn json(arguments: &[&str]) -> Value {
    let arguments = [&["--json", "--seed", SEED][..], arguments].concat();
    serde_json::from_str(&printed(&arguments)).unwrap()
}

#[test]
fn greedy_wins_clearly_against_random() {
    let report = json(&["--deals", "200", "a=greedy", "b=random"]);
    let greedy = &report["players"][0];
    assert_eq!((&greedy["name"], &greedy["command"]), (&"a".into(), &"greedy".into()));
    assert_eq!((&report["deals"], &report["games"]), (&200.into(), &400.into()));
    let share = &greedy["win_share"];
    let (mean, half) = (share["mean"].as_f64().unwrap(), share["plus_minus"].as_f64().unwrap());
    assert!(mean - half > 0.95, "{share}");
}

#[test]
fn an_order_decides_how_many_games_there_are_and_who_begins() {
    for (order, games) in [("fixed", 20), ("reversed", 20), ("random", 20), ("rotate", 60)] {
        let report = json(&["--deals", "20", "--order", order, "greedy", "random", "random"]);
        let row = (&report["order"], &report["games"]);
        assert_eq!(row, (&order.into(), &games.into()));
        let names = ["greedy", "random", "random#2"].map(Value::from);
        assert_eq!([0, 1, 2].map(|place| report["players"][place]["name"].clone()), names);
    }
    // The same cards from the other side.
    let order = |order, first, second| {
        let report = json(&["--deals", "20", "--order", order, first, second]);
        [report["players"][0]["points"].clone(), report["players"][1]["points"].clone()]
    };
    let [greedy, random] = order("fixed", "greedy", "random");
    assert_eq!(order("reversed", "random", "greedy"), [random, greedy]);
}

#[test]
fn a_drawn_seed_is_shown_and_repeats_the_simulation() {
    let arguments = ["--deals", "3", "greedy", "random"];
    let first = printed(&arguments);
    let seed = first.lines().find_map(|line| line.strip_prefix("seed ")).unwrap();
    assert_eq!(printed(&[&["--seed", seed][..], &arguments].concat()), first);
    assert_ne!(printed(&arguments), first);
}

/// Checks that a simulation is refused with exit code 2, and why.
#[track_caller]
fn is_refused(arguments: &[&str], problem: &str) {
    let output = simulate(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(output.stdout.is_empty());
    assert!(error.starts_with(&format!("error: {problem}")), "{error}");
}

#[test]
fn wrong_usage_is_refused() {
    let known = programs::ALL.map(|program| program.name).join(", ");
    let only = format!("simulate supports only built-in bots ({known})");
    let found = |found: &str| format!("{only}, not `{found}`: `arbiter match` plays any bot\n");
    is_refused(&["greedy", "python3 my_bot.py"], &found("python3"));
    is_refused(&["greedy", "./greedy"], &found("./greedy"));
    is_refused(&["greedy", "x=Greedy"], &found("Greedy"));
    let unknown = |option| {
        format!("bot `a`: unknown argument `{option}`, `arbiter bots` lists the options\n")
    };
    is_refused(&["a=greedy --depth 3", "random"], &unknown("--depth"));
    is_refused(&["a=minimax --help", "random"], &unknown("--help"));
    is_refused(&["a=greedy", "a=random"], "two bots are named `a`");
    let seats = "2 bots for 3 seats: give one bot per seat\n";
    is_refused(&["--seats", "3", "greedy", "random"], seats);
    let five = "expected 2, 3, 4, 6, 8, 12, 16, 24 or 48 seats for tablic, found `5`\n";
    is_refused(&["greedy"; 5], five);
    is_refused(&["--order", "shuffled", "greedy", "random"], "invalid value 'shuffled'");
    is_refused(&["--workers", "0", "greedy", "random"], "invalid value '0'");
    is_refused(&["--deals", "0", "greedy", "random"], "invalid value '0'");
    is_refused(&["--seed", "012", "greedy", "random"], "invalid value '012'");
    is_refused(&["greedy"], "2 values required");
}

#[test]
fn moves_cut_by_a_time_limit_are_reported() {
    let of = |bots: [&str; 2]| printed(&[&["--deals", "1", "--seed", SEED][..], &bots].concat());
    let told = |text: &str| text.contains("minimax: hit its time limit in ");
    assert!(told(&of(["minimax --time 0s", "greedy"])));
    assert!(!told(&of(["minimax --depth 1 --time none", "greedy"])));
    assert!(!told(&of(["minimax --depth 1 --time 10m", "greedy"])));
    let report = json(&["--deals", "1", "minimax --time=0s", "greedy"]);
    assert!(report["players"][0]["cuts"].as_u64().unwrap() > 0, "{report}");
    assert_eq!(report["players"][1]["cuts"], 0);
}

#[test]
fn a_bad_bot_is_refused_as_in_a_match() {
    for bot in ["", " ", "x=", "a/b=greedy", "a b'", "\x1b[31mx=greedy", "a\nb=greedy", "'\x07 "] {
        let simulated = simulate(&[bot, "greedy"]);
        let command = ["match", "--game", "tablic", bot, "greedy"];
        let played = Command::new(arbiter()).args(command).output().unwrap();
        let error = String::from_utf8(simulated.stderr).unwrap();
        assert_eq!(error, String::from_utf8(played.stderr).unwrap());
        assert_eq!((simulated.status.code(), played.status.code()), (Some(2), Some(2)), "{error}");
        let line = error.strip_prefix("error: ").and_then(|line| line.strip_suffix('\n')).unwrap();
        assert!(!line.contains(char::is_control), "{error:?}");
    }
}
