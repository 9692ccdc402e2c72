//! Rounds that are played and stopped, and a final.

use rustix::process::Signal;
use serde_json::Value;
use tests::league::{league, play, status};
use tests::running::wait_until;
use tests::texts::assert_says;

#[test]
fn ctrl_c_ends_a_run_and_the_round_is_resumed() {
    let bench = league(&["random", "greedy"]);
    let mut running = bench.start("league run class");
    wait_until("a round is over", || status(&bench)["rounds"] != 0);
    // Meanwhile no one else plays, and everyone may look and enter.
    bench.line("league run class").assert_refused(75, &["`class` is locked by another `run`"]);
    bench.ok("league add class late=greedy");
    wait_until("the newcomer plays", || {
        bench.ok("league standings class").contains("late@1")
            && bench.ok("league pairings class").contains("late@1")
    });
    assert_eq!(status(&bench)["state"], "running");
    running.signal(Signal::INT);
    assert_eq!(running.wait().code(), Some(130));
    assert_says(&bench.text("errors"), &["stopped; continue with `arbiter league run class`"]);
    assert_eq!(status(&bench)["state"], "not running");
    play(&bench, "4");
    assert_eq!(status(&bench)["open"], Value::Null);
    bench.ok("verify class");
}

#[test]
fn lines_of_json_say_what_a_run_has_played() {
    let bench = league(&["random", "greedy", "ann=greedy"]);
    let ended = bench.line("league run class --games 16 --json").without_error();
    let lines = ended.json();
    let over: Vec<_> = lines.iter().filter_map(|line| line.get("over")).collect();
    assert_eq!(over.iter().map(|it| it["round"].as_u64()).collect::<Vec<_>>(), [Some(0), Some(1)]);
    assert!(over.iter().all(|it| it["games"] == 8), "{over:?}");
    let end = lines.last().expect("a result");
    assert_eq!(end["result"]["standings"]["all"]["games"], 16);
    let last = |line: &str| bench.line(line).json().pop().expect("a line");
    assert_eq!(last("league standings class --json"), *end);
    assert_eq!(last("league standings class --format json"), end["result"]["standings"]);
    assert_eq!(bench.line("league standings class --json --format csv").code, Some(2));
    // A head that was published stays one of the log.
    let head = bench.ok("head class");
    play(&bench, "4");
    bench.ok(&format!("verify class --head {}", head.trim_end()));
    let other = bench.line(&format!("verify class --head {}", "0".repeat(64)));
    other.assert_refused(3, &["a different or modified log"]);

    let end = last("tournament --game coup --dir cup --deals 2 --json random greedy");
    assert_eq!(end["result"]["played"], 4);
    assert_eq!(last("tournament standings cup --json"), end);
    assert_eq!(last("tournament standings cup --format json"), end["result"]["standings"]);
}

#[test]
fn a_league_ends_with_a_final_of_its_best_bots() {
    let bench = league(&["random", "greedy", "ann=greedy", "ben=random"]);
    let stage = |more: &str| bench.ok(&format!("league stage class {more}"));
    let told = stage("--format knockout --seeds entry --deals 1");
    assert!(told.contains("\nseeds: random@1, greedy@1, ann@1, ben@1\n"), "{told}");
    bench.refuses("league stage class --format swiss", "stage 0 (stage 0) is unfinished");
    // A new version does not play in it.
    bench.ok("league add class ben=greedy");
    bench.ok("league run class --stage --quiet");
    let shown = bench.ok("league stages class");
    assert!(shown.contains(" ben@1") && !shown.contains("ben@2"), "{shown}");
    assert_says(&shown, &["semifinal", "final", "\nrank  bot", "\n3-4 "]);
    let none = "no stage is in progress: announce one with `arbiter league stage class`";
    bench.refuses("league run class --stage", none);
    // The places of a stage seed the next one: bots that have left are left out, and others are new.
    bench.ok("league retire class random");
    let told = stage("--format swiss --seeds 0 --name 'last one'");
    let seeds = told.lines().nth(1).and_then(|line| line.strip_prefix("seeds: ")).expect("seeds");
    let mut sorted: Vec<&str> = seeds.split(", ").collect();
    sorted.sort_unstable();
    assert_eq!(sorted, ["ann@1", "ben@2", "greedy@1"]);
    assert_eq!(stage("--end"), "stage 1 (last one) ended before its last round\n");
    for (more, why) in [
        ("--end", "no stage is in progress"),
        ("--format swiss --rounds 9", "invalid stage: 9 Swiss rounds for 3 bots"),
        ("--format swiss --top 9", "`--top 9`: at most 3, the number of bots"),
        ("--format knockout --rounds 2", "`--rounds` is for `--format swiss` only"),
        ("--format groups", "pass --groups N"),
        ("--format swiss --seeds 7", "no finished stage 7"),
        ("--format swiss --deciders 2", "`--deciders` cannot be used with `--format swiss`"),
        ("--format double-elimination --third-place", "`--third-place` is for `--format knockout`"),
    ] {
        bench.refuses(&format!("league stage class {more}"), why);
    }
    let games = play(&bench, "4");
    let verified = bench.ok("verify class");
    assert!(verified.starts_with(&format!("class: ok, {games} games of coup")), "{verified}");
}
