//! Tournaments whose referee, keepers, or both are killed at random moments, again and again: nothing
//! is left of them, and what they come to in the end is the same.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroU32;
use std::os::fd::OwnedFd;
use std::thread;
use std::time::Duration;

use rules::Nature;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use serde_json::Value;
use tests::bench::Bench;
use tests::running::{Running, children, wait_for_no_scratch, wait_until};
use tests::tournament::{coup, drawn_seed, result, start, verify};
use tests::{log, processes};

/// Number of kills in every run of the tests, and in a long run.
const SHORT: usize = 15;
const LONG: usize = 500;

const DEALS: &str = "3";

/// Time within which the first kill comes, in milliseconds, and the extra time of each later one, so
/// that a busy machine gets anywhere, too.
const MOMENT: u32 = 100;
const LONGER: u32 = 15;

/// Most keepers that are killed in one run of a tournament: fewer than make a game void too often
/// if all are of one game.
const KEEPERS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    Referee,
    Keeper,
    /// The one just after the other.
    Both,
}

impl Victim {
    const ALL: [Victim; 3] = [Victim::Referee, Victim::Keeper, Victim::Both];
}

#[test]
fn fifteen_kills_change_nothing() {
    kill(SHORT);
}

#[test]
fn five_hundred_kills_change_nothing() {
    kill(LONG);
}

fn kill(kills: usize) {
    let mut chance = drawn_seed("tournaments::killed").nature(0);
    let bench = Bench::new();
    let bots = [
        "random".to_owned(),
        "greedy".to_owned(),
        format!("daemon={}", bench.faulty("daemon")),
        format!("bad={}", bench.faulty("only-on 4 0 crash")),
    ];
    let bots = bots.each_ref().map(String::as_str);
    // No time is too short on any machine.
    let limits = ["--time-limit", "60s"];
    bench.succeed([&coup("whole", DEALS)[..], &limits, &["--quiet"], &bots].concat());
    let expected = counted(&bench, "whole");
    let mut killed = [0; Victim::ALL.len()];
    let (mut tournaments, mut again) = (0, 0);
    while killed.iter().sum::<usize>() < kills || tournaments < 2 {
        let folder = format!("cut-{tournaments}");
        // In every other one no keeper is killed alone, and all must be the same.
        let most_keepers = if tournaments % 2 == 0 { KEEPERS } else { 0 };
        let begin = [&coup(&folder, DEALS)[..], &limits, &["--workers", "3"], &bots].concat();
        play_and_kill(&bench, &folder, &begin, most_keepers, &mut chance, &mut killed);
        again += assert_same(&bench, &folder, &expected);
        verify(&bench, &folder);
        fs::remove_dir_all(bench.path(&folder)).expect("it is ours");
        tournaments += 1;
    }
    println!("{:?}: killed {killed:?} times in {tournaments} tournaments", Victim::ALL);
    println!("{again} games were played again, with other cards");
}

/// Plays a tournament to its end, however often that takes, and counts who was killed; in each run so
/// many keepers at most are killed alone.
fn play_and_kill(
    bench: &Bench,
    folder: &str,
    begin: &[&str],
    most_keepers: usize,
    chance: &mut Nature,
    killed: &mut [usize; Victim::ALL.len()],
) {
    let resume = ["tournament", "resume", folder, "--workers", "3"];
    let mut most = MOMENT;
    loop {
        // Killed before there was a plan, it begins again.
        let is_begun = bench.path(folder).join("plan.toml").exists();
        let mut referee = start(bench, if is_begun { &resume } else { begin });
        let mut keepers_killed = 0;
        let mut has_killed = false;
        while !has_killed && !referee.has_ended() {
            let moment = chance.below(NonZeroU32::new(most).expect("it grows from above 0"));
            thread::sleep(Duration::from_millis(moment.into()));
            let choice = chance.below(NonZeroU32::new(3).expect("it is not 0")) as usize;
            let victim = match Victim::ALL[choice] {
                Victim::Keeper if keepers_killed == most_keepers => Victim::Referee,
                victim => victim,
            };
            let which = chance.below(NonZeroU32::MAX) as usize;
            if !strike(&mut referee, victim, which) {
                continue;
            }
            killed[Victim::ALL.iter().position(|it| *it == victim).expect("it is one")] += 1;
            most += LONGER;
            keepers_killed += usize::from(victim == Victim::Keeper);
            has_killed = victim != Victim::Keeper;
        }
        let status = referee.wait();
        processes::wait_for_none(bench.marker());
        wait_for_no_scratch(bench);
        if status.success() {
            return;
        }
        let errors = bench.text("errors");
        // Before the first game it refuses whom it cannot start, and then it is only tried again.
        let is_for_keeper = keepers_killed > 0 && errors.contains("keeper");
        let is_killed = has_killed && status.code().is_none();
        assert!(is_killed || is_for_keeper, "{folder}: {status:?}: {errors}");
    }
}

