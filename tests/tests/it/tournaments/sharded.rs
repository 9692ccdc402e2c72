//! Tournaments that are planned in one place and played in shards: what merging makes of them is what
//! one machine would have played.

use std::fs;

use serde_json::Value;
use tests::bench::Bench;
use tests::chain;
use tests::log;
use tests::sharded::{merged, plan, played, run};
use tests::texts::assert_says;
use tests::tournament::{SEED, cup, games, play_cup, result, verify};

#[test]
fn any_number_of_shards_makes_what_one_machine_plays() {
    let bench = Bench::new();
    // One of them faults in every game, so it is out after some, and merging drops games.
    let bots = format!("random greedy {}", bench.bad("bad", "crash"));
    play_cup(&bench, "one", 5, &bots);
    let expected = result(&bench.path("one"));
    // Fifteen tables: more than one for each shard, and all of them for a single one.
    for shards in [1, 4] {
        let folder = shards.to_string();
        plan(&bench, &folder, 5, &format!("--shards {shards} {bots}"));
        assert!(!bench.path(&folder).join("shards").exists(), "nothing is played");
        for shard in 0..shards {
            played(&bench, &folder, shard);
            let log = bench.path(&folder).join(format!("shards/{shard}/games.jsonl"));
            let last = log::lines(&log).pop().expect("lines");
            assert_eq!(last["end"].get("seed"), None, "others may still be played");
        }
        merged(&bench, &format!("{folder} --verify")).without_error();
        assert_eq!(result(&bench.path(&folder)), expected, "{shards} shards");
        verify(&bench, &folder);
        let again = merged(&bench, &folder);
        assert_eq!(again.code, Some(0), "it is merged already: {again:?}");
        played(&bench, &folder, 0);
    }
    let games = games(&bench, "4");
    let machines: Vec<&Value> = games.iter().map(|game| &game["machine"]["name"]).collect();
    assert!(machines.iter().all(|name| name.is_string()), "{machines:?}");
}

