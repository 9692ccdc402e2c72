//! Tournaments that go on in another way than planned: without a bot, with its new version, for
//! more deals; and what proves that they did.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tests::bench::Bench;
use tests::log;
use tests::tournament::{SEED, coup, result, verify};

const OTHER_SEED: &str = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100";

/// A folder with the program `mine.sh`, which answers as it should.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("mine.sh", "sed -n '/^legal /{n;p;q;}'\n");
    bench
}

const BOTS: [&str; 3] = ["random", "greedy", "mine=sh mine.sh"];

/// Number of games that `BOTS` play on each deal.
const GAMES_A_DEAL: usize = 6;

fn change_mine(bench: &Bench) {
    let text = bench.text("mine.sh");
    fs::write(bench.path("mine.sh"), format!("# another version\n{text}")).expect("it is ours");
}

/// Plays a tournament of some deals, and leaves of it what a crash after some games leaves.
fn broken_off(bench: &Bench, folder: &str, deals: &str, games: usize) {
    bench.succeed([&coup(folder, deals)[..], &["--quiet"], &BOTS].concat());
    cut(&bench.path(folder), games);
}

/// Takes the end and the last games from a tournament that is over.
fn cut(folder: &Path, games: usize) {
    let path = folder.join("games.jsonl");
    let text = fs::read_to_string(&path).expect("a log");
    let kept: String = text.split_inclusive('\n').take(1 + games).collect();
    fs::write(&path, kept).expect("it is ours");
    fs::remove_file(folder.join("standings.json")).expect("it was over");
}

fn header(folder: &Path) -> Value {
    log::lines(&folder.join("games.jsonl"))[0]["header"].clone()
}

fn rows(bench: &Bench, folder: &str) -> Vec<(String, u64)> {
    let text = bench.succeed(["tournament", "standings", folder, "--format", "json"]);
    let standings: Value = serde_json::from_str(&text).expect("JSON");
    let rows = standings["all"]["rows"].as_array().expect("rows").iter();
    let mut rows: Vec<_> = rows
        .map(|row| (row["name"].as_str().expect("a name").to_owned(), row["games"].as_u64()))
        .map(|(name, games)| (name, games.expect("a number")))
        .collect();
    rows.sort();
    rows
}

#[test]
fn a_tournament_goes_on_without_a_bot_that_has_changed() {
    let bench = bench();
    bench.succeed([&coup("cup", "4")[..], &["--quiet"], &BOTS].concat());
    let planned = log::games(&bench.path("cup/games.jsonl"));
    cut(&bench.path("cup"), GAMES_A_DEAL + 4);
    change_mine(&bench);
    let before = fs::read(bench.path("cup/games.jsonl")).expect("a log");
    bench.line("tournament resume cup").assert_refused(
        2,
        &["bot `mine` has changed", "`arbiter tournament extend cup --without mine`"],
    );
    bench
        .line("tournament extend cup")
        .assert_refused(2, &["bot `mine` has changed", "`--without mine`", "`mine-2=COMMAND`"]);
    assert!(!bench.path("cup/extension-1").exists(), "nothing was written");
    let shown = bench.ok("tournament extend cup --without mine");
    assert!(shown.contains("an extension, by 2 deals: 2 to 3\n"), "{shown}");
    assert!(shown.ends_with("verify: arbiter verify cup\n"), "{shown}");

    assert_eq!(fs::read(bench.path("cup/games.jsonl")).expect("a log"), before, "as it was");
    verify(&bench, "cup");
    let part = bench.path("cup/extension-1");
    let (old, new) = (header(&bench.path("cup")), header(&part));
    assert_eq!(new["commitment"], old["commitment"], "nobody can choose other cards");
    let last = log::lines(&bench.path("cup/games.jsonl")).pop().expect("lines");
    assert_eq!(new["tournament"]["extends"], last["sha256"]);
    // 10 games were played, 8 of which with `greedy` or `random` against `mine` or each other; the
    // extension has two deals in both orders.
    let sum: u64 = rows(&bench, "cup").iter().map(|(_, games)| games).sum();
    assert_eq!(sum as usize, 2 * (GAMES_A_DEAL + 4 + 4));
    assert_eq!(log::games(&part.join("games.jsonl")).len(), 4);
    // The cards are those that the plan had for these deals and seats.
    let games = log::games(&part.join("games.jsonl"));
    for game in &games {
        let same =
            |other: &&Value| other["deal"] == game["deal"] && other["seats"] == game["seats"];
        let other = planned.iter().find(same).expect("it was planned");
        assert_eq!(other["events"], game["events"]);
    }
}

