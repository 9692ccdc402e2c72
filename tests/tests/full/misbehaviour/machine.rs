//! A machine that has run out of something: games are void and played again, or the match stops,
//! but no bot is charged with it and no result counts that is not on disk.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Resource, Rlimit, geteuid, prlimit};
use serde_json::{Value, json};
use tests::bench::{Bench, Ended, run};
use tests::keeping::{Keeping, KeepingCommand, as_user};
use tests::log::assert_nobody_is_charged;
use tests::running::{Running, children, wait_for_no_scratch};
use tests::{log, processes, tournament};

/// A user without rights or processes, who need not exist.
const NOBODY: u32 = 61_234;

/// Number of attempts at a void game.
const ATTEMPTS: u64 = 4;

/// A match of two games in whose first one the referee is starved after the third answer, with the
/// word for the resource that it lacks then.
fn starving(bench: &Bench, keeping: Keeping, resource: &str) -> Command {
    let file = bench.path("starved");
    let bad = bench.faulty(&format!("only-on 2 0 starve-parent {resource} '{}'", file.display()));
    let words = ["match", "--game", "tablic", "--json", "--games", "2", "--log", "log"];
    let mut command = bench.arbiter(words);
    command.args([format!("bad={bad}"), bench.faulty("ok")]);
    command.with_keeping(keeping);
    command
}

/// The match has stopped, and no bot is charged.
fn assert_stopped(bench: &Bench, ended: &Ended, case: &str) {
    assert_eq!(ended.code, Some(1), "{case}: {ended:?}");
    let says = "error: game 0 stayed void after 3 replays; stopping the match: ";
    assert!(ended.stderr.starts_with(says), "{case}: {ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{case}: {ended:?}");
    let games = log::games(&bench.path("log"));
    assert_eq!(games.len() as u64, ATTEMPTS, "{case}");
    for (attempt, game) in games.iter().enumerate() {
        assert_eq!(game["result"]["ending"], "void", "{case}: {game}");
        let again = game.get("attempt").and_then(Value::as_u64).unwrap_or(0);
        assert_eq!((&game["number"], again), (&json!(0), attempt as u64), "{case}: {game}");
        assert_eq!(game["id"], games[0]["id"], "the name of the game stays: {case}");
        assert_eq!(game["bot_seeds"] == games[0]["bot_seeds"], attempt == 0, "{case}");
        assert_nobody_is_charged(game);
    }
    assert!(!ended.stdout.contains("\"counts\":true"), "{case}: {ended:?}");
    assert!(!ended.stdout.contains("\"result\""), "{case}: {ended:?}");
    let last = &ended.json().pop().expect("a line")["stopped"];
    assert_eq!(
        last["seed"].as_str().map(str::len),
        Some(64),
        "{case}: the seed is shown: {ended:?}"
    );
    let stops = "the log stops after 0 of 2 games, at a game that stayed void after all replays";
    bench.run(["verify", "log"]).assert_refused(3, &[stops]);
    processes::wait_for_none(bench.marker());
    wait_for_no_scratch(bench);
}

#[test]
fn a_machine_that_has_run_out_costs_no_bot_a_game() {
    for keeping in Keeping::OPEN {
        let bench = Bench::new();
        let ended = run(&mut starving(&bench, keeping, "descriptors"));
        assert_stopped(&bench, &ended, &keeping.to_string());
    }
}

/// Under a keeper the game is void, and another keeper has the room. The superuser's processes are not counted, so
/// another user plays this match then.
#[test]
fn a_machine_without_room_for_a_process_costs_no_bot_a_game() {
    for keeping in Keeping::OPEN {
        let bench = Bench::new();
        let mut command = starving(&bench, keeping, "processes");
        if geteuid().is_root() {
            command = as_user(&bench, &command, NOBODY);
        }
        let ended = run(&mut command);
        if keeping == Keeping::Portable {
            assert_stopped(&bench, &ended, "portable");
            continue;
        }
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let games = log::games(&bench.path("log"));
        let endings: Vec<&Value> = games.iter().map(|game| &game["result"]["ending"]).collect();
        assert_eq!(endings, ["void", "played", "played"]);
        games.iter().for_each(assert_nobody_is_charged);
        bench.verify(&bench.path("log"));
        processes::wait_for_none(bench.marker());
        wait_for_no_scratch(&bench);
    }
}

/// As soon as the machine has what it needs, the game is played and counts; with other cards, since
/// those of the attempts before are in the log.
#[test]
fn a_machine_that_recovers_plays_on() {
    for keeping in Keeping::OPEN {
        // The referee waits for two seconds in all. A machine that is so busy that the test is
        // late then gets another try.
        let recovered = (0..10).any(|_| has_recovered(keeping));
        assert!(recovered, "{keeping}: late ten times");
    }
}

