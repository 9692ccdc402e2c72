//! Commands of the organiser of a league that are killed at random moments: nothing is lost, a correction is whole or not
//! there, and the command can be repeated.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroU32;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rules::Nature;
use rustix::process::Signal;

use crate::bench::{Bench, Ended, files_below, run};
use crate::chain::contents;
use crate::handing_in::{ahead, set};
use crate::league::{league, play};
use crate::running::{Running, wait_for_no_scratch, wait_until};
use crate::tournament::{drawn_seed, verify};

/// The folder of the league in which a command is killed: a fresh copy each time.
const WORK: &str = "work";
/// The folder that `publish` writes.
const OPEN: &str = "open";
/// The file with the messages that `notify` has sent.
const SENT: &str = "sent";

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It adds lines to the log, all at once.
    Together,
    /// It adds lines to the log, one after the other, and continues where it was.
    InTurn,
    /// It writes a folder.
    Folder,
    /// It sends messages, each at least once.
    Messages,
}

/// A command to kill.
#[derive(Debug, Clone, Copy)]
struct Case {
    /// The league that it is for.
    league: &'static str,
    words: &'static str,
    effect: Effect,
}

const CASES: [Case; 13] = [
    Case { league: "class", words: "void work 0/1 --reason flood", effect: Effect::Together },
    Case { league: "class", words: "void work 0 1 --reason flood", effect: Effect::Together },
    Case {
        league: "class",
        words: "void work --bot ann@2 --reason copied",
        effect: Effect::Together,
    },
    Case { league: "class", words: "replay work 0 --reason flood", effect: Effect::Together },
    Case { league: "class", words: "replay work 0/1 1/2 --reason flood", effect: Effect::Together },
    Case {
        league: "class",
        words: "disqualify work ben cat --reason copied",
        effect: Effect::Together,
    },
    Case { league: "class", words: "choose work ann@1 --reason asked", effect: Effect::Together },
    Case {
        league: "class",
        words: "extend work ann --until 2100-01-01T00:00:00Z --reason ill",
        effect: Effect::Together,
    },
    Case {
        league: "class",
        words: "stage work --format swiss --rounds 2 --deals 1",
        effect: Effect::Together,
    },
    Case {
        league: "begun",
        words: "stage work --format knockout --deals 1 --break-off",
        effect: Effect::InTurn,
    },
    Case { league: "staged", words: "stage work --end --reason fire", effect: Effect::Together },
    Case { league: "class", words: "publish work -o open", effect: Effect::Folder },
    Case { league: "unsent", words: "notify work --once", effect: Effect::Messages },
];

/// The result of a command that nothing disturbs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Outcome {
    /// The lines that it adds to the log, without their chain.
    added: Vec<String>,
    /// The files that it writes.
    folder: Option<BTreeMap<PathBuf, Vec<u8>>>,
    /// The messages that it sends.
    messages: Vec<String>,
}

/// The numbers of kills after which a command had its effect, a part of it, or none.
#[derive(Debug, Clone, Copy, Default)]
struct Killed {
    none: usize,
    part: usize,
    whole: usize,
}

/// Kills the commands so many times over all; `test` names the test that does.
pub fn kill_commands(test: &str, kills: usize) {
    let mut chance = drawn_seed(test).nature(0);
    let bench = contest();
    let cases = CASES.map(|case| {
        let begun = Instant::now();
        let outcome = undisturbed(&bench, case);
        (case, outcome, begun.elapsed())
    });
    let mut killed = [Killed::default(); CASES.len()];
    // A short run has other commands each time.
    let first = chance.below(NonZeroU32::MAX) as usize;
    for number in 0..kills {
        let place = (first + number) % CASES.len();
        let (case, outcome, time) = &cases[place];
        kill_once(&bench, *case, outcome, *time, &mut chance, &mut killed[place]);
    }
    for (case, killed) in CASES.iter().zip(killed) {
        println!("{}: {killed:?}", case.words);
    }
    let all = killed.iter().fold(Killed::default(), |sum, it| Killed {
        none: sum.none + it.none,
        part: sum.part + it.part,
        whole: sum.whole + it.whole,
    });
    println!("{kills} kills: {all:?}");
}

