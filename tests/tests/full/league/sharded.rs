//! Rounds of a league that are planned, played in shards and taken.

#![cfg(target_os = "linux")]

use std::fs;
use std::num::NonZeroU32;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use tests::bench::{Bench, Ended};
use tests::league::{folder, league, play, status};
use tests::running::{Running, wait_until};
use tests::tournament::{drawn_seed, result};
use tests::{chain, log};

/// Number of times that the end of a round is killed.
const KILLS: u32 = 8;

/// Time after its start within which it is killed, in milliseconds.
const MOMENTS: NonZeroU32 = NonZeroU32::new(400).expect("it is not 0");

/// Plans the next round; returns its number of shards and its folder.
fn planned(bench: &Bench, shards: &str) -> (u64, String) {
    let line = bench.succeed(["league", "plan-round", "class", "--shards", shards, "--plain"]);
    let (shards, folder) = line.trim_end().split_once(' ').expect("two words");
    (shards.parse().expect("a number"), folder.to_owned())
}

/// Plays what is left of a shard.
fn run(bench: &Bench, folder: &str, shard: u64) -> Ended {
    let shard = shard.to_string();
    bench.run(["tournament", "run-shard", folder, "--shard", &shard, "--workers", "1", "--quiet"])
}

fn played(bench: &Bench, folder: &str, shard: u64) {
    let ended = run(bench, folder, shard);
    assert_eq!((ended.code, &*ended.stderr, &*ended.stdout), (Some(0), "", ""), "{ended:?}");
}

fn take(bench: &Bench, more: &[&str]) -> Ended {
    bench.run([&["league", "take-round", "class"], more].concat())
}

fn taken(bench: &Bench) {
    let ended = take(bench, &["--quiet"]);
    assert_eq!((ended.code, &*ended.stderr, &*ended.stdout), (Some(0), "", ""), "{ended:?}");
    bench.ok("verify class");
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-r").args([from, to]).status();
    assert!(copied.is_ok_and(|status| status.success()), "{from:?}");
}

fn league_log(bench: &Bench) -> String {
    bench.text("class/league.jsonl")
}

/// A round in one piece instead, as `arbiter league run` plans it.
fn in_one_piece(plan: &Path) {
    let text = fs::read_to_string(plan).expect("it was planned");
    let lines = text.lines().filter(|line| !line.starts_with("shards = "));
    let whole: String = lines.map(|line| format!("{line}\n")).collect();
    assert_ne!(text, whole, "it had shards");
    fs::write(plan, whole).expect("it is ours");
}

#[test]
fn a_round_in_shards_is_the_round_of_one_machine() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "first");
    bench.ok("league add class ./mine");
    take(&bench, &[]).assert_refused(2, &["no announced round", "plan-round class --shards N"]);
    let told = bench.ok("league plan-round class --shards 3");
    let told: Vec<&str> = told.lines().collect();
    assert!(told[0].starts_with("seed commitment: "), "{told:?}");
    assert!(told[1].ends_with(" bots, 2 tables, 8 games in 3 shards"), "{told:?}");
    assert_eq!(told[2], "run a shard: arbiter tournament run-shard class/rounds/0 --shard 0");
    assert_eq!(told[3], "then finish the round: arbiter league take-round class");
    let announced = league_log(&bench);
    // Planned again, it is the same round.
    assert_eq!(planned(&bench, "3"), (3, "class/rounds/0".to_owned()));
    let other = bench.line("league plan-round class --shards 2");
    other.assert_refused(2, &["round 0 is already planned in 3 shards: use `--shards 3`"]);
    let run_whole = bench.line("league run class");
    run_whole.assert_refused(2, &["round 0 is planned in 3 shards", "take-round class"]);
    copy(&bench.path("class"), &bench.path("one"));
    in_one_piece(&bench.path("one/rounds/0/plan.toml"));
    bench.ok("league run one --games 1 --quiet");
    // One shard here, and one on a machine with copies, where the folder of the bot is not.
    played(&bench, "class/rounds/0", 0);
    let machine = bench.path("machine");
    fs::create_dir(&machine).expect("the folder is ours");
    copy(&bench.path("class"), &machine.join("class"));
    fs::remove_dir_all(bench.path("mine")).expect("it is ours");
    played(&bench, "machine/class/rounds/0", 2);
    let shards = "class/rounds/0/shards";
    copy(&machine.join(shards).join("2"), &bench.path(shards).join("2"));
    assert_eq!(status(&bench)["open"]["games"], games(&bench, 0) + games(&bench, 2));
    let missing = take(&bench, &[]);
    let command = "`arbiter tournament run-shard class/rounds/0 --shard 1`";
    missing.assert_refused(75, &["shard 1/3 not started", command]);
    bench.ok("verify class");
    assert_eq!(league_log(&bench), announced, "nothing has changed");
    assert!(!bench.path("class/rounds/0/games.jsonl").exists(), "nothing is merged");
    played(&bench, "class/rounds/0", 1);
    let ended = take(&bench, &[]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.stderr, "round 0 finished: 8 games from 3 shards\n");
    assert!(ended.stdout.contains("standings: 8 games"), "{ended:?}");
    bench.ok("verify class");
    let of_one = result(&bench.path("one/rounds/0"));
    assert_eq!(result(&bench.path("class/rounds/0")), of_one);
    // Taken again, nothing changes.
    let over = league_log(&bench);
    assert_eq!(take(&bench, &[]).stderr, "round 0 is already finished\n");
    let json = take(&bench, &["--json"]);
    assert_eq!(json.json()[0]["over"]["games"], 8);
    assert_eq!(league_log(&bench), over);
    played(&bench, "class/rounds/0", 1);
    // The league goes on in one piece, and again in shards.
    assert!(play(&bench, "4") >= 12);
    assert_eq!(planned(&bench, "64").0, 4, "one per table and deal");
    (0..4).for_each(|shard| played(&bench, "class/rounds/2", shard));
    taken(&bench);
}

