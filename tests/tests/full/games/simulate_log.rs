//! `arbiter simulate --log`: the log of a simulation equals the log of a match between the programs of its
//! players, but for what was measured.

use std::fs;

use serde_json::{Value, json};
use tests::bench::{Bench, SEED};
use tests::log;

const GAMES: [&str; 3] = ["tablic", "coup", "durak"];
const ORDERS: [&str; 4] = ["rotate", "fixed", "reversed", "random"];

fn bench() -> Bench {
    Bench::new()
}

fn words<'a>(game: &'a str, deals: &'a str, others: &[&'a str]) -> Vec<&'a str> {
    let head = ["simulate", "--game", game, "--seed", SEED, "--deals", deals, "--json"];
    [&head[..], others].concat()
}

#[test]
fn the_log_verifies_and_does_not_change_the_result() {
    let bench = bench();
    for game in GAMES {
        for order in ORDERS {
            let bots = ["greedy", "random"];
            let order = ["--order", order];
            let without = bench.succeed(words(game, "8", &[&order[..], &bots].concat()));
            let name = format!("{game}-{}", order[1]);
            let logged = [&order[..], &["--log", &name], &bots].concat();
            assert_eq!(bench.succeed(words(game, "8", &logged)), without, "{name}");
            let verified = bench.succeed(["verify", &name]);
            let games = if order[1] == "rotate" { 16 } else { 8 };
            assert!(verified.contains(&format!(": ok, {games} games of {game}, ")), "{verified}");
        }
    }
}

