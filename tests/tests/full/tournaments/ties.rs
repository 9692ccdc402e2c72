//! Tie-breaks of a tournament: from the plan to the log, the standings and the pages.

use serde_json::Value;
use tests::bench::Bench;
use tests::log;
use tests::texts::assert_says;
use tests::tournament::{cup, standings, verify};

/// A bot that plays the first legal move or the last one.
const SHELL: &str = "while read -r word count; do
  if [ \"$word\" = legal ]; then
    read -r move
    while [ \"$1\" = last ] && [ \"$count\" -gt 1 ]; do read -r move; count=$((count - 1)); done
    echo \"$move\"
    exit
  fi
done
";

/// Plays tournaments of bots with six games each until a tie-break has decided in one.
fn with_tie(bench: &Bench) -> (String, Value) {
    const MOST: u64 = 60;
    bench.write("bot.sh", SHELL);
    for seed in 0..MOST {
        let folder = format!("cup-{seed}");
        let bots = "random greedy 'first=sh ./bot.sh' 'last=sh ./bot.sh last'";
        let more = format!("--tie-break direct-encounter --tie-break wins {bots}");
        let game = "tournament --game coup --deals 1";
        bench.ok(&format!("{game} --dir {folder} --seed {seed} {more}"));
        let standings = standings(bench, &folder);
        let mut rows = standings["all"]["rows"].as_array().expect("rows").iter();
        if rows.any(|row| row["tie_break"] == "direct-encounter") {
            return (folder, standings);
        }
    }
    panic!("no tie in {MOST} tournaments of four bots with six games each")
}

#[test]
fn a_tie_break_of_the_plan_decides_and_is_said_everywhere() {
    let bench = Bench::new();
    let (folder, standings) = with_tie(&bench);
    verify(&bench, &folder);
    let header = &log::lines(&bench.path(&format!("{folder}/games.jsonl")))[0]["header"];
    let list = serde_json::json!(["direct-encounter", "wins"]);
    assert_eq!(header["tournament"]["tie_breaks"], list, "{header}");
    let plan = format!("{folder}/plan.toml");
    assert_says(&bench.text(&plan), &["tie-breaks = [\"direct-encounter\", \"wins\"]\n"]);
    // Equal bots stand next to each other, and are in the order of the match between them.
    let rows = standings["all"]["rows"].as_array().expect("rows");
    let is_decided = |row: &&Value| row["tie_break"] == "direct-encounter";
    let decided: Vec<&Value> = rows.iter().filter(is_decided).collect();
    assert!(decided.len() > 1, "{standings}");
    assert!(decided.iter().any(|row| row["score"] == decided[0]["score"] && *row != decided[0]));
    let note = "ranked by rating, then score; ties broken by direct-encounter, wins, then shared";
    let text = bench.ok(&format!("tournament standings {folder}"));
    assert!(text.contains(note), "{text}");
    bench.ok(&format!("report {folder} -o report"));
    let page = bench.text("report/index.html");
    let facts = "<dt>ranks</dt><dd>ties broken by direct-encounter, wins, then shared";
    assert_says(&page, &[note, ">tie-break<", facts]);
    // A list that was changed after the start would change ranks: it is an error of the proof.
    bench.replace(&plan, "\"direct-encounter\", ", "");
    let refused = bench.line(&format!("verify {folder}"));
    refused.assert_refused(3, &["contradicts its plan: its tie-breaks"]);
}

#[test]
fn an_unknown_tie_break_and_one_in_a_league_are_refused() {
    let bench = Bench::new();
    let refused = bench.line(&cup("cup", 1, "--tie-break height random greedy")).with_code(2);
    let known = "unknown tie-break `height`: use one of direct-encounter, buchholz";
    assert!(refused.stderr.contains(known), "{refused:?}");
    bench.ok("league new class --game coup");
    let settings = bench.text("class/league.toml");
    bench.write("class/league.toml", format!("tie-breaks = [\"points\"]\n{settings}"));
    let refused = bench.line("league add class random");
    refused.assert_refused(2, &["tie-breaks", "applies only to tournaments"]);
}
