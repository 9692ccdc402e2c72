//! Games of a tournament that are void again and again: a bot that makes them void is out and the
//! rest is played, and a machine that has run out costs no bot a game.

#![cfg(target_os = "linux")]

use std::fs;

use serde_json::{Value, json};
use tests::bench::{Bench, run};
use tests::keeping::{Keeping, KeepingCommand};
use tests::running::Running;
use tests::tournament::{SEED, cut, result, verify, words};
use tests::{chain, log, processes};

/// The time of the bad bot, for which the referee is stopped: long enough to start on any
/// machine. The others have more, and need it never.
const LIMITS: [&str; 4] = ["--time-limit", "60s", "--time-limit", "bad=3s"];

/// Number of attempts at a void game before it is given up.
const ATTEMPTS: usize = 4;

/// A bot in whose games the referee is stopped until its time is up.
fn bad(bench: &Bench) -> String {
    format!("bad={}", bench.faulty("stop-parent late"))
}

fn number(game: &Value) -> u64 {
    game["number"].as_u64().expect("a number")
}

/// Three bots meet twice on one deal: `bad` plays in games 0 to 3.
#[test]
fn a_bot_that_makes_games_void_is_out_and_the_rest_is_played() {
    let bench = Bench::new();
    let bad = bad(&bench);
    let bots = [bad.as_str(), "random", "greedy"];
    let options = [&LIMITS[..], &["--workers", "1", "--quiet"], Keeping::Off.words()].concat();
    let plan = ["tournament", "plan", "merged", "--game", "tablic", "--deals", "1", "--seed", SEED];
    let sharded = [&plan[..], &["--shards", "2", "--quiet"], &LIMITS, Keeping::Off.words(), &bots];
    bench.succeed(sharded.concat());
    let shard = ["tournament", "run-shard", "merged", "--workers", "1", "--quiet", "--shard"];
    // At once, since most of the time nothing happens.
    let mut running = [
        [&words("whole", "1")[..], &options, &bots].concat(),
        [&shard[..], &["0"]].concat(),
        [&shard[..], &["1"]].concat(),
    ]
    .map(|words| Running::start(&mut bench.arbiter(words)));
    for tournament in &mut running {
        assert!(tournament.wait().success(), "one bot does not stop the others");
    }
    let games = log::games(&bench.path("whole").join("games.jsonl"));
    let (void, counted): (Vec<&Value>, Vec<&Value>) =
        games.iter().partition(|game| log::is_void(game));
    // Two games in a row were given up through it, and the others with it are skipped.
    let numbers: Vec<u64> = void.iter().map(|game| number(game)).collect();
    assert_eq!(numbers, [[0; ATTEMPTS], [1; ATTEMPTS]].concat());
    let numbers: Vec<u64> = counted.iter().map(|game| number(game)).collect();
    assert_eq!(numbers, [4, 5]);
    for game in &void {
        let last = log::answers(game).pop().expect("the one that was void");
        assert_eq!(last["seat"], log::seat_of(game, "bad"), "{game}");
    }
    verify(&bench, "whole");
    let shown = bench.succeed(["tournament", "status", "whole"]);
    for word in ["bad: disqualified after game 1", "2 games were abandoned", "2 games were skipped"]
    {
        assert!(shown.contains(word), "`{word}` is not in {shown}");
    }
    // Shards know a part only, so there no bot is out; the whole of them is the same.
    bench.succeed(["tournament", "merge", "merged"]);
    verify(&bench, "merged");
    let expected = result(&bench.path("whole"));
    assert_eq!(result(&bench.path("merged")), expected);
    // Cut off after the first game that was given up, and gone on with.
    let path = bench.path("whole").join("games.jsonl");
    let text = fs::read_to_string(&path).expect("a log");
    cut(&bench, "whole", ATTEMPTS);
    bench.succeed(["tournament", "resume", "whole", "--quiet", "--workers", "1"]);
    assert_eq!(result(&bench.path("whole")), expected);
    verify(&bench, "whole");
    // A log that goes on with a bot that is out is not verified.
    let mut lines = chain::contents(&text);
    let end = lines.pop().expect("a last line");
    let more = lines[1].replace("\"number\":0", "\"number\":2");
    lines.extend([more, end]);
    fs::write(&path, chain::chain(&lines)).expect("it is ours");
    bench.run(["verify", "whole"]).assert_refused(3, &["line 12, game 2"]);
    processes::wait_for_none(bench.marker());
}

/// A bot that puts a link to itself in the place of its program is charged with it: it gets no other
/// cards, loses its games, and is out.
#[test]
fn a_bot_that_spoils_itself_gets_no_other_cards() {
    for keeping in Keeping::OPEN {
        let bench = Bench::new();
        let own = bench.copy(&bench.program("faulty"), "own-program").display().to_string();
        let bad = format!("bad='{own}' only-on 2 0 replace-by link '{own}' {}", bench.marker());
        let bots = ["random", "greedy", bad.as_str()];
        let all = [&words("cup", "3")[..], &["--quiet"], &bots].concat();
        let ended = run(bench.arbiter(all).with_keeping(keeping));
        assert_eq!(ended.code, Some(0), "{keeping}: {ended:?}");
        verify(&bench, "cup");
        let games = log::games(&bench.path("cup").join("games.jsonl"));
        assert!(games.iter().all(|game| game["result"]["ending"] != "void"), "{games:?}");
        assert!(games.iter().all(|game| game.get("attempt").is_none()), "{games:?}");
        let verdicts: Vec<Value> = games
            .iter()
            .filter(|game| game["seats"].as_array().is_some_and(|it| it.contains(&json!("bad"))))
            .filter_map(|game| log::answers(game).last().map(|it| it["verdict"].clone()))
            .collect();
        // In its first game it may have been the second to move.
        assert!(verdicts.len() >= 8 && verdicts.len() < 12, "{verdicts:?}");
        let lost = verdicts.iter().filter(|it| *it == "start-failed").count();
        assert!(lost + 1 >= verdicts.len(), "{verdicts:?}");
    }
}

/// Once nothing can be started any more, the tournament stops, no bot is charged, and the games
/// after it are the same as otherwise. A keeper that has run out would be replaced.
#[test]
fn a_machine_that_has_run_out_stops_a_tournament() {
    let bench = Bench::new();
    let file = bench.path("starved");
    let starve = format!("only-on 2 0 starve-parent descriptors '{}'", file.display());
    let bad = format!("bad={}", bench.faulty(&starve));
    let bots = ["random", "greedy", bad.as_str()];
    let options = ["--quiet", "--workers", "2"];
    let play = |folder: &str| {
        let all = [&words(folder, "2")[..], &options, &bots].concat();
        run(bench.arbiter(all).with_keeping(Keeping::Portable))
    };
    let stopped = play("cup");
    let stops = ["stayed void after 3 replays", "stopping the tournament"];
    stopped.assert_refused(1, &stops);
    let games = log::games(&bench.path("cup").join("games.jsonl"));
    assert!(games.iter().all(|game| game["result"]["ending"] == "played"), "{games:?}");
    // A folder of that name keeps the bot from it as well, and is no file of its command.
    fs::remove_file(&file).and_then(|()| fs::create_dir(&file)).expect("it is ours");
    bench.succeed([&["tournament", "resume", "cup"][..], &options].concat());
    verify(&bench, "cup");
    play("whole").with_code(0);
    assert_eq!(result(&bench.path("cup")), result(&bench.path("whole")));
}