/// Number of games in the log of a shard of the first round.
fn games(bench: &Bench, shard: u64) -> u64 {
    log::games(&bench.path(&format!("class/rounds/0/shards/{shard}/games.jsonl"))).len() as u64
}

#[test]
fn bots_that_have_changed_and_shards_of_others_are_refused() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "first");
    bench.ok("league add class ./mine");
    let (shards, round) = planned(&bench, "4");
    assert_eq!(shards, 4);
    let script = bench.path("class/bots/ann@1/bot.sh");
    let text = fs::read_to_string(&script).expect("the copy");
    fs::write(&script, format!("{text}# changed\n")).expect("it is ours");
    let ended = run(&bench, &round, 0);
    ended.assert_refused(4, &["bot `ann@1` with a different", ": digest ", "expected"]);
    fs::write(&script, text).expect("it is ours");
    (0..shards).for_each(|shard| played(&bench, &round, shard));
    let announced = league_log(&bench);
    // The folder of a shard is that of another one. Then it is its own, with a game of another deal in a whole chain.
    let log = bench.path(&round).join("shards/2/games.jsonl");
    let plan = fs::read(bench.path(&round).join("shards/2/plan.toml")).expect("a plan");
    let (before, second) = (fs::read_to_string(&log).expect("a log"), bench.path("second"));
    copy(&bench.path(&round).join("shards/1"), &second);
    fs::remove_dir_all(bench.path(&round).join("shards/2")).expect("it is ours");
    copy(&second, &bench.path(&round).join("shards/2"));
    take(&bench, &[]).assert_refused(2, &["has shard 1/4, expected shard 2/4"]);
    let mut contents = chain::contents(&before);
    let (_, rest) = contents[1].split_once("\"deal\":").expect("a game");
    let deal = rest.split(',').next().expect("a number").to_owned();
    contents[1] = contents[1].replacen(&format!("\"deal\":{deal}"), "\"deal\":77", 1);
    fs::remove_file(&log).expect("it is ours");
    fs::create_dir_all(log.parent().expect("a folder")).expect("it is ours");
    fs::write(bench.path(&round).join("shards/2/plan.toml"), plan).expect("it is ours");
    fs::write(&log, chain::chain(&contents)).expect("it is ours");
    take(&bench, &[]).assert_refused(3, &["shards/2`: its log: "]);
    assert_eq!(league_log(&bench), announced);
    fs::remove_dir_all(bench.path(&round).join("shards/2")).expect("it is ours");
    played(&bench, &round, 2);
    taken(&bench);
}

#[test]
fn programs_that_plan_play_and_take_a_round_keep_out_of_each_others_way() {
    let bench = league(&["random", "greedy"]);
    let mut command = bench.arbiter(["league", "run", "class", "--quiet"]);
    let mut running = Running::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
    wait_until("it is running", || status(&bench)["state"] == "running");
    let busy = "`class` is locked by another `run`";
    bench.line("league plan-round class --shards 2").assert_refused(75, &[busy]);
    take(&bench, &[]).assert_refused(75, &[busy]);
    running.signal(Signal::INT);
    running.wait();
    let open = status(&bench)["open"]["games"].clone();
    let ended = bench.line("league plan-round class --shards 2");
    match open.as_u64() {
        // It was begun, or announced a moment ago.
        Some(games) if games > 0 => {
            ended.assert_refused(
                2,
                &["was started without shards: continue it with `arbiter league run class`"],
            );
        }
        Some(_) => {}
        None => assert_eq!(ended.code, Some(0), "{ended:?}"),
    }
}

