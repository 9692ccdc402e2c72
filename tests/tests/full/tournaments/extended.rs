//! Tournaments that go on in another way than planned: without a bot, with its new version, for
//! more deals; and what proves that they did.

use std::fs;

use serde_json::Value;
use tests::bench::Bench;
use tests::log;
use tests::texts::assert_says;
use tests::tournament::{SEED, cut, games, play_cup, result, standings, verify};

const OTHER_SEED: &str = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100";

const BOTS: &str = "random greedy 'mine=sh mine.sh'";

/// Number of games that `BOTS` play on each deal.
const GAMES_A_DEAL: usize = 6;

/// A tournament of some deals in the folder `cup`, with the program `mine.sh`, which answers as it should.
fn bench(deals: u64) -> Bench {
    let bench = Bench::new();
    bench.write("mine.sh", "sed -n '/^legal /{n;p;q;}'\n");
    play_cup(&bench, "cup", deals, BOTS);
    bench
}

/// Such a tournament after a crash after some games.
fn broken_off(deals: u64, games: usize) -> Bench {
    let bench = bench(deals);
    cut(&bench, "cup", games);
    bench
}

fn change_mine(bench: &Bench) {
    bench.write("mine.sh", format!("# another version\n{}", bench.text("mine.sh")));
}

fn extend(bench: &Bench, more: &str) {
    bench.ok(&format!("tournament extend cup --quiet {more}"));
}

fn header(bench: &Bench, folder: &str) -> Value {
    log::lines(&bench.path(folder).join("games.jsonl"))[0]["header"].clone()
}

/// The number of games of each bot, by names.
fn rows(bench: &Bench) -> Vec<(String, u64)> {
    let standings = standings(bench, "cup");
    let rows = standings["all"]["rows"].as_array().expect("rows").iter();
    let row = |row: &Value| Some((row["name"].as_str()?.to_owned(), row["games"].as_u64()?));
    let mut rows: Vec<_> = rows.filter_map(row).collect();
    rows.sort();
    rows
}

fn expected<const N: usize>(rows: [(&str, u64); N]) -> [(String, u64); N] {
    rows.map(|(name, games)| (name.to_owned(), games))
}

#[test]
fn a_tournament_goes_on_without_a_bot_that_has_changed() {
    let bench = bench(4);
    let planned = games(&bench, "cup");
    cut(&bench, "cup", GAMES_A_DEAL + 4);
    change_mine(&bench);
    let before = bench.text("cup/games.jsonl");
    let changed = "bot `mine` has changed";
    let without = "`arbiter tournament extend cup --without mine`";
    bench.line("tournament resume cup").assert_refused(2, &[changed, without]);
    let ways = [changed, "`--without mine`", "`mine-2=COMMAND`"];
    bench.line("tournament extend cup").assert_refused(2, &ways);
    assert!(!bench.path("cup/extension-1").exists(), "nothing was written");
    let shown = bench.ok("tournament extend cup --without mine");
    assert!(shown.contains("an extension, by 2 deals: 2 to 3\n"), "{shown}");
    assert!(shown.ends_with("verify: arbiter verify cup\n"), "{shown}");

    assert_eq!(bench.text("cup/games.jsonl"), before, "as it was");
    verify(&bench, "cup");
    let (old, new) = (header(&bench, "cup"), header(&bench, "cup/extension-1"));
    assert_eq!(new["commitment"], old["commitment"], "nobody can choose other cards");
    let last = log::lines(&bench.path("cup/games.jsonl")).pop().expect("lines");
    assert_eq!(new["tournament"]["extends"], last["sha256"]);
    // 10 games were played, 8 of which with `greedy` or `random` against `mine` or each other; the
    // extension has two deals in both orders.
    let sum: u64 = rows(&bench).iter().map(|(_, games)| games).sum();
    assert_eq!(sum as usize, 2 * (GAMES_A_DEAL + 4 + 4));
    // The cards are those that the plan had for these deals and seats.
    let games = games(&bench, "cup/extension-1");
    assert_eq!(games.len(), 4);
    for game in &games {
        let same =
            |other: &&Value| other["deal"] == game["deal"] && other["seats"] == game["seats"];
        let other = planned.iter().find(same).expect("it was planned");
        assert_eq!(other["events"], game["events"]);
    }
}