#[test]
fn a_new_version_plays_as_another_bot() {
    let bench = bench();
    broken_off(&bench, "cup", "3", GAMES_A_DEAL);
    change_mine(&bench);
    let extend = ["tournament", "extend", "cup", "--quiet", "--without", "mine"];
    let known = bench.line("tournament extend cup --quiet --without mine 'mine=sh mine.sh'");
    known.assert_refused(2, &["the name `mine` is taken", "`mine-2=COMMAND`"]);
    bench.ok("tournament extend cup --quiet --without mine 'mine-2=sh mine.sh'");
    verify(&bench, "cup");
    let expected = [("greedy", 12), ("mine", 4), ("mine-2", 8), ("random", 12)];
    let expected = expected.map(|(name, games)| (name.to_owned(), games));
    assert_eq!(rows(&bench, "cup"), expected);
    let status = bench.ok("tournament status cup");
    assert!(status.contains("an extension, by 2 deals: 1 to 2\n12 of 12 games\n"), "{status}");
    // The new bot has the same limits as all others.
    let players = header(&bench.path("cup/extension-1"))["players"].clone();
    assert_eq!(players[2]["limits"], players[0]["limits"]);
}

#[test]
fn more_deals_than_planned_are_added_and_proved() {
    let bench = bench();
    let part = bench.path("cup/extension-1");
    bench.succeed([&coup("cup", "2")[..], &["--quiet"], &BOTS].concat());
    let (before, expected) = (fs::read(bench.path("cup/games.jsonl")), result(&bench.path("cup")));
    let extend = ["tournament", "extend", "cup", "--quiet"];
    bench.run(extend).assert_refused(2, &["all planned deals are played", "`--deals N`"]);
    let known = bench.run([&extend[..], &["--deals", "2", "--seed", SEED]].concat());
    known.assert_refused(2, &["this seed is already public"]);
    assert!(!part.exists(), "nothing was written");

    let words = ["--deals", "2", "--seed", OTHER_SEED, "--entropy", "ann: blue"];
    bench.succeed([&extend[..], &words].concat());
    verify(&bench, "cup");
    verify(&bench, "cup/extension-1");
    assert_eq!(fs::read(bench.path("cup/games.jsonl")).ok(), before.ok(), "as it was");
    assert_eq!(result(&bench.path("cup")), expected);
    let each = ["greedy", "mine", "random"].map(|name| (name.to_owned(), 16));
    assert_eq!(rows(&bench, "cup"), each);
    let deals: Vec<u64> =
        log::games(&part.join("games.jsonl")).iter().filter_map(|it| it["deal"].as_u64()).collect();
    assert_eq!((deals.first(), deals.last()), (Some(&2), Some(&3)));

    // One that was stopped goes on to the same result.
    let whole = result(&part);
    cut(&part, 5);
    bench.ok("tournament resume cup --quiet");
    assert_eq!(result(&part), whole);
    // And again, with what `resume` must not touch.
    bench.ok("tournament extend cup --quiet --deals 1 other=random");
    verify(&bench, "cup");
    let told = bench.ok("verify cup");
    assert!(told.starts_with("cup: ok, 36 games of coup in 3 parts, head "), "{told}");

    let table = bench.ok("export cup --features moves");
    for log in ["\ncup,", "\ncup/extension-1,", "\ncup/extension-2,"] {
        assert!(table.contains(log), "{log:?}");
    }
    bench.ok("report cup -o look");
    for number in ["1", "2", "3"] {
        assert!(bench.path(&format!("look/logs/{number}/index.html")).exists(), "{number}");
    }
}