fn has_recovered(keeping: Keeping) -> bool {
    let bench = Bench::new();
    let mut command = starving(&bench, keeping, "descriptors");
    let mut referee = Running::start(command.stdout(Stdio::piped()).stderr(Stdio::null()));
    let stdout = BufReader::new(referee.stdout());
    let mut lines: Vec<Value> = Vec::new();
    for line in stdout.lines() {
        let line: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        if line["game"]["ending"] == "void" {
            for number in [vec![referee.id()], children(referee.id())].concat() {
                let enough = Rlimit { current: Some(64), maximum: Some(64) };
                // It may have ended already.
                let _ = prlimit(Pid::from_raw(number as i32), Resource::Nofile, enough);
            }
        }
        lines.push(line);
    }
    if !referee.wait().success() {
        return false;
    }
    bench.verify(&bench.path("log"));
    let games = log::games(&bench.path("log"));
    let voids = games.len() - 2;
    assert!(voids > 0, "{keeping}: nothing was void");
    let mut dealt = Vec::new();
    for game in &games[..=voids] {
        assert_nobody_is_charged(game);
        let cards = game["inputs"].as_array().expect("inputs")[..3].to_vec();
        assert!(!dealt.contains(&cards), "{keeping}: the same cards again: {game}");
        dealt.push(cards);
    }
    for game in &games[..voids] {
        assert_eq!(game["result"]["ending"], "void", "{keeping}: {game}");
    }
    for game in &games[voids..] {
        assert_eq!(game["result"]["ending"], "played", "{keeping}: {game}");
        assert_eq!(game["result"]["out"], json!([null, null]), "{keeping}: {game}");
    }
    let told = lines.last().expect("a line");
    assert_eq!(told["result"]["played_again"], voids, "{keeping}: {told}");
    assert_eq!(told["result"]["players"][0]["faults"], 0, "{keeping}: {told}");
    true
}

/// The referee lacks descriptors from the beginning, but never blames a bot for it.
#[test]
fn too_few_descriptors_from_the_beginning() {
    for keeping in Keeping::OPEN {
        for most in [3, 6, 12] {
            let bench = Bench::new();
            let script = format!("ulimit -n {most}; exec \"$0\" \"$@\"");
            let mut limited = bench.command("/bin/sh");
            limited.args(["-c", &script]).arg(bench.program("arbiter"));
            limited.args(["match", "--game", "tablic", "--json", "--log", "log"]);
            limited.args([bench.faulty("ok"), bench.faulty("ok")]);
            let ended = run(limited.with_keeping(keeping));
            let case = format!("{keeping}, {most} descriptors: {ended:?}");
            // A loader that cannot open the libraries of the program ends it with 127.
            assert!([Some(0), Some(1), Some(2), Some(127)].contains(&ended.code), "{case}");
            if bench.path("log").exists() {
                log::games(&bench.path("log")).iter().for_each(assert_nobody_is_charged);
            }
            wait_for_no_scratch(&bench);
        }
    }
}

/// A layer that is wanting for want of descriptors is an error of the machine, whatever is there a moment later.
#[test]
fn too_few_descriptors_cost_no_layer_of_isolation() {
    let bench = Bench::new();
    if !Keeping::Isolated.can_be_had(&bench) {
        return;
    }
    let mut failed = 0;
    for most in (3..40).step_by(3) {
        let script = format!("ulimit -n {most}; exec \"$0\" \"$@\"");
        let mut limited = bench.command("/bin/sh");
        limited.args(["-c", &script]).arg(bench.program("arbiter")).args(["sandbox", "--json"]);
        let ended = run(&mut limited);
        let case = format!("{most} descriptors: {ended:?}");
        // A missing layer would be 5. A loader that cannot open the libraries of the program ends it with 127.
        assert!([Some(0), Some(1), Some(2), Some(127)].contains(&ended.code), "{case}");
        failed += usize::from(ended.code == Some(1));
    }
    assert!(failed > 0, "none was too few");
}