/// Leagues in all states that the commands need.
fn contest() -> Bench {
    let bench = league(&["random", "greedy", "ann=greedy", "ben=random", "cat=random"]);
    bench.succeed(["league", "add", "class", "ann=random"]);
    for name in ["ann", "ben", "cat"] {
        bench.succeed(["league", "invite", "class", name]);
    }
    play(&bench, "16");
    bench.write("take.sh", "cat >> ../sent\n");
    let notify = "[notify]\ncommand = 'sh ../take.sh'";
    set(&bench, &format!("deadline = {}\n\n{notify}", ahead(36_000)));
    bench.succeed(["league", "notify", "class", "--once"]);

    copy(&bench, "class", "unsent");
    for game in ["0/0", "0/1", "0/2", "0/3"] {
        bench.succeed(["league", "void", "unsent", game, "--reason", "flood"]);
    }
    copy(&bench, "class", "staged");
    bench.ok("league stage staged --format knockout --deals 1");
    bench.succeed(["league", "run", "staged", "--games", "1", "--quiet"]);
    begin_round(&bench);
    for folder in ["unsent", "staged", "begun"] {
        verify(&bench, folder);
    }
    bench
}

/// Makes a league whose run was killed in the middle of a round.
fn begin_round(bench: &Bench) {
    copy(bench, "class", "begun");
    let settings = bench.path("begun/league.toml");
    let text = fs::read_to_string(&settings).expect("settings");
    fs::write(&settings, text.replace("deals = 2\n", "deals = 200\n")).expect("it is ours");
    let rounds = fs::read_dir(bench.path("begun/rounds")).expect("a folder").count();
    let log = bench.path(&format!("begun/rounds/{rounds}/games.jsonl"));
    let mut played = bench.arbiter(["league", "run", "begun", "--quiet"]);
    let mut played = Running::start(played.stdout(Stdio::null()).stderr(Stdio::null()));
    let lines = || fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    wait_until("games are played", || lines() > 2);
    played.signal(Signal::KILL);
    played.wait();
    wait_for_no_scratch(bench);
    let text = bench.text("begun/league.jsonl");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("{\"round\"")), "{text}");
}

fn copy(bench: &Bench, from: &str, to: &str) {
    let copied = Command::new("cp").arg("-a").args([bench.path(from), bench.path(to)]).status();
    assert!(copied.is_ok_and(|status| status.success()), "no copy of {from}");
}

/// Puts a fresh copy of the league of a case in its place.
fn prepare(bench: &Bench, case: Case) {
    for folder in [WORK, OPEN] {
        let _ = fs::remove_dir_all(bench.path(folder));
    }
    let _ = fs::remove_file(bench.path(SENT));
    copy(bench, case.league, WORK);
}

fn command(bench: &Bench, case: Case) -> Command {
    bench.arbiter(["league"].into_iter().chain(case.words.split(' ')))
}

fn undisturbed(bench: &Bench, case: Case) -> Outcome {
    prepare(bench, case);
    let ended = run(&mut command(bench, case));
    assert_eq!(ended.code, Some(0), "{case:?}: {ended:?}");
    let outcome = outcome(bench, case);
    let is_seen = match case.effect {
        Effect::Together | Effect::InTurn => !outcome.added.is_empty(),
        Effect::Folder => outcome.folder.is_some(),
        Effect::Messages => outcome.messages.len() > 2,
    };
    assert!(is_seen, "{case:?}: {outcome:?}: {ended:?}");
    outcome
}

