//! Custom games that are simulated, and faults of rules as these are told.

use tests::own_games::{bench, example};

/// `simulate` refused every custom game, although `random` plays them all.
#[test]
fn a_custom_game_is_simulated() {
    let Some(bench) = bench() else { return };
    let game = example("leduc/python");
    let words = ["--game", &game, "--seed", "7", "a=random", "b=random"];
    let simulate = |more: &[&str]| bench.succeed([&["simulate"], more, &words].concat());
    let table = simulate(&["--deals", "20", "--workers", "1"]);
    assert!(table.starts_with("leduc seats=2: 40 games, 20 deals, every seat rotation"), "{table}");
    // The number of threads changes nothing, and 13 chips each are never lost.
    assert_eq!(simulate(&["--deals", "20", "--workers", "2"]), table);
    let json = simulate(&["--deals", "20", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let points = |place: usize| report["players"][place]["points"].as_u64().expect("points");
    assert_eq!(points(0) + points(1), 40 * 26, "{report}");
    // A log of it verifies by the rules, and its games are those of a match with the same seed.
    simulate(&["--deals", "3", "--order", "fixed", "--log", "simulated"]);
    bench.succeed(["verify", "simulated", "--game", &game]);
    let shown = |log: &str| bench.succeed(["show", log, "--game", "0", "--game", &game]);
    bench.succeed([&["match", "--games", "3", "--quiet", "--log", "played"], &words[..]].concat());
    let story = |log: &str| {
        let shown = shown(log);
        shown.split_once("game 0:").map(|(_, story)| story.to_owned()).expect("its game")
    };
    assert_eq!(story("simulated"), story("played"));
}

/// A fault of rules stops a simulation as it stops a match, and names the call.
#[test]
fn a_fault_of_rules_stops_their_simulation() {
    let Some(bench) = bench() else { return };
    let game = tests::own_games::faulty("unknown-line");
    let ended = bench.run(["simulate", "--game", &game, "--deals", "50", "a=random", "b=random"]);
    ended.assert_refused(7, &["of the simulation: the rules failed: "]);
}

/// A traceback was told by its last line alone: what failed, and not where.
#[test]
fn a_fault_of_rules_names_its_place_in_their_files() {
    let Some(bench) = bench() else { return };
    let rules = "import sys\n\
         def share(pot):\n\
         \x20   return pot // 0\n\
         for call in sys.stdin:\n\
         \x20   if call == 'about\\n':\n\
         \x20       print('rules 1\\nname zero\\ntitle Zero\\nabout fails\\nseats 2\\nhelp None.\\n', flush=True)\n\
         \x20   else:\n\
         \x20       share(1)\n";
    bench.write("zero.py", rules);
    let ended = bench.run(["match", "--game", "python3 zero.py", "a=random", "b=random"]);
    assert_eq!(ended.code, Some(7), "{ended:?}");
    assert!(ended.stderr.contains("(ZeroDivisionError: "), "{ended:?}");
    assert!(ended.stderr.contains(" by zero; zero.py, line 3)"), "{ended:?}");
    // Nothing is played again after it.
    assert!(!ended.stdout.contains("replayed"), "{ended:?}");
}
