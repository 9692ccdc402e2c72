//! Refused submissions and disqualified bots.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::texts::assert_says;
use tests::tournament;

use super::tools::{examples, files, read, run, succeed, value};

/// A copy of the tournament of the examples, from which these were refused.
fn refusing(bench: &Bench, refused: &Value) -> PathBuf {
    let (source, cup) = (examples("tournaments/coup"), bench.path("cup"));
    fs::create_dir(&cup).expect("a folder");
    for file in ["plan.toml", "games.jsonl", "standings.json"] {
        fs::copy(source.join(file), cup.join(file)).expect("a copy");
    }
    let mut entrants: Value =
        serde_json::from_str(&read(source.join("entrants.json"))).expect("JSON");
    entrants["refused"] = refused.clone();
    fs::write(cup.join("entrants.json"), entrants.to_string()).expect("the folder is ours");
    cup
}

fn section<'a>(page: &'a str, id: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("<section id=\"{id}\"")).expect("a section");
    rest.split_once("</section>").expect("its end").0
}

/// The name of a submission and the reason for its refusal are texts of strangers.
#[test]
fn refused_submissions_are_listed_with_the_reason() {
    let bench = Bench::new();
    let refused = json!([
        {"folder": "handed-in/late", "why": "bot `late` failed the check at `starts`",
         "report": "handed-in/late.report.txt"},
        {"folder": "<b>evil</b>\u{1b}[2J", "why": "<script>document.title=1</script>\u{202e}"},
    ]);
    let cup = refusing(&bench, &refused);
    bench.succeed([Path::new("verify"), &cup]);
    let folder = bench.path("report");
    succeed(&bench, &cup, &folder);
    let page = read(folder.join("index.html"));
    assert_says(&page, &["<dt>rejected submissions</dt><dd>2</dd>", "href=\"#out\""]);
    let told = section(&page, "out");
    for text in [
        ">Rejected submissions<",
        ">handed-in/late<",
        "bot `late` failed the check at `starts`",
        "handed-in/late.report.txt",
        "&lt;b&gt;evil",
        "&lt;script&gt;",
    ] {
        assert!(told.contains(text), "{text} in {told}");
    }
    for raw in ["<b>evil", "<script>document", "\u{1b}", "\u{202e}"] {
        assert!(!page.contains(raw), "{raw:?} in {page}");
    }
    // Nothing is read beside the folder of the tournament.
    assert!(
        files(&folder)
            .iter()
            .all(|file| !file.contains("report.txt") || file == "arbiter-report.txt")
    );
    // The page does not mention submissions if all were entered.
    let plain = bench.path("plain");
    succeed(&bench, &examples("tournaments/coup"), &plain);
    let page = read(plain.join("index.html"));
    assert!(!page.contains("id=\"out\"") && !page.contains("rejected submission"), "{page}");
    fs::remove_dir_all(&cup).expect("it is ours");
    let refused = run(&bench, &refusing(&bench, &json!([{"folder": 1}])), &bench.path("none"));
    refused.assert_refused(3, &["its entrants.json does not list the bots of its log"]);
}

#[test]
fn disqualified_bots_are_listed_and_marked() {
    let bench = Bench::new();
    let quits = format!("quits={}", bench.faulty("silent"));
    let words = ["tournament", "--game", "coup", "--dir", "cup", "--deals", "6", "--quiet"];
    let seed = ["--seed", tournament::SEED];
    bench.succeed([&words[..], &seed, &["random", "greedy", &quits]].concat());
    let folder = bench.path("report");
    succeed(&bench, &bench.path("cup"), &folder);
    // It is out once it has played 8 games, all of them with a fault.
    let games = tests::log::games(&bench.path("cup/games.jsonl"));
    let of = games.iter().filter(|game| game["seats"].to_string().contains("quits"));
    let played: Vec<u64> = of.filter_map(|game| game["number"].as_u64()).collect();
    assert_eq!(played.len(), 8, "{played:?}");
    let last = played[7];

    let page = read(folder.join("index.html"));
    assert_says(&page, &["<dt>disqualified bot</dt><dd>1</dd>", "<dt>skipped games</dt>"]);
    let told = section(&page, "out");
    assert!(told.contains(">Disqualified bots<") && told.contains("more than 25%"), "{told}");
    let row = format!(
        "<td><a href=\"game.html#game={last}\">{last}</a></td><td>8</td><td class=\"fault\">8</td>\
         <td class=\"word wide\">no-answer 8</td>"
    );
    assert!(told.contains(&row), "{row} in {told}");
    let standings = section(&page, "standings");
    let marked: Vec<&str> =
        standings.split("<tr>").filter(|row| row.contains("disqualified")).collect();
    assert!(!marked.is_empty() && marked.iter().all(|row| row.contains(">quits<")), "{standings}");
    let bot = read(folder.join("bots/3.html"));
    assert!(
        bot.contains(&format!("../game.html#game={last}")) && bot.contains(">disqualified<"),
        "{bot}"
    );
    assert!(!read(folder.join("bots/1.html")).contains(">disqualified<"));
    // A bot that lost by a fault is not the winner, at any seat.
    let rows = value(&folder.join("data/list-0.js"));
    let rows = rows.as_array().expect("rows").iter();
    let faulty: Vec<&Value> = rows.filter(|row| row["ending"] == "walkover").collect();
    assert!(faulty.len() >= 8, "{faulty:?}");
    for row in faulty {
        let at = row["seats"].as_array().expect("seats").iter().position(|place| *place == 2);
        if let Some(at) = at {
            assert_eq!(
                (&row["places"][at], &row["places"][1 - at]),
                (&json!(2), &json!(1)),
                "{row}"
            );
        }
    }
}
