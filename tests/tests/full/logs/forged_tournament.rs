//! The header of a tournament's log, edited and given a new chain: what no game shows is found by
//! the plan beside it, and where that was edited as well, by the head alone.

use std::fs;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::{chain, tournament};

/// Something in the header that is changed, and by what that is found.
struct Edit {
    what: &'static str,
    edit: fn(&mut Value),
    by: FoundBy,
}

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
    play(&bench, words);
    check_in(&bench, "cup", edits);
}

/// Plays a tournament of Coup with these words.
fn play(bench: &Bench, words: &[&str]) {
    let faulty = bench.faulty("crash");
    let words = words.iter().map(|word| word.replace("FAULTY", &faulty));
    let head = ["tournament", "--game=coup", "--dir=cup", "--quiet", "--seed", tournament::SEED];
    bench.succeed(head.into_iter().map(str::to_owned).chain(words));
}

/// Applies edits to the log of the tournament in this folder.
fn check_in(bench: &Bench, folder: &str, edits: &[Edit]) {
    let published = bench.succeed(["head", folder]);
    let games = format!("{folder}/games.jsonl");
    let log = bench.path(&games);
    let contents = chain::contents(&fs::read_to_string(&log).expect("a log"));
    for Edit { what, edit, by } in edits {
        let mut header: Value = serde_json::from_str(&format!("{}}}", contents[0])).expect("JSON");
        let before = header.clone();
        edit(&mut header);
        assert_ne!(before, header, "{what}: nothing was changed");
        let mut forged = contents.clone();
        forged[0] = spelt(&header);
        fs::write(&log, chain::chain(&forged)).expect("it is ours");
        let alone = bench.run(["verify", &games]);
        let case = format!("{what}: {alone:?}");
        match by {
            Games(says) => alone.assert_refused(3, &[says]),
            Plan => {
                assert_eq!(alone.code, Some(0), "{case}");
                let whole = bench.run(["verify", folder]);
                whole.assert_refused(3, &["its log contradicts its plan: its schedule"]);
                let pages = bench.run(["report", folder, "-o", "pages"]);
                pages.assert_refused(3, &["its log contradicts its plan: its schedule"]);
            }
        }
        let words = ["verify", &games, "--head", published.trim()];
        assert_eq!(bench.run(words).code, Some(3), "{case}");
    }
}

/// A line without its last brace, spelt as lines are: keys that are added here come in their place.
fn spelt(line: &Value) -> String {
    let line: record::Line = serde_json::from_value(line.clone()).expect("a line");
    let text = serde_json::to_string(&line).expect("a line has a text");
    text.strip_suffix('}').unwrap_or(&text).to_owned()
}

fn schedule(header: &mut Value) -> &mut Value {
    &mut header["header"]["tournament"]["schedule"]
}

fn share(header: &mut Value) -> &mut Value {
    &mut header["header"]["tournament"]["disqualify_after"]
}

fn remove(header: &mut Value, key: &str) {
    header["header"]["tournament"].as_object_mut().expect("an object").remove(key);
}

#[test]
fn forged_pairings_are_found_if_they_change_a_game() {
    let edits = [
        Edit {
            what: "as many tables as there are",
            edit: |header| schedule(header)["tables"] = json!(3),
            by: Games("line 1 draws 3 tables for each deal, expected fewer than there are"),
        },
        Edit {
            what: "more tables than there are",
            edit: |header| schedule(header)["tables"] = json!(99),
            by: Games("line 1 draws 99 tables for each deal"),
        },
        Edit {
            what: "fewer tables",
            edit: |header| schedule(header)["tables"] = json!(2),
            by: Games("line 1 has 24 games, but its schedule has 16"),
        },
        Edit {
            what: "a gauntlet",
            edit: |header| schedule(header)["format"] = json!("gauntlet"),
            by: Games("line 1 has 24 games"),
        },
        Edit {
            what: "a list of all tables",
            edit: |header| {
                schedule(header)["format"] = json!("listed");
                schedule(header)["listed"] = json!([[0, 1], [0, 2], [1, 2]]);
            },
            by: Plan,
        },
        Edit {
            what: "a list of other tables",
            edit: |header| {
                schedule(header)["format"] = json!("listed");
                schedule(header)["listed"] = json!([[0, 1], [1, 2], [0, 2]]);
            },
            by: Games("game"),
        },
        Edit {
            what: "a list without a format",
            edit: |header| schedule(header)["listed"] = json!([[0, 1], [1, 2], [0, 2]]),
            by: Games("line 1 has a schedule with listed tables need the format"),
        },
        Edit {
            what: "another deal",
            edit: |header| schedule(header)["deals"] = json!(5),
            by: Games("line 1 has 24 games"),
        },
        Edit {
            what: "a sequential test needs two bots",
            edit: |header| {
                header["header"]["tournament"]["sprt"] =
                    json!("elo0=0,elo1=10,alpha=0.05,beta=0.05");
            },
            by: Games("line 1 has a sequential test"),
        },
        Edit {
            what: "all orders of two seats, which are the rotations",
            edit: |header| schedule(header)["orders"] = json!("all"),
            by: Plan,
        },
    ];
    check(&["--deals", "4", "random", "greedy", "other=random"], &edits);
}

