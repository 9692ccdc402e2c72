//! What an organiser keeps of a league: backups, certificates and events.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::process::Signal;
use serde_json::Value;
use tests::archives::{gz, tar_entry};
use tests::league::{folder, league, play, status};
use tests::running::wait_until;

#[test]
fn a_league_is_backed_up_while_it_is_played_and_goes_on_elsewhere() {
    let bench = league(&["random", "greedy"]);
    folder(&bench, "anna", "anna", "first");
    symlink("bot.sh", bench.path("anna/link")).expect("ours");
    bench.ok("league add class ./anna");
    bench.ok("league invite class anna --person 'Anna Smith'");
    let mut run = bench.start("league run class");
    wait_until("games are played", || status(&bench)["rounds"].as_u64() >= Some(1));
    // Each of them is the folder at its moment.
    for number in 0..2 {
        let told = bench.ok(&format!("league backup class {number}.tar.gz"));
        assert!(told.starts_with(&format!("{number}.tar.gz: ")), "{told}");
    }
    run.signal(Signal::INT);
    run.wait();
    for number in 0..2 {
        let to = format!("again-{number}");
        bench.ok(&format!("league restore {number}.tar.gz {to}"));
        assert!(bench.ok(&format!("verify {to}")).contains(": ok, "));
        bench.ok(&format!("league run {to} --games 4"));
        assert!(bench.ok(&format!("verify {to}")).contains(": ok, "));
    }
    let people = bench.text("again-1/participants.json");
    assert_eq!(people, bench.text("class/participants.json"));
    let link = fs::read_link(bench.path("again-1/bots/anna@1/link")).expect("a link");
    assert_eq!(link, Path::new("bot.sh"));
    let inside = "`class/in.tar.gz` is inside the league";
    bench.refuses("league backup class class/in.tar.gz", inside);
    bench.refuses("league backup class 0.tar.gz", "`0.tar.gz` already exists");
    bench.refuses("league restore 0.tar.gz class", "`class` already exists");
}

/// An entry of a tar: a file with this content, or a link to it.
fn entry((name, kind, content): &(&str, u8, &str)) -> Vec<u8> {
    if *kind == b'0' {
        return tar_entry(name, *kind, content.as_bytes());
    }
    let mut header = tar_entry(name, *kind, b"");
    header[157..157 + content.len()].copy_from_slice(content.as_bytes());
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

#[test]
fn what_is_no_backup_is_refused() {
    let bench = league(&["random"]);
    bench.ok("league backup class whole.tar.gz");
    let mut half = fs::read(bench.path("whole.tar.gz")).expect("ours");
    half.truncate(half.len() - 200);
    let log = bench.text("class/league.jsonl");
    let packed = |entries: &[(&str, u8, &str)]| {
        gz(&[entries.iter().flat_map(entry).collect(), vec![0; 1024]].concat())
    };
    let first = ("league.jsonl", b'0', log.as_str());
    let (none, not_first) = ("is not a league backup", "its first file is not the log");
    let foreign = "an entry that does not belong in a backup";
    for (name, content, expected) in [
        ("text", b"no archive".to_vec(), none),
        ("empty", Vec::new(), none),
        ("cut", half, none),
        ("no-log", packed(&[("league.jsonl", b'2', "/etc/passwd")]), not_first),
        ("rounds", packed(&[first, ("rounds", b'2', "/tmp")]), foreign),
        ("bots", packed(&[first, ("bots/anna@1", b'2', "/tmp")]), foreign),
        ("other", packed(&[("games.jsonl", b'0', "")]), not_first),
        ("above", packed(&[first, ("../evil", b'0', "x")]), foreign),
        ("root", packed(&[first, ("/tmp/arbiter-evil", b'0', "x")]), "does not belong in a backup"),
        ("pipe", packed(&[first, ("pipe", b'6', "")]), foreign),
        ("link", packed(&[first, ("out", b'2', "/"), ("out/arbiter-evil", b'0', "x")]), none),
    ] {
        bench.write(&format!("{name}.tar.gz"), content);
        bench.refuses(&format!("league restore {name}.tar.gz {name}"), expected);
        assert!(!bench.path(name).exists(), "{name} is left");
    }
    assert!(!bench.path("evil").exists());
    let left = fs::read_dir(bench.folder()).expect("a folder").flatten();
    let mut left = left.map(|entry| entry.file_name().to_string_lossy().into_owned());
    assert_eq!(left.find(|name| name.starts_with('.')), None);
}

#[test]
fn certificates_have_the_places_and_the_persons() {
    let bench = league(&["random", "greedy", "anna=random"]);
    bench.ok("league invite class anna --person 'Anna <Smith>'");
    bench.ok("league invite class anna --member ben");
    let stage = "--format knockout --seeds entry --name final --deals 1 --with-house";
    bench.ok(&format!("league stage class {stage}"));
    bench.ok("league run class --stage");
    let told = bench.ok("league certificates class -o all.html");
    assert_eq!(told, "all.html: 3 certificates\n");
    let page = bench.text("all.html");
    assert_eq!(page.matches("</article>").count(), 3);
    let head = bench.ok("head class");
    for words in
        ["Anna &lt;Smith&gt;", "by ben", "Place 1 of 3", "in stage “final”", head.trim_end()]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    bench.refuses("league certificates class -o all.html", "`all.html` already exists");
}

#[test]
fn events_say_which_bots_entered_and_were_refused() {
    let bench = league(&["random", "greedy"]);
    let eve = format!("eve={}", bench.faulty("illegal"));
    assert_ne!(bench.run(["league", "add", "class", &eve]).code, Some(0));
    bench.ok("league add class anna=random");
    play(&bench, "8");
    let events = || -> Vec<Value> { bench.line("league events class --json").json() };
    let all = events();
    for (event, (kind, bot)) in all.iter().zip([
        ("entered", "random@1"),
        ("entered", "greedy@1"),
        ("refused", "eve"),
        ("entered", "anna@1"),
    ]) {
        assert_eq!(event["event"][kind], bot, "{event}");
    }
    assert!(all.iter().any(|it| it["event"]["round"]["round"] == 0), "{all:?}");
    let own = bench.ok("league events class --bot anna");
    assert!(own.starts_with("anna@1 has entered\n"), "{own}");
    assert!(own.lines().all(|line| line.starts_with("anna@1 ")), "{own}");
    // A torn line is waited for, and one that is no event is left out.
    let (before, file) = (events().len(), bench.text("class/events.jsonl"));
    let torn = format!("{file}no event\n{{\"at\":1,\"event\":{{\"refused\":\"x\"}}}}");
    for (text, more) in [(torn.clone(), 0), (torn + "\n", 1)] {
        bench.write("class/events.jsonl", text);
        assert_eq!(events().len(), before + more);
    }
}
