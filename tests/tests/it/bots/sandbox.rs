//! `arbiter sandbox`: the layers of this machine, what a bot finds around it, and a command in its
//! place.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{Signal, geteuid};
use serde_json::Value;
use tests::bench::{Bench, Ended, run};
use tests::keeping::{Keeping, KeepingCommand, layer_is_on};
use tests::running::Running;
use tests::typing::Typing;

use super::asks_for_more;

const LAYERS: [&str; 9] =
    ["user", "processes", "files", "network", "ipc", "host", "landlock", "seccomp", "privileges"];

const GRANTS: [&str; 4] = ["--allow", "mine:read=books", "--allow", "mine:network"];

/// A bench with a bot that asks for more than its folder, and with a file that is not for it.
fn bench() -> Bench {
    let bench = asks_for_more::bench();
    bench.write("secret", "nothing for bots\n");
    bench
}

/// Runs a shell script in the place of the bot that may have all that it asks for.
fn attended(bench: &Bench, script: &str) -> Ended {
    let words = ["./bot", "--", "sh", "-c", script];
    bench.run([&["sandbox"], &GRANTS[..], &words].concat())
}

#[test]
fn every_layer_has_its_row() {
    let bench = bench();
    let told = bench.run(["sandbox"]);
    let lines = bench.run(["sandbox", "--json"]);
    let complete = !told.stdout.contains("  MISSING  ");
    for ended in [&told, &lines] {
        assert_eq!(ended.code, Some(if complete { 0 } else { 5 }), "{ended:?}");
        assert_eq!(ended.stderr.is_empty(), complete, "{ended:?}");
    }
    let lines = lines.json();
    let (machine, layers) = lines.split_last().expect("a line for the machine");
    assert_eq!(machine["machine"]["complete"], complete);
    let names: Vec<&str> =
        layers.iter().filter_map(|line| line["layer"]["name"].as_str()).collect();
    assert_eq!(names, LAYERS);
    for layer in layers {
        let on = layer["layer"]["on"] == true;
        assert_eq!(layer["layer"]["reason"].is_null(), on, "{layer}");
        let about = layer["layer"]["about"].as_str().expect("a text");
        let state = if on { "on" } else { "MISSING" };
        let name = layer["layer"]["name"].as_str().expect("a name");
        let row = format!("{name:10}  {state:7}  {about}\n");
        assert!(told.stdout.contains(&row), "{row} is not in {told:?}");
    }
    let advice = machine["machine"]["advice"].as_array().expect("a list");
    assert!(!complete || advice.is_empty(), "{advice:?}");
}

/// The places in which namespaces are refused are what they seem, and most other tests of them rely on it.
#[test]
fn where_namespaces_are_refused_there_is_no_layer_of_them() {
    for (keeping, user) in Keeping::WITHOUT_NAMESPACES.into_iter().zip(["0\n", "65534\n"]) {
        let bench = bench();
        if !keeping.can_be_had(&bench) {
            continue;
        }
        let layers = run(bench.arbiter(["sandbox", "--json"]).with_keeping(keeping)).json();
        let on = layers.iter().filter(|line| line["layer"]["on"] == true);
        let on: Vec<&str> = on.filter_map(|line| line["layer"]["name"].as_str()).collect();
        let of_namespaces = ["processes", "files", "network", "ipc", "host"];
        assert!(!on.iter().any(|layer| of_namespaces.contains(layer)), "{keeping}: {on:?}");
        assert_eq!(on.contains(&"user"), keeping == Keeping::Contained, "{keeping}: {on:?}");
        let words = [&["sandbox"], &GRANTS[..], &["./bot", "--", "id", "-u"]].concat();
        let id = run(bench.arbiter(words).with_keeping(keeping));
        assert_eq!((id.code, id.stdout.as_str()), (Some(0), user), "{keeping}: {id:?}");
    }
}

#[test]
fn a_folder_finds_itself_and_what_is_granted() {
    let bench = bench();
    let told = bench.succeed(["sandbox", "./bot"]);
    let real = |name: &str| bench.path(name).canonicalize().expect("a path").display().to_string();
    assert!(told.starts_with("mine: "), "{told}");
    let rows: Vec<&str> = told.lines().map(|line| line.get(10..).unwrap_or_default()).collect();
    assert!(rows.contains(&real("bot").as_str()), "{told}");
    assert!(rows.iter().any(|row| row.starts_with("the system's ") && row.contains("/usr")));
    let books = format!("to read {0}: not granted, pass --allow 'mine:read={0}'", real("books"));
    assert!(rows.contains(&books.as_str()), "{told}");
    assert!(rows.contains(&"for the network: not granted, pass --allow mine:network"), "{told}");

    let view = |words: &[&str]| {
        let printed = bench.succeed([&["sandbox", "--json"], words].concat());
        let mut line: Value = serde_json::from_str(&printed).expect("one line of JSON");
        line["view"].take()
    };
    let holds = |view: &Value, name: &str| {
        view["paths"].as_array().expect("a list").iter().any(|path| *path == *real(name))
    };
    let found = view(&["./bot"]);
    assert!(holds(&found, "bot") && !holds(&found, "books") && !holds(&found, "secret"));
    assert_eq!(found["not_granted"][0]["read"], real("books"));
    assert_eq!(found["not_granted"][1], "network");
    if geteuid().is_root() && layer_is_on(&bench, "user") {
        assert_eq!(found["user"], 65534);
    }
    let found = view(&[&GRANTS[..], &["./bot"]].concat());
    assert!(holds(&found, "books") && found["network"] == true, "{found}");
    assert_eq!(found["not_granted"].as_array().map(Vec::len), Some(0));
    bench.write("one.py", "print(1)\n");
    let found = view(&["dialect=classic one=python3 one.py"]);
    assert!(found["bot"] == "one" && holds(&found, "one.py"), "{found}");
    let found = view(&["--isolation", "off", "./bot"]);
    let everything = (&found["network"], &found["system"][0], &found["writable"]["place"]);
    assert_eq!(everything, (&true.into(), &"/".into(), &"everywhere".into()));
}

