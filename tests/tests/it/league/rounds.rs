//! Rounds that are played, stopped, killed and broken off.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::num::NonZeroU32;
use std::os::unix::process::CommandExt;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
use tests::league::{folder, league, play, round, states, status};
use tests::running::{Running, wait_for_no_scratch, wait_until};
use tests::tournament::drawn_seed;

/// Number of times that a league is killed.
const KILLS: u32 = 12;

/// Time after its start within which it is killed, in milliseconds.
const MOMENTS: NonZeroU32 = NonZeroU32::new(700).expect("it is not 0");

fn start(bench: &Bench, more: &[&str]) -> Running {
    let mut command = bench.arbiter([&["league", "run", "class"], more].concat());
    let output = File::create(bench.path("output")).expect("the folder is ours");
    let errors = File::create(bench.path("errors")).expect("the folder is ours");
    Running::start(command.stdout(output).stderr(errors).process_group(0))
}

#[test]
fn a_league_that_is_killed_again_and_again_plays_on() {
    let bench = league(&["random", "greedy", "ann=random"]);
    let mut chance = drawn_seed("league::rounds").nature(0);
    let mut before = 0;
    for _ in 0..KILLS {
        let mut running = start(&bench, &["--quiet"]);
        thread::sleep(Duration::from_millis(chance.below(MOMENTS).into()));
        running.signal_group(Signal::KILL);
        running.wait();
        wait_for_no_scratch(&bench);
        let games = status(&bench)["games"].as_u64().expect("a number");
        assert!(games >= before, "no game is lost that counted: {games}, {before}");
        before = games;
        bench.succeed(["verify", "class"]);
    }
    let games = play(&bench, "8");
    assert!(games >= before + 8, "{games}");
    let status = status(&bench);
    assert_eq!(status["open"], Value::Null);
    // Every round has the games of its tables, in both orders.
    for number in 0..status["rounds"].as_u64().expect("a number") {
        let line = round(&bench, &number.to_string());
        let tables = line["tables"].as_array().expect("a list").len() as u64;
        let deals = line["deals"].as_u64().expect("a number");
        assert_eq!(line["over"]["games"], tables * deals * 2, "{line}");
    }
    let games = bench.succeed(["verify", "class", "--json"]);
    assert!(games.contains("\"verified\":true"), "{games}");
}

#[test]
fn ctrl_c_ends_a_run_and_the_round_is_resumed() {
    let bench = league(&["random", "greedy"]);
    let mut running = start(&bench, &[]);
    wait_until("a round is over", || status(&bench)["rounds"] != 0);
    // Meanwhile no one else plays, and everyone may look and enter.
    let second = bench.run(["league", "run", "class"]);
    second.assert_refused(75, &["`class` is locked by another `run`"]);
    bench.succeed(["league", "standings", "class"]);
    bench.succeed(["league", "add", "class", "late=greedy"]);
    wait_until("the newcomer plays", || {
        bench.succeed(["league", "standings", "class"]).contains("late@1")
            && bench.succeed(["league", "pairings", "class"]).contains("late@1")
    });
    assert_eq!(status(&bench)["state"], "running");
    running.signal(Signal::INT);
    assert_eq!(running.wait().code(), Some(130));
    let errors = fs::read_to_string(bench.path("errors")).expect("it is ours");
    assert!(errors.contains("stopped; continue with `arbiter league run class`"), "{errors}");
    assert_eq!(status(&bench)["state"], "not running");
    bench.succeed(["verify", "class"]);
    play(&bench, "4");
    assert_eq!(status(&bench)["open"], Value::Null);
    bench.succeed(["verify", "class"]);
}

