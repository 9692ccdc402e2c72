//! The end of a log, and the games that count.

use std::fs;

use rules::{GameRecord, Outcome};
use serde_json::Value;
use tests::chain;

use tests::bench::Bench;
use tests::texts::assert_says;

use super::tools::{content, count, examples, files, game_of, read, run, succeed, value};

/// As a crash leaves it, or a match that is still played: whole games, and perhaps a torn line.
#[test]
fn an_unfinished_log_is_reported_as_such() {
    let bench = Bench::new();
    let text = read(examples("matches/durak.jsonl"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let whole = lines[..3].concat();
    for (name, log) in [("whole", whole.clone()), ("torn", whole + &lines[3][..40])] {
        let log = bench.write("log.jsonl", log);
        let folder = bench.path(name);
        let said = succeed(&bench, &log, &folder);
        assert!(said.ends_with(": 2 games, unfinished\n"), "{said}");
        let page = read(folder.join("index.html"));
        assert!(page.contains("unfinished") && page.contains("2 of 3 games so far"), "{page}");
        assert!(page.contains("revealed at the end"), "{page}");
        assert_eq!(count(&folder.join("data/games-0.js")), 2);
    }
    // Nothing but a header: a report without games.
    let log = bench.write("begun.jsonl", lines[0]);
    let said = succeed(&bench, &log, &bench.path("begun"));
    assert!(said.ends_with(": 0 games, unfinished\n"), "{said}");
    // It is logs that are not finished, and not games.
    bench.write("all", &text);
    for (logs, told) in [
        (&["all", "log.jsonl"][..], "5 games, 1 of 2 logs is unfinished"),
        (&["all", "log.jsonl", "begun.jsonl"], "5 games, 2 of 3 logs are unfinished"),
    ] {
        let said = bench.succeed([&["report"], logs, &["-o", "pages"]].concat());
        assert!(said.ends_with(&format!(": {told}\n")), "{said}");
    }
}

/// The seed is in the plan of a tournament that is still played, and in no report of it.
#[test]
fn no_page_shows_the_seed_of_an_unfinished_tournament() {
    let bench = Bench::new();
    let cup = bench.path("cup");
    fs::create_dir(&cup).expect("a folder");
    let source = examples("tournaments/coup");
    for file in ["plan.toml", "entrants.json"] {
        fs::copy(source.join(file), cup.join(file)).expect("a copy");
    }
    let games = read(source.join("games.jsonl"));
    let begun: String = games.split_inclusive('\n').take(20).collect();
    fs::write(cup.join("games.jsonl"), begun).expect("the folder is ours");
    let plan = read(cup.join("plan.toml"));
    let seed = plan.lines().find_map(|line| line.strip_prefix("seed = ")).expect("a seed");
    let seed = seed.trim_matches(['"', '\'']);
    let folder = bench.path("report");
    let said = succeed(&bench, &cup, &folder);
    assert!(said.ends_with(": 19 games, unfinished\n"), "{said}");
    for file in files(&folder) {
        assert!(!read(folder.join(&file)).contains(seed), "{file} tells the seed");
    }
    // While a run holds the lock, more games are to come.
    let lock = fs::File::create(cup.join("lock")).expect("the folder is ours");
    lock.lock().expect("nobody else has it");
    succeed(&bench, &cup, &folder);
    assert_says(&read(folder.join("index.html")), &["running", "19 of 180 games so far"]);
    drop(lock);
    // A log of another plan makes no report.
    fs::write(cup.join("plan.toml"), plan.replace("deals = 30", "deals = 31")).expect("ours");
    run(&bench, &cup, &bench.path("new")).assert_refused(3, &["its log contradicts"]);
}

/// A game that counts although a busy machine may have decided it.
#[test]
fn suspect_games_are_marked() {
    let bench = Bench::new();
    let log = bench.path("log");
    let late = format!("late={}", bench.faulty("sleep"));
    let words = ["match", "--game", "durak", "--quiet", "--log=log", "--time-limit", "200ms"];
    bench.succeed([&words[..], &[&late, "random"]].concat());
    let mut lines = chain::contents(&read(&log));
    let mut game = game_of(&lines[1]);
    let last = game.measured.last_mut().expect("an answer");
    (last.cpu_ms, last.waited_ms) = (Some(1.0), Some(150.0));
    lines[1] = content(game);
    let log = bench.write("suspect.jsonl", chain::chain(&lines));
    let folder = bench.path("report");
    succeed(&bench, &log, &folder);
    assert_eq!(value(&folder.join("data/list-0.js"))[0]["suspect"], true);
    assert_says(&read(folder.join("index.html")), &["suspect game", "timeout"]);
}

/// A game that does not count is there, and marked.
#[test]
fn void_games_are_marked() {
    let bench = Bench::new();
    let mut lines = chain::contents(&read(examples("matches/durak.jsonl")));
    lines.truncate(2);
    let mut game = game_of(&lines[1]);
    // A game may break off wherever the machine failed.
    game.inputs.clear();
    game.events.clear();
    game.measured.clear();
    game.result = Outcome::Void { reason: "the <i>machine</i> failed".to_owned() };
    lines.truncate(1);
    for attempt in 0..4 {
        lines.push(content(GameRecord { attempt, ..game.clone() }));
    }
    let log = bench.write("void.jsonl", chain::chain(&lines));
    let folder = bench.path("report");
    let said = succeed(&bench, &log, &folder);
    assert!(said.ends_with(": 0 games, unfinished\n"), "{said}");
    let rows = value(&folder.join("data/list-0.js"));
    let statuses: Vec<&Value> =
        rows.as_array().expect("rows").iter().map(|row| &row["sequel"]).collect();
    assert_eq!(statuses, ["again", "again", "again", "stops"], "{rows}");
    assert_says(&read(folder.join("index.html")), &["abandoned after repeated void attempts"]);
}

/// The standings of a part count the earlier ones, and what is in its list are its own games.
#[test]
fn a_later_part_leads_to_its_own_games_alone() {
    let bench = Bench::new();
    bench.ok("tournament --game coup --dir cup --deals 2 --quiet random greedy gone=random");
    bench.ok("tournament extend cup --quiet --deals 1 --without gone");
    bench.succeed(["report", "cup", "-o", "report"]);
    let [first, second] = ["1", "2"].map(|part| bench.path("report/logs").join(part));
    let links = |page: &str| {
        let (scores, _) = page.split_once("Probability of being stronger").expect("a crosstable");
        scores.matches("href=\"#games&amp;bot=").count()
    };
    let (before, after) = (read(first.join("index.html")), read(second.join("index.html")));
    // Of three bots, and of two.
    assert_eq!((links(&before), links(&after)), (6, 2), "{after}");
    let earlier = "The standings include earlier parts";
    assert!(!before.contains(earlier) && after.contains(earlier), "{after}");
    let bot = read(second.join("bots/1.html"));
    let (_, gone) = bot.split_once(">gone</th>").expect("a row");
    let (gone, _) = gone.split_once("</tr>").expect("its end");
    assert!(gone.contains(">4</td>") && !gone.contains("<a"), "a number without a link: {gone}");
    assert!(bot.contains("&amp;against=1\">6</a>"), "{bot}");
}