#[test]
fn parts_that_do_not_go_on_from_each_other_are_found() {
    let bench = bench();
    bench.succeed([&coup("cup", "2")[..], &["--quiet"], &BOTS].concat());
    let extend = ["tournament", "extend", "cup", "--quiet", "--deals", "1"];
    bench.succeed([&extend[..], &["--seed", OTHER_SEED]].concat());
    // The same tournament again: another head, because of its times.
    fs::rename(bench.path("cup"), bench.path("old")).expect("it is ours");
    bench.succeed([&coup("cup", "2")[..], &["--quiet"], &BOTS].concat());
    let (old, new) = (bench.path("old/extension-1"), bench.path("cup/extension-1"));
    fs::rename(old, &new).expect("it is ours");
    bench.line("verify cup").assert_refused(
        3,
        &["`cup/extension-1`, which extends it: its log does not continue the log before it"],
    );
    // An earlier part that is cut off is named, although the next part has another seed.
    let games = bench.path("cup/games.jsonl");
    let whole = fs::read(&games).expect("it is there");
    fs::write(&games, &whole[..whole.len() - 2]).expect("it is ours");
    bench.line("verify cup").assert_refused(3, &["is truncated"]);
    fs::write(&games, whole).expect("it is ours");
    // On its own it extends what is not there.
    fs::rename(new, bench.path("alone")).expect("it is ours");
    bench.line("verify alone").assert_refused(3, &["its log continues a log that is missing"]);
    // A plan that was written for an extension begins no tournament.
    fs::rename(bench.path("alone/plan.toml"), bench.path("again.toml")).expect("it is ours");
    bench.refuses(
        "tournament again.toml",
        "`extends`: is set by `arbiter tournament extend` itself",
    );
}

/// Only the last part can go on, whichever folder is named; and the program names the first one.
#[test]
fn a_part_that_was_extended_is_not_resumed() {
    let bench = bench();
    broken_off(&bench, "cup", "4", GAMES_A_DEAL + 1);
    let extend = ["tournament", "extend", "cup", "--quiet", "--without"];
    bench.ok("tournament extend cup --quiet --without mine");
    let part = bench.path("cup/extension-1");
    cut(&part, 2);
    bench.line("verify cup").assert_refused(
        3,
        &["`cup/extension-1`, which extends it: unfinished: continue it with `arbiter tournament \
             resume`"],
    );
    let before = fs::read(part.join("games.jsonl")).ok();
    bench.ok("tournament extend cup --quiet --without greedy other=random");
    bench.ok("tournament resume cup/extension-1 --quiet");
    bench.ok("tournament resume cup --quiet");
    assert_eq!(fs::read(part.join("games.jsonl")).ok(), before, "as it was");
    verify(&bench, "cup");
    // The head of the whole is the head of its last part, and earlier heads are known, too.
    for folder in ["cup", "cup/extension-1", "cup/extension-2"] {
        let head = bench.succeed(["head", folder]);
        bench.succeed(["verify", "cup", "--head", head.trim()]);
    }
    let shown = bench.line("show cup");
    assert!(shown.stderr.contains("`cup/extension-1` is the next one"), "{shown:?}");
}

