//! The header of a tournament's log, edited and given a new chain: what no game shows is found by
//! the plan beside it, and where that was edited as well, by the head alone.

use std::fs;

use serde_json::Value;
use tests::bench::Bench;
use tests::{chain, tournament};

/// Keys of the header's `tournament` that are changed, with their new values in JSON, or removed where there is none; and
/// by what that is found.
type Edit = (&'static str, &'static [(&'static str, &'static str)], FoundBy);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FoundBy {
    /// Deriving the log again, in a line that says this.
    Games(&'static str),
    /// The plan in its folder.
    Plan,
}
use FoundBy::{Games, Plan};

/// Applies edits to the log of a tournament of Coup that was played with these words.
fn check(words: &[&str], edits: &[Edit]) {
    let bench = Bench::new();
    let faulty = bench.faulty("crash");
    let words = words.iter().map(|word| word.replace("FAULTY", &faulty));
    let head = ["tournament", "--game=coup", "--dir=cup", "--quiet", "--seed", tournament::SEED];
    bench.succeed(head.into_iter().map(str::to_owned).chain(words));
    check_in(&bench, "cup", edits);
}

/// Applies edits to the log of the tournament in this folder.
fn check_in(bench: &Bench, folder: &str, edits: &[Edit]) {
    let published = bench.succeed(["head", folder]);
    let games = format!("{folder}/games.jsonl");
    let log = bench.path(&games);
    let contents = chain::contents(&fs::read_to_string(&log).expect("a log"));
    for (what, values, by) in edits {
        let mut header: Value = serde_json::from_str(&format!("{}}}", contents[0])).expect("JSON");
        let before = header.clone();
        values.iter().for_each(|(path, value)| set(&mut header, path, value));
        assert_ne!(before, header, "{what}: nothing was changed");
        let mut forged = contents.clone();
        forged[0] = spelt(header);
        fs::write(&log, chain::chain(&forged)).expect("it is ours");
        let alone = bench.run(["verify", &games]);
        match by {
            Games(says) => {
                alone.assert_refused(3, &[says]);
                let words = ["verify", &games, "--head", published.trim()];
                assert_eq!(bench.run(words).code, Some(3), "{what}");
            }
            Plan => {
                assert_eq!(alone.code, Some(0), "{what}: {alone:?}");
                let says = ["its log contradicts its plan: its schedule"];
                bench.run(["verify", folder]).assert_refused(3, &says);
                bench.run(["report", folder, "-o", "pages"]).assert_refused(3, &says);
                let words = ["verify", &games, "--head", published.trim()];
                assert_eq!(bench.run(words).code, Some(3), "{what}");
            }
        }
    }
}

fn set(header: &mut Value, path: &str, value: &str) {
    let (parent, key) = path.rsplit_once('/').expect("a path");
    let parent = header.pointer_mut(&format!("/header/tournament{parent}")).expect("it is there");
    let parent = parent.as_object_mut().expect("an object");
    match value {
        "" => drop(parent.remove(key)),
        _ => drop(parent.insert(key.to_owned(), serde_json::from_str(value).expect("JSON"))),
    }
}

/// A line without its last brace, spelt as lines are: keys that are added here come in their place.
fn spelt(line: Value) -> String {
    let line: record::Line = serde_json::from_value(line).expect("a line");
    let text = serde_json::to_string(&line).expect("a line has a text");
    text.strip_suffix('}').unwrap_or(&text).to_owned()
}

const FORMAT: &str = "/schedule/format";
const TABLES: &str = "/schedule/tables";
const LISTED: &str = "/schedule/listed";
const PERCENT: &str = "/disqualify_after/percent";
const LEAST: &str = "/disqualify_after/games";
const SHARE: &str = "/disqualify_after";
const TEST: &str = "/sprt";

const LISTED_WORD: &str = "\"listed\"";
const ALL: &str = "[[0,1],[0,2],[1,2]]";
const OTHER: &str = "[[0,1],[1,2],[0,2]]";
const TEN: &str = "\"elo0=0,elo1=10,alpha=0.05,beta=0.05\"";

#[test]
fn forged_pairings_are_found_if_they_change_a_game() {
    let three =
        "line 1 draws 3 tables for each deal, expected fewer than the number of possible tables";
    let no_list = "line 1 has an invalid schedule: listed tables need the format";
    let edits: [Edit; 10] = [
        ("as many tables as there are", &[(TABLES, "3")], Games(three)),
        ("more tables", &[(TABLES, "99")], Games("line 1 draws 99 tables for each deal")),
        ("fewer tables", &[(TABLES, "2")], Games("line 1 has 24 games, but its schedule has 16")),
        ("a gauntlet", &[(FORMAT, "\"gauntlet\"")], Games("line 1 has 24 games")),
        ("a list of all tables", &[(FORMAT, LISTED_WORD), (LISTED, ALL)], Plan),
        ("a list of other tables", &[(FORMAT, LISTED_WORD), (LISTED, OTHER)], Games("game")),
        ("a list without a format", &[(LISTED, OTHER)], Games(no_list)),
        ("another deal", &[("/schedule/deals", "5")], Games("line 1 has 24 games")),
        ("a test of three", &[(TEST, TEN)], Games("line 1 has a sequential test")),
        ("all orders of two seats, the rotations", &[("/schedule/orders", "\"all\"")], Plan),
    ];
    check(&["--deals", "4", "random", "greedy", "other=random"], &edits);
}

#[test]
fn forged_rules_for_an_early_end_are_found_if_they_change_a_game() {
    let edits: [Edit; 5] = [
        ("another share with the same end", &[(PERCENT, "26")], Plan),
        ("no fault allowed, with the same end", &[(PERCENT, "0")], Plan),
        ("a share that nobody exceeds", &[(PERCENT, "100")], Games("where game")),
        ("more games before anybody is out", &[(LEAST, "20")], Games("where game")),
        ("no share", &[(SHARE, "")], Games("where game")),
    ];
    check(&["--deals", "9", "bad=FAULTY", "greedy", "random"], &edits);
    let edits: [Edit; 2] = [
        ("no share, where nobody has a fault", &[(SHARE, "")], Plan),
        ("more games, where nobody has a fault", &[(LEAST, "9")], Plan),
    ];
    check(&["--deals", "2", "greedy", "random"], &edits);
}

#[test]
fn a_test_of_two_bots_is_found_where_it_ends_at_another_game() {
    let edits: [Edit; 4] = [
        (
            "another hypothesis with the same end",
            &[(TEST, "\"elo0=0,elo1=100.5,alpha=0.05,beta=0.05\"")],
            Plan,
        ),
        ("two bots as a gauntlet", &[(FORMAT, "\"gauntlet\"")], Plan),
        (
            "a hypothesis that takes longer",
            &[(TEST, "\"elo0=0,elo1=1,alpha=0.05,beta=0.05\"")],
            Games("ends after"),
        ),
        ("no test", &[(TEST, "")], Games("ends after")),
    ];
    check(&["--deals", "200", "--sprt", "elo0=0,elo1=100", "greedy", "random"], &edits);
}

#[test]
fn a_shard_is_found_where_it_has_other_games() {
    let edits: [Edit; 3] = [
        ("one of more shards with the same tables", &[("/schedule/shard", "\"0/3\"")], Plan),
        (
            "another shard",
            &[("/schedule/shard", "\"1/2\"")],
            Games("line 1 has 2 games, but its schedule has 4"),
        ),
        (
            "a whole tournament",
            &[("/schedule/shard", "")],
            Games("line 1 has 2 games, but its schedule has 6"),
        ),
    ];
    let bench = Bench::new();
    bench.ok("tournament plan cup --game coup --deals 3 --shards 2 --quiet greedy random");
    bench.succeed(["tournament", "run-shard", "cup", "--shard", "0", "--quiet"]);
    check_in(&bench, "cup/shards/0", &edits);
}

/// With the plan and the header edited alike, the head is all that tells.
#[test]
fn if_the_plan_is_edited_as_well_only_the_head_tells() {
    let bench = Bench::new();
    bench.ok("tournament --game coup --dir cup --quiet --deals 2 greedy random");
    let published = bench.succeed(["head", "cup"]);
    for (file, before, after) in [
        ("cup/plan.toml", "disqualify-after = \"25%\"", "disqualify-after = \"26%\""),
        ("cup/games.jsonl", "\"percent\":25", "\"percent\":26"),
    ] {
        let text = bench.text(file);
        assert!(text.contains(before), "{file}: {text}");
        let mut text = text.replace(before, after);
        if file.ends_with(".jsonl") {
            text = chain::chain(&chain::contents(&text));
        }
        bench.write(file, text);
    }
    bench.succeed(["verify", "cup"]);
    let ended = bench.run(["verify", "cup", "--head", published.trim()]);
    ended.assert_refused(3, &["head is ", "a different or modified log"]);
}

/// A needless option is not written down, so that it can be told from a forgery.
#[test]
fn as_many_tables_as_there_are_need_no_draw() {
    let bench = Bench::new();
    let words = ["tournament", "--game", "coup", "--quiet", "--deals", "1", "--seed"];
    let words = [&words[..], &[tournament::SEED]].concat();
    let bots = ["random", "greedy", "other=random"];
    for tables in ["3", "99"] {
        let _ = fs::remove_dir_all(bench.path("cup"));
        bench.succeed([&words[..], &["--dir", "cup", "--tables", tables], &bots].concat());
        bench.succeed(["verify", "cup"]);
        let plan = bench.text("cup/plan.toml");
        assert!(!plan.contains("tables ="), "{plan}");
        let header = &tests::log::lines(&bench.path("cup/games.jsonl"))[0]["header"];
        assert_eq!(header["tournament"]["schedule"].get("tables"), None, "{header}");
    }
}
