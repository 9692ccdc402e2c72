//! Copies of bots in the folder of a tournament: it goes on, and its games are asked again, when the folders of the
//! bots have changed or are gone.

#![cfg(unix)]

use std::fs::{self, File};
use std::path::Path;

use tests::bench::{Bench, Ended};
use tests::league::folder;
use tests::log;
use tests::tournament::{SEED, coup, result, verify};

/// A folder with the bot `ann` in the folder `mine`.
fn bench() -> Bench {
    let bench = Bench::new();
    folder(&bench, "mine", "ann", "first");
    bench
}

/// Plays a tournament of the bot with two others.
fn play(bench: &Bench, cup: &str, more: &[&str]) -> Ended {
    let words = coup(cup, "3");
    bench.run([&words[..], &["--quiet"], more, &["random", "greedy", "./mine"]].concat())
}

fn assert_quiet(ended: &Ended) {
    assert_eq!((ended.code, &*ended.stderr, &*ended.stdout), (Some(0), "", ""), "{ended:?}");
}

/// Takes the end and all but two games from a tournament that is over.
fn cut(cup: &Path) {
    let path = cup.join("games.jsonl");
    let text = fs::read_to_string(&path).expect("a log");
    let kept: String = text.split_inclusive('\n').take(3).collect();
    fs::write(&path, kept).expect("it is ours");
    fs::remove_file(cup.join("standings.json")).expect("it was over");
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
    assert_quiet(&play(&bench, "cup", &[]));
    let (cup, whole) = (bench.path("cup"), result(&bench.path("cup")));
    assert_eq!(whole.0[0]["header"]["players"][2]["command"], "./mine", "as it was typed");
    assert!(cup.join("bots/ann/bot.sh").is_file());
    assert_eq!(fs::read_dir(cup.join("bots")).expect("it is there").count(), 1, "of folders alone");
    verify(&bench, "cup");
    // The bot as it is, after a program that was killed while it copied, then another one in its place, then none.
    cut(&cup);
    fs::rename(cup.join("bots"), cup.join(".new-bots")).expect("it is ours");
    fs::remove_file(cup.join(".new-bots/ann/bot.sh")).expect("it is ours");
    assert_quiet(&bench.line("tournament resume cup --quiet"));
    for spoil in [change, remove] {
        spoil(&bench);
        cut(&cup);
        let ended = bench.line("tournament resume cup --quiet");
        let note = "note: bot `ann` plays from its copy in `cup/bots/ann`: the original has \
             changed or is missing\n";
        assert_eq!((ended.code, &*ended.stderr), (Some(0), note), "{}", ended.stdout);
        assert_eq!(result(&cup), whole);
        verify(&bench, "cup");
    }
}

#[test]
fn games_are_asked_again_from_a_folder_that_was_moved() {
    let bench = bench();
    assert_quiet(&play(&bench, "cup", &[]));
    fs::create_dir(bench.path("attic")).expect("the folder is ours");
    fs::rename(bench.path("cup"), bench.path("attic/old")).expect("it is ours");
    bench.ok("rerun attic/old");
    fs::remove_dir_all(bench.path("mine")).expect("it is ours");
    for log in ["attic/old", "attic/old/games.jsonl"] {
        let ended = bench.run(["rerun", log]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert!(ended.stderr.ends_with("has changed or is missing\n"), "{ended:?}");
    }
    // A folder of bots beside another log is no copy.
    bench.ok("match --game coup --log log random greedy");
    folder(&bench, "bots/greedy", "greedy", "another one");
    let ended = bench.line("rerun log");
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""), "{ended:?}");
}

#[test]
fn shards_find_the_copies() {
    let bench = bench();
    assert_quiet(&play(&bench, "one", &[]));
    let plan = ["tournament", "plan", "cup", "--game", "coup", "--deals", "3", "--seed", SEED];
    let more = ["--shards", "2", "--quiet", "random", "greedy", "./mine"];
    bench.succeed([&plan[..], &more].concat());
    let run = |shard| bench.run(["tournament", "run-shard", "cup", "--shard", shard, "--quiet"]);
    assert_quiet(&run("0"));
    change(&bench);
    let ended = run("1");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    bench.ok("tournament merge cup --verify");
    assert_eq!(result(&bench.path("cup")), result(&bench.path("one")));
    let ended = bench.line("rerun cup/shards/1");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    verify(&bench, "cup");
}

#[test]
fn an_extension_plays_the_copies_and_copies_new_bots() {
    let bench = bench();
    assert_quiet(&play(&bench, "cup", &[]));
    folder(&bench, "other", "ben", "another one");
    change(&bench);
    let extend = ["tournament", "extend", "cup", "--deals", "2", "--quiet", "./other"];
    let ended = bench.run(extend);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(bench.path("cup/extension-1/bots/ben/bot.sh").is_file());
    assert!(!bench.path("cup/extension-1/bots/ann").exists(), "it has one");
    verify(&bench, "cup");
    let faults = |game: &serde_json::Value| game["result"].to_string().contains("forfeit");
    let games = log::games(&bench.path("cup/extension-1/games.jsonl"));
    assert!(!games.iter().any(faults), "the changed bot answers nothing");
    fs::remove_dir_all(bench.path("other")).expect("it is ours");
    cut(&bench.path("cup/extension-1"));
    let ended = bench.line("tournament resume cup --quiet");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    verify(&bench, "cup");
}

#[test]
fn copies_can_be_left_out_and_have_a_bound() {
    let bench = bench();
    assert_quiet(&play(&bench, "cup", &["--no-copies"]));
    assert!(!bench.path("cup/bots").exists());
    // Larger than all that is copied, and without a block on the disk.
    let large = File::create(bench.path("mine/large")).expect("the folder is ours");
    large.set_len(2 << 30).expect("it has holes");
    let ended = play(&bench, "big", &[]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let warning = "warning: cannot copy bot `ann`: `";
    assert!(ended.stderr.starts_with(warning), "{ended:?}");
    assert!(
        ended.stderr.ends_with("use `--no-copies` to play from the original folders\n"),
        "{ended:?}"
    );
    assert!(!bench.path("big/bots").exists() && !bench.path("big/.new-bots").exists());
    fs::remove_dir_all(bench.path("mine")).expect("it is ours");
    for cup in ["cup", "big"] {
        cut(&bench.path(cup));
        let ended = bench.run(["tournament", "resume", cup]);
        assert_eq!(ended.code, Some(4), "{ended:?}");
        verify_so_far(&bench, cup);
    }
}

fn verify_so_far(bench: &Bench, cup: &str) {
    let ended = bench.run(["verify", cup]);
    assert_eq!(ended.code, Some(8), "{ended:?}");
}
