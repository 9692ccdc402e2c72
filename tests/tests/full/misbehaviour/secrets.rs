//! A bot can see only what its seat may know: a spy writes down all it finds, on both seats.
//!
//! The spies run as the user of the referee, so they can read what the other bot keeps in its scratch
//! folder and what is in the log: the referee adds nothing there that they must not know. Its
//! memory it closes to them; only the superuser's bots can read it all the same.

#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::geteuid;
use serde_json::Value;
use tests::bench::Bench;
use tests::keeping::{Keeping, KeepingCommand};
use tests::log;
use tests::search_path::search_path;

const GAMES: usize = 2;

/// All that one spy saw when it was asked once.
struct Sight {
    bytes: Vec<u8>,
    sections: BTreeMap<String, String>,
}

impl Sight {
    fn read(path: &Path) -> Sight {
        let bytes = fs::read(path).expect("a spy wrote it");
        let text = String::from_utf8_lossy(&bytes);
        let sections = text.split("== ").filter_map(|section| section.split_once('\n'));
        let sections =
            sections.map(|(name, content)| (name.to_owned(), content.trim_end().to_owned()));
        Sight { sections: sections.collect(), bytes: bytes.clone() }
    }

    fn section(&self, name: &str) -> &str {
        self.sections.get(name).expect("the spy looked there")
    }

    /// A value of the heading of the request.
    fn value(&self, key: &str) -> &str {
        let mut lines = self.section("stdin").lines();
        lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')).expect("a request has it")
    }

    fn number(&self, key: &str) -> usize {
        self.value(key).parse().expect("a number")
    }

    fn holds(&self, secret: &[u8]) -> bool {
        self.bytes.windows(secret.len()).any(|window| window == secret)
    }

    /// The names of the entries of the scratch folder with their lengths.
    fn scratch(&self) -> Vec<&str> {
        self.section("scratch").lines().filter(|line| !line.is_empty()).collect()
    }
}

/// A match between two spies, with a random seed.
struct Spied {
    bench: Bench,
    /// Sights of each spy, in the order of requests.
    sights: [Vec<Sight>; 2],
    games: Vec<Value>,
    seed: String,
    keeping: Keeping,
}

fn spied(keeping: Keeping) -> Spied {
    let bench = Bench::new();
    let log = bench.path("match.jsonl");
    let folders = ["a", "b"].map(|name| bench.path(&format!("seen-by-{name}")));
    let bots = ["a", "b"].map(|name| {
        let folder = bench.path(&format!("seen-by-{name}"));
        fs::create_dir(&folder).expect("a folder for what is seen");
        format!("{name}={}", bench.faulty(&format!("spy '{}'", folder.display())))
    });
    let games = GAMES.to_string();
    let mut command = bench.arbiter(["match", "--game", "tablic", "--quiet", "--games", &games]);
    command.arg("--log").arg(&log).args(bots).with_keeping(keeping);
    tests::bench::run(command.env("A_SECRET", "of the referee's environment")).with_code(0);
    bench.verify(&log);
    let end = log::lines(&log).pop().expect("a log has an end");
    let seed = end["end"]["seed"].as_str().expect("the seed is revealed").to_owned();
    let games = log::games(&log);
    let ids: Vec<&Value> = games.iter().map(|game| &game["id"]).collect();
    let sights = folders.map(|folder| {
        let entries = fs::read_dir(folder).expect("the folder is ours").flatten();
        let mut sights: Vec<Sight> = entries.map(|it| Sight::read(&it.path())).collect();
        // Before the match every bot is started without a request and killed, however far it got.
        sights.retain(|sight| sight.sections.get("stdin").is_some_and(|text| !text.is_empty()));
        sights.sort_by_key(|sight| {
            let game = ids.iter().position(|id| *id == sight.value("match"));
            (game, sight.number("move"))
        });
        sights
    });
    Spied { bench, sights, games, seed, keeping }
}

#[test]
fn a_spy_finds_nothing_under_linux() {
    check(&spied(Keeping::Off));
}

#[test]
fn a_spy_finds_nothing_under_portable() {
    check(&spied(Keeping::Portable));
}

fn check(spied: &Spied) {
    let asked: usize = spied.games.iter().map(|game| log::answers(game).len()).sum();
    assert_eq!(spied.sights.iter().map(Vec::len).sum::<usize>(), asked, "requests spied on");
    for sights in &spied.sights {
        for sight in sights {
            check_seed(spied, sight);
            check_cards(spied, sight);
            check_surroundings(&spied.bench, sight);
            check_others(spied, sight);
        }
        check_scratch(sights, spied.keeping);
    }
    check_privacy(spied);
}