#[test]
fn all_that_is_in_the_way_of_merging_is_listed_at_once() {
    let bench = Bench::new();
    plan(&bench, "cup", 8, "--shards 4 random greedy");
    assert_eq!(merged(&bench, "cup").code, Some(75));
    [0, 2, 3].into_iter().for_each(|shard| played(&bench, "cup", shard));
    let status = bench.ok("tournament status cup");
    assert!(status.contains("4 shards: 3 finished\n  1 not started: 1\n"), "{status}");
    assert_says(&bench.ok("tournament standings cup"), &["12 games"]);
    assert_says(&bench.ok("report cup -o pages"), &["12 games, unfinished"]);
    // One of another tournament, and one that was cut off.
    plan(&bench, "other", 8, "--shards 4 --retries 1 random greedy");
    played(&bench, "other", 2);
    fs::remove_dir_all(bench.path("cup/shards/2")).expect("it is ours");
    fs::rename(bench.path("other/shards/2"), bench.path("cup/shards/2")).expect("it is ours");
    let log = bench.text("cup/shards/3/games.jsonl");
    bench.write("cup/shards/3/games.jsonl", log.split_inclusive('\n').take(2).collect::<String>());
    let ended = merged(&bench, "cup").with_code(2);
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

#[test]
fn impossible_plans_and_shards_are_refused() {
    let bench = Bench::new();
    for (more, found) in [
        ("", "pass --shards N, or set `shards` in the plan"),
        ("--shards 3", "3 shards: at most 2"),
        ("--shards 2 --block-deals 1", "2 shards: at most 1"),
    ] {
        bench.refuses(
            &format!("tournament plan cup --game coup --deals 2 {more} random greedy"),
            found,
        );
        assert!(!bench.path("cup").exists(), "nothing was written");
    }
    plan(&bench, "cup", 2, "--shards 2 random greedy");
    run(&bench, "cup", 2).assert_refused(2, &["no shard 2: shards are 0 to 1"]);
    let auto = bench.line("tournament run-shard cup");
    auto.assert_refused(2, &["pass --shard I", "SLURM_ARRAY_TASK_ID"]);
    bench.line("tournament resume cup").assert_refused(2, &["is sharded", "run-shard cup"]);
    bench.ok(&cup("one", 1, "--quiet random greedy"));
    run(&bench, "one", 0).assert_refused(2, &["`one` is not sharded"]);
    merged(&bench, "one").assert_refused(2, &["`one` is not sharded"]);
}

/// The chain of a forged log is right, so only deriving its games again finds it. Once shards were merged, `verify` names a
/// shard with other games than those, one whose games do not follow, and a folder that is no shard.
#[test]
fn forged_shards_are_named() {
    let bench = Bench::new();
    plan(&bench, "cup", 4, "--shards 2 random greedy");
    (0..2).for_each(|shard| played(&bench, "cup", shard));
    let log = "cup/shards/1/games.jsonl";
    let whole = bench.text(log);
    let forge = |from: &str, to: &str| {
        let mut lines = chain::contents(&whole);
        lines[1] = lines[1].replacen(from, to, 1);
        bench.write(log, chain::chain(&lines));
    };
    forge("\"events\":[\"", "\"events\":[\"x");
    merged(&bench, "cup --verify").assert_refused(3, &["`cup/shards/1`", "game 4"]);
    assert!(!bench.path("cup/games.jsonl").exists(), "nothing was merged");
    bench.write(log, &whole);
    assert_eq!(merged(&bench, "cup").code, Some(0));
    verify(&bench, "cup");
    let refused = |found: &[&str]| bench.line("verify cup").assert_refused(3, found);
    // Values that nothing follows from, but that differ from the merged log.
    forge("\"machine\":{\"name\":\"", "\"machine\":{\"name\":\"x");
    refused(&["shard 1/2 in `cup/shards/1`", "differs from the merged log"]);
    forge("\"events\":[\"", "\"events\":[\"x");
    refused(&["`cup/shards/1`: its log: line 2"]);
    let mut lines = chain::contents(&whole);
    lines.pop();
    bench.write(log, chain::chain(&lines));
    refused(&["shard 1/2 in `cup/shards/1`"]);
    bench.write(log, &whole);
    verify(&bench, "cup");
    fs::create_dir(bench.path("cup/shards/2")).expect("the folder is ours");
    refused(&["`cup/shards/2` is not a shard of this plan"]);
    // Shards may go once they were merged.
    fs::remove_dir_all(bench.path("cup/shards")).expect("the folder is ours");
    verify(&bench, "cup");
}

#[test]
fn the_seed_can_stay_out_of_the_folder_and_of_a_plan_in_a_file() {
    let bench = Bench::new();
    let only = "the plan holds only the commitment";
    bench.write("secret", SEED);
    bench.write("wrong", SEED.replace("00", "01"));
    let begin = "tournament plan cup --game coup --deals 2 --shards 2";
    bench.ok(&format!("{begin} --seed-file secret --quiet random greedy"));
    run(&bench, "cup", 0).assert_refused(2, &[only, "--seed-file"]);
    let shard = "tournament run-shard cup --quiet --seed-file";
    bench.refuses(&format!("{shard} wrong --shard 0"), "does not match the commitment");
    (0..2).for_each(|number| drop(bench.ok(&format!("{shard} secret --shard {number}"))));
    for entry in ["plan.toml", "shards/0/plan.toml", "shards/0/games.jsonl"] {
        assert!(!bench.text(&format!("cup/{entry}")).contains(SEED), "{entry} holds the seed");
    }
    merged(&bench, "cup").assert_refused(2, &[only]);
    bench.ok("tournament merge cup --verify --seed-file secret");
    verify(&bench, "cup");

    let text = "game = 'coup'\ndeals = 2\nshards = 2\n[[bots]]\ncommand = 'random'\n\
        [[bots]]\ncommand = 'greedy'\n";
    bench.write("plain.toml", text);
    bench.write("named.toml", format!("seed = '{SEED}'\n{text}"));
    bench.ok("tournament plan again --quiet --seed-file secret plain.toml");
    let planned = bench.text("again/plan.toml");
    assert!(!planned.contains(SEED) && planned.contains("commitment"), "{planned}");
    run(&bench, "again", 0).assert_refused(2, &[only]);
    let named = "tournament plan other --quiet --seed-file wrong named.toml";
    bench.refuses(named, "`named.toml` names a seed");
    assert!(!bench.path("other").exists());
    // A tournament on one machine has it from there, too.
    bench.write("begun.toml", text.replace("shards = 2\n", ""));
    bench.ok("tournament --dir one --quiet --seed-file secret begun.toml");
    assert!(bench.text("one/plan.toml").contains(SEED));
}