#[test]
fn forged_rules_for_an_early_end_are_found_if_they_change_a_game() {
    let edits = [
        Edit {
            what: "another share with the same end",
            edit: |header| share(header)["percent"] = json!(26),
            by: Plan,
        },
        Edit {
            what: "no fault allowed, with the same end",
            edit: |header| share(header)["percent"] = json!(0),
            by: Plan,
        },
        Edit {
            what: "a share that nobody exceeds",
            edit: |header| share(header)["percent"] = json!(100),
            by: Games("where game"),
        },
        Edit {
            what: "more games before anybody is out",
            edit: |header| share(header)["games"] = json!(20),
            by: Games("where game"),
        },
        Edit {
            what: "no share",
            edit: |header| remove(header, "disqualify_after"),
            by: Games("where game"),
        },
    ];
    check(&["--deals", "9", "bad=FAULTY", "greedy", "random"], &edits);
    let edits = [
        Edit {
            what: "no share, where nobody has a fault",
            edit: |header| remove(header, "disqualify_after"),
            by: Plan,
        },
        Edit {
            what: "more games, where nobody has a fault",
            edit: |header| share(header)["games"] = json!(9),
            by: Plan,
        },
    ];
    check(&["--deals", "2", "greedy", "random"], &edits);
}

#[test]
fn a_test_of_two_bots_is_found_where_it_ends_at_another_game() {
    let edits = [
        Edit {
            what: "another hypothesis with the same end",
            edit: |header| {
                header["header"]["tournament"]["sprt"] =
                    json!("elo0=0,elo1=100.5,alpha=0.05,beta=0.05");
            },
            by: Plan,
        },
        Edit {
            what: "two bots as a gauntlet",
            edit: |header| schedule(header)["format"] = json!("gauntlet"),
            by: Plan,
        },
        Edit {
            what: "a hypothesis that takes longer",
            edit: |header| {
                header["header"]["tournament"]["sprt"] =
                    json!("elo0=0,elo1=1,alpha=0.05,beta=0.05");
            },
            by: Games("ends after"),
        },
        Edit { what: "no test", edit: |header| remove(header, "sprt"), by: Games("ends after") },
    ];
    check(&["--deals", "200", "--sprt", "elo0=0,elo1=100", "greedy", "random"], &edits);
}

#[test]
fn a_shard_is_found_where_it_has_other_games() {
    let edits = [
        Edit {
            what: "one of more shards with the same tables",
            edit: |header| schedule(header)["shard"] = json!("0/3"),
            by: Plan,
        },
        Edit {
            what: "another shard",
            edit: |header| schedule(header)["shard"] = json!("1/2"),
            by: Games("line 1 has 2 games, but its schedule has 4"),
        },
        Edit {
            what: "a whole tournament",
            edit: |header| drop(schedule(header).as_object_mut().map(|it| it.remove("shard"))),
            by: Games("line 1 has 2 games, but its schedule has 6"),
        },
    ];
    let bench = Bench::new();
    let plan = ["tournament", "plan", "cup", "--game", "coup", "--deals", "3", "--shards", "2"];
    bench.succeed([&plan[..], &["--quiet", "greedy", "random"]].concat());
    bench.succeed(["tournament", "run-shard", "cup", "--shard", "0", "--quiet"]);
    check_in(&bench, "cup/shards/0", &edits);
}

/// With the plan and the header edited alike, the head is all that tells.
#[test]
fn if_the_plan_is_edited_as_well_only_the_head_tells() {
    let bench = Bench::new();
    let words = ["tournament", "--game", "coup", "--dir", "cup", "--quiet", "--deals", "2"];
    bench.succeed([&words[..], &["greedy", "random"]].concat());
    let published = bench.succeed(["head", "cup"]);
    for (file, before, after) in [
        ("cup/plan.toml", "disqualify-after = \"25%\"", "disqualify-after = \"26%\""),
        ("cup/games.jsonl", "\"percent\":25", "\"percent\":26"),
    ] {
        let text = fs::read_to_string(bench.path(file)).expect("a text");
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
        let plan = fs::read_to_string(bench.path("cup/plan.toml")).expect("a plan");
        assert!(!plan.contains("tables ="), "{plan}");
        let header = &tests::log::lines(&bench.path("cup/games.jsonl"))[0]["header"];
        assert_eq!(header["tournament"]["schedule"].get("tables"), None, "{header}");
    }
}
