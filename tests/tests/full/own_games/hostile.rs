//! Hostile rules: nothing is lost, nobody is charged, and nothing of them stays.

#![cfg(target_os = "linux")]

use std::fs;

use tests::bench::Bench;
use tests::log::assert_nobody_is_charged;
use tests::own_games::{HOSTILE, bench, hostile};
use tests::running::wait_for_no_scratch;
use tests::{log, processes};

#[test]
fn a_hostile_module_stops_the_match_and_charges_no_bot() {
    let bench = Bench::new();
    // The check of games meets all of them.
    let some = ["DEEP", "TOUCH", "GROW", "FLOOD", "OUTSIDE", "IMPORT"];
    assert_eq!(HOSTILE.iter().filter(|it| some.contains(&it.0)).count(), some.len());
    for (define, step, says) in HOSTILE.into_iter().filter(|it| some.contains(&it.0)) {
        let Some(module) = hostile(&bench, define) else { return };
        let game = module.display().to_string();
        let words = ["match", "--game", &game, "--games", "4", "--quiet", "--log", define];
        let ended = bench.run([&words[..], &["a=random", "b=random"]].concat());
        match step {
            // It takes what it may have, and goes on.
            "" => assert_eq!(ended.code, Some(0), "{define}: {ended:?}"),
            // Nothing was played, and nothing is written.
            "starts" => {
                assert!(matches!(ended.code, Some(7 | 2)), "{define}: {ended:?}");
                assert!(!bench.path(define).exists(), "{define}");
            }
            _ => assert_eq!(ended.code, Some(7), "{define}: {ended:?}"),
        }
        assert!(ended.stderr.contains(says), "{define}: {ended:?}");
        if bench.path(define).exists() {
            log::games(&bench.path(define)).iter().for_each(assert_nobody_is_charged);
        }
    }
}

/// Rules that answer as they must, and meanwhile try what a hostile program would.
const ATTACKER: &str = r#"
import os, socket, subprocess, sys
def tries(action):
    try:
        return action()
    except BaseException as error:
        return type(error).__name__
found = [
    tries(lambda: open("SECRET").read()),
    tries(lambda: socket.create_connection(("127.0.0.1", 9), 1)),
    tries(lambda: os.kill(os.getppid(), 9)),
    tries(lambda: open("SECRET", "w").write("gone")),
]
for _ in range(8):
    tries(lambda: subprocess.Popen(["sleep", "1000" + sys.argv[1]], start_new_session=True))
for call in sys.stdin:
    call = call.strip()
    if call == "about":
        print("rules 1\nname attacker\nabout it attacks\nseats 2\n")
    elif call.startswith("new"):
        print("turn 0\nmove a\nmove b\nfallback a\n")
    elif call.startswith("play"):
        print("event found " + "-".join(str(it) for it in found).replace(" ", "_") + "\nover 1 0\n")
    sys.stdout.flush()
"#;

#[test]
fn a_program_of_rules_reaches_no_more_than_a_bot_and_leaves_nothing() {
    let Some(bench) = bench() else { return };
    for folder in ["game", "secret"] {
        fs::create_dir(bench.path(folder)).expect("the folder is ours");
    }
    let secret = bench.write("secret/seed", "a-secret");
    bench.write("game/attacker.py", ATTACKER.replace("SECRET", &secret.display().to_string()));
    let game = format!("python3 game/attacker.py {}", bench.marker());
    let words = ["match", "--game", &game, "--quiet", "--log", "log", "a=random", "b=random"];
    let ended = bench.run(words);
    // Without isolation, it may have ended its keeper, and then it is the rules that failed.
    assert!(matches!(ended.code, Some(0 | 7)), "{ended:?}");
    log::games(&bench.path("log")).iter().for_each(assert_nobody_is_charged);
    if bench.run(["sandbox"]).code == Some(0) {
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let log = bench.text("log");
        assert!(log.contains("found ") && !log.contains("a-secret"), "{log}");
        assert_eq!(fs::read_to_string(&secret).expect("it is there"), "a-secret");
    }
    processes::wait_for_none(bench.marker());
    wait_for_no_scratch(&bench);
}
