//! Stages from their announcement to their certificates.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};
use tests::bench::Bench;
use tests::league::{enter, enter_waiting, last_stage, league, play, round, running};
use tests::log::whole_games;
use tests::running::wait_until;
use tests::texts::assert_says;

/// A script that plays the first move listed, and forfeits once it is broken.
const BREAKS: &str = "test -e \"${0%/*}/broken\" && exit 1\nexec sed -n '/^legal /{n;p;q}'\n";

/// A league of bots with this script alone.
fn equals(names: &[&str]) -> Bench {
    let bench = league(&[]);
    names.iter().for_each(|name| enter(&bench, name, BREAKS));
    bench
}

/// Announces a stage.
fn stage(bench: &Bench, more: &str) -> String {
    bench.ok(&format!("league stage class {more}"))
}

/// The first match of this round of the last stage.
fn first_match(stage: &Value, round: usize) -> &Value {
    &stage["rounds"][round]["matches"][0]
}

/// Writes the report and the certificates, of which these pages say all of this.
fn assert_pages_say(bench: &Bench, pages: &[&str], all: &[&str]) {
    bench.ok("report class -o pages");
    bench.ok("league certificates class -o pages/all.html");
    for page in pages {
        let page = bench.text(&format!("pages/{page}"));
        assert_says(&page, all);
    }
}

