//! Rounds of a league, played by engines: planned, played by tasks of which one is killed, and taken.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::Value;
use tests::bench::{Ended, run};
use tests::running::Running;
use tests::tournament::result;
use tests::{installed, log};

use super::cup::{Cup, DEALS, kill, template};

/// Runs the jobs of Slurm at once: an array in turn, and a job that depends on others when it comes. A line in `jobs` says
/// what was asked.
const SBATCH: &str = r#"#!/bin/bash
printf '%s\n' "$*" >> "$JOBS"
export SLURM_CPUS_PER_TASK=1 SLURM_JOB_ID=1
squeue() { echo COMPLETED; }
export -f squeue
while [ $# -gt 0 ]; do
  case $1 in
    --array=*) last=${1#--array=0-} ;;
    --wrap) exec sh -c "$2" ;;
    -*) ;;
    *) break ;;
  esac
  shift
done
for ((task = 0; task <= last; task++)); do
  [ "$task" = "$WITHOUT" ] && continue
  SLURM_ARRAY_TASK_ID=$task bash "$@" >&2 || true
done
echo "17;cluster"
"#;

/// A bot that plays the first move that is listed.
const FIRST_MOVE: &str = "while read -r word rest; do
  if [ \"$word\" = legal ]; then read -r move; echo \"$move\"; exit; fi
done
";

/// Asserts that the first round of a league was taken, verifies, and is what one machine plays.
pub(super) fn assert_first_round_is_taken(cup: &Cup) {
    cup.bench.succeed(["verify", &cup.name]);
    let over = log::lines(&cup.folder().join("league.jsonl")).pop().expect("a line");
    assert_eq!((&over["over"]["round"], &over["over"]["games"]), (&0.into(), &24.into()), "{over}");
    let round = cup.folder().join("rounds/0");
    // The same league before the end of the round, whose plan has no shards.
    let one = cup.bench.path("one");
    let copied = Command::new("cp").arg("-r").arg(cup.folder()).arg(&one).status();
    assert!(copied.is_ok_and(|status| status.success()));
    let log = one.join("league.jsonl");
    let text = fs::read_to_string(&log).expect("a log");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("{\"over\"")).collect();
    fs::write(&log, lines.join("\n") + "\n").expect("it is ours");
    let plan = fs::read_to_string(round.join("plan.toml")).expect("a plan");
    let of_one = plan.lines().filter(|line| !line.starts_with("shards = "));
    let of_one: String = of_one.map(|line| format!("{line}\n")).collect();
    fs::remove_dir_all(one.join("rounds/0/shards")).expect("it is ours");
    for name in ["games.jsonl", "standings.json"] {
        fs::remove_file(one.join("rounds/0").join(name)).expect("it is ours");
    }
    fs::remove_file(one.join("index.sqlite")).expect("it is ours");
    fs::write(one.join("rounds/0/plan.toml"), of_one).expect("it is ours");
    cup.bench.succeed(["league", "run", "one", "--games", "1", "--quiet"]);
    assert_eq!(result(&round), result(&one.join("rounds/0")));
    assert_eq!(cup.programs(), BTreeSet::new(), "none is left");
}

#[test]
fn parallel_plays_a_round_of_a_league() {
    let Some(cup) = Cup::league() else { return };
    if !installed::is_there("parallel") {
        return;
    }
    let mut command = cup.script_command("parallel.sh");
    command.arg(cup.folder()).arg(DEALS).args(["--jobs", "2"]);
    let mut script = Running::start(&mut command);
    // A task is killed in the middle: parallel starts it again.
    let programs = cup.wait_until_held(2);
    let killed = *programs.first().expect("it is held");
    kill(killed);
    let programs = cup.wait_until_held(2);
    assert!(!programs.contains(&killed));
    let missing = cup.bench.run(["league", "take-round", &cup.name]).with_code(75);
    assert!(missing.stderr.contains("cannot merge because of 4 shards"), "{missing:?}");
    cup.open();
    assert_eq!(script.wait().code(), Some(0), "{}", cup.outputs());
    assert_first_round_is_taken(&cup);
}

/// Plays a night by the template of Slurm, with a stand-in for it, and without one task.
fn night(cup: &Cup, without: &str) -> Ended {
    let mut bash = cup.command("bash");
    bash.arg(template("nightly.sbatch")).arg(cup.folder()).args([DEALS, "handed-in"]);
    bash.env("TEMPLATES", template("")).env("JOBS", cup.bench.path("jobs"));
    run(bash.env("WITHOUT", without))
}

/// The last line of the log of the league, and the jobs that were submitted.
fn last_and_jobs(cup: &Cup) -> (Value, Vec<String>) {
    let last = log::lines(&cup.folder().join("league.jsonl")).pop().expect("a line");
    let jobs = fs::read_to_string(cup.bench.path("jobs")).unwrap_or_default();
    (last, jobs.lines().map(str::to_owned).collect())
}

#[test]
fn a_night_of_slurm_goes_on_with_the_round_of_the_night_before() {
    let Some(cup) = Cup::league() else { return };
    cup.open();
    cup.script("sbatch", SBATCH);
    cup.bench.succeed(["league", "retire", &cup.name, "gated"]);
    let newcomer = cup.bench.path("handed-in/late");
    fs::create_dir_all(&newcomer).expect("the folder is ours");
    let manifest = "name = \"late\"\ncommand = \"sh bot.sh\"\n";
    fs::write(newcomer.join("bot.toml"), manifest).expect("it is ours");
    fs::write(newcomer.join("bot.sh"), FIRST_MOVE).expect("it is ours");
    let first = night(&cup, "2").with_code(75);
    assert!(first.stderr.contains("shard 2/4 not started"), "{first:?}");
    let (last, jobs) = last_and_jobs(&cup);
    assert_eq!(last["round"]["round"], 0, "it is open: {last}");
    assert!(last["round"]["bots"].to_string().contains("late@1"), "{last}");
    assert_eq!(jobs.len(), 2, "{jobs:?}");
    assert!(jobs[0].starts_with("--parsable --array=0-3 "), "{jobs:?}");
    assert!(jobs[0].ends_with("/rounds/0"), "{jobs:?}");
    assert!(jobs[1].starts_with("--dependency=afterany:17 "), "{jobs:?}");
    for round in ["0", "1"] {
        night(&cup, "").with_code(0);
        let (last, _) = last_and_jobs(&cup);
        assert_eq!(last["over"]["round"].to_string(), round, "{last}");
        cup.bench.succeed(["verify", &cup.name]);
    }
}