#[test]
fn more_than_two_seats_sit_as_the_header_says() {
    let bench = bench();
    let tables = [("tablic", &["greedy", "random", "greedy"][..]), ("durak", &["random"; 4])];
    for (game, bots) in tables {
        for order in ORDERS {
            let order = ["--order", order];
            let without = bench.succeed(words(game, "5", &[&order[..], bots].concat()));
            let name = format!("{game}-{}", order[1]);
            let logged = [&order[..], &["--log", &name], bots].concat();
            assert_eq!(bench.succeed(words(game, "5", &logged)), without, "{name}");
            bench.succeed(["verify", &name]);
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
    let bench = bench();
    for game in GAMES {
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
fn the_number_of_threads_changes_no_byte_of_a_log() {
    let bench = bench();
    let of = |workers: &str| {
        let name = format!("log-{workers}");
        let others = ["--workers", workers, "--log", &name, "greedy", "random", "random"];
        bench.succeed(words("durak", "40", &others));
        fs::read(bench.path(&name)).expect("a log")
    };
    let one = of("1");
    assert!(of("2") == one && of("7") == one);
}

#[test]
fn the_header_says_that_nothing_was_measured() {
    let bench = bench();
    bench.succeed(words("coup", "2", &["--log", "log", "a=greedy", "b=minimax --depth 1"]));
    let lines = log::lines(&bench.path("log"));
    let header = &lines[0]["header"];
    assert_eq!((&header["simulated"], &header["games"]), (&json!(true), &json!(4)));
    assert_eq!(header["tournament"]["schedule"]["orders"], "listed-rotations");
    assert_eq!(header["players"][1]["command"], "minimax --depth 1");
    assert_eq!(header["players"][1]["limits"]["time_ms"], 5000);
    for game in log::games(&bench.path("log")) {
        let measured = game["measured"].as_array().expect("a list");
        assert!(measured.iter().all(|it| *it == json!({ "ms": 0.0 })), "{measured:?}");
    }
    assert_eq!(lines[5]["end"]["seed"], SEED);
}

#[test]
fn a_changed_byte_is_found() {
    let bench = bench();
    bench.succeed(words("coup", "2", &["--log", "log", "greedy", "random"]));
    let text = fs::read_to_string(bench.path("log")).expect("a log");
    let changed = text.replacen("\"reply\":\"income\"", "\"reply\":\"Income\"", 1);
    assert_ne!(changed, text);
    bench.write("changed", changed);
    let ended = bench.run(["verify", "changed"]);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.stderr.contains("was modified"), "{ended:?}");
}

#[test]
fn a_file_that_exists_is_refused_and_stays_as_it_was() {
    let bench = bench();
    let file = bench.write("log", "mine\n");
    let ended = bench.run(words("coup", "2", &["--log", "log", "greedy", "random"]));
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert_eq!(
        ended.stderr,
        "error: log `log` exists: use --overwrite, or a new name such as log-2\n"
    );
    assert_eq!(fs::read_to_string(file).expect("a text"), "mine\n");
}

#[test]
fn wrong_usage_begins_no_log() {
    let bench = bench();
    for bots in [["greedy --depth 1", "random"], ["python3 bot.py", "random"]] {
        let ended = bench.run(words("tablic", "2", &[&["--log", "log"][..], &bots].concat()));
        assert_eq!(ended.code, Some(2), "{ended:?}");
    }
    let many = words("tablic", "999999999", &["--log", "log", "greedy", "random"]);
    let ended = bench.run(many);
    let problem = "error: a log of this simulation has a schedule with more than 1073741824 games: \
                   use fewer deals\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), problem));
    assert!(!bench.path("log").exists());
}

#[test]
fn a_tournament_has_none_of_its_orders() {
    let bench = bench();
    let bots = "[[bots]]\ncommand = \"random\"\n[[bots]]\ncommand = \"greedy\"\n";
    for order in ["listed-rotations", "listed", "reversed", "drawn"] {
        bench.write("plan.toml", format!("game = \"coup\"\norders = \"{order}\"\n{bots}"));
        let ended = bench.run(["tournament", "plan.toml", "--dir", "cup"]);
        let problem = format!("`orders`: invalid value {order}: use rotations or all\n");
        assert!(ended.code == Some(2) && ended.stderr.ends_with(&problem), "{ended:?}");
    }
}

#[test]
fn other_commands_read_it() {
    let bench = bench();
    bench.succeed(words("coup", "3", &["--log", "log", "greedy", "random", "--order", "fixed"]));
    let same = bench.succeed(["rerun", "log", "--seat", "0"]);
    assert!(same.contains("no differences"), "{same}");
    let explained = bench.succeed(["explain", "log", "--game", "0", "--move", "0"]);
    assert!(explained.contains("\n  time     not measured in a simulation\n"), "{explained}");
    assert!(bench.succeed(["show", "log", "--game", "2"]).starts_with("game 2: seat 0 greedy"));
    let exported = bench.succeed(["export", "log", "--features", "moves"]);
    let answers: usize =
        log::games(&bench.path("log")).iter().map(|it| log::answers(it).len()).sum();
    assert_eq!(exported.lines().count(), answers + 1);
    bench.succeed(["report", "log", "-o", "pages"]);
    let page = fs::read_to_string(bench.path("pages/index.html")).expect("a page");
    assert!(page.contains("by built-in bots in one process"), "{page}");
    bench.succeed(words("coup", "1", &["--log", "odd", "challenger", "greedy"]));
    let ended = bench.run(["rerun", "odd"]);
    let problem = "error: bot `challenger`: `challenger` exists only in `simulate`";
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert!(ended.stderr.starts_with(problem), "{ended:?}");
}

/// It has its games so far, and no end.
#[cfg(target_os = "linux")]
#[test]
fn a_simulation_that_is_stopped_leaves_a_log_without_an_end() {
    use rustix::process::Signal;
    use std::process::Stdio;
    use tests::running::{Running, wait_until};

    let bench = bench();
    let words = words("coup", "1000000", &["--log", "log", "greedy", "random"]);
    let mut command = bench.command("sh");
    command.args(["-c", "exec \"$@\" 2>said", "sh"]).arg(bench.program("arbiter")).args(words);
    let mut simulation = Running::start(command.stdout(Stdio::null()));
    let log = bench.path("log");
    wait_until("two games are over", || log.exists() && log::whole_games(&log) > 1);
    simulation.signal(Signal::INT);
    assert_eq!(simulation.wait().code(), Some(130));
    let games = log::games(&log).len();
    let said = fs::read_to_string(bench.path("said")).expect("a text");
    let stopped =
        format!("error: stopped after {games} of 2000000 games, the games so far are in `log`");
    assert_eq!(said, format!("{stopped}; the seed is {SEED}\n"));
    let ended = bench.run(["verify", "log"]);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let missing = format!("the log stops after {games} of 2000000 games, without its end");
    assert!(ended.stderr.contains(&missing), "{ended:?}");
}
