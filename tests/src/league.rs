//! A league of Coup in a test: its bots, its rounds and its state.

use std::fs;

use crate::bench::Bench;
use serde_json::Value;

/// A league of Coup with short rounds: two deals, and so four games, at each of at most two tables.
pub fn league(bots: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.succeed([
        "league",
        "new",
        "class",
        "--game",
        "coup",
        "--round-deals",
        "2",
        "--round-tables",
        "2",
        "--time-limit",
        "30s",
    ]);
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

/// What `league status` says.
pub fn status(bench: &Bench) -> Value {
    let line = bench.succeed(["league", "status", "class", "--json"]);
    let line: Value = serde_json::from_str(&line).expect("JSON");
    line["status"].clone()
}

/// The tables of a round, and its end.
pub fn round(bench: &Bench, number: &str) -> Value {
    let line = bench.succeed(["league", "pairings", "class", "--round", number, "--json"]);
    let line: Value = serde_json::from_str(&line).expect("JSON");
    line["round"].clone()
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