/// Kills the referee, or one of its keepers, or both; says whether there was one to be killed. A killed
/// referee takes all with it.
fn strike(referee: &mut Running, victim: Victim, which: usize) -> bool {
    let keepers = keepers(referee.id());
    let keeper = keepers.get(which % keepers.len().max(1));
    if victim != Victim::Referee {
        let Some(keeper) = keeper else { return false };
        // It fails only for one that has just ended.
        let _ = pidfd_send_signal(keeper, Signal::KILL);
    }
    if victim == Victim::Keeper {
        return true;
    }
    // It may have ended, but was not waited for yet: its number is still its own.
    referee.signal(Signal::KILL);
    referee.wait();
    for keeper in &keepers {
        wait_until("a keeper is gone with its referee", || has_ended(keeper));
    }
    true
}

/// The keepers of a referee, the processes in which they are the first ones among them.
///
/// A descriptor is taken first: if the process is the referee's afterwards, it is that one for ever.
fn keepers(referee: u32) -> Vec<OwnedFd> {
    let own = |parent: u32| {
        children(parent).into_iter().filter_map(move |child| {
            let pid = Pid::from_raw(i32::try_from(child).ok()?)?;
            let descriptor = pidfd_open(pid, PidfdFlags::empty()).ok()?;
            let is_own = children(parent).contains(&child) && is_keeper(child);
            is_own.then_some((child, descriptor))
        })
    };
    let outer: Vec<(u32, OwnedFd)> = own(referee).collect();
    let inner: Vec<OwnedFd> =
        outer.iter().flat_map(|(outer, _)| own(*outer)).map(|(_, inner)| inner).collect();
    outer.into_iter().map(|(_, descriptor)| descriptor).chain(inner).collect()
}

fn is_keeper(number: u32) -> bool {
    let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    line.split(|byte| *byte == 0).nth(1) == Some(b"keeper")
}

fn has_ended(process: &OwnedFd) -> bool {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&now)).is_ok_and(|ready| ready > 0)
}

/// The games of a tournament that count, by their numbers, and its standings.
fn counted(bench: &Bench, folder: &str) -> (BTreeMap<u64, Value>, String) {
    let (lines, standings) = result(&bench.path(folder));
    let games = lines.into_iter().filter_map(|mut line| Some(line.get_mut("game")?.take()));
    let games = games.filter(|game| !log::is_void(game));
    let number = |game: &Value| game["number"].as_u64().expect("a game has a number");
    (games.map(|game| (number(&game), game)).collect(), standings)
}

/// Asserts that a tournament has come to what is expected. A game that was void because its keeper was
/// killed was played again with other cards, as it must be, since those before are known; all others are
/// the same, and without any such game the standings are the same.
fn assert_same(bench: &Bench, folder: &str, expected: &(BTreeMap<u64, Value>, String)) -> usize {
    let (games, standings) = counted(bench, folder);
    assert!(games.keys().eq(expected.0.keys()), "{folder}: not the same games count");
    let attempts = log::games(&bench.path(folder).join("games.jsonl"));
    for void in attempts.iter().filter(|game| log::is_void(game)) {
        let reason = void["result"]["reason"].as_str().unwrap_or_default();
        assert!(reason.contains("keeper"), "{folder}: void for another reason: {void}");
    }
    let mut again = 0;
    for (number, game) in &games {
        if game.get("attempt").is_none() {
            assert_eq!(Some(game), expected.0.get(number), "{folder}");
            continue;
        }
        again += 1;
        let charged = log::answers(game).into_iter().filter(|answer| answer["verdict"] != "ok");
        for answer in charged {
            let seat = answer["seat"].as_u64().expect("a seat") as usize;
            let bot = &game["seats"][seat];
            assert_eq!(bot, "bad", "{folder}: charged for a killed keeper: {game}");
        }
    }
    if again == 0 {
        assert_eq!(standings, expected.1, "{folder}");
    }
    again
}
