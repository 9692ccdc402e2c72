//! The log, the plan, the seed and the folder of a tournament are empty for bots, even in a folder that
//! these see.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;

use tests::bench::Bench;
use tests::keeping::has_layer;

/// A bench with the bot `mine`, a folder, which writes down all that it can read of `PATHS` in its own
/// folder, and with a place that it is granted.
fn bench(paths: &str) -> Bench {
    let bench = Bench::new();
    for folder in ["mine", "place"] {
        fs::create_dir(bench.path(folder)).expect("a folder");
    }
    bench.write("mine/bot.toml", "name = 'mine'\ncommand = 'sh ./bot.sh'\n");
    bench.write("place/harmless", "harmless\n");
    let top = bench.folder().canonicalize().expect("a folder").display().to_string();
    let paths = paths.replace("TOP", &top);
    let script = format!(
        "cat >/tmp/request\nfor file in {paths}; do echo \"$file: $(cat $file 2>&1)\" >&2; done\n\
         sed -n '/^legal /{{n;p;q}}' /tmp/request\n"
    );
    bench.write("mine/bot.sh", script);
    bench
}

/// The bot's notes on the files, by their paths in the bench.
fn seen(bench: &Bench, log: &str) -> BTreeSet<String> {
    let top = format!("{}/", bench.folder().canonicalize().expect("a folder").display());
    let games: Vec<String> =
        tests::log::games(&bench.path(log)).iter().map(ToString::to_string).collect();
    let lines = games.iter().flat_map(|game| game.split("\\n")).filter_map(|line| {
        let (_, line) = line.split_once(&top)?;
        Some(line.trim_end_matches('\\').to_owned())
    });
    lines.collect()
}

#[test]
fn a_log_and_a_seed_in_a_folder_that_a_bot_sees_are_empty_for_it() {
    let bench = bench("TOP/place/log TOP/place/seed TOP/place/harmless TOP/mine/log");
    if !has_layer(&bench, "files") {
        return;
    }
    bench.succeed(["seed", "place/seed"]);
    let granted = format!("mine:read={}", bench.path("place").display());
    for log in ["place/log", "mine/log"] {
        let options = ["--seed-file", "place/seed", "--log", log, "--allow", &granted];
        let words = ["match", "--game", "coup", "--games", "2", "--quiet"];
        bench.succeed([&words[..], &options, &["./mine", "random"]].concat());
        let seen = seen(&bench, log);
        for line in ["place/harmless: harmless", "place/seed: ", &format!("{log}: ")] {
            assert!(seen.contains(line), "{line} is not in {seen:?}");
        }
        fs::remove_file(bench.path(log)).expect("it can be removed");
    }
}

#[test]
fn a_tournament_in_a_folder_that_a_bot_sees_is_empty_for_it() {
    let bench = bench(
        "TOP/place/cup.toml TOP/place/cup/games.jsonl TOP/place/cup/plan.toml \
         TOP/place/cup/playing.json TOP/place/harmless",
    );
    if !has_layer(&bench, "files") {
        return;
    }
    let granted = bench.path("place").display().to_string();
    let bots = "[[bots]]\ncommand = './mine'\n[[bots]]\ncommand = 'random'\n";
    let plan = format!("game = 'coup'\ndeals = 2\nallow = ['mine:read={granted}']\n{bots}");
    bench.write("place/cup.toml", plan);
    bench.succeed(["tournament", "--quiet", "--dir", "place/cup", "place/cup.toml"]);
    let seen = seen(&bench, "place/cup/games.jsonl");
    for line in ["place/harmless: harmless", "place/cup.toml: "] {
        assert!(seen.contains(line), "{line} is not in {seen:?}");
    }
    for name in ["games.jsonl", "plan.toml", "playing.json"] {
        let name = &format!("place/cup/{name}: cat: ");
        let says =
            |line: &&String| line.starts_with(name) && line.ends_with("No such file or directory");
        assert!(seen.iter().any(|line| says(&line)), "{name} is not in {seen:?}");
    }
}

/// The bot's own folder inside of a tournament is not empty.
#[test]
fn a_bot_whose_folder_holds_the_plan_sees_its_other_files() {
    let bench = bench("TOP/mine/harmless TOP/mine/cup.toml");
    if !has_layer(&bench, "files") {
        return;
    }
    bench.write("mine/harmless", "harmless\n");
    let plan = "game = 'coup'\ndeals = 1\n[[bots]]\ncommand = '.'\n[[bots]]\ncommand = 'random'\n";
    bench.write("mine/cup.toml", plan);
    let words = ["tournament", "--quiet", "--no-copies", "--dir", "cup", "cup.toml"];
    tests::bench::run(bench.arbiter(words).current_dir(bench.path("mine"))).without_error();
    let seen = seen(&bench, "mine/cup/games.jsonl");
    for line in ["mine/harmless: harmless", "mine/cup.toml: "] {
        assert!(seen.contains(line), "{line} is not in {seen:?}");
    }
}
