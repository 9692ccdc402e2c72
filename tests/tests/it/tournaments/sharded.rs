//! Tournaments that are planned in one place and played in shards: what merging makes of them is what
//! one machine would have played.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tests::bench::{Bench, Ended};
use tests::tournament::{SEED, coup, result, verify};
use tests::{chain, log};

fn bench() -> Bench {
    Bench::new()
}

/// Plans a tournament of Coup on this number of deals.
fn plan(bench: &Bench, folder: &str, deals: &str, more: &[&str], bots: &[&str]) {
    let words = ["tournament", "plan", folder, "--game", "coup", "--deals", deals];
    bench.succeed([&words[..], &["--seed", SEED, "--quiet"], more, bots].concat());
}

/// Plays what is left of a shard.
fn run(bench: &Bench, folder: &str, shard: &str) -> Ended {
    bench.run(["tournament", "run-shard", folder, "--shard", shard, "--quiet"])
}

fn played(bench: &Bench, folder: &str, shard: &str) {
    let ended = run(bench, folder, shard);
    assert_eq!((ended.code, &*ended.stderr, &*ended.stdout), (Some(0), "", ""), "{ended:?}");
}

fn merged(bench: &Bench, words: &[&str]) -> Ended {
    bench.run([&["tournament", "merge"], words].concat())
}

/// The result in a folder, on any machine.
fn anywhere(folder: &Path) -> (Vec<Value>, String) {
    let (mut lines, standings) = result(folder);
    for line in &mut lines {
        if let Some(game) = line.get_mut("game").and_then(Value::as_object_mut) {
            game.remove("machine");
        }
    }
    (lines, standings)
}

