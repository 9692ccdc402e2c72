//! Other rules for a league that goes on: rounds before them are verified by the old ones.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
use tests::own_games::faulty;
use tests::own_games::{bench, example};
use tests::running::{Running, entries, wait_until};
use tests::served::Served;
use tests::texts::assert_says;
use tests::tournament::drawn_seed;
use tests::{log, processes};

/// The place in Leduc poker after the board has been drawn.
const BOARD: &str = "        if len(self.cards) == 3:\n";

/// A copy of Leduc poker with a change.
fn game(bench: &Bench, name: &str, change: impl Fn(&str) -> String) {
    let source = example("leduc/python");
    let copied = Command::new("cp").args(["-r", &source]).arg(bench.path(name)).status();
    assert!(copied.is_ok_and(|status| status.success()));
    let file = bench.path(name).join("game.py");
    let text = fs::read_to_string(&file).expect("a game");
    let changed = change(&text);
    assert_ne!(changed, text, "{name}");
    fs::write(file, changed).expect("it is ours");
}

/// A league of bots that were checked by sound rules, and the folders `broken`, whose rules fail in one state, and
/// `fixed`.
fn league() -> Option<Bench> {
    let bench = bench()?;
    game(&bench, "sound", |text| format!("{text}\n# the first rules\n"));
    let fault =
        format!("        if len(self.cards) == 3 and card == \"Q\":\n            1 // 0\n{BOARD}");
    game(&bench, "broken", |text| text.replace(BOARD, &fault));
    game(&bench, "fixed", |text| format!("{text}\n# fixed\n"));
    bench.succeed(["league", "new", "class", "--game", "sound", "--round-deals", "3"]);
    bench.succeed(["league", "add", "class", "a=random", "b=random", "c=random"]);
    Some(bench)
}

fn change(bench: &Bench, game: &str, reason: &str) -> String {
    bench.succeed(["league", "rules", "class", game, "--reason", reason])
}

fn run(bench: &Bench, games: &str) {
    bench.succeed(["league", "run", "class", "--games", games, "--quiet"]);
}

/// Plays by rules that fail in one state until they do.
fn run_until_failed(bench: &Bench, words: &[&str]) {
    loop {
        let ended = bench.run([&["league", "run", "class", "--quiet"], words].concat());
        if ended.code != Some(0) {
            assert_eq!(ended.code, Some(7), "{ended:?}");
            return;
        }
    }
}

fn status(bench: &Bench) -> Value {
    let line = bench.succeed(["league", "status", "class", "--json"]);
    let line: Value = serde_json::from_str(&line).expect("JSON");
    line["status"].clone()
}

/// The digests of the rules by which the rounds were played.
fn played_by(bench: &Bench, league: &str) -> Vec<String> {
    let rounds = (0..).map(|round| bench.path(league).join(format!("rounds/{round}/games.jsonl")));
    let digest = |log: PathBuf| {
        let header = &log::lines(&log)[0]["header"];
        header["rules"]["digest"].as_str().expect("a digest").to_owned()
    };
    rounds.take_while(|log| log.exists()).map(digest).collect()
}

