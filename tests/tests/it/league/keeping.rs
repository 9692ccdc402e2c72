//! What an organiser keeps of a league: backups, certificates and events.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::process::Signal;
use serde_json::Value;
use tests::bench::Bench;
use tests::league::{folder, league, play, status};
use tests::running::{Running, wait_until};

#[test]
fn a_league_is_backed_up_while_it_is_played_and_goes_on_elsewhere() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "anna", "anna", "first");
    symlink("bot.sh", bench.path("anna/link")).expect("ours");
    bench.succeed(["league", "add", "class", "./anna"]);
    bench.succeed(["league", "invite", "class", "anna", "--person", "Anna Smith"]);
    play(&bench, "8");
    let mut run = bench.command(bench.program("arbiter"));
    run.args(["league", "run", "class"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut run = Running::start(&mut run);
    wait_until("games are played", || status(&bench)["rounds"].as_u64() >= Some(4));
    // Each of them is the folder at its moment.
    for number in 0..5 {
        let file = format!("{number}.tar.gz");
        let told = bench.succeed(["league", "backup", "class", &file]);
        assert!(told.starts_with(&format!("{file}: ")), "{told}");
    }
    run.signal(Signal::INT);
    run.wait();
    for number in 0..5 {
        let (file, to) = (format!("{number}.tar.gz"), format!("again-{number}"));
        bench.succeed(["league", "restore", &file, &to]);
        let before = bench.succeed(["verify", &to]);
        assert!(before.contains(": ok, "), "{before}");
        bench.succeed(["league", "run", &to, "--games", "4"]);
        assert!(bench.succeed(["verify", &to]).contains(": ok, "));
    }
    let again = fs::read_to_string(bench.path("again-4/participants.json")).expect("restored");
    assert_eq!(again, fs::read_to_string(bench.path("class/participants.json")).expect("ours"));
    let link = fs::read_link(bench.path("again-4/bots/anna@1/link")).expect("a link");
    assert_eq!(link, Path::new("bot.sh"));
    let inside = bench.run(["league", "backup", "class", "class/in.tar.gz"]);
    inside.assert_refused(2, &["`class/in.tar.gz` is inside the league"]);
    bench
        .run(["league", "backup", "class", "0.tar.gz"])
        .assert_refused(2, &["`0.tar.gz` already exists"]);
    let taken = bench.run(["league", "restore", "0.tar.gz", "class"]);
    taken.assert_refused(2, &["`class` already exists"]);
}

/// A `.tar.gz` with these entries, by the letter of their kind.
fn packed(entries: &[(&str, u8, &str)]) -> Vec<u8> {
    let mut archive = GzEncoder::new(Vec::new(), Compression::default());
    for (name, kind, content) in entries {
        let mut header = [0_u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..108].copy_from_slice(b"0000644\0");
        let size = if *kind == b'0' { content.len() } else { 0 };
        header[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
        header[156] = *kind;
        if *kind != b'0' {
            header[157..157 + content.len()].copy_from_slice(content.as_bytes());
        }
        header[257..265].copy_from_slice(b"ustar\x0000");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        archive.write_all(&header).expect("memory");
        let mut body = content.as_bytes()[..size].to_vec();
        body.resize(size.next_multiple_of(512), 0);
        archive.write_all(&body).expect("memory");
    }
    archive.write_all(&[0; 1024]).expect("memory");
    archive.finish().expect("memory")
}

#[test]
fn what_is_no_backup_is_refused() {
    let bench = league(&["random"]);
    bench.succeed(["league", "backup", "class", "whole.tar.gz"]);
    let whole = fs::read(bench.path("whole.tar.gz")).expect("ours");
    let log = fs::read_to_string(bench.path("class/league.jsonl")).expect("ours");
    let first = ("league.jsonl", b'0', log.as_str());
    let cases: [(&str, Vec<u8>, &str); 11] = [
        ("text", b"no archive".to_vec(), "is not a league backup"),
        ("empty", Vec::new(), "is not a league backup"),
        ("cut", whole[..whole.len() - 200].to_vec(), "is not a league backup"),
        (
            "no-log",
            packed(&[("league.jsonl", b'2', "/etc/passwd")]),
            "its first file is not the log",
        ),
        (
            "rounds",
            packed(&[first, ("rounds", b'2', "/tmp")]),
            "an entry that does not belong in a backup",
        ),
        (
            "bots",
            packed(&[first, ("bots/anna@1", b'2', "/tmp")]),
            "an entry that does not belong in a backup",
        ),
        ("other", packed(&[("games.jsonl", b'0', "")]), "its first file is not the log"),
        (
            "above",
            packed(&[first, ("../evil", b'0', "x")]),
            "an entry that does not belong in a backup",
        ),
        ("root", packed(&[first, ("/tmp/arbiter-evil", b'0', "x")]), "does not belong in a backup"),
        ("pipe", packed(&[first, ("pipe", b'6', "")]), "an entry that does not belong in a backup"),
        (
            "link",
            packed(&[first, ("out", b'2', "/"), ("out/arbiter-evil", b'0', "x")]),
            "is not a league backup",
        ),
    ];
    for (name, content, expected) in cases {
        let file = bench.write(&format!("{name}.tar.gz"), content);
        let told = bench.run(["league", "restore", file.to_str().expect("text"), name]);
        told.assert_refused(2, &[expected]);
        assert!(!bench.path(name).exists(), "{name} is left");
    }
    assert!(!bench.path("evil").exists());
    assert_eq!(hidden(&bench), BTreeSet::new());
}

/// Names of what is not complete, or was not when a program was killed.
fn hidden(bench: &Bench) -> BTreeSet<String> {
    let entries = fs::read_dir(bench.folder()).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".new-") || name.starts_with(".backup")).collect()
}