#[test]
fn a_tied_final_goes_on_with_extra_deals_and_every_page_says_how_it_was_decided() {
    let bench = equals(&["ann", "ben"]);
    stage(&bench, "--format knockout --seeds entry --deals 3 --deciders 2");
    let ended = bench.line("league run class --stage");
    // The bots are the same program, so they win each deal once.
    let won = "stage 0 (stage 0): ann@1 is first, final: better seed";
    assert!(ended.stderr.contains(won), "{ended:?}");
    let told = last_stage(&bench);
    for (number, decider) in [json!(null), json!(1), json!(2)].iter().enumerate() {
        let last = first_match(&told, number);
        assert_eq!((&last["decider"], &last["decided"]), (decider, &json!("seed")), "{told}");
        assert_eq!(last["winner"], "ann@1", "{told}");
    }
    assert_eq!(first_match(&told, 1)["result"]["won"], json!([1, 1]), "{told}");
    let text = bench.ok("league stages class");
    for words in ["final, extra deal 2", "up to 2 extra deals", "better seed", "lost to the better"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_says(&bench.ok("league pairings class --round 1"), &["final was tied: extra deal 1"]);
    assert_pages_say(&bench, &["stages.html", "index.html", "all.html"], &["final: better seed"]);
    // Others are decided by the forfeits of the first seed, and of both.
    let broken = |name: &str, more: &str| {
        bench.write(&format!("class/bots/{name}@1/broken"), "");
        stage(&bench, &format!("--format knockout --seeds entry --deals 1 {more}"));
        bench.ok("league run class --stage --quiet");
        last_stage(&bench)
    };
    let told = broken("ann", "");
    let last = first_match(&told, 0);
    assert_eq!((&last["winner"], &last["decided"]), (&json!("ben@1"), &json!("forfeit")), "{told}");
    assert_eq!(last["result"]["forfeited"], json!([2, 0]), "{told}");
    let told = broken("ben", "--deciders 1");
    assert_eq!(first_match(&told, 1)["decided"], "neither-answered", "{told}");
    bench.ok("verify class");
}

/// Its run is killed in the first round, which is then played to its end.
#[test]
fn a_double_elimination_has_two_brackets_and_a_grand_final() {
    let bench = equals(&["ann", "ben"]);
    enter_waiting(&bench, "cem");
    enter(&bench, "dan", BREAKS);
    stage(&bench, "--format double-elimination --seeds entry --deals 1 --deciders 0");
    let mut run = bench.start("league run class --stage");
    // The match of ann and dan comes before that of ben and cem.
    let log = bench.path("class/rounds/0/games.jsonl");
    wait_until("a game is over", || log.exists() && whole_games(&log) > 0);
    run.signal_group(Signal::KILL);
    run.wait();
    bench.write("class/bots/cem@1/go", "");
    let ended = bench.line("league run class --stage").with_code(0);
    let over = round(&bench, "0")["over"].clone();
    assert_eq!((&over["games"], &over["broken"]), (&json!(4), &Value::Null), "{over}");
    // They play the same moves: the better seed wins each match.
    assert!(ended.stderr.contains("ann@1 is first, grand final: better seed"), "{ended:?}");
    let told = last_stage(&bench);
    assert_eq!((&told["format"], &told["state"]), (&json!("double-elimination"), &json!("over")));
    assert_eq!(told["places"].as_array().map(Vec::len), Some(4), "{told}");
    let text = bench.ok("league stages class");
    assert_says(&text, &["double elimination", "winners' final", "losers' final", "grand final"]);
    let parts = ["Winners' bracket", "Losers' bracket", "Grand final"];
    let parts = parts.map(|part| format!("aria-label=\"{part}\""));
    assert_pages_say(&bench, &["stages.html"], &parts.each_ref().map(String::as_str));
    bench.ok("verify class");
}

/// A stage used to be seeded without the games of the round that was being played, and without a word.
#[test]
fn a_stage_waits_for_the_round_that_is_played_or_ends_it() {
    for (more, deals, games, says, why) in [
        ("", 2, 4, "waiting for the end of round 0", Value::Null),
        ("--break-off", 50, 400, "ending round 0", json!("ended for a stage")),
    ] {
        let bench = league(&["random", "greedy"]);
        enter_waiting(&bench, "ann");
        bench.replace("class/league.toml", "deals = 2\n", &format!("deals = {deals}\n"));
        let mut run = running(&bench, games);
        // The next command writes into a file of its own.
        fs::remove_file(bench.path("errors")).expect("it is ours");
        let mut stage =
            bench.start(&format!("league stage class --format knockout --deals 1 {more}"));
        wait_until(says, || bench.text("errors").contains(says));
        bench.write("class/bots/ann@1/go", "");
        assert_eq!(stage.wait().code(), Some(0), "{more:?}");
        run.signal(Signal::INT);
        run.wait();
        let over = round(&bench, "0")["over"].clone();
        assert_eq!(over["broken"]["why"], why, "{over}");
        let log = bench.text("class/league.jsonl");
        let begins = |with: &str| log.lines().position(|line| line.starts_with(with));
        assert!(begins("{\"over\"").expect("an end") < begins("{\"stage\"").expect("a stage"));
        bench.ok("league run class --stage --quiet");
        bench.ok("verify class");
    }
}

/// A disqualified bot was started in all remaining games of the round that was being played.
#[test]
fn a_round_ends_once_a_bot_of_it_is_disqualified() {
    let bench = league(&["random", "greedy"]);
    enter_waiting(&bench, "ann");
    bench.replace("class/league.toml", "deals = 2\n", "deals = 50\n");
    let mut run = running(&bench, 400);
    bench.ok("league disqualify class ann --reason copied");
    bench.write("class/bots/ann@1/go", "");
    wait_until("the end of the round", || bench.text("class/league.jsonl").contains("{\"over\""));
    run.signal(Signal::INT);
    run.wait();
    let over = round(&bench, "0")["over"].clone();
    assert_eq!(over["broken"]["why"], "ann@1 was disqualified", "{over}");
    bench.ok("verify class");
    bench.ok("league backup class class.tar.gz");
    let actions = bench.line("league audit class --json").json();
    let of = |action: &str| {
        let mut all = actions.iter().rev().map(|it| &it["action"]);
        let found = all.find(|it| it["action"] == action);
        found.map(|it| it["what"].as_str().expect("words").to_owned()).expect(action)
    };
    assert_eq!((of("add"), of("backup")), ("ann@1".to_owned(), "class.tar.gz".to_owned()));
    assert!(of("run").starts_with("ends after "), "{actions:?}");
}

#[test]
fn a_round_that_nothing_plays_is_finished_or_ended_before_a_stage() {
    let bench = league(&["random", "greedy"]);
    enter_waiting(&bench, "ann");
    let mut run = running(&bench, 4);
    run.signal_group(Signal::KILL);
    run.wait();
    bench.write("class/bots/ann@1/go", "");
    let words = "league stage class --format knockout --deals 1";
    bench.line(words).assert_refused(2, &["round 0 is unfinished, with ", "`--break-off`"]);
    let begun = bench.line(&format!("{words} --break-off")).with_code(0);
    assert!(begun.stderr.contains("warning: round 0 aborted after "), "{begun:?}");
    bench.ok("league run class --stage --quiet");
    bench.ok("verify class");
}

#[test]
fn house_bots_and_bots_without_games_are_told_apart() {
    let bench = league(&["random", "greedy", "ann=random", "ben=random"]);
    let begun = |more: &str| {
        let told = stage(&bench, &format!("--format swiss --rounds 1 --deals 1 {more}"));
        bench.ok("league stage class --end --reason 'a trial'");
        told
    };
    // Without participants all bots are alike.
    let told = begun("");
    assert!(told.contains(": 4 bots") && !told.contains("house bots"), "{told}");
    let all = "without games, seeded last by entry: random@1, greedy@1, ann@1, ben@1";
    assert!(told.contains(all), "{told}");
    bench.ok("league invite class ann");
    bench.ok("league invite class ben");
    play(&bench, "8");
    bench.ok("league add class late=random");
    bench.ok("league invite class late");
    let told = begun("");
    assert!(told.contains(": 3 bots"), "{told}");
    assert!(told.contains("included only with `--with-house`: random@1, greedy@1\n"), "{told}");
    assert!(told.contains("without games, seeded last by entry: late@1\n"), "{told}");
    let told = begun("--with-house --without late --without ann");
    assert!(told.contains(": 3 bots") && told.contains("greedy@1"), "{told}");
    let seeds = told.lines().nth(1).unwrap_or_default();
    assert!(!seeds.contains("late") && !seeds.contains("ann"), "{told}");
    assert_says(&begun("--with-house --top 2"), &[": 2 bots"]);
    bench
        .line("league stage class --format swiss --without eve")
        .assert_refused(2, &["`--without eve`: no such bot", "late"]);
}

#[test]
fn an_aborted_stage_and_a_bot_that_left_it_are_marked_everywhere() {
    let bench = league(&["random", "greedy", "ann=greedy", "ben=random"]);
    stage(&bench, "--format swiss --rounds 2 --deals 1");
    play(&bench, "4");
    let retired = bench.line("league retire class ann");
    let warning = "warning: stage 0: ann@1 keeps its points and is no longer paired\n";
    assert!(retired.code == Some(0) && retired.stderr.contains(warning), "{retired:?}");
    stage(&bench, "--end --reason 'a <fire>'");
    let told = last_stage(&bench);
    let aborted = json!({"reason": "a <fire>"});
    assert_eq!((&told["state"], &told["aborted"]), (&json!("over"), &aborted));
    let text = bench.ok("league stages class");
    assert!(text.contains("1 deal per match, aborted (a <fire>)"), "{text}");
    let pages = ["stages.html", "index.html", "all.html"];
    assert_pages_say(&bench, &pages, &["aborted (a &lt;fire&gt;)"]);
    assert_says(&bench.text("pages/stages.html"), &["ann@1 left after 1 round<"]);
    let next = bench.line("league stage class --format swiss --rounds 2 --deals 1 --seeds 0");
    let warning = "warning: the seeds come from stage 0, which is aborted (a <fire>)";
    assert!(next.code == Some(0) && next.stderr.contains(warning), "{next:?}");
    bench.ok("verify class");
}

#[test]
fn a_disqualified_bot_leaves_the_final_to_its_opponent() {
    let bench = league(&["random", "greedy"]);
    stage(&bench, "--format knockout --seeds entry");
    bench.ok("league plan-round class --shards 1 --plain");
    let told = bench.line("league disqualify class random --reason copied");
    let warning = "warning: stage 0: random@1 concedes the current match to greedy@1";
    assert!(told.code == Some(0) && told.stderr.contains(warning), "{told:?}");
    bench.ok("tournament run-shard class/rounds/0 --shard 0");
    bench.ok("league take-round class");
    let told = last_stage(&bench);
    let last = first_match(&told, 0);
    assert_eq!((&last["winner"], &last["decided"]), (&json!("greedy@1"), &json!("withdrawal")));
    assert_eq!((&told["state"], &told["left"][0]["how"]), (&json!("over"), &json!("disqualified")));
    let text = bench.ok("league stages class");
    let left = "random@1 was disqualified after 0 rounds: copied";
    assert!(text.contains("won by withdrawal") && text.contains(left), "{text}");
    assert_pages_say(&bench, &["stages.html", "all.html"], &[left]);
    assert_says(&bench.text("pages/all.html"), &["final: won by withdrawal"]);
    bench.ok("verify class");
}

/// A bot whose files were gone used to stop the whole stage.
#[test]
fn a_bot_whose_files_are_gone_does_not_stop_a_stage() {
    // Its files are gone before the first round, or while it is played.
    for is_begun in [false, true] {
        let bench = league(&["random", "greedy", "ben=random"]);
        match is_begun {
            false => enter(&bench, "ann", BREAKS),
            true => enter_waiting(&bench, "ann"),
        }
        stage(&bench, "--format knockout --seeds entry --deals 1");
        if is_begun {
            let mut run = running(&bench, 4);
            run.signal_group(Signal::KILL);
            run.wait();
        }
        fs::remove_file(bench.path("class/bots/ann@1/bot.sh")).expect("it is ours");
        let ended = bench.line("league run class --stage").with_code(0);
        assert!(ended.stderr.contains(": ann@1 leaves stage 0"), "{ended:?}");
        let told = last_stage(&bench);
        let rounds = &told["left"][0]["rounds"];
        assert_eq!((&told["state"], rounds), (&json!("over"), &json!(0)), "{told}");
        assert_eq!(told["places"].as_array().map(Vec::len), Some(4), "{told}");
        assert_says(&bench.ok("league events class"), &["ann@1 has left stage 0: "]);
        bench.ok("verify class");
    }
    // If no bot of a round can start, something else is wrong.
    let bench = equals(&["ann", "ben"]);
    stage(&bench, "--format knockout --seeds entry");
    for name in ["ann", "ben"] {
        fs::remove_file(bench.path(&format!("class/bots/{name}@1/bot.sh"))).expect("it is ours");
    }
    bench.line("league run class --stage").assert_refused(4, &["restore its files"]);
    assert_eq!(last_stage(&bench)["left"], json!([]));
}