#[test]
fn a_command_gets_the_streams_and_gives_its_status() {
    let bench = bench();
    let mut command = bench.arbiter(["sandbox", "random", "--", "cat"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"through a pipe\n").expect("it is read");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b"through a pipe\n"[..]));
    let ended = attended(&bench, "echo out; echo err >&2; exit 7");
    assert_eq!(
        (ended.code, ended.stdout.as_str(), ended.stderr.as_str()),
        (Some(7), "out\n", "err\n")
    );
    let ended = attended(&bench, "kill -TERM $$");
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(143), ""));
    let ended = bench.run(["sandbox", "random", "--", "no-such-program"]);
    ended.assert_refused(4, &["`no-such-program` not found in the sandbox"]);
    let mut command = bench.arbiter(["sandbox", "random", "--", "cat"]);
    let ended = run(command.stdin(fs::File::open(bench.folder()).expect("a folder")));
    ended.assert_refused(1, &["standard input is a folder"]);
    assert!(is_empty(&bench.scratch()), "a scratch folder is left");
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("it is ours").next().is_none()
}

#[test]
fn a_command_sees_what_the_bot_sees() {
    let bench = bench();
    let outside = bench.path("written");
    let secret = bench.path("secret");
    let script = format!(
        "echo kept > here && cat here; cat ~/here; echo x > '{}'; cat '{}' && echo \
         READ; test -r '{}' && echo SHOWN",
        outside.display(),
        secret.display(),
        bench.path("bot/first.sh").display(),
    );
    let ended = attended(&bench, &script);
    if layer_is_on(&bench, "files") || layer_is_on(&bench, "landlock") {
        assert_eq!(ended.stdout, "kept\nkept\nSHOWN\n", "{ended:?}");
        // The file that the bot believed to write was in memory.
        assert!(!outside.exists());
    }
    let ended = bench.run(["sandbox", "--isolation", "off", "random", "--", "cat", "secret"]);
    assert_eq!(ended.code, Some(1), "it runs in its scratch folder: {ended:?}");
    let ended = bench.run(["sandbox", "./bot", "--", "true"]);
    ended.assert_refused(2, &["asks to read", "pass --allow"]);
    assert!(is_empty(&bench.scratch()), "a scratch folder is left");
}

#[test]
fn a_signal_ends_the_command_with_all_that_it_has_started() {
    let bench = bench();
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let script = "trap '' INT TERM; sleep 600 & echo on; wait";
        let words = ["sandbox", "random", "--", "sh", "-c", script];
        let mut command = bench.arbiter(words);
        let mut referee = Running::start(command.stdout(Stdio::piped()));
        let mut stdout = referee.stdout();
        let mut line = [0; 3];
        std::io::Read::read_exact(&mut stdout, &mut line).expect("it has begun");
        referee.signal(signal);
        assert_eq!(referee.wait().code(), Some(code));
        // A process that still held the pipe would keep it open.
        let mut rest = Vec::new();
        std::io::Read::read_to_end(&mut stdout, &mut rest).expect("its end");
        assert!(is_empty(&bench.scratch()), "a scratch folder is left");
    }
}

#[test]
fn a_shell_can_be_talked_to() {
    let bench = bench();
    let words = ["sandbox", "random", "--", "env", "PS1=ready> ", "sh"];
    let mut shell = Typing::start(&mut bench.arbiter(words));
    shell.until("isolation: ");
    shell.until("ready> ");
    shell.keys("echo $((40 + 2)); stty -echo\r");
    shell.until("42");
    shell.keys("exit 3\r");
    let (status, _) = shell.end();
    assert_eq!(status.code(), Some(3));
}

#[test]
fn without_keepers_there_is_nothing_to_tell() {
    let bench = bench();
    for words in [&["sandbox"][..], &["sandbox", "random"], &["sandbox", "random", "--", "true"]] {
        let mut command: Command = bench.arbiter(words);
        let ended = run(command.env("ARBITER_SUPERVISOR", "portable"));
        ended.assert_refused(1, &["the `portable` supervisor cannot sandbox bots"]);
    }
    for words in [&["sandbox", "--", "true"][..], &["sandbox", "--isolation", "off"]] {
        bench.run(words).assert_refused(2, &["name BOT before it"]);
    }
}