/// Kills a command in the middle, which is tried until it does not end before, and checks what is left and what a
/// second command makes of it.
fn kill_once(
    bench: &Bench,
    case: Case,
    outcome_of_whole: &Outcome,
    time: Duration,
    chance: &mut Nature,
    killed: &mut Killed,
) {
    let mut most = u32::try_from(time.as_micros()).unwrap_or(u32::MAX).max(1);
    loop {
        prepare(bench, case);
        let moment = chance.below(NonZeroU32::new(most).expect("it is not 0"));
        let mut begun = command(bench, case);
        let mut running = Running::start(begun.stdout(Stdio::null()).stderr(Stdio::null()));
        // At some moment: nothing depends on which one it is.
        thread::sleep(Duration::from_micros(moment.into()));
        // It may have ended, but was not waited for yet: its number is still its own.
        running.signal(Signal::KILL);
        if running.wait().signal().is_some() {
            break;
        }
        most = moment.max(1);
    }
    wait_for_no_scratch(bench);
    let left = outcome(bench, case);
    let is_whole = left == *outcome_of_whole;
    let is_none = left.added.is_empty() && left.folder.is_none() && left.messages.is_empty();
    match case.effect {
        Effect::Together | Effect::Folder => {
            assert!(is_whole || is_none, "{case:?} is neither whole nor absent: {left:?}");
        }
        Effect::InTurn => {
            assert!(outcome_of_whole.added.starts_with(&left.added), "{case:?}: {left:?}");
        }
        Effect::Messages => {
            assert!(outcome_of_whole.messages.starts_with(&left.messages), "{case:?}: {left:?}");
        }
    }
    *match (is_none, is_whole) {
        (true, _) => &mut killed.none,
        (_, true) => &mut killed.whole,
        (false, false) => &mut killed.part,
    } += 1;
    verify(bench, WORK);
    let again = run(&mut command(bench, case));
    assert_repeated(case, &again, is_whole);
    let mut done = outcome(bench, case);
    // A message whose sender was killed is sent again, and a deadline may be set again.
    done.messages.dedup();
    done.added.dedup();
    assert_eq!(done, *outcome_of_whole, "{case:?}");
    verify(bench, WORK);
    if case.effect == Effect::Folder {
        verify(bench, OPEN);
    }
    let hidden = fs::read_dir(bench.folder()).expect("it is ours").flatten();
    let hidden = hidden.filter(|it| it.file_name().to_string_lossy().starts_with('.'));
    assert_eq!(hidden.map(|it| it.path()).collect::<Vec<_>>(), [] as [PathBuf; 0], "{case:?}");
}

/// A repeated command succeeds, or says that it is done already.
fn assert_repeated(case: Case, again: &Ended, is_whole: bool) {
    if !is_whole {
        assert_eq!(again.code, Some(0), "{case:?}: {again:?}");
    } else if again.code != Some(0) {
        let says = ["already", "choose a new folder", "is unfinished", "no stage is in progress"];
        let is_told = says.iter().any(|words| again.stderr.contains(words));
        assert!(again.code == Some(2) && is_told, "{case:?}: {again:?}");
    }
}

/// What there is now of the result of a command.
fn outcome(bench: &Bench, case: Case) -> Outcome {
    let read = |folder: &str| {
        let text = fs::read_to_string(bench.path(folder).join("league.jsonl")).expect("a log");
        assert!(text.ends_with('\n'), "{case:?}: a torn line: {text}");
        contents(&text)
    };
    let (before, now) = (read(case.league), read(WORK));
    assert!(now.starts_with(&before), "{case:?}: lines are lost");
    let open = bench.path(OPEN);
    let sent = fs::read_to_string(bench.path(SENT)).unwrap_or_default();
    Outcome {
        added: now[before.len()..].to_vec(),
        folder: open.exists().then(|| files(&open)),
        messages: sent.lines().map(str::to_owned).collect(),
    }
}

/// The files of a folder, with their contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let content = |path: PathBuf| (path.clone(), fs::read(path).expect("a file"));
    files_below(folder).into_iter().map(content).collect()
}