/// A plan that was written by hand: it must begin with the deal after those that were begun, and
/// nobody who was out may come back.
#[test]
fn a_forged_extension_is_found() {
    let bench = bench();
    let bad = format!("bad={}", bench.faulty("crash"));
    let bots = ["random", "greedy", bad.as_str()];
    bench.succeed([&coup("cup", "6")[..], &["--quiet"], &bots].concat());
    cut(&bench.path("cup"), 14);
    bench.ok("tournament extend cup --quiet");
    // The events before the extension are shown, too.
    let status = bench.ok("tournament status cup");
    let (_, before) = status.split_once("\nbefore that, in `cup`: ").expect("it");
    assert!(before.contains("bad: disqualified after game "), "{status}");
    assert!(before.contains("bad: forfeited 8 games"), "{status}");
    let part = bench.path("cup/extension-1");
    assert_eq!(header(&part)["players"].as_array().map(Vec::len), Some(2), "`bad` was out");
    verify(&bench, "cup");
    let plan = fs::read_to_string(part.join("plan.toml")).expect("a plan");
    let first = header(&part)["tournament"]["schedule"]["first_deal"].to_string();
    let begin = |plan: &str| {
        for file in ["games.jsonl", "standings.json"] {
            fs::remove_file(part.join(file)).expect("it was over");
        }
        fs::write(part.join("plan.toml"), plan).expect("it is ours");
        // An extension that was only planned counts for nothing.
        let status = bench.ok("tournament status cup");
        assert!(!status.contains("an extension"), "{status}");
    };
    let later = plan.replace(&format!("first-deal = {first}"), "first-deal = 40");
    assert_ne!(later, plan);
    begin(&later);
    // Its list of bots is the same as in its log, so that only the deals are wrong.
    bench.ok("tournament resume cup --quiet");
    bench.line("verify cup").assert_refused(3, &["does not begin with the next deal"]);
    let back = format!("{plan}\n[[bots]]\nname = \"bad\"\ncommand = {:?}\n", &bad["bad=".len()..]);
    begin(&back);
    bench.line("tournament resume cup --quiet");
    bench
        .line("verify cup")
        .assert_refused(3, &["has the bot `bad`, which was disqualified before it"]);
}

/// A crash after the last game and before the standings.
#[test]
fn standings_that_a_crash_took_are_written_before_an_extension() {
    let bench = bench();
    bench.succeed([&coup("cup", "2")[..], &["--quiet"], &BOTS].concat());
    let whole = result(&bench.path("cup"));
    fs::remove_file(bench.path("cup/standings.json")).expect("it was over");
    bench.ok("tournament extend cup --quiet --deals 1");
    assert_eq!(result(&bench.path("cup")), whole);
    verify(&bench, "cup");
}

#[test]
fn impossible_extensions_are_refused() {
    let bench = bench();
    let extend = |folder: &str, words: &[&str]| {
        bench.run([&["tournament", "extend", folder, "--quiet"], words].concat())
    };
    extend("nowhere", &[]).assert_refused(2, &["no tournament in `nowhere`"]);
    broken_off(&bench, "cup", "2", 3);
    extend("cup", &["--without", "ann"])
        .assert_refused(2, &["unknown bot `ann`", "random, greedy, mine"]);
    extend("cup", &["--without", "random", "--without", "greedy"])
        .assert_refused(2, &["1 bot for"]);
    extend("cup", &["--seed", OTHER_SEED])
        .assert_refused(2, &["an unfinished tournament keeps its seed"]);
    for limit in ["random=1s", "1s"] {
        extend("cup", &["--time-limit", limit]).assert_refused(2, &["limits need a new bot"]);
    }
    extend("cup", &["--time-limit", "random=1s", "other=random"])
        .assert_refused(2, &["limit for unknown bot `random`: use one of other"]);
    assert!(!bench.path("cup/extension-1").exists(), "nothing was written");
    let gauntlet = ["--quiet", "--format", "gauntlet"];
    bench.succeed([&coup("gauntlet", "2")[..], &gauntlet, &BOTS].concat());
    extend("gauntlet", &["--deals", "1", "--without", "random"])
        .assert_refused(2, &["`random` is the gauntlet challenger"]);
    let test = ["--quiet", "--sprt", "elo0=0,elo1=50"];
    bench.succeed([&coup("sprt", "2")[..], &test, &["random", "greedy"]].concat());
    extend("sprt", &["--deals", "1"]).assert_refused(2, &["a sequential test cannot be extended"]);
    let plan = ["tournament", "plan", "planned", "--game", "coup", "--deals", "2", "--shards", "2"];
    bench.succeed([&plan[..], &["--quiet"], &BOTS].concat());
    bench.ok("tournament run-shard planned --shard 0 --quiet");
    extend("planned/shards/0", &["--deals", "1"]).assert_refused(2, &["cannot extend a shard"]);
}
