//! What an organiser keeps of a league: backups, certificates and events.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::process::Signal;
use serde_json::Value;
use tests::running::{Running, wait_until};

use super::{folder, league, play, status};

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
    inside.assert_refused(2, &["`class/in.tar.gz` lies inside the league"]);
    bench.run(["league", "backup", "class", "0.tar.gz"]).assert_refused(2, &["`0.tar.gz` exists"]);
    let taken = bench.run(["league", "restore", "0.tar.gz", "class"]);
    taken.assert_refused(2, &["`class` exists, expected a new path"]);
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
        ("text", b"no archive".to_vec(), "is no backup of a league"),
        ("empty", Vec::new(), "is no backup of a league"),
        ("cut", whole[..whole.len() - 200].to_vec(), "is no backup of a league"),
        (
            "no-log",
            packed(&[("league.jsonl", b'2', "/etc/passwd")]),
            "its first file is not the log",
        ),
        ("rounds", packed(&[first, ("rounds", b'2', "/tmp")]), "an entry that no backup has"),
        ("bots", packed(&[first, ("bots/anna@1", b'2', "/tmp")]), "an entry that no backup has"),
        ("other", packed(&[("games.jsonl", b'0', "")]), "its first file is not the log"),
        ("above", packed(&[first, ("../evil", b'0', "x")]), "an entry that no backup has"),
        ("root", packed(&[first, ("/tmp/arbiter-evil", b'0', "x")]), "no backup has"),
        ("pipe", packed(&[first, ("pipe", b'6', "")]), "an entry that no backup has"),
        (
            "link",
            packed(&[first, ("out", b'2', "/"), ("out/arbiter-evil", b'0', "x")]),
            "is no backup of a league",
        ),
    ];
    for (name, content, expected) in cases {
        let file = bench.write(&format!("{name}.tar.gz"), content);
        let told = bench.run(["league", "restore", file.to_str().expect("text"), name]);
        told.assert_refused(2, &[expected]);
    }
    assert!(!bench.path("evil").exists());
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
        "league", "stage", "class", "--format", "knockout", "--seeds", "entry", "--name", "final",
        "--deals", "1",
    ]);
    bench.succeed(["league", "run", "class", "--stage"]);
    let told = bench.succeed(["league", "certificates", "class", "-o", "all.html"]);
    assert_eq!(told, "all.html: 3 certificates\n");
    let page = fs::read_to_string(bench.path("all.html")).expect("ours");
    assert_eq!(page.matches("<article>").count(), 3);
    assert!(page.contains("Anna &lt;Smith&gt;") && page.contains("by ben"), "{page}");
    assert!(page.contains("Place 1 of 3") && page.contains("in the stage “final”"), "{page}");
    let head = bench.succeed(["head", "class"]);
    assert!(page.contains(head.trim_end()), "{page}");
    bench
        .run(["league", "certificates", "class", "-o", "all.html"])
        .assert_refused(2, &["`all.html` exists"]);
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
