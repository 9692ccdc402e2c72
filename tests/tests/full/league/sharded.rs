//! Rounds of a league that are planned, played in shards and taken.

#![cfg(target_os = "linux")]

use std::fs;
use std::num::NonZeroU32;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use tests::bench::{Bench, Ended};
use tests::chain;
use tests::league::{folder, last_stage, league, play, status};
use tests::running::wait_until;
use tests::sharded::{played, run};
use tests::tournament::{drawn_seed, games, result};

/// Number of times that the end of a round is killed.
const KILLS: u32 = 5;

/// Time after its start within which it is killed, in milliseconds.
const MOMENTS: NonZeroU32 = NonZeroU32::new(400).expect("it is not 0");

const ROUND: &str = "class/rounds/0";

/// A league with a bot in a folder.
fn league_with_ann() -> Bench {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "first");
    bench.ok("league add class ./mine");
    bench
}

/// Plans the next round; returns its number of shards and its folder.
fn planned(bench: &Bench, shards: u64) -> (u64, String) {
    let line = bench.ok(&format!("league plan-round class --shards {shards} --plain"));
    let (shards, folder) = line.trim_end().split_once(' ').expect("two words");
    (shards.parse().expect("a number"), folder.to_owned())
}

fn take(bench: &Bench, more: &str) -> Ended {
    bench.line(&format!("league take-round class {more}"))
}

fn taken(bench: &Bench) {
    let ended = take(bench, "--quiet");
    assert_eq!((ended.code, &*ended.stderr, &*ended.stdout), (Some(0), "", ""), "{ended:?}");
    bench.ok("verify class");
}

/// Plans, plays and takes the next round.
fn whole(bench: &Bench, shards: u64) -> String {
    let (shards, round) = planned(bench, shards);
    (0..shards).for_each(|shard| played(bench, &round, shard));
    taken(bench);
    round
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-r").args([from, to]).status();
    assert!(copied.is_ok_and(|status| status.success()), "{from:?}");
}

fn league_log(bench: &Bench) -> String {
    bench.text("class/league.jsonl")
}

/// Makes a plan one of a round in one piece, as `arbiter league run` plans it.
fn in_one_piece(bench: &Bench, plan: &str) {
    let text = bench.text(plan);
    let lines = text.lines().filter(|line| !line.starts_with("shards = "));
    let whole: String = lines.map(|line| format!("{line}\n")).collect();
    assert_ne!(text, whole, "it had shards");
    bench.write(plan, whole);
}

#[test]
fn a_round_in_shards_is_the_round_of_one_machine() {
    let bench = league_with_ann();
    take(&bench, "").assert_refused(2, &["no announced round", "plan-round class --shards N"]);
    let told = bench.ok("league plan-round class --shards 3");
    let told: Vec<&str> = told.lines().collect();
    assert!(told[0].starts_with("seed commitment: "), "{told:?}");
    assert!(told[1].ends_with(" bots, 2 tables, 8 games in 3 shards"), "{told:?}");
    assert_eq!(told[2], "run a shard: arbiter tournament run-shard class/rounds/0 --shard 0");
    assert_eq!(told[3], "then finish the round: arbiter league take-round class");
    let announced = league_log(&bench);
    // Planned again, it is the same round.
    assert_eq!(planned(&bench, 3), (3, ROUND.to_owned()));
    bench.refuses(
        "league plan-round class --shards 2",
        "round 0 is already planned in 3 shards: use `--shards 3`",
    );
    bench
        .line("league run class")
        .assert_refused(2, &["round 0 is planned in 3 shards", "take-round class"]);
    copy(&bench.path("class"), &bench.path("one"));
    in_one_piece(&bench, "one/rounds/0/plan.toml");
    bench.ok("league run one --games 1 --quiet");
    // One shard here, and one on a machine with copies, where the folder of the bot is not.
    played(&bench, ROUND, 0);
    let machine = bench.path("machine");
    fs::create_dir(&machine).expect("the folder is ours");
    copy(&bench.path("class"), &machine.join("class"));
    fs::remove_dir_all(bench.path("mine")).expect("it is ours");
    played(&bench, "machine/class/rounds/0", 2);
    let shards = "class/rounds/0/shards";
    copy(&machine.join(shards).join("2"), &bench.path(shards).join("2"));
    let of = |shard| games(&bench, &format!("{shards}/{shard}")).len();
    assert_eq!(status(&bench)["open"]["games"], of(0) + of(2));
    let command = "`arbiter tournament run-shard class/rounds/0 --shard 1`";
    take(&bench, "").assert_refused(75, &["shard 1/3 not started", command]);
    bench.ok("verify class");
    assert_eq!(league_log(&bench), announced, "nothing has changed");
    assert!(!bench.path("class/rounds/0/games.jsonl").exists(), "nothing is merged");
    played(&bench, ROUND, 1);
    let ended = take(&bench, "");
    let told = "round 0 finished: 8 games from 3 shards\n";
    assert_eq!((ended.code, &*ended.stderr), (Some(0), told), "{ended:?}");
    assert!(ended.stdout.contains("standings: 8 games"), "{ended:?}");
    bench.ok("verify class");
    assert_eq!(result(&bench.path(ROUND)), result(&bench.path("one/rounds/0")));
    // Taken again, nothing changes.
    let over = league_log(&bench);
    assert_eq!(take(&bench, "").stderr, "round 0 is already finished\n");
    assert_eq!(take(&bench, "--json").json()[0]["over"]["games"], 8);
    assert_eq!(league_log(&bench), over);
    played(&bench, ROUND, 1);
    // The league goes on in one piece, and again in shards.
    assert!(play(&bench, "4") >= 12);
    assert_eq!(planned(&bench, 64).0, 4, "one per table and deal");
    (0..4).for_each(|shard| played(&bench, "class/rounds/2", shard));
    taken(&bench);
}

