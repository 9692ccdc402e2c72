//! Hostile rules: nothing is lost, nobody is charged, and nothing of them stays.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

use tests::installed::is_there_by_chance;
use tests::own_games::root;
use tests::running::wait_for_no_scratch;
use tests::{log, processes};

use super::bench;
use crate::misbehaviour::machine::assert_nobody_is_charged;

/// Modules that misbehave in the middle of a game, each with what the match says.
const MODULES: [(&str, &str); 9] = [
    ("LOOP", "it ran out of fuel, 50000000 units for a call"),
    ("MEMORY", ""),
    ("LONG", "bytes, expected at most 1048576"),
    ("OUTSIDE", "the answer lies outside of its memory"),
    ("TRAP", "it trapped: "),
    ("DEEP", "it trapped: "),
    ("BYTES", "the answer is not UTF-8"),
    ("ROOM", "`room` gave an address outside of its memory"),
    ("IMPORT", "expected no imports"),
];

#[test]
fn a_hostile_module_stops_the_match_and_charges_no_bot() {
    if !is_there_by_chance("clang") || !is_there_by_chance("wasm-ld") {
        return;
    }
    let Some(bench) = bench() else { return };
    let source = root().join("tests/games/hostile.c");
    for (kind, says) in MODULES {
        let module = bench.path(&format!("{kind}.wasm"));
        let mut compiler = Command::new("clang");
        compiler.args(["--target=wasm32", "-O2", "-nostdlib", "-Wl,--no-entry"]);
        compiler.args(["-Wl,--export=room", "-Wl,--export=answer", "-Wl,--allow-undefined"]);
        compiler.arg(format!("-D{kind}")).arg("-o").arg(&module).arg(&source);
        assert!(compiler.status().expect("clang starts").success(), "{kind}");
        let game = module.display().to_string();
        let words = ["match", "--game", &game, "--games", "4", "--quiet", "--log", kind];
        let ended = bench.run([&words[..], &["a=random", "b=random"]].concat());
        assert!(matches!(ended.code, Some(7 | 2)), "{kind}: {ended:?}");
        assert!(ended.stderr.contains(says), "{kind}: {ended:?}");
        if bench.path(kind).exists() {
            log::games(&bench.path(kind)).iter().for_each(assert_nobody_is_charged);
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
        let log = fs::read_to_string(bench.path("log")).expect("a log");
        assert!(log.contains("found ") && !log.contains("a-secret"), "{log}");
        assert_eq!(fs::read_to_string(&secret).expect("it is there"), "a-secret");
    }
    processes::wait_for_none(bench.marker());
    wait_for_no_scratch(&bench);
}
