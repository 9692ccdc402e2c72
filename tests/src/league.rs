//! A league of Coup in a test: its bots, its rounds and its state.

use std::fs;

use serde_json::Value;

use crate::bench::Bench;
use crate::running::{Running, wait_until};

/// A league of Coup with short rounds: two deals, and so four games, at each of at most two tables.
pub fn league(bots: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.ok("league new class --game coup --round-deals 2 --round-tables 2 --time-limit 30s");
    if !bots.is_empty() {
        bench.succeed([&["league", "add", "class"], bots].concat());
    }
    bench
}

/// A folder with a bot in shell that plays the first move that is listed.
pub fn folder(bench: &Bench, folder: &str, name: &str, comment: &str) {
    let path = bench.path(folder);
    fs::create_dir_all(&path).expect("the folder is ours");
    let manifest = format!("name = \"{name}\"\ncommand = \"sh bot.sh\"\n");
    fs::write(path.join("bot.toml"), manifest).expect("the folder is ours");
    let script = format!(
        "# {comment}\nwhile read -r word rest; do\n  if [ \"$word\" = legal ]; then read -r move; echo \"$move\"; exit; fi\ndone\n"
    );
    fs::write(path.join("bot.sh"), script).expect("the folder is ours");
}

/// Enters a bot that is this script of the shell.
pub fn enter(bench: &Bench, name: &str, script: &str) {
    folder(bench, name, name, "");
    bench.write(&format!("{name}/bot.sh"), script);
    bench.ok(&format!("league add class ./{name}"));
}

/// A script that waits with each answer until there is a file `go` beside it, and then plays the first move that is
/// listed.
pub const WAITS: &str =
    "until test -e \"${0%/*}/go\"; do sleep 0.05; done\nexec sed -n '/^legal /{n;p;q}'\n";

/// Enters a bot in this script, which waits as soon as it has entered; for a move there is all the time that it needs.
pub fn enter_waiting(bench: &Bench, name: &str) {
    bench.replace("class/league.toml", "\"30s\"", "\"10min\"");
    folder(bench, name, name, "");
    bench.write(&format!("{name}/bot.sh"), WAITS);
    bench.write(&format!("{name}/go"), "");
    bench.ok(&format!("league add class ./{name}"));
    fs::remove_file(bench.path(&format!("class/bots/{name}@1/go"))).expect("it was copied");
}

/// A run of this number of games whose first round has a log, so that the files of its bots were digested.
pub fn running(bench: &Bench, games: u64) -> Running {
    let running = bench.start(&format!("league run class --games {games} --quiet"));
    let log = bench.path("class/rounds/0/games.jsonl");
    wait_until("a log", || fs::metadata(&log).is_ok_and(|found| found.len() > 0));
    running
}

/// The last stage.
pub fn last_stage(bench: &Bench) -> Value {
    let all = bench.line("league stages class --json").json();
    all.last().expect("a stage")["stage"].clone()
}

/// What `league status` says.
pub fn status(bench: &Bench) -> Value {
    bench.line("league status class --json").json()[0]["status"].clone()
}

/// The tables of a round, and its end.
pub fn round(bench: &Bench, number: &str) -> Value {
    let line = format!("league pairings class --round {number} --json");
    bench.line(&line).json()[0]["round"].clone()
}

/// The bots with their states.
pub fn states(bench: &Bench) -> Vec<String> {
    let status = status(bench);
    let bots = status["bots"].as_array().expect("a list");
    bots.iter()
        .map(|bot| {
            let name = bot["name"].as_str().expect("a name");
            let state = bot["state"].as_str().expect("a state");
            format!("{name}@{} {state}", bot["version"])
        })
        .collect()
}

/// Plays this number of games, and gives how many games were played in the end.
pub fn play(bench: &Bench, games: &str) -> u64 {
    bench.succeed(["league", "run", "class", "--games", games, "--quiet"]);
    status(bench)["games"].as_u64().expect("a number")
}

/// Text on the page of a round once the whole of its log was read.
pub const OVER: &str = "every card from the seed";

/// A league with bots that play, have left, have a newer version, make faults and were refused.
pub fn lively() -> Bench {
    let bench = league(&["random", "greedy", "ann=greedy"]);
    play(&bench, "40");
    bench.succeed(["league", "retire", "class", "greedy"]);
    bench.succeed(["league", "add", "class", "ann=random"]);
    bench.write("bad.sh", "exit 1\n");
    let refused = bench.run(["league", "add", "class", "bad=sh bad.sh"]);
    assert_ne!(refused.code, Some(0), "{refused:?}");
    play(&bench, "40");
    bench
}

/// A league with a bot that writes `secret-of-mine` to standard error, and notes `noted-by-mine`.
pub fn loud() -> Bench {
    let bench = league(&["random"]);
    folder(&bench, "mine", "loud", "first");
    let script = bench.path("mine/bot.sh");
    let text = fs::read_to_string(&script).expect("a script");
    fs::write(&script, format!("echo secret-of-mine >&2\necho note noted-by-mine 7 >&2\n{text}"))
        .expect("it is ours");
    bench.succeed(["league", "add", "class", "./mine"]);
    play(&bench, "4");
    bench
}