#[test]
fn bots_that_have_changed_and_shards_of_others_are_refused() {
    let bench = league_with_ann();
    assert_eq!(planned(&bench, 4).0, 4);
    let script = "class/bots/ann@1/bot.sh";
    let text = bench.text(script);
    bench.write(script, format!("{text}# changed\n"));
    let different = ["bot `ann@1` with a different", ": digest ", "expected"];
    run(&bench, ROUND, 0).assert_refused(4, &different);
    bench.write(script, text);
    (0..4).for_each(|shard| played(&bench, ROUND, shard));
    let announced = league_log(&bench);
    // A game of another deal in a whole chain. Then the folder of a shard is that of another one.
    let shards = bench.path("class/rounds/0/shards");
    let log = "class/rounds/0/shards/2/games.jsonl";
    let mut contents = chain::contents(&bench.text(log));
    let (_, rest) = contents[1].split_once("\"deal\":").expect("a game");
    let deal = rest.split(',').next().expect("a number").to_owned();
    contents[1] = contents[1].replacen(&format!("\"deal\":{deal}"), "\"deal\":77", 1);
    fs::remove_file(shards.join("2/standings.json")).expect("it is over");
    bench.write(log, chain::chain(&contents));
    take(&bench, "").assert_refused(3, &["shards/2`: its log: "]);
    fs::remove_dir_all(shards.join("2")).expect("it is ours");
    copy(&shards.join("1"), &shards.join("2"));
    take(&bench, "").assert_refused(2, &["has shard 1/4, expected shard 2/4"]);
    assert_eq!(league_log(&bench), announced);
    fs::remove_dir_all(shards.join("2")).expect("it is ours");
    played(&bench, ROUND, 2);
    taken(&bench);
}

#[test]
fn programs_that_plan_play_and_take_a_round_keep_out_of_each_others_way() {
    let bench = league(&["random", "greedy"]);
    let mut running = bench.start("league run class --quiet");
    wait_until("it is running", || status(&bench)["state"] == "running");
    let plan = "league plan-round class --shards 2";
    for line in [plan, "league take-round class"] {
        bench.line(line).assert_refused(75, &["`class` is locked by another `run`"]);
    }
    running.signal(Signal::INT);
    running.wait();
    let open = status(&bench)["open"]["games"].clone();
    let ended = bench.line(plan);
    let whole = "was started without shards: continue it with `arbiter league run class`";
    match open.as_u64() {
        // It was begun, or announced a moment ago.
        Some(games) if games > 0 => ended.assert_refused(2, &[whole]),
        Some(_) => {}
        None => assert_eq!(ended.code, Some(0), "{ended:?}"),
    }
}