/// A file system of its own that is too small, if this user may mount one.
fn on_small_disk(bench: &Bench, options: &str, words: &[&str]) -> Option<Ended> {
    fs::create_dir_all(bench.path("disk")).expect("a folder");
    let mount = format!(
        "mount -t tmpfs -o {options} small disk && mkdir disk/tmp && export TMPDIR=\"$PWD/disk/tmp\""
    );
    let keep = "code=$?; cp -r disk/log kept 2>/dev/null; exit $code";
    let own = if geteuid().is_root() { "-m" } else { "-rm" };
    let may = |script: &str| {
        let mut command = bench.command("unshare");
        command.args([own, "/bin/sh", "-c", script]).arg(bench.program("arbiter"));
        command
    };
    if !may(&mount)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|it| it.success())
    {
        tests::missing::tell("no small file system can be mounted here");
        return None;
    }
    let mut command = may(&format!("{mount} && \"$0\" \"$@\"; {keep}"));
    Some(run(command.args(words)))
}

#[test]
fn a_full_disk_stops_the_match() {
    let bench = Bench::new();
    let bot = bench.faulty("ok");
    let words = ["match", "--game", "tablic", "--json", "--games", "20", "--log", "disk/log"];
    let words = [&words[..], &[&bot, &bot]].concat();
    let Some(ended) = on_small_disk(&bench, "size=32k", &words) else { return };
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.starts_with("error: cannot write to the log: "), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    let kept = bench.text("kept");
    // A line that was cut off has no line feed at its end.
    let whole = kept.matches('\n').count();
    let told = ended.stdout.matches("\"counts\":true").count();
    assert!(told > 0, "no game had room: {ended:?}");
    assert_eq!(told, whole - 1, "what was told is on disk, and nothing else was told");
    assert!(!ended.stdout.contains("\"result\""), "{ended:?}");
    bench.run(["verify", "kept"]).with_code(3);
    processes::wait_for_none(bench.marker());
}

/// The games that counted are kept, and the rest is played once there is room.
#[test]
fn a_full_disk_stops_the_tournament() {
    let bench = Bench::new();
    let bots = ["greedy", "random"];
    let words = [&tournament::words("disk/log", "20")[..], &["--workers", "2"], &bots].concat();
    let Some(ended) = on_small_disk(&bench, "size=64k", &words) else { return };
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let error = ended.stderr.lines().last().unwrap_or_default();
    assert!(error.starts_with("error: cannot write to the log: "), "{ended:?}");
    let kept = log::whole_games(&bench.path("kept/games.jsonl"));
    assert!((1..40).contains(&kept), "{kept} games had room");
    bench.succeed(["tournament", "resume", "kept", "--quiet"]);
    tournament::verify(&bench, "kept");
    bench.succeed([&tournament::words("whole", "20")[..], &["--quiet"], &bots].concat());
    assert_eq!(tournament::result(&bench.path("kept")), tournament::result(&bench.path("whole")));
}

/// The log is in order, and must not be blamed, wherever the room ends.
#[test]
fn a_full_disk_of_the_index_of_a_league_is_named() {
    let bench = Bench::new();
    bench.succeed(["league", "new", "class", "--game", "coup"]);
    bench.succeed(["league", "add", "class", "random", "greedy"]);
    bench.succeed(["league", "run", "class", "--games", "100", "--quiet"]);
    let index = bench.path("class/index.sqlite");
    fs::remove_file(&index).expect("it is there");
    std::os::unix::fs::symlink(bench.path("disk/index.sqlite"), &index).expect("a link");
    let mut failed = 0;
    for pages in (1..40).step_by(3) {
        let size = format!("size={}k", pages * 4);
        let words = ["league", "standings", "class"];
        let Some(ended) = on_small_disk(&bench, &size, &words) else { return };
        if ended.code == Some(0) {
            continue;
        }
        failed += 1;
        assert_eq!(ended.code, Some(1), "{size}: {ended:?}");
        let says = "error: cannot write `class/index.sqlite`: ";
        assert!(ended.stderr.starts_with(says), "{size}: {ended:?}");
        assert!(ended.stderr.contains("make room on its disk"), "{size}: {ended:?}");
    }
    assert!(failed > 3, "{failed} disks were full");
    fs::remove_file(&index).expect("it is there");
    bench.succeed(["league", "standings", "class"]);
}

#[test]
fn a_disk_without_room_for_scratch_folders_costs_no_bot_a_game() {
    for inodes in [3, 4, 6] {
        let bench = Bench::new();
        let bot = bench.faulty("ok");
        let words = ["match", "--game", "tablic", "--json", "--games", "2", "--log", "log"];
        let words = [&words[..], &[&bot, &bot]].concat();
        let script = format!("nr_inodes={inodes}");
        let Some(ended) = on_small_disk(&bench, &script, &words) else { return };
        assert!([Some(0), Some(1)].contains(&ended.code), "{inodes} inodes: {ended:?}");
        if bench.path("log").exists() {
            log::games(&bench.path("log")).iter().for_each(assert_nobody_is_charged);
        }
    }
}
