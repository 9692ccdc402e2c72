//! What a bot asks for beside its own folder has to be granted, on the command line or in a plan.

use std::fs;

use tests::bench::{Bench, SEED};

use super::asks_for_more::bench;

fn assert_refused(bench: &Bench, words: &[&str], problem: &str) {
    let ended = bench.run(words);
    assert_eq!(ended.code, Some(2), "{words:?}: {ended:?}");
    let books = bench.path("books").canonicalize().expect("a folder").display().to_string();
    assert_eq!(ended.stderr.replace(&books, "BOOKS"), format!("error: {problem}\n"), "{words:?}");
    assert!(!bench.path("cup").exists(), "{words:?}");
}

const READS: &str =
    "bot `mine` asks to read `BOOKS`, which is not granted, expected --allow 'mine:read=BOOKS'";
const CONNECTS: &str =
    "bot `mine` asks for the network, which is not granted, expected --allow mine:network";

#[test]
fn every_command_that_starts_bots_wants_the_grant() {
    let bench = bench();
    let commands: [&[&str]; 4] = [
        &["match", "--game", "coup", "--quiet", "./bot", "random"],
        &["play", "--game", "coup", "./bot"],
        &[
            "tournament",
            "--game",
            "coup",
            "--deals",
            "1",
            "--quiet",
            "--dir",
            "cup",
            "./bot",
            "random",
        ],
        &["check", "--game", "coup", "--games", "1", "./bot"],
    ];
    for command in commands {
        assert_refused(&bench, command, READS);
        assert_refused(&bench, &[command, &["--allow", "mine:read=books"]].concat(), CONNECTS);
        let all = ["--allow", "mine:read=books", "--allow", "mine:network"];
        bench.succeed([command, &all].concat());
        let _ = fs::remove_dir_all(bench.path("cup"));
        // Where bots are not kept apart, nothing has to be granted.
        bench.succeed([command, &["--isolation", "off"]].concat());
        let _ = fs::remove_dir_all(bench.path("cup"));
        assert_refused(
            &bench,
            &[command, &["--isolation", "off", "--allow", "other:network"]].concat(),
            match command[0] {
                "match" | "tournament" => {
                    "`other:network` is granted to `other`, expected one of the bots: mine, random"
                }
                _ => "`other:network` is granted to `other`, expected one of the bots: mine",
            },
        );
    }
}

#[test]
fn a_plan_keeps_what_was_granted() {
    let bench = bench();
    let plan = |lines: &str| {
        let bots = "[[bots]]\ncommand = './bot'\n[[bots]]\ncommand = 'random'\n";
        bench.write("cup.toml", format!("game = 'coup'\ndeals = 1\n{lines}\n{bots}"));
    };
    plan("");
    let begin = ["tournament", "--quiet", "cup.toml"];
    let asks = "bot `mine` asks to read `BOOKS`, which is not granted, expected \
                allow = [\"mine:read=BOOKS\"] in the plan";
    assert_refused(&bench, &begin, asks);
    let beside = "--isolation or --allow beside a plan, expected it in the plan";
    assert_refused(&bench, &[&begin[..], &["--allow", "mine:network"]].concat(), beside);
    plan("isolation = 'none'");
    assert_refused(&bench, &begin, "`cup.toml`: `isolation`: expected `auto`, `strict` or `off`");
    plan("allow = ['mine']");
    let form = "`mine` grants nothing, expected NAME:read=FOLDER or NAME:network";
    assert_refused(&bench, &begin, &format!("`cup.toml`: `allow`: {form}"));
    plan("allow = ['mine:network', 'mine:read=books']");
    bench.succeed(begin);
    let books = bench.path("books").canonicalize().expect("a folder");
    let kept = format!("allow = [\"mine:network\", \"mine:read={}\"]\n", books.display());
    let written = fs::read_to_string(bench.path("cup/plan.toml")).expect("a plan");
    assert!(written.contains(&kept) && !written.contains("isolation"), "{written}");
    // An extension keeps them, and a new bot needs its own.
    let extend = ["tournament", "extend", "cup", "--deals", "1", "--quiet", "new=./bot"];
    let ended = bench.run(extend);
    assert!(ended.stderr.contains("expected --allow 'new:read="), "{ended:?}");
    let allowed = ["--allow", "new:read=books", "--allow", "new:network"];
    bench.succeed([&extend[..], &allowed].concat());
}

/// A bot that was granted the network, in a shard whose grants are those of this plan.
fn shard(bench: &Bench, shard: &str, allow: &str) {
    let bots = "[[bots]]\ncommand = './bot'\n[[bots]]\ncommand = 'random'\n";
    let keys = format!("game = 'coup'\ndeals = 4\nseed = '{SEED}'\nshard = '{shard}/2'");
    let plan = format!("{shard}.toml");
    bench.write(&plan, format!("{keys}\nallow = [{allow}]\n{bots}"));
    bench.succeed(["tournament", "--quiet", &plan]);
}

#[test]
fn shards_with_the_same_grants_in_other_folders_merge() {
    let bench = bench();
    fs::create_dir_all(bench.path("other/books")).expect("a folder");
    shard(&bench, "0", "'mine:network', 'mine:read=books'");
    // The same plan on another machine, whose folders have other names above.
    fs::rename(bench.path("books"), bench.path("other/shelf")).expect("it can be moved");
    std::os::unix::fs::symlink("other/books", bench.path("books")).expect("a link");
    shard(&bench, "1", "'mine:network', 'mine:read=other/books'");
    let merge = |into| bench.run(["tournament", "merge", "1", "0", "--into", into]);
    let merged = merge("cup");
    assert_eq!((merged.code, merged.stderr.as_str()), (Some(0), ""), "{merged:?}");
    bench.verify(&bench.path("cup"));

    fs::remove_dir_all(bench.path("1")).expect("it can be removed");
    shard(&bench, "1", "'mine:network', 'mine:read=books', 'mine:read=other/shelf'");
    merge("again").assert_refused(2, &["bot `mine` that was granted something else"]);
    assert!(!bench.path("again").exists());
}

#[test]
fn who_was_granted_the_network_is_marked() {
    let bench = bench();
    let allowed = ["--allow", "mine:read=books", "--allow", "mine:network"];
    let about = "*: was granted the network, where others may have told it moves";
    let cup = ["tournament", "--game", "coup", "--deals", "2", "--dir", "cup"];
    let table = bench.succeed([&cup[..], &allowed, &["./bot", "random"]].concat());
    assert!(table.contains("  mine *  ") && table.contains(&format!("\n{about}\n")), "{table}");
    assert!(!table.contains("random *"), "{table}");
    let standings = ["tournament", "standings", "cup", "--format"];
    let json = bench.succeed([&standings[..], &["json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    for row in json["all"]["rows"].as_array().expect("rows") {
        let expected = (row["name"] == "mine").then_some(true);
        assert_eq!(row.get("network").and_then(serde_json::Value::as_bool), expected, "{row}");
    }
    bench.verify(&bench.path("cup"));
    bench.succeed(["report", "cup", "--output", "pages"]);
    let page = fs::read_to_string(bench.path("pages/index.html")).expect("a page");
    assert!(page.contains(about) && page.contains("</a> *</th>"), "{page}");

    let played = ["match", "--game", "coup", "--games", "2"];
    let text = bench.succeed([&played[..], &allowed, &["./bot", "random"]].concat());
    assert!(text.contains("\nmine *  ") && text.contains(&format!("\n{about}\n")), "{text}");
    let plain = bench.succeed([&played[..], &["random", "greedy"]].concat());
    assert!(!plain.contains('*'), "{plain}");
}