#[test]
fn any_number_of_shards_makes_what_one_machine_plays() {
    let bench = bench();
    // One of them faults in every game, so it is out after some, and merging drops games.
    let bad = format!("bad={}", bench.faulty("crash"));
    let bots = ["random", "greedy", bad.as_str()];
    bench.succeed([&coup("one", "5")[..], &["--quiet"], &bots].concat());
    let expected = anywhere(&bench.path("one"));
    // Fifteen tables: one for each shard, more than one, and all of them for a single one.
    for shards in ["1", "4", "15"] {
        plan(&bench, shards, "5", &["--shards", shards], &bots);
        assert!(!bench.path(shards).join("shards").exists(), "nothing is played");
        for shard in 0..shards.parse::<u64>().expect("a number") {
            played(&bench, shards, &shard.to_string());
            let shard = bench.path(shards).join(format!("shards/{shard}/games.jsonl"));
            let last = log::lines(&shard).pop().expect("lines");
            assert_eq!(last["end"].get("seed"), None, "others may still be played");
        }
        let ended = merged(&bench, &[shards, "--verify"]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
        assert_eq!(anywhere(&bench.path(shards)), expected, "{shards} shards");
        verify(&bench, shards);
        let again = merged(&bench, &[shards]);
        assert_eq!(again.code, Some(0), "it is merged already: {again:?}");
        played(&bench, shards, "0");
    }
    let machines: Vec<Value> = log::games(&bench.path("4").join("games.jsonl"))
        .iter()
        .map(|game| game["machine"]["name"].clone())
        .collect();
    assert!(machines.iter().all(Value::is_string), "{machines:?}");
}

#[test]
fn blocks_decide_what_later_blocks_play() {
    let bench = bench();
    let bad = format!("bad={}", bench.faulty("crash"));
    let bots = ["random", "greedy", bad.as_str()];
    bench.succeed([&coup("one", "9")[..], &["--quiet"], &bots].concat());
    plan(&bench, "cup", "9", &["--shards", "2", "--block-deals", "4"], &bots);
    let later = run(&bench, "cup", "0");
    later.assert_refused(75, &["block 0 is not merged yet", "try again later"]);
    let status = bench.succeed(["tournament", "status", "cup"]);
    let expected =
        "2 shards: 0 finished\n  1 waiting for the end of block 0: 0\n  1 not started: 1\n";
    assert!(status.contains(expected), "{status}");
    // The one that ends a block merges it and goes on; the other one is asked again.
    for shard in ["1", "0", "1", "0", "1"] {
        let ended = run(&bench, "cup", shard);
        assert!(matches!(ended.code, Some(0 | 75)), "{ended:?}");
    }
    played(&bench, "cup", "0");
    verify(&bench, "cup");
    assert_eq!(anywhere(&bench.path("cup")), anywhere(&bench.path("one")));
    let last = bench.path("cup/shards/2-1/games.jsonl");
    let header = &log::lines(&last)[0]["header"];
    assert_eq!(header["tournament"]["decided"]["out"], serde_json::json!(["bad"]), "{header}");
    assert!(log::games(&last).iter().all(|game| !game.to_string().contains("bad")));
    verify(&bench, "cup/shards/2-1");
}

/// The name of the mended bug: a merger that was killed in a block took the decision before the block
/// for another one.
#[test]
fn a_merger_that_was_killed_anywhere_goes_on() {
    let bench = bench();
    let bad = format!("bad={}", bench.faulty("crash"));
    let bots = ["random", "greedy", bad.as_str()];
    plan(&bench, "cup", "6", &["--shards", "1", "--block-deals", "2"], &bots);
    played(&bench, "cup", "0");
    let expected = anywhere(&bench.path("cup"));
    let path = bench.path("cup/games.jsonl");
    let text = fs::read_to_string(&path).expect("a log");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for kept in 0..lines.len() {
        // The next line is there in part, as a crash leaves it.
        let torn = &lines[kept][..lines[kept].len() / 2];
        fs::write(&path, lines[..kept].concat() + torn).expect("it is ours");
        fs::remove_file(bench.path("cup/standings.json")).expect("it is ours");
        let ended = merged(&bench, &["cup"]);
        assert_eq!((ended.code, &*ended.stderr), (Some(0), ""), "{kept} lines: {ended:?}");
        assert_eq!(anywhere(&bench.path("cup")), expected, "{kept} lines");
    }
}

/// A tournament that is merged in part cannot be extended: that would make the seed public.
#[test]
fn the_folder_of_a_shard_is_checked_before_play() {
    let bench = bench();
    let bots = ["random", "greedy"];
    plan(&bench, "cup", "4", &["--shards", "2", "--block-deals", "2"], &bots);
    let extended = bench.run(["tournament", "extend", "cup", "--deals", "1"]);
    extended.assert_refused(2, &["its shards are not all merged", "merge cup"]);
    plan(&bench, "other", "4", &["--shards", "2", "--retries", "2"], &bots);
    played(&bench, "other", "0");
    fs::create_dir(bench.path("cup/shards")).expect("it is ours");
    fs::rename(bench.path("other/shards/0"), bench.path("cup/shards/0-0")).expect("it is ours");
    fs::remove_file(bench.path("cup/shards/0-0/standings.json")).expect("it is ours");
    run(&bench, "cup", "0").assert_refused(2, &["`cup/shards/0-0` has", "remove the folder"]);
    fs::remove_file(bench.path("cup/shards/0-0/plan.toml")).expect("it is ours");
    let ended = merged(&bench, &["cup"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("shard 0/2 of block 0 in `cup/shards/0-0` has no plan.toml"));
    fs::remove_dir_all(bench.path("cup/shards/0-0")).expect("it is ours");
    // A log that is gone is played again, though the standings are there.
    run(&bench, "cup", "1");
    fs::remove_file(bench.path("cup/shards/0-1/games.jsonl")).expect("it is ours");
    run(&bench, "cup", "1");
    assert!(bench.path("cup/shards/0-1/games.jsonl").exists());
}

#[test]
fn a_test_that_is_decided_ends_all_shards_after_its_block() {
    let bench = bench();
    let more = ["--shards", "3", "--block-deals", "10", "--sprt", "elo0=0,elo1=10"];
    plan(&bench, "test", "10000", &more, &["greedy", "bad=random"]);
    // The first bot wins nearly all of its games, so few blocks are needed.
    let mut rounds = 0;
    while !bench.path("test/standings.json").exists() {
        for shard in ["0", "1", "2"] {
            let ended = run(&bench, "test", shard);
            assert!(matches!(ended.code, Some(0 | 75)), "{ended:?}");
        }
        rounds += 1;
        assert!(rounds < 40, "the test is not decided");
    }
    for shard in ["0", "1", "2"] {
        played(&bench, "test", shard);
    }
    verify(&bench, "test");
}

#[test]
fn all_that_is_in_the_way_of_merging_is_listed_at_once() {
    let bench = bench();
    let bots = ["random", "greedy"];
    plan(&bench, "cup", "8", &["--shards", "4"], &bots);
    let none = merged(&bench, &["cup"]);
    assert_eq!(none.code, Some(75), "{none:?}");
    played(&bench, "cup", "0");
    played(&bench, "cup", "2");
    played(&bench, "cup", "3");
    let status = bench.succeed(["tournament", "status", "cup"]);
    assert!(status.contains("4 shards: 3 finished\n  1 not started: 1\n"), "{status}");
    let standings = bench.succeed(["tournament", "standings", "cup"]);
    assert!(standings.contains("12 games"), "{standings}");
    let report = bench.succeed(["report", "cup", "-o", "pages"]);
    assert!(report.contains("12 games, unfinished"), "{report}");
    // One of another tournament, and one that was cut off.
    plan(&bench, "other", "8", &["--shards", "4", "--retries", "1"], &bots);
    played(&bench, "other", "2");
    fs::remove_dir_all(bench.path("cup/shards/2")).expect("it is ours");
    fs::rename(bench.path("other/shards/2"), bench.path("cup/shards/2")).expect("it is ours");
    let log = bench.path("cup/shards/3/games.jsonl");
    let text = fs::read_to_string(&log).expect("a log");
    let lines: Vec<&str> = text.split_inclusive('\n').take(2).collect();
    fs::write(&log, lines.concat()).expect("it is ours");
    let ended = merged(&bench, &["cup"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    for expected in [
        "shard 1/4 not started: `arbiter tournament run-shard cup --shard 1`",
        "shard 2/4 in `cup/shards/2` has a different number of retries",
        "shard 3/4 stopped after 1 of 4 games: `arbiter tournament run-shard cup --shard 3`",
        "error: cannot merge because of 3 shards",
    ] {
        assert!(ended.stderr.contains(expected), "`{expected}` is not in {}", ended.stderr);
    }
    assert!(!bench.path("cup/games.jsonl").exists());
}

/// The chain of a forged log is right, so only deriving its games again finds it.
#[test]
fn a_forged_result_is_merged_unless_it_is_verified() {
    let bench = bench();
    plan(&bench, "cup", "2", &["--shards", "2"], &["random", "greedy"]);
    played(&bench, "cup", "0");
    played(&bench, "cup", "1");
    let path = bench.path("cup/shards/1/games.jsonl");
    let text = fs::read_to_string(&path).expect("a log");
    let won = text.find("\"events\":[\"").expect("a game has events");
    let (before, after) = text.split_at(won + "\"events\":[\"".len());
    fs::write(&path, chain::chain(&chain::contents(&format!("{before}forged {after}"))))
        .expect("it is ours");
    merged(&bench, &["cup", "--verify"]).assert_refused(3, &["`cup/shards/1`", "game 2"]);
    assert!(!bench.path("cup/games.jsonl").exists(), "nothing was merged");
}

#[test]
fn the_seed_can_stay_out_of_the_folder() {
    let bench = bench();
    bench.write("secret", SEED);
    let words = ["tournament", "plan", "cup", "--game", "coup", "--deals", "2", "--shards", "2"];
    let bots = ["--seed-file", "secret", "--quiet", "random", "greedy"];
    bench.succeed([&words[..], &bots].concat());
    run(&bench, "cup", "0")
        .assert_refused(2, &["the plan holds only the commitment", "--seed-file"]);
    let other = SEED.replace("00", "01");
    bench.write("wrong", &other);
    let with = |file: &str, shard: &str| {
        let words = ["tournament", "run-shard", "cup", "--shard", shard, "--quiet"];
        bench.run([&words[..], &["--seed-file", file]].concat())
    };
    with("wrong", "0").assert_refused(2, &["does not match the commitment"]);
    for shard in ["0", "1"] {
        assert_eq!(with("secret", shard).code, Some(0));
    }
    for entry in ["plan.toml", "shards/0/plan.toml", "shards/0/games.jsonl"] {
        let text = fs::read_to_string(bench.path("cup").join(entry)).expect("a text");
        assert!(!text.contains(SEED), "{entry} holds the seed");
    }
    merged(&bench, &["cup"]).assert_refused(2, &["the plan holds only the commitment"]);
    let ended = merged(&bench, &["cup", "--verify", "--seed-file", "secret"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    verify(&bench, "cup");
}

#[test]
fn the_seed_can_stay_out_of_a_plan_in_a_file() {
    let bench = bench();
    bench.write("secret", SEED);
    bench.write("wrong", SEED.replace("00", "01"));
    let text = "game = 'coup'\ndeals = 2\nshards = 2\n[[bots]]\ncommand = 'random'\n\
        [[bots]]\ncommand = 'greedy'\n";
    bench.write("plain.toml", text);
    bench.write("named.toml", format!("seed = '{SEED}'\n{text}"));
    let plan = |folder: &str, seed: &str, file: &str| {
        let words = ["tournament", "plan", folder, "--quiet", "--seed-file", seed, file];
        bench.run(words)
    };
    let ended = plan("cup", "secret", "plain.toml");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let planned = fs::read_to_string(bench.path("cup/plan.toml")).expect("a text");
    assert!(!planned.contains(SEED) && planned.contains("commitment"), "{planned}");
    run(&bench, "cup", "0").assert_refused(2, &["the plan holds only the commitment"]);
    plan("other", "wrong", "named.toml").assert_refused(2, &["`named.toml` names a seed"]);
    assert!(!bench.path("other").exists());
    // A tournament on one machine has it from there, too.
    let words = ["tournament", "--dir", "one", "--quiet", "--seed-file", "secret", "begun.toml"];
    bench.write("begun.toml", text.replace("shards = 2\n", ""));
    bench.succeed(words);
    let planned = fs::read_to_string(bench.path("one/plan.toml")).expect("a text");
    assert!(planned.contains(SEED), "{planned}");
}

#[test]
fn impossible_plans_and_shards_are_refused() {
    let bench = bench();
    let words = ["tournament", "plan", "cup", "--game", "coup", "--deals", "2"];
    let refused = |more: &[&str], found: &[&str]| {
        bench.run([&words[..], more, &["random", "greedy"]].concat()).assert_refused(2, found);
        assert!(!bench.path("cup").exists(), "nothing was written");
    };
    refused(&[], &["pass --shards N, or set `shards` in the plan"]);
    refused(&["--shards", "3"], &["3 shards: at most 2"]);
    refused(&["--shards", "2", "--block-deals", "1"], &["2 shards: at most 1"]);
    plan(&bench, "cup", "2", &["--shards", "2"], &["random", "greedy"]);
    run(&bench, "cup", "2").assert_refused(2, &["no shard 2: shards are 0 to 1"]);
    let auto = bench.run(["tournament", "run-shard", "cup"]);
    auto.assert_refused(2, &["pass --shard I", "SLURM_ARRAY_TASK_ID"]);
    let resumed = bench.run(["tournament", "resume", "cup"]);
    resumed.assert_refused(2, &["is sharded", "run-shard cup"]);
    bench.succeed([&coup("one", "1")[..], &["--quiet", "random", "greedy"]].concat());
    run(&bench, "one", "0").assert_refused(2, &["`one` is not sharded"]);
    merged(&bench, &["one"]).assert_refused(2, &["`one` is not sharded"]);
}

/// Another file under the same name is another bot, wherever it lies.
#[test]
fn a_bot_that_is_not_the_planned_one_does_not_play() {
    let bench = bench();
    fs::create_dir(bench.path("here")).expect("it is ours");
    bench.write("here/bot.sh", "#!/bin/sh\nexit 1\n");
    let bot = "bot=sh ./bot.sh";
    let words = ["tournament", "plan", "here/cup", "--game", "coup", "--deals", "2", "--shards"];
    bench.succeed([&words[..], &["2", "--seed", SEED, "--quiet", bot, "greedy"]].concat());
    // The folder can be carried to another place with its bots.
    fs::rename(bench.path("here"), bench.path("there")).expect("it is ours");
    played(&bench, "there/cup", "0");
    bench.write("there/bot.sh", "#!/bin/sh\nexit 2\n");
    run(&bench, "there/cup", "1")
        .assert_refused(4, &["bot `bot` with a different `./bot.sh`: digest "]);
}

/// A shard with other games than those that were merged, one whose games do not follow, and a folder that is
/// no shard: `verify` names each, though the merged log is in order.
#[test]
fn forged_shards_beside_a_merged_plan_are_named() {
    let bench = bench();
    plan(&bench, "cup", "4", &["--shards", "2"], &["random", "greedy"]);
    for shard in ["0", "1"] {
        played(&bench, "cup", shard);
    }
    assert_eq!(merged(&bench, &["cup"]).code, Some(0));
    verify(&bench, "cup");
    let log = bench.path("cup/shards/1/games.jsonl");
    let whole = fs::read_to_string(&log).expect("a log");
    let forge = |edit: &dyn Fn(&mut Vec<String>)| {
        let mut lines = chain::contents(&whole);
        edit(&mut lines);
        fs::write(&log, chain::chain(&lines)).expect("the log is ours");
        bench.run(["verify", "cup"])
    };
    // Values that nothing follows from, but that differ from the merged log.
    let other = forge(&|lines| {
        lines[1] = lines[1].replacen("\"machine\":{\"name\":\"", "\"machine\":{\"name\":\"x", 1);
    });
    other.assert_refused(3, &["shard 1/2 in `cup/shards/1`", "differs from the merged log"]);
    let event =
        forge(&|lines| lines[1] = lines[1].replacen("\"events\":[\"", "\"events\":[\"x", 1));
    event.assert_refused(3, &["`cup/shards/1`: its log: line 2"]);
    let cut_off = forge(&|lines| drop(lines.pop()));
    cut_off.assert_refused(3, &["shard 1/2 in `cup/shards/1`"]);
    fs::write(&log, &whole).expect("the log is ours");
    verify(&bench, "cup");
    fs::create_dir(bench.path("cup/shards/2")).expect("the folder is ours");
    bench.run(["verify", "cup"]).assert_refused(3, &["`cup/shards/2` is not a shard of this plan"]);
    // Shards may go once they were merged.
    fs::remove_dir_all(bench.path("cup/shards")).expect("the folder is ours");
    verify(&bench, "cup");
}