/// Runs a command, and kills it when it has begun to write.
fn kill_at_work(bench: &Bench, words: &[&str]) {
    let before = hidden(bench);
    let mut command = bench.arbiter(words);
    let mut run = Running::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
    let mut has_ended = false;
    wait_until("something is written", || {
        has_ended = run.has_ended();
        has_ended || hidden(bench).difference(&before).next().is_some()
    });
    if !has_ended {
        run.signal(Signal::KILL);
        run.wait();
    }
}

/// Noise, which takes a while to be packed and unpacked.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn a_killed_backup_or_restore_leaves_nothing_after_the_next_one() {
    let bench = league(&["random"]);
    for name in 0..20 {
        bench.write(&format!("class/noise-{name}"), noise(1 << 20));
    }
    let words = ["league", "backup", "class", "one.tar.gz"];
    for _ in 0..5 {
        kill_at_work(&bench, &words);
        assert!(hidden(&bench).len() <= 1, "{:?}", hidden(&bench));
        // Only one that was quicker than the kill.
        if bench.path("one.tar.gz").exists() {
            bench.succeed(["league", "restore", "one.tar.gz", "whole"]);
            fs::remove_dir_all(bench.path("whole")).expect("ours");
            fs::remove_file(bench.path("one.tar.gz")).expect("ours");
        }
    }
    bench.succeed(words);
    assert_eq!(hidden(&bench), BTreeSet::new());
    fs::create_dir(bench.path("empty")).expect("ours");
    for to in ["new", "empty"] {
        let words = ["league", "restore", "one.tar.gz", to];
        let status = |to: &str| bench.run(["league", "status", to]).code;
        let mut is_whole = false;
        for _ in 0..5 {
            kill_at_work(&bench, &words);
            is_whole = status(to) == Some(0);
            if is_whole {
                assert!(bench.path(to).join("noise-19").exists(), "half a league");
                break;
            }
            let entries = fs::read_dir(bench.path(to)).map_or(0, Iterator::count);
            assert_eq!(entries, 0, "{to} has a part of a league");
        }
        if !is_whole {
            bench.succeed(words);
        }
        assert_eq!(status(to), Some(0));
    }
    bench.succeed(["league", "restore", "one.tar.gz", "last"]);
    assert_eq!(hidden(&bench), BTreeSet::new());
}