#[test]
fn an_open_round_of_which_nothing_was_played_is_planned_again() {
    let bench = league(&["random", "greedy"]);
    let (_, round) = planned(&bench, "2");
    let plan = bench.path(&round).join("plan.toml");
    let text = fs::read_to_string(&plan).expect("a plan");
    in_one_piece(&plan);
    let not = take(&bench, &[]);
    not.assert_refused(2, &["round 0 is not sharded: play it with `arbiter league run class`"]);
    let announced = league_log(&bench);
    assert_eq!(planned(&bench, "2"), (2, round.clone()));
    assert_eq!(league_log(&bench), announced);
    assert_eq!(fs::read_to_string(&plan).expect("a plan"), text);
    // A plan that a killed program has left was not announced: it is no round.
    (0..2).for_each(|shard| played(&bench, &round, shard));
    taken(&bench);
    copy(&bench.path("class/rounds/0"), &bench.path("class/rounds/1"));
    fs::remove_dir_all(bench.path("class/rounds/1/shards")).expect("it is ours");
    fs::remove_file(bench.path("class/rounds/1/games.jsonl")).expect("it is ours");
    let text = text.replace("round = 0", "round = 1");
    fs::write(bench.path("class/rounds/1/plan.toml"), text).expect("it is ours");
    run(&bench, "class/rounds/1", 0)
        .assert_refused(2, &["is not an announced round of its league", "plan-round"]);
    let (shards, round) = planned(&bench, "2");
    (0..shards).for_each(|shard| played(&bench, &round, shard));
    taken(&bench);
}

#[test]
fn a_stage_is_played_in_shards_to_its_end() {
    let bench = league(&["random", "greedy", "ann=random", "ben=greedy"]);
    bench.ok("league stage class --format knockout --third-place --deciders 0");
    for number in 0..2 {
        let (shards, round) = planned(&bench, "3");
        assert_eq!(round, format!("class/rounds/{number}"));
        (0..shards).for_each(|shard| played(&bench, &round, shard));
        taken(&bench);
    }
    let line: Value = serde_json::from_str(&bench.ok("league stages class --json")).expect("JSON");
    assert!(line.to_string().contains("\"state\":\"over\""), "{line}");
    assert_eq!(status(&bench)["rounds"], 2);
}

#[test]
fn a_killed_end_of_a_round_is_made_again() {
    let bench = Bench::new();
    let new = ["league", "new", "class", "--game", "coup", "--time-limit", "30s"];
    bench.ok("league new class --game coup --time-limit 30s --round-deals 60");
    bench.ok("league add class random greedy ann=random");
    let (shards, round) = planned(&bench, "3");
    (0..shards).for_each(|shard| played(&bench, &round, shard));
    let mut chance = drawn_seed("league::sharded").nature(0);
    for _ in 0..KILLS {
        let mut command = bench.arbiter(["league", "take-round", "class", "--quiet"]);
        let mut running = Running::start(command.process_group(0));
        thread::sleep(Duration::from_millis(chance.below(MOMENTS).into()));
        running.signal_group(Signal::KILL);
        running.wait();
        bench.ok("verify class");
    }
    taken(&bench);
    let ends = league_log(&bench).lines().filter(|line| line.starts_with("{\"over\"")).count();
    assert_eq!(ends, 1);
    assert_eq!(status(&bench)["games"], 3 * 60 * 2);
}

#[test]
fn a_round_that_cannot_be_finished_is_broken_off() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "first");
    bench.ok("league add class ./mine");
    let (_, round) = planned(&bench, "4");
    played(&bench, &round, 0);
    played(&bench, &round, 2);
    fs::remove_file(bench.path("class/bots/ann@1/bot.sh")).expect("it is ours");
    assert_eq!(run(&bench, &round, 1).code, Some(4));
    assert_eq!(take(&bench, &[]).code, Some(75));
    let ended = take(&bench, &["--break-off"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let why = "warning: round 0 aborted after 2 games: shard 1/4 was not finished\n";
    assert_eq!(ended.stderr, why);
    bench.ok("verify class");
    assert_eq!(status(&bench)["games"], 2);
    let ended = bench.run(["tournament", "run-shard", &round, "--shard", "1"]);
    assert_eq!((ended.code, &*ended.stdout), (Some(0), "the round is over: nothing to do\n"));
    // A round can have no games, and the others play on.
    planned(&bench, "1");
    let ended = take(&bench, &["--break-off", "--quiet"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let (_, round) = planned(&bench, "1");
    assert_eq!(round, "class/rounds/2");
    played(&bench, &round, 0);
    taken(&bench);
    let shown = bench.line("show class --game 0");
    assert!(shown.stderr.contains("reading its last round, `class/rounds/2`"), "{shown:?}");
}

#[test]
fn a_pause_holds_for_shards_and_a_stage_begins_after_them() {
    let bench = league(&["random", "greedy"]);
    let (_, round) = planned(&bench, "2");
    bench.ok("league pause class");
    let ended = run(&bench, &round, 0);
    assert_eq!(ended.code, Some(75), "{ended:?}");
    assert!(ended.stderr.contains("is paused: try again after the pause"), "{ended:?}");
    bench.ok("league pause class --end");
    played(&bench, &round, 0);
    let stage = ["league", "stage", "class", "--format", "knockout", "--deals", "1"];
    bench.run(stage).assert_refused(2, &["round 0 is unfinished", "`take-round class`"]);
    let ended = take(&bench, &["--break-off"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    bench.succeed(stage);
    bench.ok("league run class --stage");
    bench.ok("verify class");
}