#[test]
fn a_league_goes_on_by_new_rules_after_the_old_ones_failed() {
    let Some(bench) = league() else { return };
    run(&bench, "18");
    assert!(!bench.path("class/rules").exists());
    let told = change(&bench, "broken", "Queens on the board.");
    assert_eq!(
        told,
        "class: new rules of leduc starting with round 1\n\
         next: arbiter league run class\n",
    );
    run_until_failed(&bench, &["--games", "18"]);
    let failed = status(&bench)["open"]["round"].as_u64().expect("an open round");
    let told = change(&bench, "fixed", "a queen on the board\u{1b}[2J crashed");
    let begins = format!("round {failed} aborted after ");
    assert!(told.starts_with(&begins), "{told}");
    run(&bench, "18");
    run(&bench, "18");
    assert_says(&bench.succeed(["verify", "class"]), &["of leduc"]);

    let status = status(&bench);
    let [first, second, third] = status["rules"].as_array().expect("rules").as_slice() else {
        panic!("{status}");
    };
    assert_eq!((&first["round"], &first["reason"]), (&0.into(), &Value::Null));
    assert_eq!((&second["round"], &third["round"]), (&1.into(), &(failed + 1).into()));
    assert_eq!(third["reason"], "a queen on the board\\u{1b}[2J crashed");
    let digest = |rules: &Value| rules["digest"].as_str().expect("a digest").to_owned();
    let [one, two, three] = [first, second, third].map(digest);
    let by = played_by(&bench, "class");
    assert_eq!(by[0], one);
    assert!(by[1..=failed as usize].iter().all(|it| *it == two), "{by:?}");
    assert!(by.len() as u64 > failed + 2, "{by:?}");
    assert!(by[failed as usize + 1..].iter().all(|it| *it == three), "{by:?}");
    let plan = |round: u64| {
        let file = bench.path(&format!("class/rounds/{round}/plan.toml"));
        fs::read_to_string(file).expect("a plan")
    };
    assert!(!plan(0).contains("rules ="), "as in a league without other rules");
    assert!(plan(failed + 1).contains(&format!("rules = \"{three}\"")));

    let text = bench.succeed(["league", "status", "class"]);
    assert!(
        text.contains(&format!("rules since round 1: {two}, Queens on the board.\n")),
        "{text}"
    );
    let events = bench.succeed(["league", "events", "class"]);
    assert!(events.contains("new rules since round 1: Queens on the board.\n"), "{events}");
    bench.succeed(["report", "class", "-o", "pages"]);
    let page = bench.text("pages/statistics.html");
    assert_says(&page, &[&one, &two, &three, "Queens on the board.", "rules since round 1"]);

    // Each round is looked at by its own rules, too.
    for round in 0..by.len() {
        let folder = format!("class/rounds/{round}");
        bench.succeed(["show", &folder, "--game", "0"]);
    }
    bench.succeed(["league", "backup", "class", "class.tar.gz"]);
    bench.succeed(["league", "restore", "class.tar.gz", "again"]);
    bench.succeed(["verify", "again"]);
    bench.succeed(["league", "run", "again", "--games", "18", "--quiet"]);
    assert_eq!(played_by(&bench, "again").last(), Some(&three));
    // The first rules can come back.
    change(&bench, "sound", "back again");
    run(&bench, "18");
    assert_eq!(played_by(&bench, "class").last(), Some(&one));
    bench.succeed(["verify", "class"]);

    // A round is not verified by other rules than those that the log names.
    let copy = bench.path("class/rules").join(&three);
    let rules = bench.text("broken/game.py");
    fs::write(copy.join("game.py"), rules).expect("it is ours");
    let ended = bench.run(["verify", "class"]).with_code(3);
    assert!(ended.stderr.contains(&three), "{ended:?}");
}

#[test]
fn rules_that_do_not_fit_a_league_are_refused_and_leave_nothing() {
    let Some(bench) = league() else { return };
    run(&bench, "18");
    game(&bench, "other", |text| text.replace("name leduc", "name leducs"));
    game(&bench, "wider", |text| {
        let text =
            text.replace("seats 2\n", "seats 3\n").replace("\"seats\": \"2\"", "\"seats\": \"3\"");
        text.replace("has two seats", "has three seats")
    });
    bench.write("text.py", "no rules");
    bench.succeed(["league", "new", "cards", "--game", "coup"]);
    let state = |league: &str| {
        let path = bench.path(league);
        let log = fs::read(path.join("league.jsonl")).expect("a log");
        let mut names = entries(&path);
        names.sort();
        (log, names, path.join("rules").exists())
    };
    // A lock was taken once.
    bench.run(["league", "rules", "cards", "sound", "--reason", "r"]);
    // The crate `league` has each reason that does not fit.
    let built_in = "`cards` plays coup: the rules of built-in games cannot be changed";
    let refused: [(&str, &str, &str, i32, &str); 9] = [
        ("class", "other", "r", 2, "these are the rules of leducs, but"),
        ("class", "coup", "r", 2, "these are the rules of coup, but"),
        ("class", "wider", "r", 2, "seat"),
        ("class", "sound", "r", 2, "`class` already plays by these rules"),
        ("class", "fixed", "", 2, "the reason has 0 characters: use 1 to 500"),
        ("class", "missing", "r", 2, "unknown game `missing`"),
        ("class", "python3 text.py", "r", 7, "`about` was not answered"),
        ("cards", "sound", "r", 2, built_in),
        ("nothing", "fixed", "r", 2, "no league in `nothing`"),
    ];
    let before = [state("class"), state("cards")];
    for (league, game, reason, code, says) in refused {
        let ended = bench.run(["league", "rules", league, game, "--reason", reason]);
        ended.assert_refused(code, &[says]);
        assert_eq!([state("class"), state("cards")], before, "{game} {reason}");
    }
    // Options that the new rules do not have.
    let settings = bench.path("class/league.toml");
    let text = fs::read_to_string(&settings).expect("settings");
    fs::write(&settings, text.replace("options = \"seats=2\"", "options = \"deck=3\""))
        .expect("ours");
    let says = ["`class/league.toml` does not fit the new rules: "];
    bench.run(["league", "rules", "class", "fixed", "--reason", "r"]).assert_refused(2, &says);
    fs::write(&settings, text).expect("ours");
    assert_eq!([state("class"), state("cards")], before);
    change(&bench, "fixed", "r");
    run(&bench, "18");
    bench.succeed(["verify", "class"]);
    processes::wait_for_none(bench.marker());
}