#[test]
fn a_backup_goes_to_standard_output() {
    let bench = league(&["random"]);
    let file = fs::File::create(bench.path("piped.tar.gz")).expect("ours");
    let mut command = bench.arbiter(["league", "backup", "class", "-"]);
    let ended = command.stdout(file).output().expect("it runs");
    assert_eq!(ended.status.code(), Some(0));
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(told.starts_with("standard output: "), "{told}");
    assert!(!bench.path("-").exists());
    bench.succeed(["league", "restore", "piped.tar.gz", "again"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let mut command = bench.arbiter(["league", "backup", "class", "-"]);
    let ended = command.stdout(full).output().expect("it runs");
    assert_eq!(ended.status.code(), Some(1));
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(told.starts_with("error: cannot write standard output: "), "{told}");
    let (reader, closed) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = bench.arbiter(["league", "backup", "class", "-"]);
    let ended = command.stdout(closed).output().expect("it runs");
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!((ended.status.code(), told.as_str()), (Some(1), ""));
}

#[test]
fn certificates_have_the_places_and_the_persons() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "anna", "anna", "first");
    bench.succeed(["league", "add", "class", "./anna"]);
    let person = "Anna <Smith>";
    bench.succeed(["league", "invite", "class", "anna", "--person", person]);
    bench.succeed(["league", "invite", "class", "anna", "--member", "ben"]);
    bench.succeed([
        "league",
        "stage",
        "class",
        "--format",
        "knockout",
        "--seeds",
        "entry",
        "--name",
        "final",
        "--deals",
        "1",
        "--with-house",
    ]);
    bench.succeed(["league", "run", "class", "--stage"]);
    let told = bench.succeed(["league", "certificates", "class", "-o", "all.html"]);
    assert_eq!(told, "all.html: 3 certificates\n");
    let page = fs::read_to_string(bench.path("all.html")).expect("ours");
    assert_eq!(page.matches("</article>").count(), 3);
    assert!(page.contains("Anna &lt;Smith&gt;") && page.contains("by ben"), "{page}");
    assert!(page.contains("Place 1 of 3") && page.contains("in stage “final”"), "{page}");
    let head = bench.succeed(["head", "class"]);
    assert!(page.contains(head.trim_end()), "{page}");
    bench
        .run(["league", "certificates", "class", "-o", "all.html"])
        .assert_refused(2, &["`all.html` already exists"]);
}

#[test]
fn events_say_which_bots_entered_and_were_overtaken_and_forfeited() {
    let bench = league(&["random", "greedy"]);
    let broken = bench.faulty("illegal");
    let refused = bench.run(["league", "add", "class", &format!("eve={broken}")]);
    assert_ne!(refused.code, Some(0));
    // A bot that plays by the rules as long as it is checked, and later does not.
    folder(&bench, "anna", "anna", "first");
    let script = "while read -r word rest; do\n  case \"$word\" in legal) read -r move; break;; esac\ndone\necho \"$move\"\n";
    fs::write(bench.path("anna/bot.sh"), script).expect("ours");
    bench.succeed(["league", "add", "class", "./anna"]);
    play(&bench, "8");
    let events = || -> Vec<Value> {
        let told = bench.succeed(["league", "events", "class", "--json"]);
        told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let all = events();
    assert_eq!(all[0]["event"]["entered"], "random@1");
    assert_eq!(all[1]["event"]["entered"], "greedy@1");
    assert_eq!(all[2]["event"]["refused"], "eve");
    assert_eq!(all[3]["event"]["entered"], "anna@1");
    assert!(all.iter().any(|it| it["event"]["round"]["round"] == 0), "{all:?}");
    let own = bench.succeed(["league", "events", "class", "--bot", "anna"]);
    assert!(own.starts_with("anna@1 has entered\n"), "{own}");
    assert!(own.lines().all(|line| line.starts_with("anna@1 ")), "{own}");
    // A torn line is waited for, and one that is no event is left out.
    let file = bench.path("class/events.jsonl");
    let mut events_file = fs::OpenOptions::new().append(true).open(file).expect("ours");
    let before = events().len();
    events_file.write_all(b"no event\n{\"at\":1,\"event\":{\"refused\":\"x\"}}").expect("room");
    assert_eq!(events().len(), before);
    events_file.write_all(b"\n").expect("room");
    assert_eq!(events().len(), before + 1);
}