#[test]
fn lines_of_json_say_what_a_run_has_played() {
    let bench = league(&["random", "greedy", "ann=greedy"]);
    let ended = bench.run(["league", "run", "class", "--games", "16", "--json"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    let lines = ended.json();
    let over: Vec<_> = lines.iter().filter_map(|line| line.get("over")).collect();
    assert_eq!(over.iter().map(|it| it["round"].as_u64()).collect::<Vec<_>>(), [Some(0), Some(1)]);
    assert!(over.iter().all(|it| it["games"] == 8), "{over:?}");
    let standings = &lines.last().expect("a result")["result"]["standings"];
    assert_eq!(standings["all"]["games"], 16);
    let head = bench.succeed(["head", "class"]);
    bench.succeed(["league", "run", "class", "--games", "4", "--quiet"]);
    // A head that was published stays one of the log.
    bench.succeed(["verify", "class", "--head", head.trim()]);
    let other = "0".repeat(64);
    bench
        .run(["verify", "class", "--head", &other])
        .assert_refused(3, &["a different or modified log"]);
}

#[test]
fn a_bot_that_was_changed_where_it_lies_plays_no_more() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "first");
    bench.succeed(["league", "add", "class", "./mine"]);
    play(&bench, "8");
    fs::write(bench.path("class/bots/ann@1/bot.sh"), "exit 1\n").expect("it is ours");
    let ended = bench.run(["league", "run", "class", "--games", "4", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let warning = "warning: bot `ann@1` has changed since it entered; it is skipped until \
                   re-entered with `arbiter league add`\n";
    assert_eq!(ended.stderr, warning);
    let pairings = bench.succeed(["league", "pairings", "class"]);
    assert!(!pairings.contains("ann"), "{pairings}");
    bench.succeed(["verify", "class"]);
}

#[test]
fn a_round_whose_bot_is_gone_is_broken_off() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "mine", "ann", "first");
    bench.succeed(["league", "add", "class", "./mine"]);
    let mut running = start(&bench, &["--quiet"]);
    wait_until("a round is open", || !status(&bench)["open"].is_null());
    running.signal_group(Signal::KILL);
    running.wait();
    wait_for_no_scratch(&bench);
    let open = status(&bench)["open"]["round"].clone();
    fs::remove_file(bench.path("class/bots/ann@1/bot.sh")).expect("it is ours");
    let ended = bench.run(["league", "run", "class", "--games", "4", "--quiet"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    if !open.is_null() {
        let line = round(&bench, &open.to_string());
        let has_ann = line["bots"].to_string().contains("ann@1");
        // It may have been over but for the line that says so.
        if has_ann && line["over"]["games"] != 8 {
            assert!(line["over"]["broken"]["why"].to_string().contains("ann@1"), "{line}");
        }
    }
    assert_eq!(states(&bench).len(), 3);
    bench.succeed(["verify", "class"]);
}

/// A file of a bot that was changed during a round used to end the whole run.
#[test]
fn a_round_whose_bot_is_changed_while_it_plays_is_broken_off() {
    let bench = league(&["random", "greedy"]);
    let layers = bench.run(["sandbox", "--json"]).json();
    let has_files = |line: &Value| line["layer"]["name"] == "files" && line["layer"]["on"] == true;
    if !layers.iter().any(has_files) {
        tests::missing::tell("this machine has no layer `files` for bots");
        return;
    }
    let settings = fs::read_to_string(bench.path("class/league.toml")).expect("a file");
    assert!(settings.contains("\"30s\""), "{settings}");
    bench.write("class/league.toml", settings.replace("\"30s\"", "\"10min\""));
    // Before each answer it waits until the file `go` is there.
    folder(&bench, "mine", "ann", "first");
    let script =
        "until test -e \"${0%/*}/go\"; do sleep 0.05; done\nexec sed -n '/^legal /{n;p;q}'\n";
    bench.write("mine/bot.sh", script);
    bench.write("mine/go", "");
    bench.succeed(["league", "add", "class", "./mine"]);
    fs::remove_file(bench.path("class/bots/ann@1/go")).expect("it is ours");
    let mut running = start(&bench, &["--games", "4", "--quiet"]);
    // The files of the bots were digested before there is a log.
    wait_until("a log", || {
        let log = fs::metadata(bench.path("class/rounds/0/games.jsonl"));
        log.is_ok_and(|found| found.len() > 0)
    });
    bench.write("class/bots/ann@1/bot.sh", format!("{script}# changed\n"));
    bench.write("class/bots/ann@1/go", "");
    let code = running.wait().code();
    let told = fs::read_to_string(bench.path("errors")).expect("text");
    let expected = "warning: round 0 aborted: bot `ann@1`: ";
    assert!(code == Some(0) && told.contains(expected), "{code:?}: {told}");
    let why = round(&bench, "0")["over"]["broken"]["why"].to_string();
    assert!(why.contains("ann@1"), "{why}");
    bench.succeed(["verify", "class"]);
}

/// Announces a stage, and gives its seeds.
fn stage(bench: &Bench, more: &[&str]) -> String {
    let told = bench.succeed([&["league", "stage", "class"], more].concat());
    let seeds = told.lines().nth(1).and_then(|line| line.strip_prefix("seeds: "));
    seeds.unwrap_or_default().to_owned()
}

#[test]
fn a_league_ends_with_a_final_of_its_best_bots() {
    let bench = league(&["random", "greedy", "ann=greedy", "ben=random"]);
    play(&bench, "16");
    assert_eq!(
        stage(&bench, &["--format", "knockout", "--seeds", "entry", "--deals", "1"]),
        "random@1, greedy@1, ann@1, ben@1"
    );
    bench
        .run(["league", "stage", "class", "--format", "swiss"])
        .assert_refused(2, &["stage 0 (stage 0) is unfinished"]);
    // A new version does not play in it.
    bench.succeed(["league", "add", "class", "ben=greedy"]);
    bench.succeed(["league", "run", "class", "--stage", "--quiet"]);
    let shown = bench.succeed(["league", "stages", "class"]);
    assert!(shown.contains(" ben@1") && !shown.contains("ben@2"), "{shown}");
    for word in ["semifinal", "final", "\nrank  bot", "\n3-4 "] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    let again = bench.run(["league", "run", "class", "--stage"]);
    again.assert_refused(
        2,
        &["no stage is in progress: announce one with `arbiter league stage class`"],
    );
    // The places of a stage seed the next one: bots that have left are left out, and others are new.
    bench.succeed(["league", "retire", "class", "random"]);
    let seeds = stage(&bench, &["--format", "swiss", "--seeds", "0", "--name", "last one"]);
    let mut sorted: Vec<&str> = seeds.split(", ").collect();
    sorted.sort_unstable();
    assert_eq!(sorted, ["ann@1", "ben@2", "greedy@1"]);
    let told = bench.succeed(["league", "stage", "class", "--end"]);
    assert_eq!(told, "stage 1 (last one) ended before its last round\n");
    bench
        .run(["league", "stage", "class", "--end"])
        .assert_refused(2, &["no stage is in progress"]);
    let wrong = |more: &[&str], why: &str| {
        let words = [&["league", "stage", "class"], more].concat();
        bench.run(words).assert_refused(2, &[why]);
    };
    wrong(&["--format", "swiss", "--rounds", "9"], "invalid stage: 9 Swiss rounds for 3 bots");
    wrong(&["--format", "knockout", "--rounds", "2"], "`--rounds` is for `--format swiss` only");
    wrong(&["--format", "groups"], "pass --groups N");
    wrong(&["--format", "swiss", "--seeds", "7"], "no finished stage 7");
    let games = play(&bench, "4");
    let verified = bench.succeed(["verify", "class"]);
    assert!(verified.starts_with(&format!("class: ok, {games} games of coup")), "{verified}");
}

/// The last line of a run, as a value.
fn last(told: &str) -> Value {
    serde_json::from_str(told.lines().last().expect("a line")).expect("JSON")
}

#[test]
fn standings_as_a_line_of_json_are_those_at_the_end_of_a_run() {
    let bench = league(&["random", "greedy"]);
    let end = last(&bench.succeed(["league", "run", "class", "--games", "4", "--json"]));
    assert_eq!(end["result"]["standings"]["all"]["games"], 4);
    let line = |words: &[&str]| last(&bench.succeed(words));
    assert_eq!(line(&["league", "standings", "class", "--json"]), end);
    let alone = line(&["league", "standings", "class", "--format", "json"]);
    assert_eq!(alone, end["result"]["standings"]);
    let both = ["league", "standings", "class", "--json", "--format", "csv"];
    assert_eq!(bench.run(both).code, Some(2));

    let words = ["tournament", "--game", "coup", "--dir", "cup", "--deals", "2", "--json"];
    let end = last(&bench.succeed([&words[..], &["random", "greedy"]].concat()));
    assert_eq!(end["result"]["played"], 4);
    assert_eq!(line(&["tournament", "standings", "cup", "--json"]), end);
    let alone = line(&["tournament", "standings", "cup", "--format", "json"]);
    assert_eq!(alone, end["result"]["standings"]);
}

#[test]
fn a_run_stops_once_only_house_bots_play_and_none_is_new() {
    let bench = league(&["random", "greedy"]);
    bench.succeed(["league", "invite", "class", "ann"]);
    let run = |more: &[&str]| bench.run([&["league", "run", "class"], more].concat());
    let first = run(&[]);
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(first.stderr.contains("only house bots are active"), "{first:?}");
    assert_eq!(status(&bench)["games"], 4);
    let waits = run(&["--wait", "--for", "1s"]);
    assert!(waits.stderr.contains("waiting for participants' bots"), "{waits:?}");
    assert_eq!(status(&bench)["games"], 4);
    bench.succeed(["league", "run", "class", "--games", "4", "--quiet"]);
    assert_eq!(status(&bench)["games"], 8, "games that are asked for are played");
}

#[test]
fn a_run_whose_time_is_up_ends_the_round_between_deals() {
    // Rounds that last far longer than the run.
    let bench = Bench::new();
    let size = ["--round-deals", "1000", "--round-tables", "2", "--time-limit", "30s"];
    bench.succeed([&["league", "new", "class", "--game", "coup"], &size[..]].concat());
    bench.succeed(["league", "add", "class", "random", "greedy", "ann=random"]);
    let told = bench.run(["league", "run", "class", "--for", "2s"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let games = status(&bench)["games"].as_u64().expect("a number");
    let end = round(&bench, "0");
    assert_eq!(games % 2, 0, "deals are whole: {end}");
    match games {
        // On a machine without time for a deal, the round stays open.
        0 => assert!(told.stderr.contains("round 0 continues with the next run"), "{told:?}"),
        _ => {
            let played = format!("round 0 ends after {games} of 4000 games");
            let left = format!("{played}, without the other {} games", 4000 - games);
            assert!(told.stderr.contains(&left), "{told:?}");
            let why = format!("time was up after {games} of 4000 games");
            assert_eq!(end["over"]["broken"]["why"], why);
        }
    }
    bench.succeed(["verify", "class"]);
}
