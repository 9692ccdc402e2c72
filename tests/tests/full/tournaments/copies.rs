//! Copies of bots in the folder of a tournament: it goes on, and its games are asked again, when the folders of the
//! bots have changed or are gone.

use std::fs::{self, File};

use tests::bench::{Bench, Ended};
use tests::league::folder;
use tests::sharded::{plan, played};
use tests::tournament::{cup, cut, games, result, verify};

/// A folder with the bot `ann` in the folder `mine`, which has played a tournament with two others.
fn bench() -> Bench {
    let bench = Bench::new();
    folder(&bench, "mine", "ann", "first");
    let ended = play(&bench, "cup", "");
    assert_eq!((ended.code, &*ended.stderr, &*ended.stdout), (Some(0), "", ""), "{ended:?}");
    bench
}

/// Plays a tournament of the bot with two others.
fn play(bench: &Bench, folder: &str, more: &str) -> Ended {
    bench.line(&cup(folder, 3, &format!("--quiet {more} random greedy ./mine")))
}

/// Changes the bot, so that it no longer answers.
fn change(bench: &Bench) {
    bench.write("mine/bot.sh", "exit 1\n");
}

fn remove(bench: &Bench) {
    fs::remove_dir_all(bench.path("mine")).expect("it is ours");
}

#[test]
fn a_tournament_goes_on_with_its_bots_as_they_were() {
    let bench = bench();
    let (cup, whole) = (bench.path("cup"), result(&bench.path("cup")));
    assert_eq!(whole.0[0]["header"]["players"][2]["command"], "./mine", "as it was typed");
    assert!(cup.join("bots/ann/bot.sh").is_file());
    assert_eq!(fs::read_dir(cup.join("bots")).expect("it is there").count(), 1, "of folders alone");
    verify(&bench, "cup");
    // The bot as it is, after a program that was killed while it copied, then another one in its place, then none.
    cut(&bench, "cup", 2);
    fs::rename(cup.join("bots"), cup.join(".new-bots")).expect("it is ours");
    fs::remove_file(cup.join(".new-bots/ann/bot.sh")).expect("it is ours");
    let note = "note: bot `ann` plays from its copy in `cup/bots/ann`: the original has \
         changed or is missing\n";
    let goes_on = |says: &str| {
        let ended = bench.line("tournament resume cup --quiet");
        assert_eq!((ended.code, &*ended.stderr), (Some(0), says), "{}", ended.stdout);
        assert_eq!(result(&cup), whole);
        verify(&bench, "cup");
    };
    goes_on("");
    for spoil in [change, remove] {
        spoil(&bench);
        cut(&bench, "cup", 2);
        goes_on(note);
    }
    // Games are asked again from a folder that was moved, too.
    fs::create_dir(bench.path("attic")).expect("the folder is ours");
    fs::rename(bench.path("cup"), bench.path("attic/old")).expect("it is ours");
    for log in ["attic/old", "attic/old/games.jsonl"] {
        let ended = bench.line(&format!("rerun {log}")).with_code(0);
        assert!(ended.stderr.ends_with("has changed or is missing\n"), "{ended:?}");
    }
    // A folder of bots beside another log is no copy.
    bench.ok("match --game coup --log log random greedy");
    folder(&bench, "bots/greedy", "greedy", "another one");
    bench.line("rerun log").without_error();
}

#[test]
fn shards_find_the_copies() {
    let bench = bench();
    plan(&bench, "shards", 3, "--shards 2 random greedy ./mine");
    played(&bench, "shards", 0);
    change(&bench);
    bench.ok("tournament run-shard shards --shard 1 --quiet");
    bench.ok("tournament merge shards --verify");
    assert_eq!(result(&bench.path("shards")), result(&bench.path("cup")));
    bench.ok("rerun shards/shards/1");
    verify(&bench, "shards");
}

#[test]
fn an_extension_plays_the_copies_and_copies_new_bots() {
    let bench = bench();
    folder(&bench, "other", "ben", "another one");
    change(&bench);
    bench.ok("tournament extend cup --deals 2 --quiet ./other");
    assert!(bench.path("cup/extension-1/bots/ben/bot.sh").is_file());
    assert!(!bench.path("cup/extension-1/bots/ann").exists(), "it has one");
    verify(&bench, "cup");
    let faults = |game: &serde_json::Value| game["result"].to_string().contains("forfeit");
    let games = games(&bench, "cup/extension-1");
    assert!(!games.iter().any(faults), "the changed bot answers nothing");
    fs::remove_dir_all(bench.path("other")).expect("it is ours");
    cut(&bench, "cup/extension-1", 2);
    bench.ok("tournament resume cup --quiet");
    verify(&bench, "cup");
}

#[test]
fn copies_can_be_left_out_and_have_a_bound() {
    let bench = bench();
    assert_eq!(play(&bench, "none", "--no-copies").code, Some(0));
    assert!(!bench.path("none/bots").exists());
    // Larger than all that is copied, and without a block on the disk.
    let large = File::create(bench.path("mine/large")).expect("the folder is ours");
    large.set_len(2 << 30).expect("it has holes");
    let ended = play(&bench, "big", "").with_code(0);
    assert!(ended.stderr.starts_with("warning: cannot copy bot `ann`: `"), "{ended:?}");
    let option = "use `--no-copies` to play from the original folders\n";
    assert!(ended.stderr.ends_with(option), "{ended:?}");
    assert!(!bench.path("big/bots").exists() && !bench.path("big/.new-bots").exists());
    remove(&bench);
    for cup in ["none", "big"] {
        cut(&bench, cup, 2);
        for (line, code) in [("tournament resume", 4), ("verify", 8)] {
            let ended = bench.line(&format!("{line} {cup}"));
            assert_eq!(ended.code, Some(code), "{line}: {ended:?}");
        }
    }
}