#[test]
fn an_open_round_of_which_nothing_was_played_is_planned_again() {
    let bench = league(&["random", "greedy"]);
    planned(&bench, 2);
    let text = bench.text("class/rounds/0/plan.toml");
    in_one_piece(&bench, "class/rounds/0/plan.toml");
    bench.refuses(
        "league take-round class",
        "round 0 is not sharded: play it with `arbiter league run class`",
    );
    let announced = league_log(&bench);
    assert_eq!(planned(&bench, 2), (2, ROUND.to_owned()));
    assert_eq!(league_log(&bench), announced);
    assert_eq!(bench.text("class/rounds/0/plan.toml"), text);
    // A plan that a killed program has left was not announced: it is no round.
    (0..2).for_each(|shard| played(&bench, ROUND, shard));
    taken(&bench);
    assert!(!bench.path("class/rounds/1").exists());
    bench.write("class/rounds/1/plan.toml", text.replace("round = 0", "round = 1"));
    let left = ["is not an announced round of its league", "plan-round"];
    run(&bench, "class/rounds/1", 0).assert_refused(2, &left);
    whole(&bench, 2);
}

#[test]
fn a_stage_is_played_in_shards_to_its_end() {
    let bench = league(&["random", "greedy", "ann=random", "ben=greedy"]);
    bench.ok("league stage class --format knockout --third-place --deciders 0");
    for number in 0..2 {
        assert_eq!(whole(&bench, 3), format!("class/rounds/{number}"));
    }
    assert_eq!(last_stage(&bench)["state"], "over");
    assert_eq!(status(&bench)["rounds"], 2);
}

#[test]
fn a_killed_end_of_a_round_is_made_again() {
    let bench = Bench::new();
    bench.ok("league new class --game coup --time-limit 30s --round-deals 40");
    bench.ok("league add class random greedy ann=random");
    let (shards, round) = planned(&bench, 2);
    (0..shards).for_each(|shard| played(&bench, &round, shard));
    let mut chance = drawn_seed("league::sharded").nature(0);
    for _ in 0..KILLS {
        let mut running = bench.start("league take-round class --quiet");
        thread::sleep(Duration::from_millis(chance.below(MOMENTS).into()));
        running.signal_group(Signal::KILL);
        running.wait();
        bench.ok("verify class");
    }
    taken(&bench);
    assert_eq!(league_log(&bench).matches("\n{\"over\"").count(), 1);
    assert_eq!(status(&bench)["games"], 3 * 40 * 2);
}

#[test]
fn a_round_that_cannot_be_finished_is_broken_off() {
    let bench = league_with_ann();
    planned(&bench, 4);
    played(&bench, ROUND, 0);
    played(&bench, ROUND, 2);
    fs::remove_file(bench.path("class/bots/ann@1/bot.sh")).expect("it is ours");
    assert_eq!(run(&bench, ROUND, 1).code, Some(4));
    assert_eq!(take(&bench, "").code, Some(75));
    let why = "warning: round 0 aborted after 2 games: shard 1/4 was not finished\n";
    let ended = take(&bench, "--break-off");
    assert_eq!((ended.code, &*ended.stderr), (Some(0), why), "{ended:?}");
    bench.ok("verify class");
    assert_eq!(status(&bench)["games"], 2);
    let over = bench.ok("tournament run-shard class/rounds/0 --shard 1");
    assert_eq!(over, "the round is over: nothing to do\n");
    // A round can have no games, and the others play on.
    planned(&bench, 1);
    take(&bench, "--break-off --quiet").without_error();
    assert_eq!(whole(&bench, 1), "class/rounds/2");
    let shown = bench.line("show class --game 0");
    assert!(shown.stderr.contains("reading its last round, `class/rounds/2`"), "{shown:?}");
}

#[test]
fn a_pause_holds_for_shards_and_a_stage_begins_after_them() {
    let bench = league(&["random", "greedy"]);
    planned(&bench, 2);
    bench.ok("league pause class");
    let paused = ["is paused: try again after the pause"];
    run(&bench, ROUND, 0).assert_refused(75, &paused);
    bench.ok("league pause class --end");
    played(&bench, ROUND, 0);
    let stage = "league stage class --format knockout --deals 1";
    bench.line(stage).assert_refused(2, &["round 0 is unfinished", "`take-round class`"]);
    take(&bench, "--break-off").with_code(0);
    bench.ok(stage);
    bench.ok("league run class --stage");
    bench.ok("verify class");
}