#[test]
fn rules_that_were_changed_in_place_are_said() {
    let Some(bench) = league() else { return };
    run(&bench, "18");
    let copy = bench.path("class/game/game.py");
    let first = fs::read_to_string(&copy).expect("a game");
    fs::write(&copy, format!("{first}\n# fixed in place\n")).expect("it is ours");
    let says = "the rules of leduc have changed: restore the folder `game`";
    bench.run(["league", "run", "class", "--games", "2"]).assert_refused(2, &[says]);
    let ended = bench.run(["league", "rules", "class", "fixed", "--reason", "r"]);
    let warning = "warning: the files of `class/game` have changed: restore them, or earlier \
         rounds cannot be verified\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), warning));
    run(&bench, "18");
    assert_eq!(bench.run(["verify", "class"]).code, Some(3));
    let back = bench.run(["league", "rules", "class", "sound", "--reason", "r"]);
    let says = "these are the first rules of `class`, but the files of `class/game` have changed: \
         restore them";
    back.assert_refused(2, &[says]);
    fs::write(&copy, first).expect("it is ours");
    bench.succeed(["verify", "class"]);
    change(&bench, "sound", "r");
}

#[test]
fn a_round_of_a_stage_is_played_again_by_new_rules() {
    let Some(bench) = league() else { return };
    change(&bench, "broken", "wrong");
    let stage = ["league", "stage", "class", "--format", "knockout", "--seeds", "entry"];
    bench.succeed([&stage[..], &["--deals", "200", "--deciders", "0"]].concat());
    run_until_failed(&bench, &["--stage"]);
    let told = change(&bench, "fixed", "right");
    assert!(told.starts_with("round 0 aborted after "), "{told}");
    bench.succeed(["league", "run", "class", "--stage", "--quiet"]);
    let line = bench.succeed(["league", "stages", "class", "--json"]);
    let stage: Value = serde_json::from_str(&line).expect("JSON");
    let rounds = stage["stage"]["rounds"].as_array().expect("rounds");
    let numbers: Vec<u64> = rounds.iter().filter_map(|it| it["round"].as_u64()).collect();
    assert_eq!((numbers, &stage["stage"]["state"]), (vec![1, 2], &"over".into()));
    bench.succeed(["verify", "class"]);
}

#[test]
fn a_run_that_goes_on_takes_new_rules_after_its_round() {
    let Some(bench) = league() else { return };
    let mut command = bench.arbiter(["league", "run", "class", "--quiet", "--workers", "1"]);
    let mut running = Running::start(&mut command);
    wait_until("a round is open", || status(&bench)["open"]["round"].as_u64() >= Some(1));
    let told = change(&bench, "fixed", "better");
    assert!(!told.contains("aborted"), "{told}");
    let from = status(&bench)["rules"][1]["round"].as_u64().expect("a round");
    wait_until("a round by the new rules is over", || {
        status(&bench)["rounds"].as_u64() > Some(from)
    });
    running.signal(Signal::INT);
    running.wait();
    let by = played_by(&bench, "class");
    let (before, after) = by.split_at(from as usize);
    assert!(before.iter().all(|it| *it == by[0]) && after.iter().all(|it| *it != by[0]), "{by:?}");
    bench.succeed(["verify", "class"]);
}

