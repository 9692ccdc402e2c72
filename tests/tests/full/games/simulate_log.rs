//! `arbiter simulate --log`: the log of a simulation equals the log of a match between the programs of its
//! players, but for what was measured.

use std::fs;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};
use tests::bench::{Bench, SEED, run};
use tests::log;
use tests::running::{Running, wait_until};

const ORDERS: [&str; 4] = ["rotate", "fixed", "reversed", "random"];

fn words<'a>(game: &'a str, deals: &'a str, others: &[&'a str]) -> Vec<&'a str> {
    let head = ["simulate", "--game", game, "--seed", SEED, "--deals", deals, "--json"];
    [&head[..], others].concat()
}

#[test]
fn the_log_verifies_and_does_not_change_the_result() {
    let bench = Bench::new();
    let two = &["greedy", "random"][..];
    let tables = [
        ("tablic", two),
        ("coup", two),
        ("durak", two),
        ("tablic", &["greedy", "random", "greedy"]),
        ("durak", &["random"; 4]),
    ];
    for (game, bots) in tables {
        for order in ORDERS {
            let with = ["--order", order];
            let without = bench.succeed(words(game, "5", &[&with[..], bots].concat()));
            let name = format!("{game}-{}-{order}", bots.len());
            let logged = [&with[..], &["--log", &name], bots].concat();
            assert_eq!(bench.succeed(words(game, "5", &logged)), without, "{name}");
            let verified = bench.succeed(["verify", &name]);
            let games = if order == "rotate" { 5 * bots.len() } else { 5 };
            assert!(verified.contains(&format!(": ok, {games} games of {game}, ")), "{verified}");
        }
    }
}

/// The games of a log without what was measured.
fn unmeasured(bench: &Bench, name: &str) -> Vec<Value> {
    let mut games = log::games(&bench.path(name));
    for game in &mut games {
        game.as_object_mut().expect("a game").remove("measured").expect("what was measured");
    }
    games
}

