//! Stages from their announcement to their certificates.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};
use tests::bench::Bench;
use tests::league::{folder, league, play, round};
use tests::running::{Running, wait_until};

/// Enters a bot that plays the first move listed, and forfeits once it is broken.
fn enter(bench: &Bench, name: &str) {
    folder(bench, name, name, "first");
    let script = "test -e \"${0%/*}/broken\" && exit 1\nexec sed -n '/^legal /{n;p;q}'\n";
    bench.write(&format!("{name}/bot.sh"), script);
    bench.succeed(["league", "add", "class", &format!("./{name}")]);
}

fn breaks(bench: &Bench, name: &str) {
    bench.write(&format!("class/bots/{name}@1/broken"), "");
}

/// Enters a bot that waits with each answer until it may go on.
fn enter_waiting(bench: &Bench, name: &str) {
    let settings = fs::read_to_string(bench.path("class/league.toml")).expect("a file");
    bench.write("class/league.toml", settings.replace("\"30s\"", "\"10min\""));
    enter(bench, name);
    let script =
        "until test -e \"${0%/*}/go\"; do sleep 0.05; done\nexec sed -n '/^legal /{n;p;q}'\n";
    bench.write(&format!("{name}/bot.sh"), script);
    bench.write(&format!("{name}/go"), "");
    bench.succeed(["league", "add", "class", &format!("./{name}")]);
    fs::remove_file(bench.path(&format!("class/bots/{name}@2/go"))).expect("it is ours");
}

/// A run of the league that waits for a bot in its first round.
fn running(bench: &Bench, bot: &str, games: &str) -> Running {
    let run = ["league", "run", "class", "--games", games, "--quiet"];
    let mut command = bench.arbiter(run);
    let running = Running::start(command.stderr(Stdio::null()).process_group(0));
    wait_until("a log", || {
        let log = fs::metadata(bench.path("class/rounds/0/games.jsonl"));
        log.is_ok_and(|found| found.len() > 0)
    });
    assert!(bench.path(&format!("class/bots/{bot}@2")).exists());
    running
}

/// Begins a stage in a process of its own, and waits until it says this.
fn beginning(bench: &Bench, more: &[&str], says: &str) -> Running {
    let words =
        [&["league", "stage", "class", "--format", "knockout", "--deals", "1"], more].concat();
    let errors = fs::File::create(bench.path("errors")).expect("a file");
    let running = Running::start(bench.arbiter(words).stdout(Stdio::null()).stderr(errors));
    wait_until(says, || {
        fs::read_to_string(bench.path("errors")).is_ok_and(|text| text.contains(says))
    });
    running
}

/// The last stage, as a value.
fn stage_json(bench: &Bench) -> Value {
    let all = bench.run(["league", "stages", "class", "--json"]).json();
    all.last().expect("a stage")["stage"].clone()
}

