//! `arbiter report`: what is in the folder, what is refused, and that nothing a stranger wrote does
//! anything there.

mod entrants;
mod progress;
mod replaced;
mod strangers;
mod tools;

use std::path::Path;

use serde_json::Value;
use tests::bench::Bench;
use tests::log::completed;
use tests::texts::assert_says;

use tools::{count, examples, files, read, succeed, value};

/// The files of a report of 180 games of three bots.
const FILES: &str = "arbiter-report.txt assets/answer.js assets/art.css assets/cards.js assets/ceremony.css \
    assets/ceremony.js assets/contest.js assets/coup.js assets/durak.js assets/edges.js assets/felt.css \
    assets/felt.js assets/games.js assets/graph.js assets/motion.js assets/notes.js assets/own.js \
    assets/report.css assets/report.js assets/stages.css assets/steps.js assets/style.css \
    assets/tablic.js assets/view.js assets/viewer.css assets/viewer.js bots/1.html bots/2.html \
    bots/3.html data/games-0.js data/games-1.js data/index.js data/list-0.js data/list-1.js \
    data/standings.json game.html index.html";

#[test]
fn a_report_is_one_folder() {
    let bench = Bench::new();
    let folder = bench.path("report");
    let said = succeed(&bench, &examples("tournaments/coup"), &folder);
    assert_eq!(said, format!("{}/index.html: 180 games\n", folder.display()));
    let expected: Vec<&str> = FILES.split_whitespace().collect();
    assert_eq!(files(&folder), expected);
    let index = value(&folder.join("data/index.js"));
    assert_eq!((&index["games"], &index["page"]), (&180.into(), &100.into()), "{index}");
    let games: usize =
        [0, 1].map(|piece| count(&folder.join(format!("data/games-{piece}.js")))).iter().sum();
    let rows: usize =
        [0, 1].map(|page| count(&folder.join(format!("data/list-{page}.js")))).iter().sum();
    assert_eq!((games, rows), (180, 180));
    // Nothing leads out of the folder, and no script stands in a page.
    for file in expected.iter().filter(|file| file.ends_with(".html")) {
        let page = read(folder.join(file));
        assert!(page.contains("Content-Security-Policy"), "{file}");
        for outside in ["=\"http", "=\"//", "url("] {
            assert!(!page.replace("url(#", "").contains(outside), "{outside} in {file}");
        }
        assert!(!page.contains("<script>"), "{file}");
    }
}

#[test]
fn the_standings_are_those_of_the_command() {
    let bench = Bench::new();
    let (source, folder) = (examples("tournaments/coup"), bench.path("report"));
    succeed(&bench, &source, &folder);
    let source = source.to_str().expect("a path in UTF-8");
    let json = bench.succeed(["tournament", "standings", source, "--format", "json"]);
    assert_eq!(read(folder.join("data/standings.json")), json);
    // The proof of the log stands on the first page.
    let page = read(folder.join("index.html"));
    let verified = bench.succeed(["verify", source]);
    let head = verified.trim_end().rsplit(' ').next().expect("a head");
    let header = tests::log::lines(&examples("tournaments/coup/games.jsonl"));
    let commitment = header[0]["header"]["commitment"].as_str().expect("a commitment");
    assert_says(&page, &[head, commitment, "arbiter verify ", "arbiter tournament standings "]);
}

/// The steps of every example hold its history, and all that a log holds of answers.
#[test]
fn steps_are_those_of_the_log() {
    let bench = Bench::new();
    for name in ["tablic-2-seats", "tablic-4-seats-one-out", "coup", "coup-classic", "durak"] {
        let (log, folder) = (examples(&format!("matches/{name}.jsonl")), bench.path(name));
        succeed(&bench, &log, &folder);
        let shown = value(&folder.join("data/games-0.js"));
        let logged = tests::log::games(&log);
        assert_eq!(shown.as_array().map(Vec::len), Some(logged.len()), "{name}");
        for (shown, logged) in shown.as_array().expect("games").iter().zip(&logged) {
            let shown = completed(shown.clone());
            let steps = shown["steps"].as_array().expect("steps");
            let events = steps.iter().flat_map(|step| step["events"].as_array()).flatten();
            let full = events.map(|event| event.get(0).unwrap_or(event).clone());
            assert_eq!(full.collect::<Vec<_>>(), *logged["events"].as_array().expect("events"));
            let answers: Vec<&Value> = steps.iter().filter_map(|step| step.get("answer")).collect();
            let inputs = logged["inputs"].as_array().expect("inputs").iter();
            let inputs: Vec<&Value> = inputs.filter_map(|input| input.get("answer")).collect();
            assert_eq!(answers.len(), inputs.len());
            // Moves are numbered as in requests, from 0; nothing but a second chance has the number
            // of the one before.
            let numbers: Vec<u64> =
                answers.iter().map(|answer| answer["move"].as_u64().expect("a number")).collect();
            assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{name}: {numbers:?}");
            for (answer, (input, measured)) in answers
                .iter()
                .zip(inputs.iter().zip(logged["measured"].as_array().expect("measured")))
            {
                for part in [input, measured] {
                    for (key, value) in part.as_object().expect("an object") {
                        assert_eq!(&answer[key], value, "{key} of {answer}");
                    }
                }
            }
        }
    }
}

/// A secret of another seat appears only in the full form of an event and in the parts for its
/// owner.
#[test]
fn secrets_of_each_seat_are_kept_apart() {
    let bench = Bench::new();
    let folder = bench.path("report");
    succeed(&bench, &examples("matches/tablic-2-seats.jsonl"), &folder);
    let games = value(&folder.join("data/games-0.js"));
    let steps = games[0]["steps"].as_array().expect("steps");
    let dealt = steps.iter().position(|step| step["events"][0].is_array()).expect("a secret deal");
    let event = &steps[dealt]["events"][0];
    assert_eq!(event[1], 0, "dealt to seat 0: {event}");
    assert_eq!(event[2], "deal 0 ?? ?? ?? ?? ?? ??", "what the others saw");
    let hand = event[0].as_str().expect("text").strip_prefix("deal 0 ").expect("a deal");
    assert_eq!(steps[dealt]["own"]["0"]["0"], format!("hand {hand}"));
    assert!(!steps[dealt]["all"].to_string().contains(hand), "{}", steps[dealt]);
    assert!(steps[dealt]["own"].get("1").is_none(), "{}", steps[dealt]);
}

#[test]
fn several_sources_make_one_report() {
    let bench = Bench::new();
    let folder = bench.path("report");
    let sources = ["tournaments/coup", "matches/durak.jsonl"].map(examples);
    let words = [Path::new("report"), &sources[0], &sources[1], Path::new("-o"), &folder];
    bench.run(words).with_code(0);
    let first = read(folder.join("index.html"));
    for place in ["1", "2"] {
        let page = format!("logs/{place}/index.html");
        assert!(first.contains(&page), "{first}");
        assert_says(&read(folder.join(page)), &["../../assets/style.css"]);
        let bot = read(folder.join(format!("logs/{place}/bots/1.html")));
        assert!(bot.contains("../../../assets/style.css"), "{bot}");
    }
    assert!(folder.join("assets/viewer.js").is_file());
}
