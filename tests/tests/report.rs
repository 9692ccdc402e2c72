//! `arbiter report`: what is in the folder, what is refused, and that nothing a stranger wrote does
//! anything there.

use std::fs;
use std::path::{Path, PathBuf};

use arbiter::log::Line;
use rules::{GameRecord, Outcome};
use serde_json::Value;
use tests::bench::{Bench, Ended};
use tests::chain;

/// What names the language of a chart, and is fetched by nobody.
const SVG: &str = "xmlns=\"http://www.w3.org/2000/svg\"";

fn examples(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(path)
}

fn bench() -> Bench {
    Bench::new(env!("CARGO_BIN_EXE_faulty"))
}

fn run(bench: &Bench, source: &Path, folder: &Path) -> Ended {
    bench.run([Path::new("report"), source, Path::new("-o"), folder])
}

fn succeed(bench: &Bench, source: &Path, folder: &Path) -> String {
    let ended = run(bench, source, folder);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    ended.stdout
}

/// The files of a folder and below it, by their paths, sorted.
fn files(folder: &Path) -> Vec<String> {
    fn add(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => add(root, &path, found),
                path => {
                    let path = path.strip_prefix(root).expect("below").display().to_string();
                    found.push(path);
                }
            }
        }
    }
    let mut found = Vec::new();
    add(folder, folder, &mut found);
    found.sort();
    found
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).expect("a text")
}

/// The value that a script of data hands over.
fn value(script: &Path) -> Value {
    let text = read(script);
    let (_, call) = text.split_once('(').expect("a call");
    let arguments = call.trim_end().strip_suffix(");").expect("the end of a call");
    let start = arguments.find(['[', '{']).expect("a value");
    serde_json::from_str(&arguments[start..]).expect("JSON")
}

#[test]
fn a_report_is_one_folder() {
    let bench = bench();
    let folder = bench.path("report");
    let said = succeed(&bench, &examples("tournaments/coup"), &folder);
    assert_eq!(said, format!("{}/index.html: 180 games\n", folder.display()));
    let expected = [
        "arbiter-report.txt",
        "assets/answer.js",
        "assets/cards.js",
        "assets/coup.js",
        "assets/durak.js",
        "assets/edges.js",
        "assets/games.js",
        "assets/report.js",
        "assets/steps.js",
        "assets/style.css",
        "assets/tablic.js",
        "assets/view.js",
        "assets/viewer.css",
        "assets/viewer.js",
        "bots/1.html",
        "bots/2.html",
        "bots/3.html",
        "data/games-0.js",
        "data/games-1.js",
        "data/index.js",
        "data/list-0.js",
        "data/list-1.js",
        "data/standings.json",
        "game.html",
        "index.html",
    ];
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
            assert!(!page.replace(SVG, "").contains(outside), "{outside} in {file}");
        }
        assert!(!page.contains("<script>"), "{file}");
    }
}

/// The game in a line of a log without its place in the chain.
fn game_of(content: &str) -> GameRecord {
    match serde_json::from_str(&format!("{content}}}")) {
        Ok(Line::Game(game)) => *game,
        other => unreachable!("{other:?} is no game"),
    }
}

fn content(game: GameRecord) -> String {
    let line = serde_json::to_string(&Line::Game(Box::new(game))).expect("JSON");
    line.strip_suffix('}').expect("an object").to_owned()
}

fn count(script: &Path) -> usize {
    value(script).as_array().expect("a list").len()
}

#[test]
fn the_standings_are_those_of_the_command() {
    let bench = bench();
    let (source, folder) = (examples("tournaments/coup"), bench.path("report"));
    succeed(&bench, &source, &folder);
    let source = source.to_str().expect("a path in UTF-8");
    let json = bench.succeed(["tournament", "standings", source, "--format", "json"]);
    assert_eq!(read(folder.join("data/standings.json")), json);
    // What proves it stands on the first page.
    let page = read(folder.join("index.html"));
    let verified = bench.succeed(["verify", source]);
    let head = verified.trim_end().rsplit(' ').next().expect("a head");
    let header = tests::log::lines(&examples("tournaments/coup/games.jsonl"));
    let commitment = header[0]["header"]["commitment"].as_str().expect("a commitment");
    for text in [head, commitment, "arbiter verify ", "arbiter tournament standings "] {
        assert!(page.contains(text), "{text} is not on the page");
    }
}