#[test]
fn a_game_is_written_as_if_programs_had_played_it() {
    let bench = Bench::new();
    for game in ["tablic", "coup", "durak"] {
        let [simulated, played] = ["simulated", "match"].map(|kind| format!("{game}-{kind}"));
        let bots = ["minimax --depth 1 --time none", "greedy"];
        let order = ["--order", "fixed", "--log", &simulated];
        bench.succeed(words(game, "1", &[&order[..], &bots].concat()));
        let head = ["match", "--game", game, "--seed", SEED, "--quiet", "--log", &played];
        bench.succeed([&head[..], &bots].concat());
        // Each of them says which request it answers, by the digest of all its bytes.
        assert_eq!(unmeasured(&bench, &simulated), unmeasured(&bench, &played), "{game}");
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let bench = Bench::new();
    let of = |workers: &str| {
        let name = format!("log-{workers}");
        let others = ["--workers", workers, "--log", &name, "greedy", "random", "random"];
        let printed = bench.succeed(words("durak", "40", &others));
        assert_eq!(printed.lines().count(), 1, "{printed}");
        (printed, fs::read(bench.path(&name)).expect("a log"))
    };
    let one = of("1");
    assert!(of("2") == one && of("7") == one);
}

/// Address space for some of the threads that are asked for, or for none.
#[cfg(target_os = "linux")]
#[test]
fn the_other_threads_play_if_some_cannot_be_started() {
    let bench = Bench::new();
    let words = words("tablic", "2000", &["greedy", "random", "--workers", "1024"]);
    let limited = |kilobytes: u32| {
        let script = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
        let mut shell = bench.command("sh");
        run(shell.args(["-c", &script]).arg(bench.program("arbiter")).args(&words))
    };
    let whole = bench.run(&words).with_code(0);
    assert_eq!(limited(700_000), whole);
    // The memory of the program itself depends on how it was compiled, so the test looks for the
    // limit at which it has room for everything but a thread, in steps that are smaller than a
    // thread.
    let mut ends = (12_000..160_000).step_by(500).map(limited);
    let says = "error: no thread can be started: ";
    ends.find(|ended| ended.stderr.starts_with(says)).expect("a limit").assert_refused(1, &[]);
}

#[test]
fn wrong_usage_begins_no_log() {
    let bench = Bench::new();
    for bots in [["greedy --depth 1", "random"], ["python3 bot.py", "random"]] {
        bench.run(words("tablic", "2", &[&["--log", "log"][..], &bots].concat())).with_code(2);
    }
    let log = ["--log", "log", "greedy", "random"];
    let problem =
        "a log of this simulation has an invalid schedule: more than 1073741824 games: use fewer";
    bench.run(words("tablic", "999999999", &log)).assert_refused(2, &[problem]);
    assert!(!bench.path("log").exists());
    let file = bench.write("log", "mine\n");
    let problem = "log `log` exists: use --overwrite, or a new name such as log-2";
    bench.run(words("coup", "2", &log)).assert_refused(2, &[problem]);
    assert_eq!(fs::read_to_string(file).expect("a text"), "mine\n");
    // A tournament has none of the orders of a simulation.
    let bots = "[[bots]]\ncommand = \"random\"\n[[bots]]\ncommand = \"greedy\"\n";
    for order in ["listed-rotations", "listed", "reversed", "drawn"] {
        bench.write("plan.toml", format!("game = \"coup\"\norders = \"{order}\"\n{bots}"));
        let problem = format!("`orders`: invalid value {order}: use rotations or all");
        bench.run(["tournament", "plan.toml", "--dir", "cup"]).assert_refused(2, &[&problem]);
    }
}

#[test]
fn other_commands_read_it() {
    let bench = Bench::new();
    bench.succeed(words("coup", "2", &["--log", "log", "a=greedy", "b=minimax --depth 1"]));
    let lines = log::lines(&bench.path("log"));
    let header = &lines[0]["header"];
    assert_eq!((&header["simulated"], &header["games"]), (&json!(true), &json!(4)));
    assert_eq!(header["tournament"]["schedule"]["orders"], "listed-rotations");
    assert_eq!(header["players"][1]["command"], "minimax --depth 1");
    assert_eq!(header["players"][1]["limits"]["time_ms"], 5000);
    let games = log::games(&bench.path("log"));
    for game in &games {
        let measured = game["measured"].as_array().expect("a list");
        assert!(measured.iter().all(|it| *it == json!({ "ms": 0.0 })), "{measured:?}");
    }
    assert_eq!(lines[5]["end"]["seed"], SEED);
    let same = bench.succeed(["rerun", "log", "--game", "0", "--seat", "0"]);
    assert!(same.contains("same"), "{same}");
    let explained = bench.succeed(["explain", "log", "--game", "0", "--move", "0"]);
    assert!(explained.contains("\n  time     not measured in a simulation\n"), "{explained}");
    assert!(bench.succeed(["show", "log", "--game", "2"]).starts_with("game 2: seat 0 a"));
    let exported = bench.succeed(["export", "log", "--features", "moves"]);
    let answers: usize = games.iter().map(|it| log::answers(it).len()).sum();
    assert_eq!(exported.lines().count(), answers + 1);
    bench.succeed(["report", "log", "-o", "pages"]);
    let page = bench.text("pages/index.html");
    assert!(page.contains("by built-in bots in one process"), "{page}");
    bench.succeed(words("coup", "1", &["--log", "odd", "challenger", "greedy"]));
    let problem = "bot `challenger`: `challenger` exists only in `simulate`";
    bench.run(["rerun", "odd"]).assert_refused(4, &[problem]);
}

/// It has its games so far, and no end.
#[cfg(target_os = "linux")]
#[test]
fn a_simulation_that_is_stopped_leaves_a_log_without_an_end() {
    let bench = Bench::new();
    let words = words("coup", "1000000", &["--log", "log", "greedy", "random"]);
    let mut command = bench.command("sh");
    command.args(["-c", "exec \"$@\" 2>said", "sh"]).arg(bench.program("arbiter")).args(words);
    let mut simulation = Running::start(command.stdout(Stdio::null()));
    let log = bench.path("log");
    wait_until("two games are over", || log.exists() && log::whole_games(&log) > 1);
    simulation.signal(Signal::INT);
    assert_eq!(simulation.wait().code(), Some(130));
    let games = log::games(&log).len();
    let said = bench.text("said");
    let stopped =
        format!("error: stopped after {games} of 2000000 games, the games so far are in `log`");
    assert_eq!(said, format!("{stopped}; the seed is {SEED}\n"));
    let missing = format!("the log stops after {games} of 2000000 games, without its end");
    bench.run(["verify", "log"]).assert_refused(3, &[&missing]);
}