#[test]
fn a_new_version_plays_as_another_bot() {
    let bench = broken_off(3, GAMES_A_DEAL);
    change_mine(&bench);
    let known = bench.line("tournament extend cup --quiet --without mine 'mine=sh mine.sh'");
    known.assert_refused(2, &["the name `mine` is taken", "`mine-2=COMMAND`"]);
    extend(&bench, "--without mine 'mine-2=sh mine.sh'");
    verify(&bench, "cup");
    let all = expected([("greedy", 12), ("mine", 4), ("mine-2", 8), ("random", 12)]);
    assert_eq!(rows(&bench), all);
    let status = bench.ok("tournament status cup");
    assert!(status.contains("an extension, by 2 deals: 1 to 2\n12 of 12 games\n"), "{status}");
    // The new bot has the same limits as all others.
    let players = header(&bench, "cup/extension-1")["players"].clone();
    assert_eq!(players[2]["limits"], players[0]["limits"]);
}

#[test]
fn more_deals_than_planned_are_added_and_proved() {
    let bench = bench(2);
    let (before, expected_result) = (bench.text("cup/games.jsonl"), result(&bench.path("cup")));
    bench
        .line("tournament extend cup --quiet")
        .assert_refused(2, &["all planned deals have been played", "`--deals N`"]);
    let public = format!("tournament extend cup --quiet --deals 2 --seed {SEED}");
    bench.refuses(&public, "this seed is already public");
    assert!(!bench.path("cup/extension-1").exists(), "nothing was written");

    // Standings that a crash took are written first.
    fs::remove_file(bench.path("cup/standings.json")).expect("it was over");
    extend(&bench, &format!("--deals 2 --seed {OTHER_SEED} --entropy 'ann: blue'"));
    verify(&bench, "cup");
    verify(&bench, "cup/extension-1");
    assert_eq!(bench.text("cup/games.jsonl"), before, "as it was");
    assert_eq!(result(&bench.path("cup")), expected_result);
    assert_eq!(rows(&bench), expected([("greedy", 16), ("mine", 16), ("random", 16)]));
    let deals = games(&bench, "cup/extension-1");
    let deals: Vec<u64> = deals.iter().filter_map(|it| it["deal"].as_u64()).collect();
    assert_eq!((deals.first(), deals.last()), (Some(&2), Some(&3)));

    // One that was stopped goes on to the same result.
    let part = bench.path("cup/extension-1");
    let whole = result(&part);
    cut(&bench, "cup/extension-1", 5);
    bench.ok("tournament resume cup --quiet");
    assert_eq!(result(&part), whole);
    // And again, with what `resume` must not touch.
    extend(&bench, "--deals 1 other=random");
    let told = bench.ok("verify cup");
    assert!(told.starts_with("cup: ok, 36 games of coup in 3 parts, head "), "{told}");

    let table = bench.ok("export cup --features moves");
    assert_says(&table, &["\ncup,", "\ncup/extension-1,", "\ncup/extension-2,"]);
    bench.ok("report cup -o look");
    for number in ["1", "2", "3"] {
        assert!(bench.path(&format!("look/logs/{number}/index.html")).exists(), "{number}");
    }
}

#[test]
fn parts_that_do_not_go_on_from_each_other_are_found() {
    let bench = bench(2);
    extend(&bench, &format!("--deals 1 --seed {OTHER_SEED}"));
    // The same tournament again: another head, because of its times.
    fs::rename(bench.path("cup"), bench.path("old")).expect("it is ours");
    play_cup(&bench, "cup", 2, BOTS);
    let (old, new) = (bench.path("old/extension-1"), bench.path("cup/extension-1"));
    fs::rename(old, &new).expect("it is ours");
    let refused = |folder: &str, why: &str| {
        bench.line(&format!("verify {folder}")).assert_refused(3, &[why]);
    };
    let other = "`cup/extension-1`, which extends it: its log does not continue the log before it";
    refused("cup", other);
    // An earlier part that is cut off is named, although the next part has another seed.
    let whole = bench.text("cup/games.jsonl");
    bench.write("cup/games.jsonl", &whole[..whole.len() - 2]);
    refused("cup", "is truncated");
    bench.write("cup/games.jsonl", whole);
    // On its own it extends what is not there.
    fs::rename(new, bench.path("alone")).expect("it is ours");
    refused("alone", "its log continues a log that is missing");
    // A plan that was written for an extension begins no tournament.
    fs::rename(bench.path("alone/plan.toml"), bench.path("again.toml")).expect("it is ours");
    let own = "`extends`: is set by `arbiter tournament extend` itself";
    bench.refuses("tournament again.toml", own);
}