/// The steps of every example hold its history, and all that a log holds of answers.
#[test]
fn steps_are_those_of_the_log() {
    let bench = bench();
    for name in ["tablic-2-seats", "tablic-4-seats-one-out", "coup", "coup-classic", "durak"] {
        let (log, folder) = (examples(&format!("matches/{name}.jsonl")), bench.path(name));
        succeed(&bench, &log, &folder);
        let shown = value(&folder.join("data/games-0.js"));
        let logged = tests::log::games(&log);
        assert_eq!(shown.as_array().map(Vec::len), Some(logged.len()), "{name}");
        for (shown, logged) in shown.as_array().expect("games").iter().zip(&logged) {
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

/// What a seat was not told stands nowhere but in the full form of an event and in what is its
/// owner's alone.
#[test]
fn what_each_seat_saw_is_kept_apart() {
    let bench = bench();
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
    let bench = bench();
    let folder = bench.path("report");
    let sources = ["tournaments/coup", "matches/durak.jsonl"].map(examples);
    let words = [Path::new("report"), &sources[0], &sources[1], Path::new("-o"), &folder];
    let ended = bench.run(words);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let first = read(folder.join("index.html"));
    for place in ["1", "2"] {
        let page = format!("logs/{place}/index.html");
        assert!(first.contains(&page), "{first}");
        let page = read(folder.join(page));
        assert!(page.contains("../../assets/style.css"), "{page}");
        let bot = read(folder.join(format!("logs/{place}/bots/1.html")));
        assert!(bot.contains("../../../assets/style.css"), "{bot}");
    }
    assert!(folder.join("assets/viewer.js").is_file());
}

/// A former report is replaced as a whole; nothing else is ever written over.
#[test]
fn only_a_former_report_is_replaced() {
    let bench = bench();
    let folder = bench.path("report");
    let several = ["tournaments/coup", "matches/durak.jsonl"].map(examples);
    bench.succeed([Path::new("report"), &several[0], &several[1], Path::new("-o"), &folder]);
    succeed(&bench, &examples("matches/durak.jsonl"), &folder);
    // Paths need not be absolute, and what a killed run left goes too.
    let left = folder.join(".new-left");
    fs::create_dir(&left).expect("the folder is ours");
    fs::copy(folder.join("arbiter-report.txt"), left.join("arbiter-report.txt")).expect("a copy");
    succeed(&bench, &examples("matches/durak.jsonl"), Path::new("report"));
    let fresh = bench.path("fresh");
    fs::create_dir(&fresh).expect("an empty folder");
    succeed(&bench, &examples("matches/durak.jsonl"), &fresh);
    assert_eq!(files(&folder), files(&fresh), "nothing is left of the former report");

    fs::write(folder.join("mine.txt"), "mine").expect("the folder is ours");
    let before = files(&folder);
    let refused = run(&bench, &examples("tournaments/coup"), &folder);
    refused.assert_refused(2, &["holds `mine.txt` beside a former report"]);
    assert_eq!(files(&folder), before);

    for (name, file) in [("other", "index.html"), ("home", "notes.txt")] {
        let other = bench.path(name);
        fs::create_dir(&other).expect("a folder");
        fs::write(other.join(file), "mine").expect("the folder is ours");
        let refused = run(&bench, &examples("tournaments/coup"), &other);
        refused.assert_refused(2, &["is not empty"]);
        assert_eq!(files(&other), [file]);
        assert_eq!(read(other.join(file)), "mine");
    }
    let refused = run(&bench, &bench.path("nowhere"), &bench.path("new"));
    refused.assert_refused(2, &["there is no log and no folder"]);
    assert!(!bench.path("new").exists());
}

/// The name of a folder in which a report is made may be somebody else's, too.
#[test]
fn a_folder_is_not_removed_for_its_name() {
    let bench = bench();
    let log = examples("matches/durak.jsonl");
    let (photos, report) = (bench.path("photos"), bench.path("report"));
    fs::create_dir_all(photos.join(".new-photos")).expect("a folder");
    succeed(&bench, &log, &report);
    fs::create_dir(report.join(".new-photos")).expect("the folder is ours");
    for folder in [&photos, &report] {
        fs::write(folder.join(".new-photos/a.jpg"), "mine").expect("the folder is ours");
    }
    run(&bench, &log, &photos).assert_refused(2, &["is not empty"]);
    assert_eq!(files(&photos), [".new-photos/a.jpg"]);
    let before = files(&report);
    run(&bench, &log, &report).assert_refused(2, &["holds `.new-photos` beside a former report"]);
    assert_eq!(files(&report), before);
}

/// A link in the place of a folder of ours is no such folder.
#[cfg(unix)]
#[test]
fn what_a_link_leads_to_is_left_alone() {
    let bench = bench();
    let log = examples("matches/durak.jsonl");
    let (mine, report) = (bench.path("mine"), bench.path("report"));
    for folder in [&mine, &report] {
        succeed(&bench, &log, folder);
    }
    let before = files(&mine);
    std::os::unix::fs::symlink(&mine, report.join(".new-link")).expect("a link");
    run(&bench, &log, &report).assert_refused(2, &["holds `.new-link` beside a former report"]);
    fs::remove_file(report.join(".new-link")).expect("the folder is ours");
    // In the place of an entry only the link itself goes.
    fs::remove_dir_all(report.join("data")).expect("the folder is ours");
    std::os::unix::fs::symlink(mine.join("data"), report.join("data")).expect("a link");
    succeed(&bench, &log, &report);
    assert!(!report.join("data").is_symlink());
    assert_eq!((files(&mine), files(&report)), (before.clone(), before));
}

/// A log in which something is wrong makes no report, and an old one stays as it was.
#[test]
fn a_wrong_log_makes_no_report() {
    let bench = bench();
    let text = read(examples("matches/durak.jsonl"));
    let (old, new) = (bench.path("old"), bench.path("new"));
    succeed(&bench, &examples("matches/coup.jsonl"), &old);
    let before = files(&old);
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.len() - 1;
    let without_a_line = [&lines[..2], &lines[3..]].concat().join("\n") + "\n";
    let changed = text.replacen("\"ms\":", "\"ms\":1", 1);
    let doubled = [&lines[..], &lines[last..]].concat().join("\n") + "\n";
    for (name, wrong) in [
        ("changed", changed.as_str()),
        ("without a line", &without_a_line),
        ("doubled", &doubled),
        ("empty", ""),
        ("no log", "hello\n"),
    ] {
        let log = bench.write("wrong.jsonl", wrong);
        for folder in [&old, &new] {
            run(&bench, &log, folder).assert_refused(3, &["wrong.jsonl: line "]);
        }
        assert!(!new.exists(), "{name}");
        assert_eq!(files(&old), before, "{name}");
    }
}

/// Rewritten with a chain of its own, so that nothing but a replay finds it.
#[test]
fn a_forged_result_makes_no_report() {
    let bench = bench();
    let mut lines = chain::contents(&read(examples("matches/durak.jsonl")));
    let mut game = game_of(&lines[1]);
    if let Outcome::Played { scores, .. } = &mut game.result {
        *scores = scores.values().iter().rev().copied().collect::<Vec<_>>().into();
    }
    lines[1] = content(game);
    let log = bench.write("forged.jsonl", chain::chain(&lines));
    let refused = run(&bench, &log, &bench.path("new"));
    refused.assert_refused(3, &["forged.jsonl: line 2, game 0, result: "]);
    assert!(!bench.path("new").exists());
}

/// As a crash leaves it, or a match that is still played: whole games, and perhaps a torn line.
#[test]
fn an_unfinished_log_is_reported_as_such() {
    let bench = bench();
    let text = read(examples("matches/durak.jsonl"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let whole = lines[..3].concat();
    for (name, log) in [("whole", whole.clone()), ("torn", whole + &lines[3][..40])] {
        let log = bench.write("log.jsonl", log);
        let folder = bench.path(name);
        let said = succeed(&bench, &log, &folder);
        assert!(said.ends_with(": 2 games, not finished\n"), "{said}");
        let page = read(folder.join("index.html"));
        assert!(page.contains("not finished") && page.contains("2 of 3 games so far"), "{page}");
        assert!(page.contains("not revealed before the end"), "{page}");
        assert_eq!(count(&folder.join("data/games-0.js")), 2);
    }
    // Nothing but a header: a report without games.
    let log = bench.write("begun.jsonl", lines[0]);
    let said = succeed(&bench, &log, &bench.path("begun"));
    assert!(said.ends_with(": 0 games, not finished\n"), "{said}");
}

/// The seed is in the plan of a tournament that is still played, and in no report of it.
#[test]
fn the_seed_of_an_unfinished_tournament_is_told_nowhere() {
    let bench = bench();
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
    assert!(said.ends_with(": 19 games, not finished\n"), "{said}");
    for file in files(&folder) {
        assert!(!read(folder.join(&file)).contains(seed), "{file} tells the seed");
    }
    // While a run holds the lock, more games are to come.
    let lock = fs::File::create(cup.join("lock")).expect("the folder is ours");
    lock.lock().expect("nobody else has it");
    succeed(&bench, &cup, &folder);
    let page = read(folder.join("index.html"));
    assert!(page.contains("running") && page.contains("19 of 180 games so far"), "{page}");
    drop(lock);
    // That of another plan makes no report.
    fs::write(cup.join("plan.toml"), plan.replace("deals = 30", "deals = 31")).expect("ours");
    run(&bench, &cup, &bench.path("new")).assert_refused(3, &["its log says otherwise"]);
}

/// What is in commands, replies and standard error is text, whatever it says.
#[test]
fn what_a_bot_prints_is_escaped() {
    let bench = bench();
    let evil = "<script>document.title=1</script><img src=x onerror=alert(1)>";
    let script = format!("cat >/dev/null; echo '{evil}'; echo '{evil}' >&2");
    let bot = format!("evil=sh -c \"{script}\" '<b>bold</b>'");
    let log = bench.path("log");
    bench.play("durak", &["--games", "2"], &[&bot, "random"]);
    let folder = bench.path("report");
    succeed(&bench, &log, &folder);
    for file in files(&folder).iter().filter(|file| file.ends_with(".html")) {
        let page = read(folder.join(file));
        for word in ["<script>document", "<img", "<b>bold"] {
            assert!(!page.contains(word), "{word} in {file}");
        }
    }
    let bot = read(folder.join("bots/1.html"));
    assert!(bot.contains("&lt;b&gt;bold") && bot.contains("malformed"), "{bot}");
    // A name is refused before anything is played.
    let refused = bench.run(["match", "--game", "durak", "<script>=random", "random"]);
    refused.assert_refused(2, &["<script>"]);
}

/// What the command line refuses as a name is none in a log that somebody wrote either.
#[test]
fn a_forged_name_makes_no_report() {
    let bench = bench();
    let name = "<script>document.title=1</script>";
    let text = read(examples("matches/durak.jsonl"));
    let named = chain::contents(&text.replace("\"greedy\"", &format!("\"{name}\"")));
    let mut seated = chain::contents(&text);
    seated[1].clone_from(&named[1]);
    for (lines, number) in [(named, 1), (seated, 2)] {
        let log = bench.write("forged.jsonl", chain::chain(&lines));
        let refused = run(&bench, &log, &bench.path("new"));
        refused.assert_refused(3, &[&format!("forged.jsonl: line {number}")]);
        assert!(!bench.path("new").exists());
    }
}

/// A game that counts although a busy machine may have decided it.
#[test]
fn suspect_games_are_marked() {
    let bench = bench();
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
    let page = read(folder.join("index.html"));
    assert!(page.contains("suspect game"), "{page}");
    assert!(page.contains("timeout"), "{page}");
}

/// A game that does not count is there, and marked.
#[test]
fn void_games_are_marked() {
    let bench = bench();
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
    assert!(said.ends_with(": 0 games, not finished\n"), "{said}");
    let rows = value(&folder.join("data/list-0.js"));
    let fates: Vec<&Value> =
        rows.as_array().expect("rows").iter().map(|row| &row["sequel"]).collect();
    assert_eq!(fates, ["again", "again", "again", "stops"], "{rows}");
    let page = read(folder.join("index.html"));
    assert!(page.contains("void too often"), "{page}");
}
