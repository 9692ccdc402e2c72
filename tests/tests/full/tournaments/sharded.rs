//! Tournaments in shards: blocks, killed mergers, and folders that are not what they seem.

use std::fs;

use tests::bench::Bench;
use tests::log;
use tests::sharded::{merged, plan, played, run};
use tests::tournament::{play_cup, result, verify};

#[test]
fn blocks_decide_what_later_blocks_play() {
    let bench = Bench::new();
    let bots = format!("random greedy {}", bench.bad("bad", "crash"));
    play_cup(&bench, "one", 9, &bots);
    plan(&bench, "cup", 9, &format!("--shards 2 --block-deals 4 {bots}"));
    let later = run(&bench, "cup", 0);
    later.assert_refused(75, &["block 0 is not merged yet", "try again later"]);
    let status = bench.ok("tournament status cup");
    let expected =
        "2 shards: 0 finished\n  1 waiting for the end of block 0: 0\n  1 not started: 1\n";
    assert!(status.contains(expected), "{status}");
    // The one that ends a block merges it and goes on; the other one is asked again.
    for shard in [1, 0, 1, 0, 1] {
        let ended = run(&bench, "cup", shard);
        assert!(matches!(ended.code, Some(0 | 75)), "{ended:?}");
    }
    played(&bench, "cup", 0);
    verify(&bench, "cup");
    assert_eq!(result(&bench.path("cup")), result(&bench.path("one")));
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
    let bench = Bench::new();
    let bots = format!("random greedy {}", bench.bad("bad", "crash"));
    plan(&bench, "cup", 6, &format!("--shards 1 --block-deals 2 {bots}"));
    played(&bench, "cup", 0);
    let expected = result(&bench.path("cup"));
    let text = bench.text("cup/games.jsonl");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for kept in 0..lines.len() {
        // The next line is there in part, as a crash leaves it.
        let torn = &lines[kept][..lines[kept].len() / 2];
        bench.write("cup/games.jsonl", lines[..kept].concat() + torn);
        fs::remove_file(bench.path("cup/standings.json")).expect("it is ours");
        let ended = merged(&bench, "cup");
        assert_eq!((ended.code, &*ended.stderr), (Some(0), ""), "{kept} lines: {ended:?}");
        assert_eq!(result(&bench.path("cup")), expected, "{kept} lines");
    }
}

/// A tournament that is merged in part cannot be extended: that would make the seed public.
#[test]
fn the_folder_of_a_shard_is_checked_before_play() {
    let bench = Bench::new();
    plan(&bench, "cup", 4, "--shards 2 --block-deals 2 random greedy");
    let extended = bench.line("tournament extend cup --deals 1");
    extended.assert_refused(2, &["not all of its shards are merged", "merge cup"]);
    plan(&bench, "other", 4, "--shards 2 --retries 2 random greedy");
    played(&bench, "other", 0);
    fs::create_dir(bench.path("cup/shards")).expect("it is ours");
    fs::rename(bench.path("other/shards/0"), bench.path("cup/shards/0-0")).expect("it is ours");
    fs::remove_file(bench.path("cup/shards/0-0/standings.json")).expect("it is ours");
    run(&bench, "cup", 0).assert_refused(2, &["`cup/shards/0-0` has", "remove the folder"]);
    fs::remove_file(bench.path("cup/shards/0-0/plan.toml")).expect("it is ours");
    let ended = merged(&bench, "cup");
    let says = "shard 0/2 of block 0 in `cup/shards/0-0` has no plan.toml";
    assert!(ended.code == Some(2) && ended.stderr.contains(says), "{ended:?}");
    fs::remove_dir_all(bench.path("cup/shards/0-0")).expect("it is ours");
    // A log that is gone is played again, though the standings are there.
    run(&bench, "cup", 1);
    fs::remove_file(bench.path("cup/shards/0-1/games.jsonl")).expect("it is ours");
    run(&bench, "cup", 1);
    assert!(bench.path("cup/shards/0-1/games.jsonl").exists());
}

#[test]
fn a_test_that_is_decided_ends_all_shards_after_its_block() {
    let bench = Bench::new();
    let more = "--shards 3 --block-deals 10 --sprt elo0=0,elo1=100 greedy bad=random";
    plan(&bench, "test", 10000, more);
    // The first bot wins nearly all of its games, so few blocks are needed.
    let mut rounds = 0;
    while !bench.path("test/standings.json").exists() {
        for shard in 0..3 {
            let ended = run(&bench, "test", shard);
            assert!(matches!(ended.code, Some(0 | 75)), "{ended:?}");
        }
        rounds += 1;
        assert!(rounds < 40, "the test is not decided");
    }
    (0..3).for_each(|shard| played(&bench, "test", shard));
    verify(&bench, "test");
}

/// Another file under the same name is another bot, wherever it lies.
#[test]
fn a_bot_that_is_not_the_planned_one_does_not_play() {
    let bench = Bench::new();
    bench.write("here/bot.sh", "#!/bin/sh\nexit 1\n");
    plan(&bench, "here/cup", 2, "--shards 2 'bot=sh ./bot.sh' greedy");
    // The folder can be carried to another place with its bots.
    fs::rename(bench.path("here"), bench.path("there")).expect("it is ours");
    played(&bench, "there/cup", 0);
    bench.write("there/bot.sh", "#!/bin/sh\nexit 2\n");
    run(&bench, "there/cup", 1)
        .assert_refused(4, &["bot `bot` with a different `./bot.sh`: digest "]);
}