#[test]
fn killed_new_rules_are_there_or_not() {
    let Some(bench) = league() else { return };
    run(&bench, "18");
    let mut chance = drawn_seed("own_games::new_rules").nature(0);
    for turn in 0..3 {
        let name = if turn % 2 == 0 { "fixed" } else { "sound" };
        let before = status(&bench)["rules"].as_array().expect("rules").len();
        let mut command = bench.arbiter(["league", "rules", "class", name, "--reason", "r"]);
        let mut running = Running::start(&mut command);
        let moment = std::num::NonZeroU32::new(300).expect("it is not 0");
        thread::sleep(Duration::from_millis(chance.below(moment).into()));
        running.signal(Signal::KILL);
        running.wait();
        let after = status(&bench)["rules"].as_array().expect("rules").len();
        assert!([before, before + 1].contains(&after), "{before} {after}");
        run(&bench, "18");
        bench.succeed(["verify", "class"]);
        if after == before {
            change(&bench, name, "r");
        }
    }
    let rules: Vec<String> = entries(&bench.path("class/rules"))
        .iter()
        .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    let [digest] = rules.as_slice() else { panic!("only `fixed` has a copy there: {rules:?}") };
    assert_eq!(Some(digest.as_str()), status(&bench)["rules"][1]["digest"].as_str());
    processes::wait_for_none(bench.marker());
}

#[test]
fn a_tournament_whose_rules_failed_says_how_it_goes_on() {
    let Some(bench) = bench() else { return };
    let words = ["tournament", "--game", &faulty("unknown-line"), "--dir", "my cup", "--quiet"];
    let bots = ["a=random", "b=random"];
    for (deals, more) in [("3", ""), ("1", " --deals 10")] {
        let _ = fs::remove_dir_all(bench.path("my cup"));
        let hint =
            format!("continue with the next deal: `arbiter tournament extend 'my cup'{more}`");
        let ended = bench.run([&words[..], &["--deals", deals], &bots].concat());
        ended.assert_refused(7, &["rules of faulty failed", &hint]);
        let ended = bench.run(["tournament", "resume", "my cup", "--quiet"]);
        ended.assert_refused(2, &["its log stops at a game in which the rules failed", &hint]);
        let extend = ["tournament", "extend", "my cup", "--quiet", "--deals", "10"];
        bench.run(extend).assert_refused(7, &["rules of faulty failed"]);
        assert!(bench.path("my cup/extension-1/games.jsonl").exists());
    }
    let sprt = ["--sprt", "elo0=0,elo1=10,alpha=0.05,beta=0.05", "--dir", "test"];
    let ended = bench.run([&words[..3], &sprt, &["--quiet"], &bots].concat());
    ended.assert_refused(7, &["it cannot be extended: start a new tournament"]);
}

#[test]
fn entries_of_a_feed_lead_to_their_pages() {
    let Some(bench) = league() else { return };
    run(&bench, "18");
    change(&bench, "fixed", "better & faster");
    run(&bench, "18");
    let refused =
        bench.run(["league", "add", "class", &format!("eve={}", bench.faulty("illegal"))]);
    assert_ne!(refused.code, Some(0));
    let served = Served::start(&bench, &["class"]);
    for (feed, root) in [("feed.atom", "./"), ("feed/a.atom", "../")] {
        let text = served.text(feed);
        let entries: Vec<&str> = text.split("<entry>").skip(1).collect();
        let link = |title: &str| -> Vec<&str> {
            let of = entries.iter().filter(|entry| entry.contains(title));
            of.map(|entry| link_of(entry)).collect()
        };
        let expected: &[(&str, &str)] = match root {
            "./" => &[
                ("a@1 has entered", "bots/1.html"),
                ("b@1 has entered", "bots/2.html"),
                ("round 0 finished", "rounds/0/"),
                ("round 1 finished", "rounds/1/"),
                ("new rules since round 1: better &amp; faster", "statistics.html#verify"),
                ("eve was rejected", "statistics.html#refused"),
            ],
            _ => &[("a@1 has entered", "bots/1.html")],
        };
        for (title, page) in expected {
            assert_eq!(link(title), [format!("{root}{page}")], "{title} in {text}");
            let page = page.split('#').next().unwrap_or_default();
            served.text(page);
        }
    }
}

/// The address of the link of an entry.
fn link_of(entry: &str) -> &str {
    let (_, rest) = entry.split_once(" href=\"").expect("a link");
    rest.split_once('"').expect("its end").0
}