/// Only the last part can go on, whichever folder is named; and the program names the first one.
#[test]
fn a_part_that_was_extended_is_not_resumed() {
    let bench = broken_off(4, GAMES_A_DEAL + 1);
    extend(&bench, "--without mine");
    cut(&bench, "cup/extension-1", 2);
    let unfinished = "`cup/extension-1`, which extends it: unfinished: continue it with `arbiter \
                      tournament resume`";
    bench.line("verify cup").assert_refused(3, &[unfinished]);
    let before = bench.text("cup/extension-1/games.jsonl");
    extend(&bench, "--without greedy other=random");
    bench.ok("tournament resume cup/extension-1 --quiet");
    bench.ok("tournament resume cup --quiet");
    assert_eq!(bench.text("cup/extension-1/games.jsonl"), before, "as it was");
    verify(&bench, "cup");
    // The head of the whole is the head of its last part, and earlier heads are known, too.
    for folder in ["cup", "cup/extension-1", "cup/extension-2"] {
        let head = bench.ok(&format!("head {folder}"));
        bench.ok(&format!("verify cup --head {}", head.trim()));
    }
    let shown = bench.line("show cup");
    assert!(shown.stderr.contains("`cup/extension-1` is the next one"), "{shown:?}");
}

/// A plan that was written by hand: it must begin with the deal after those that were begun, and
/// nobody who was out may come back.
#[test]
fn a_forged_extension_is_found() {
    let bench = Bench::new();
    let bad = format!("bad={}", bench.faulty("crash"));
    play_cup(&bench, "cup", 6, &format!("random greedy {}", bench.bad("bad", "crash")));
    cut(&bench, "cup", 14);
    extend(&bench, "");
    // The events before the extension are shown, too.
    let status = bench.ok("tournament status cup");
    let (_, before) = status.split_once("\nbefore that, in `cup`: ").expect("it");
    assert!(before.contains("bad: disqualified after game "), "{status}");
    assert!(before.contains("bad: forfeited 8 games"), "{status}");
    let part = "cup/extension-1";
    let header = header(&bench, part);
    assert_eq!(header["players"].as_array().map(Vec::len), Some(2), "`bad` was out");
    verify(&bench, "cup");
    let plan = bench.text("cup/extension-1/plan.toml");
    let first = header["tournament"]["schedule"]["first_deal"].to_string();
    let later = plan.replace(&format!("first-deal = {first}"), "first-deal = 40");
    assert_ne!(later, plan);
    let back = format!("{plan}\n[[bots]]\nname = \"bad\"\ncommand = {:?}\n", &bad["bad=".len()..]);
    for (forged, why) in [
        // Its list of bots is the same as in its log, so that only the deals are wrong.
        (later, "does not begin with the next deal"),
        (back, "has the bot `bad`, which was disqualified before it"),
    ] {
        for file in ["games.jsonl", "standings.json"] {
            fs::remove_file(bench.path(part).join(file)).expect("it was over");
        }
        bench.write("cup/extension-1/plan.toml", forged);
        // An extension that was only planned counts for nothing.
        let status = bench.ok("tournament status cup");
        assert!(!status.contains("an extension"), "{status}");
        bench.line("tournament resume cup --quiet");
        bench.line("verify cup").assert_refused(3, &[why]);
    }
}

#[test]
fn impossible_extensions_are_refused() {
    let bench = broken_off(2, 3);
    play_cup(&bench, "gauntlet", 2, &format!("--format gauntlet {BOTS}"));
    play_cup(&bench, "sprt", 2, "--sprt elo0=0,elo1=50 random greedy");
    bench.ok(&format!("tournament plan planned --game coup --deals 2 --shards 2 --quiet {BOTS}"));
    bench.ok("tournament run-shard planned --shard 0 --quiet");
    let unknown = bench.line("tournament extend cup --without ann");
    unknown.assert_refused(2, &["unknown bot `ann`", "random, greedy, mine"]);
    let keeps = format!("cup --seed {OTHER_SEED}");
    for (words, why) in [
        ("nowhere", "no tournament in `nowhere`"),
        ("cup --without random --without greedy", "1 bot for"),
        (&*keeps, "an unfinished tournament keeps its seed"),
        ("cup --time-limit random=1s", "limits need a new bot"),
        ("cup --time-limit 1s", "limits need a new bot"),
        (
            "cup --time-limit random=1s other=random",
            "limit for unknown bot `random`: use one of other",
        ),
        ("gauntlet --deals 1 --without random", "`random` is the gauntlet challenger"),
        ("sprt --deals 1", "a sequential test cannot be extended"),
        ("planned/shards/0 --deals 1", "cannot extend a shard"),
    ] {
        bench.refuses(&format!("tournament extend {words} --quiet"), why);
    }
    assert!(!bench.path("cup/extension-1").exists(), "nothing was written");
}