#[test]
fn a_tied_final_goes_on_with_extra_deals_and_every_page_says_how_it_was_decided() {
    let bench = league(&[]);
    ["ann", "ben"].iter().for_each(|name| enter(&bench, name));
    let stage = ["league", "stage", "class", "--format", "knockout", "--seeds", "entry"];
    bench.succeed([&stage[..], &["--deals", "3", "--deciders", "2"]].concat());
    let ended = bench.run(["league", "run", "class", "--stage"]);
    // The bots are the same program, so they win each deal once.
    let won = "stage 0 (stage 0): ann@1 is first, final: better seed";
    assert!(ended.stderr.contains(won), "{ended:?}");
    let told = stage_json(&bench);
    let rounds = told["rounds"].as_array().expect("rounds");
    let deciders: Vec<&Value> = rounds.iter().map(|it| &it["matches"][0]["decider"]).collect();
    assert_eq!(deciders, [&json!(null), &json!(1), &json!(2)], "{told}");
    for round in rounds {
        assert_eq!(round["matches"][0]["winner"], "ann@1", "{told}");
        assert_eq!(round["matches"][0]["decided"], "seed", "{told}");
    }
    assert_eq!(rounds[1]["matches"][0]["result"]["won"], json!([1, 1]), "{told}");
    let text = bench.succeed(["league", "stages", "class"]);
    for words in ["final, extra deal 2", "up to 2 extra deals", "better seed", "lost to the better"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let tables = bench.succeed(["league", "pairings", "class", "--round", "1"]);
    assert!(tables.contains("final was tied: extra deal 1"), "{tables}");
    bench.succeed(["report", "class", "-o", "pages"]);
    bench.succeed(["league", "certificates", "class", "-o", "all.html"]);
    for page in ["pages/stages.html", "pages/index.html", "all.html"] {
        let page = fs::read_to_string(bench.path(page)).expect("a page");
        assert!(page.contains("final: better seed"), "{page}");
    }
    bench.succeed(["verify", "class"]);
    // Another one is decided by the forfeits of the first seed.
    breaks(&bench, "ann");
    bench.succeed([&stage[..], &["--deals", "1"]].concat());
    bench.succeed(["league", "run", "class", "--stage", "--quiet"]);
    let told = stage_json(&bench);
    let last = &told["rounds"][0]["matches"][0];
    assert_eq!((&last["winner"], &last["decided"]), (&json!("ben@1"), &json!("forfeit")), "{told}");
    assert_eq!(last["result"]["forfeited"], json!([2, 0]), "{told}");
    breaks(&bench, "ben");
    bench.succeed([&stage[..], &["--deals", "1", "--deciders", "1"]].concat());
    bench.succeed(["league", "run", "class", "--stage", "--quiet"]);
    assert_eq!(stage_json(&bench)["rounds"][1]["matches"][0]["decided"], "neither-answered");
    bench.succeed(["verify", "class"]);
    bench
        .run(["league", "stage", "class", "--format", "swiss", "--deciders", "2"])
        .assert_refused(2, &["`--deciders` is not for `--format swiss`"]);
}

#[test]
fn a_double_elimination_has_two_brackets_and_a_grand_final() {
    let bench = league(&[]);
    ["ann", "ben", "cem"].iter().for_each(|name| enter(&bench, name));
    bench
        .run(["league", "stage", "class", "--format", "double-elimination", "--third-place"])
        .assert_refused(2, &["`--third-place` is for `--format knockout`"]);
    let stage = ["league", "stage", "class", "--format", "double-elimination", "--seeds", "entry"];
    bench.succeed([&stage[..], &["--deals", "1", "--deciders", "0"]].concat());
    let ended = bench.run(["league", "run", "class", "--stage"]);
    // The same program: the better seed wins each match.
    assert!(ended.stderr.contains("ann@1 is first, grand final: better seed"), "{ended:?}");
    assert_eq!(stage_json(&bench)["format"], "double-elimination");
    let text = bench.succeed(["league", "stages", "class"]);
    for words in ["double elimination", "winners' final", "losers' final", "grand final"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    bench.succeed(["report", "class", "-o", "pages"]);
    let page = fs::read_to_string(bench.path("pages/stages.html")).expect("a page");
    for part in ["Winners' bracket", "Losers' bracket", "Grand final"] {
        assert!(page.contains(&format!("aria-label=\"{part}\"")), "{part}: {page}");
    }
    bench.succeed(["verify", "class"]);
}

/// A stage used to be seeded without the games of the round that was being played, and without a word.
#[test]
fn a_stage_waits_for_the_round_that_is_played_or_ends_it() {
    for (more, games, says, why) in [
        (&[][..], "4", "waiting for the end of round 0", Value::Null),
        (&["--break-off"], "400", "ending round 0", json!("ended for a stage")),
    ] {
        let bench = league(&["random", "greedy"]);
        enter_waiting(&bench, "ann");
        let settings = fs::read_to_string(bench.path("class/league.toml")).expect("a file");
        assert!(settings.contains("deals = 2\n"), "{settings}");
        bench.write("class/league.toml", settings.replace("deals = 2\n", "deals = 50\n"));
        let mut run = running(&bench, "ann", games);
        let mut stage = beginning(&bench, more, says);
        bench.write("class/bots/ann@2/go", "");
        assert_eq!(stage.wait().code(), Some(0), "{more:?}");
        run.signal(Signal::INT);
        run.wait();
        let over = round(&bench, "0")["over"].clone();
        assert_eq!(over["broken"]["why"], why, "{over}");
        let log = fs::read_to_string(bench.path("class/league.jsonl")).expect("a log");
        let begins = |with: &str| log.lines().position(|line| line.starts_with(with));
        assert!(begins("{\"over\"").expect("an end") < begins("{\"stage\"").expect("a stage"));
        bench.succeed(["league", "run", "class", "--stage", "--quiet"]);
        bench.succeed(["verify", "class"]);
    }
}

/// A disqualified bot was started in all remaining games of the round that was being played.
#[test]
fn a_round_ends_once_a_bot_of_it_is_disqualified() {
    let bench = league(&["random", "greedy"]);
    enter_waiting(&bench, "ann");
    let settings = fs::read_to_string(bench.path("class/league.toml")).expect("a file");
    bench.write("class/league.toml", settings.replace("deals = 2\n", "deals = 50\n"));
    let mut run = running(&bench, "ann", "400");
    bench.succeed(["league", "disqualify", "class", "ann", "--reason", "copied"]);
    bench.write("class/bots/ann@2/go", "");
    wait_until("the end of the round", || {
        let log = fs::read_to_string(bench.path("class/league.jsonl")).expect("a log");
        log.contains("{\"over\"")
    });
    run.signal(Signal::INT);
    run.wait();
    let over = round(&bench, "0")["over"].clone();
    assert_eq!(over["broken"]["why"], "ann@2 was disqualified", "{over}");
    bench.succeed(["verify", "class"]);
    bench.succeed(["league", "backup", "class", "class.tar.gz"]);
    let actions = bench.run(["league", "audit", "class", "--json"]).json();
    let of = |action: &str| {
        let mut all = actions.iter().rev().map(|it| &it["action"]);
        let found = all.find(|it| it["action"] == action);
        found.map(|it| it["what"].as_str().expect("words").to_owned()).expect(action)
    };
    assert_eq!((of("add"), of("backup")), ("ann@2".to_owned(), "class.tar.gz".to_owned()));
    assert!(of("run").starts_with("ends after "), "{actions:?}");
}

#[test]
fn a_round_that_nothing_plays_is_finished_or_ended_before_a_stage() {
    let bench = league(&["random", "greedy"]);
    enter_waiting(&bench, "ann");
    let mut run = running(&bench, "ann", "4");
    run.signal_group(Signal::KILL);
    run.wait();
    bench.write("class/bots/ann@2/go", "");
    let stage = ["league", "stage", "class", "--format", "knockout", "--deals", "1"];
    bench.run(stage).assert_refused(2, &["round 0 is unfinished, with ", "`--break-off`"]);
    let begun = bench.run([&stage[..], &["--break-off"]].concat());
    assert_eq!(begun.code, Some(0), "{begun:?}");
    assert!(begun.stderr.contains("warning: round 0 aborted after "), "{begun:?}");
    bench.succeed(["league", "run", "class", "--stage", "--quiet"]);
    bench.succeed(["verify", "class"]);
}

#[test]
fn house_bots_and_bots_without_games_are_told_apart() {
    let bench = league(&["random", "greedy"]);
    ["ann", "ben"].iter().for_each(|name| enter(&bench, name));
    let stage = ["league", "stage", "class", "--format", "swiss", "--rounds", "1", "--deals", "1"];
    let begun = |more: &[&str]| {
        let told = bench.succeed([&stage[..], more].concat());
        bench.succeed(["league", "stage", "class", "--end", "--reason", "a trial"]);
        told
    };
    // Without participants all bots are alike.
    let told = begun(&[]);
    assert!(told.contains(": 4 bots") && !told.contains("house bots"), "{told}");
    let all = "without games, seeded last by entry: random@1, greedy@1, ann@1, ben@1";
    assert!(told.contains(all), "{told}");
    for name in ["ann", "ben"] {
        bench.succeed(["league", "invite", "class", name]);
    }
    play(&bench, "8");
    enter(&bench, "late");
    bench.succeed(["league", "invite", "class", "late"]);
    let told = begun(&[]);
    assert!(told.contains(": 3 bots"), "{told}");
    assert!(told.contains("included only with `--with-house`: random@1, greedy@1\n"), "{told}");
    assert!(told.contains("without games, seeded last by entry: late@1\n"), "{told}");
    let told = begun(&["--with-house", "--without", "late", "--without", "ann"]);
    assert!(told.contains(": 3 bots") && told.contains("greedy@1"), "{told}");
    let seeds = told.lines().nth(1).unwrap_or_default();
    assert!(!seeds.contains("late") && !seeds.contains("ann"), "{told}");
    bench
        .run([&stage[..], &["--without", "eve"]].concat())
        .assert_refused(2, &["`--without eve`: no such bot", "late"]);
}

#[test]
fn an_aborted_stage_is_marked_everywhere() {
    let bench = league(&["random", "greedy", "ann=greedy"]);
    let stage = ["league", "stage", "class", "--format", "swiss", "--rounds", "2", "--deals", "1"];
    bench.succeed(stage);
    bench.succeed(["league", "run", "class", "--games", "2", "--quiet"]);
    bench.succeed(["league", "stage", "class", "--end", "--reason", "a <fire>"]);
    let told = stage_json(&bench);
    assert_eq!(
        (&told["state"], &told["aborted"]),
        (&json!("over"), &json!({"reason": "a <fire>"}))
    );
    let text = bench.succeed(["league", "stages", "class"]);
    assert!(text.contains("1 deal per match, aborted (a <fire>)"), "{text}");
    bench.succeed(["report", "class", "-o", "pages"]);
    bench.succeed(["league", "certificates", "class", "-o", "all.html"]);
    for page in ["pages/stages.html", "pages/index.html", "all.html"] {
        let page = fs::read_to_string(bench.path(page)).expect("a page");
        assert!(page.contains("aborted (a &lt;fire&gt;)"), "{page}");
    }
    let next = bench.run([&stage[..], &["--seeds", "0"]].concat());
    let warning = "warning: the seeds come from stage 0, which is aborted (a <fire>)";
    assert!(next.code == Some(0) && next.stderr.contains(warning), "{next:?}");
    bench.succeed(["verify", "class"]);
}

/// A retired bot used to play all further rounds of a stage.
#[test]
fn a_bot_that_leaves_plays_no_further_match_of_the_stage() {
    let bench = league(&["a=greedy", "b=random", "c=random", "d=random", "e=greedy", "f=random"]);
    let swiss = ["league", "stage", "class", "--format", "swiss", "--rounds", "4", "--deals", "1"];
    bench.succeed(swiss);
    bench.succeed(["league", "run", "class", "--games", "6", "--quiet"]);
    let retired = bench.run(["league", "retire", "class", "c"]);
    let warning = "warning: stage 0: c@1 keeps its points and is no longer paired";
    assert!(retired.code == Some(0) && retired.stderr.contains(warning), "{retired:?}");
    bench.succeed(["league", "run", "class", "--stage", "--quiet"]);
    let told = stage_json(&bench);
    for (number, round) in told["rounds"].as_array().expect("rounds").iter().enumerate() {
        let plays = round["matches"].to_string().contains("c@1");
        assert_eq!(plays, number == 0, "{told}");
    }
    assert_eq!(
        told["left"],
        json!([{"bot": "c@1", "rounds": 1, "how": "withdrawn", "reason": null}])
    );
    bench.succeed(["report", "class", "-o", "pages"]);
    let page = fs::read_to_string(bench.path("pages/stages.html")).expect("a page");
    assert!(page.contains("c@1 left after 1 round"), "{page}");
    bench.succeed(["verify", "class"]);
}

#[test]
fn a_disqualified_bot_leaves_the_final_to_its_opponent() {
    let bench = league(&["random", "greedy"]);
    bench.succeed(["league", "stage", "class", "--format", "knockout", "--seeds", "entry"]);
    bench.succeed(["league", "plan-round", "class", "--shards", "1", "--plain"]);
    let words = ["league", "disqualify", "class", "random", "--reason", "copied"];
    let told = bench.run(words);
    let warning = "warning: stage 0: random@1 gives up the current match to greedy@1";
    assert!(told.code == Some(0) && told.stderr.contains(warning), "{told:?}");
    bench.succeed(["tournament", "run-shard", "class/rounds/0", "--shard", "0"]);
    bench.succeed(["league", "take-round", "class"]);
    let stage = stage_json(&bench);
    let last = &stage["rounds"][0]["matches"][0];
    assert_eq!((&last["winner"], &last["decided"]), (&json!("greedy@1"), &json!("withdrawal")));
    assert_eq!(
        (&stage["state"], &stage["left"][0]["how"]),
        (&json!("over"), &json!("disqualified"))
    );
    let text = bench.succeed(["league", "stages", "class"]);
    bench.succeed(["league", "certificates", "class", "-o", "all.html"]);
    let page = fs::read_to_string(bench.path("all.html")).expect("a page");
    let left = "random@1 was disqualified after 0 rounds: copied";
    assert!(text.contains("won by withdrawal") && text.contains(left), "{text}");
    assert!(page.contains("final: won by withdrawal") && page.contains(left), "{page}");
    bench.succeed(["verify", "class"]);
}

/// A bot whose files were gone used to stop the whole stage.
#[test]
fn a_bot_whose_files_are_gone_does_not_stop_a_stage() {
    // Its files are gone before the first round, or while it is played.
    for version in [1, 2] {
        let bench = league(&["random", "greedy"]);
        enter(&bench, "ben");
        match version {
            1 => enter(&bench, "ann"),
            _ => enter_waiting(&bench, "ann"),
        }
        let stage = ["league", "stage", "class", "--format", "knockout", "--seeds", "entry"];
        bench.succeed([&stage[..], &["--deals", "1"]].concat());
        if version == 2 {
            let mut run = running(&bench, "ann", "4");
            run.signal_group(Signal::KILL);
            run.wait();
        }
        let folder = format!("class/bots/ann@{version}");
        fs::remove_file(bench.path(&format!("{folder}/bot.sh"))).expect("it is ours");
        let ended = bench.run(["league", "run", "class", "--stage"]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let says = format!(": ann@{version} leaves stage 0");
        assert!(ended.stderr.contains(&says), "{ended:?}");
        let told = stage_json(&bench);
        assert_eq!(
            (&told["state"], &told["left"][0]["rounds"]),
            (&json!("over"), &json!(0)),
            "{told}"
        );
        assert_eq!(told["places"].as_array().map(Vec::len), Some(4), "{told}");
        let events = bench.succeed(["league", "events", "class"]);
        assert!(events.contains(&format!("ann@{version} has left stage 0: ")), "{events}");
        bench.succeed(["verify", "class"]);
    }
    // If no bot of a round can start, something else is wrong.
    let bench = league(&[]);
    ["ann", "ben"].iter().for_each(|name| enter(&bench, name));
    bench.succeed(["league", "stage", "class", "--format", "knockout", "--seeds", "entry"]);
    ["ann", "ben"].iter().for_each(|name| {
        fs::remove_file(bench.path(&format!("class/bots/{name}@1/bot.sh"))).expect("it is ours");
    });
    bench.run(["league", "run", "class", "--stage"]).assert_refused(4, &["restore its files"]);
    assert_eq!(stage_json(&bench)["left"], json!([]));
}
