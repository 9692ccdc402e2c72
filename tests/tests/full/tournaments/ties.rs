//! Tie-breaks of a tournament: from the plan to the log, the standings and the pages.

use serde_json::Value;
use tests::bench::Bench;
use tests::log;
use tests::tournament::{coup, verify};

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
fn cup(bench: &Bench) -> (String, Value) {
    const MOST: u64 = 60;
    bench.write("bot.sh", SHELL);
    for seed in 0..MOST {
        let folder = format!("cup-{seed}");
        let seed = format!("{seed:064x}");
        let bots = ["random", "greedy", "first=sh ./bot.sh", "last=sh ./bot.sh last"];
        let words =
            ["tournament", "--game", "coup", "--dir", &folder, "--deals", "1", "--seed", &seed];
        let options = ["--tie-break", "direct-encounter", "--tie-break", "wins"];
        bench.succeed([&words[..], &options, &bots].concat());
        let standings = bench.succeed(["tournament", "standings", &folder, "--format", "json"]);
        let standings: Value = serde_json::from_str(&standings).expect("JSON");
        let rows = standings["all"]["rows"].as_array().expect("rows").clone();
        if rows.iter().any(|row| row["tie_break"] == "direct-encounter") {
            return (folder, standings);
        }
    }
    panic!("no tie in {MOST} tournaments of four bots with six games each")
}

#[test]
fn a_tie_break_of_the_plan_decides_and_is_said_everywhere() {
    let bench = Bench::new();
    let (folder, standings) = cup(&bench);
    verify(&bench, &folder);
    let header = &log::lines(&bench.path(&format!("{folder}/games.jsonl")))[0]["header"];
    let list = serde_json::json!(["direct-encounter", "wins"]);
    assert_eq!(header["tournament"]["tie_breaks"], list, "{header}");
    let plan = std::fs::read_to_string(bench.path(&format!("{folder}/plan.toml"))).expect("a plan");
    assert!(plan.contains("tie-breaks = [\"direct-encounter\", \"wins\"]\n"), "{plan}");
    // Equal bots stand next to each other, and are in the order of the match between them.
    let rows = standings["all"]["rows"].as_array().expect("rows");
    let is_decided = |row: &&Value| row["tie_break"] == "direct-encounter";
    let decided: Vec<&Value> = rows.iter().filter(is_decided).collect();
    assert!(decided.len() > 1, "{standings}");
    assert!(decided.iter().any(|row| row["score"] == decided[0]["score"] && *row != decided[0]));
    let note = "ranked by rating, then score; ties broken by direct-encounter, wins, then shared";
    let text = bench.succeed(["tournament", "standings", &folder]);
    assert!(text.contains(note), "{text}");
    bench.succeed(["report", &folder, "-o", "report"]);
    let page = bench.text("report/index.html");
    for part in [
        note,
        ">tie-break<",
        "<dt>ranks</dt><dd>ties broken by direct-encounter, wins, then shared",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

/// A list that was changed after the start would change ranks: it is an error of the proof.
#[test]
fn a_changed_list_of_tie_breaks_does_not_verify() {
    let bench = Bench::new();
    let options = ["--tie-break", "points", "a=random", "b=random"];
    bench.succeed([&coup("cup", "1")[..], &options].concat());
    let plan = bench.path("cup/plan.toml");
    let text = std::fs::read_to_string(&plan).expect("a plan");
    std::fs::write(&plan, text.replace("\"points\"", "\"margin\"")).expect("it is ours");
    let refused = bench.line("verify cup");
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(refused.stderr.contains("contradicts its plan: its tie-breaks"), "{refused:?}");
}

#[test]
fn an_unknown_tie_break_and_one_in_a_league_are_refused() {
    let bench = Bench::new();
    let options = ["--tie-break", "height", "random", "greedy"];
    let refused = bench.run([&coup("cup", "1")[..], &options].concat());
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let known = "unknown tie-break `height`: use one of direct-encounter, buchholz";
    assert!(refused.stderr.contains(known), "{refused:?}");
    bench.ok("league new class --game coup");
    let file = bench.path("class/league.toml");
    let settings = std::fs::read_to_string(&file).expect("settings");
    std::fs::write(&file, format!("tie-breaks = [\"points\"]\n{settings}")).expect("it is ours");
    let refused = bench.line("league add class random");
    refused.assert_refused(2, &["tie-breaks", "applies only to tournaments"]);
}