fn game<'a>(spied: &'a Spied, sight: &Sight) -> &'a Value {
    let id = sight.value("match");
    spied.games.iter().find(|game| game["id"] == id).expect("the name of a game")
}

/// Neither the seed of the match nor the key of all bots' seeds can be seen, in any spelling.
fn check_seed(spied: &Spied, sight: &Sight) {
    let key = game(spied, sight)["bot_seeds"].as_str().expect("a key").to_owned();
    for secret in [&spied.seed, &key] {
        let bytes: Vec<u8> = (0..secret.len() / 2)
            .map(|at| u8::from_str_radix(&secret[2 * at..2 * at + 2], 16).expect("digits"))
            .collect();
        assert!(!sight.holds(secret.as_bytes()), "a seed");
        assert!(!sight.holds(secret.to_uppercase().as_bytes()), "a seed");
        // Half of it would be too much.
        assert!(!sight.holds(&bytes[..16]) && !sight.holds(&bytes[16..]), "a seed");
    }
    let bot_seed = sight.value("seed").as_bytes().to_vec();
    let others = spied.sights.iter().flatten().filter(|other| !std::ptr::eq(*other, sight));
    assert!(others.map(|other| other.value("seed")).all(|seed| seed.as_bytes() != bot_seed));
}

/// Every card that can be seen is the seat's own or has been public.
fn check_cards(spied: &Spied, sight: &Sight) {
    let game = game(spied, sight);
    let (seat, number) = (sight.number("seat"), sight.number("move"));
    let own = format!("deal {seat} ");
    let events: Vec<&str> =
        game["events"].as_array().expect("events").iter().filter_map(Value::as_str).collect();
    // Moves that the rules force are events, but no seat was asked for them.
    let asked: BTreeSet<String> = log::answers(game)
        .iter()
        .map(|answer| format!("{} {}", answer["seat"], answer["reply"].as_str().unwrap_or("")))
        .collect();
    let (mut known, mut secret): (BTreeSet<&str>, Vec<&str>) = Default::default();
    let (mut made, mut told) = (0, true);
    for event in &events {
        let is_answer = asked.contains(*event);
        told &= made < number || !is_answer;
        made += usize::from(is_answer);
        let public = !event.starts_with("deal ") || event.starts_with("deal table ");
        if told && (public || event.starts_with(&own)) {
            known.extend(event.split(' ').filter(|word| is_card(word)));
        } else if event.starts_with("deal ") {
            secret.push(event);
        }
    }
    for deal in secret {
        assert!(!sight.holds(deal.as_bytes()), "seat {seat}, move {number} sees `{deal}`");
    }
    let request = sight.section("stdin");
    let seen: BTreeSet<&str> = request.split([' ', '\n']).filter(|word| is_card(word)).collect();
    let strange: Vec<_> = seen.difference(&known).collect();
    assert_eq!(strange, Vec::<&&str>::new(), "seat {seat}, move {number} of {game}");
    let hidden = format!("deal {} ?? ?? ?? ?? ?? ??", 1 - seat);
    assert!(sight.holds(hidden.as_bytes()), "the other hand is face down");
}

fn is_card(word: &str) -> bool {
    let ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
    word.strip_suffix(['C', 'D', 'H', 'S']).is_some_and(|rank| ranks.contains(&rank))
}

/// Five variables, three streams, one folder.
fn check_surroundings(bench: &Bench, sight: &Sight) {
    let environ = sight.section("environ").trim_end_matches('\0');
    let variables: BTreeMap<&str, &str> =
        environ.split('\0').filter_map(|variable| variable.split_once('=')).collect();
    let path = search_path().to_str().expect("text");
    let cwd = sight.section("cwd");
    let of_folder = [("ARBITER_SCRATCH", cwd), ("HOME", cwd)];
    let same = [("LANG", "C.UTF-8"), ("PATH", path), ("PYTHONHASHSEED", "0")];
    assert_eq!(variables, of_folder.into_iter().chain(same).collect());
    // Or in the folder of its keeper there.
    let above: Vec<&Path> = Path::new(cwd).ancestors().skip(1).take(2).collect();
    assert!(above.contains(&bench.scratch().as_path()), "{cwd}");
    let descriptors: BTreeMap<&str, &str> =
        sight.section("fd").lines().filter_map(|line| line.split_once(" -> ")).collect();
    for (number, target) in &descriptors {
        let stream = ["0", "1", "2"].contains(number);
        // Besides the streams there is the folder that the spy is reading, and what whoever
        // started the tests has left open for every program.
        let fine = if stream { target.starts_with("pipe:") } else { !is_the_referees(target) };
        assert!(fine, "descriptor {number} is {target}");
    }
    assert_eq!(sight.section("argv").split('\0').nth(1), Some("spy"));
}

/// Of the referee, the other bot and the log there is nothing that would help.
fn check_others(spied: &Spied, sight: &Sight) {
    assert_eq!(sight.section("others"), "", "the other bot runs at the same time");
    let kept = sight.section("other-scratch");
    let own = |line: &str| line == "asked" || line.starts_with("notes ");
    assert!(kept.lines().all(own), "the referee has put something there: {kept}");
    let id = sight.value("match");
    let log = sight.section("log");
    assert!(!log.contains(id), "the game is in the log before its end");
    match spied.keeping {
        Keeping::Portable => {
            assert!(log.starts_with("{\"header\":"), "the spy reads the log: {log}");
            let over = spied.games.iter().take_while(|game| game["id"] != id).count();
            assert_eq!(log.lines().count(), 1 + over, "{log}");
        }
        // Its parent is a keeper, whose command line does not say where the log is.
        Keeping::Off | Keeping::Isolated | Keeping::Refused | Keeping::Contained => {
            assert_eq!(log, "")
        }
    }
    if geteuid().is_root() {
        println!("skipped: the superuser's bots can read the memory of the referee");
        return;
    }
    assert_eq!(sight.section("parent-memory"), "closed");
    for closed in ["parent-environ", "parent-fd"] {
        assert_eq!(sight.section(closed), "", "{closed}");
    }
}

fn is_the_referees(target: &str) -> bool {
    let own = ["match.jsonl", "pipe:", "socket:", "anon_inode:", "arbiter-"];
    own.iter().any(|word| target.contains(word)) && !inherited().contains(target)
}

/// Descriptors that every program here inherits.
fn inherited() -> BTreeSet<String> {
    let listed = Command::new("ls").args(["-l", "/proc/self/fd"]).output().expect("ls starts");
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    text.lines().filter_map(|line| Some(line.rsplit_once(" -> ")?.1.to_owned())).collect()
}

/// The scratch folder is new in each game and keeps what the bot leaves there until its end.
fn check_scratch(sights: &[Sight], keeping: Keeping) {
    let mut folders: Vec<(&str, &str, usize)> = Vec::new();
    for sight in sights {
        let (id, cwd) = (sight.value("match"), sight.section("cwd"));
        match folders.last_mut() {
            Some((game, folder, asked)) if *game == id => {
                *asked += 1;
                assert_eq!(*folder, cwd, "one folder for one game");
                let notes = format!("notes {}", *asked * "asked\n".len());
                assert_eq!(sight.scratch().first(), Some(&notes.as_str()));
            }
            _ => {
                assert_eq!(sight.scratch(), Vec::<&str>::new(), "empty in the beginning");
                folders.push((id, cwd, 0));
            }
        }
    }
    let different: BTreeSet<&str> = folders.iter().map(|(_, folder, _)| *folder).collect();
    // A keeper's folder has the same name each time, and is new all the same.
    let names = if keeping == Keeping::Portable { GAMES } else { 1 };
    assert_eq!((folders.len(), different.len()), (GAMES, names), "a folder for each game");
}

/// The players share no folder, and nothing of any is left.
fn check_privacy(spied: &Spied) {
    let folders = |sights: &[Sight]| -> BTreeSet<PathBuf> {
        sights.iter().map(|sight| sight.section("cwd").into()).collect()
    };
    let [a, b] = &spied.sights;
    assert!(folders(a).is_disjoint(&folders(b)));
    let left = fs::read_dir(spied.bench.scratch()).expect("it is ours").count();
    assert_eq!(left, 0, "scratch folders are left");
}

/// Other users can neither list a scratch folder nor enter it.
#[test]
fn a_scratch_folder_is_closed_to_other_users() {
    let bench = Bench::new();
    let mode = "stat -c %a . >&2; sed -n '/^legal/{n;p;q}'";
    let bot = format!("/bin/sh -c \"{mode}\"");
    let log = bench.path("match.jsonl");
    let words = ["match", "--game", "tablic", "--quiet", "--log", "match.jsonl", &bot, &bot];
    bench.succeed(words);
    let game = log::games(&log).remove(0);
    let measured = game["measured"].as_array().expect("a list");
    assert!(measured.iter().all(|it| it["stderr"] == "700\\n"), "{}", measured[0]);
    let own = fs::metadata(bench.scratch()).expect("it is ours").permissions().mode();
    assert_ne!(own & 0o777, 0o700, "the folder around it is open, or this test shows nothing");
}
