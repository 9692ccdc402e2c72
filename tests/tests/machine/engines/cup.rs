//! The tournament that all engines play, with a bot that waits at a gate.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tests::bench::Bench;
use tests::running::{wait_or_say, wait_until};
use tests::search_path::search_path;
use tests::tournament::{SEED, result, verify};
use tests::{installed, log, processes};

/// Into how many shards the tournament is cut: each has the six games of a deal.
pub(super) const SHARDS: usize = 4;

/// Into how many shards a round of the league is cut: each has the six games of a deal, some of which wait at the gate.
pub(super) const DEALS: &str = "4";

/// The bots. Their paths start at the folder that the tournament lies in.
const BOTS: [&str; 3] = ["random", "greedy", "gated=python3 -I -S bot.py"];

/// The tournament, before its folder or after it.
///
/// The bots find the gate, which is no file that an isolated bot sees. No time is too short. A game of Coup has fewer
/// moves than one of the others, and each starts a program.
const WORDS: [&str; 8] =
    ["--game", "coup", "--deals", "4", "--isolation", "off", "--time-limit", "10min"];

/// A bot that plays at random, once there is no file `closed` beside it.
const BOT: &str = r#"
import os, sys, time

gate = os.path.join(os.path.dirname(os.path.abspath(__file__)), "closed")
while os.path.exists(gate):
    time.sleep(0.01)
lines = sys.stdin.read().splitlines()
seed = next(line.split()[1] for line in lines if line.startswith("seed "))
place = next(place for place, line in enumerate(lines) if line.startswith("legal "))
moves = lines[place + 1 : place + 1 + int(lines[place].split()[1])]
print(moves[int(seed, 16) % len(moves)])
"#;

/// A planned tournament of which nothing is played yet, and its gate is closed: a shard goes on as far
/// as the first move of the bot that waits, which is in the middle of it. The seed is kept apart.
pub(super) struct Cup {
    pub(super) bench: Bench,
    /// The name of its folder, which no other test has: programs are found by it.
    pub(super) name: String,
    /// The log of a shard at the gate has a line that begins like this.
    held: &'static str,
}

impl Cup {
    /// Plans the tournament; `None` if there is no Python for its bot.
    pub(super) fn plan() -> Option<Cup> {
        let bench = installed::bench_with("python3")?;
        // With all that is hard for templates.
        let name = bench.marker().replace("marker=", "Jürgen's cup ");
        let cup = Cup { bench, name, held: "{\"game\"" };
        place_bot(cup.bench.folder());
        let shards = SHARDS.to_string();
        cup.bench.write("seed", SEED);
        let seed = cup.seed();
        let head = ["tournament", "plan", &cup.name, "--quiet", "--shards", &shards, &seed];
        let shown = cup.bench.succeed([&head[..], &WORDS, &BOTS].concat());
        assert_eq!(shown, "", "nothing is shown");
        Some(cup)
    }

    /// Founds a league with the same bots, whose rounds have a table of each two of them on four deals; `None` if there
    /// is no Python for its bot. The gate is closed.
    pub(super) fn league() -> Option<Cup> {
        let bench = installed::bench_with("python3")?;
        let name = bench.marker().replace("marker=", "Jürgen's class ");
        let cup = Cup { bench, name, held: "{\"header\"" };
        place_bot(cup.bench.folder());
        cup.bench.write("seed", SEED);
        cup.open();
        let new = ["league", "new", &cup.name, "--game", "coup", "--round-deals", DEALS];
        let conditions = ["--isolation", "off", "--time-limit", "10min"];
        cup.bench.succeed([&new[..], &conditions].concat());
        cup.bench.succeed([&["league", "add", &cup.name][..], &BOTS].concat());
        cup.close();
        Some(cup)
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.bench.path(&self.name)
    }

    /// The option with the file of its seed.
    pub(super) fn seed(&self) -> String {
        format!("--seed-file={}", self.bench.path("seed").display())
    }

    pub(super) fn merge(&self) {
        self.bench.succeed(["tournament", "merge", &self.name, "--verify", &self.seed()]);
    }

    /// A command for a template that is a script: it finds the seed, and what it tells is kept.
    pub(super) fn script_command(&self, name: &str) -> Command {
        let told = File::create(self.bench.path("script.out")).expect("the folder is ours");
        let again = told.try_clone().expect("a descriptor");
        let mut command = self.command(template(name));
        command.env("SEED_FILE", self.bench.path("seed"));
        command.stdout(told).stderr(again);
        command
    }

    /// A command that finds the programs under test, and before them those that the test has put into
    /// `bin` in its folder.
    pub(super) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = self.bench.command(program);
        command.env("PATH", self.search_path());
        command
    }

    fn search_path(&self) -> OsString {
        let arbiter = self.bench.program("arbiter");
        let programs = arbiter.parent().map(Path::to_owned);
        let folders = [Some(self.bench.path("bin")), programs].into_iter().flatten();
        env::join_paths(folders.chain(env::split_paths(search_path())))
            .expect("they were in a list")
    }

    /// Puts a script into `bin`.
    pub(super) fn script(&self, name: &str, text: &str) {
        fs::create_dir_all(self.bench.path("bin")).expect("the folder is ours");
        // Copied by another program, so that no child of another test has it open for writing.
        let draft = self.bench.write("draft", text);
        fs::set_permissions(&draft, PermissionsExt::from_mode(0o755)).expect("it is ours");
        self.bench.copy(&draft, &format!("bin/{name}"));
    }

    /// Lets the bot play that waits.
    pub(super) fn open(&self) {
        fs::remove_file(self.bench.path("closed")).expect("it was closed");
    }

    /// Lets it wait again.
    pub(super) fn close(&self) {
        self.bench.write("closed", "");
    }

    /// The numbers of the programs that play shards.
    ///
    /// For a moment, a new process has the command line of the program that started it: a child of
    /// a program that plays shards is not counted.
    pub(super) fn programs(&self) -> BTreeSet<u32> {
        let is_program = |number: &u32| {
            let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).into_owned();
            let program = line.split('\0').next().unwrap_or_default();
            let is_named = |word: &str| word.contains(&self.name);
            program.ends_with("arbiter") && line.split('\0').any(is_named)
        };
        let found = processes::numbers_with_argument("run-shard").into_iter().filter(is_program);
        let found: BTreeSet<u32> = found.collect();
        let is_child = |number: &u32| parent(*number).is_some_and(|it| found.contains(&it));
        found.iter().copied().filter(|number| !is_child(number)).collect()
    }

    /// Waits until this number of shards stands at the gate, each with games before it, and gives the
    /// programs that play them.
    pub(super) fn wait_until_held(&self, count: usize) -> BTreeSet<u32> {
        let mut held = BTreeSet::new();
        let state =
            || format!("{count} shards are held, with {:?}: {}", self.programs(), self.outputs());
        let are_held = || {
            held = self.programs();
            held.len() == count && held.iter().all(|program| self.has_begun(*program))
        };
        wait_or_say(are_held, state);
        held
    }

    /// Returns true if a program has the log of a shard with games open.
    fn has_begun(&self, program: u32) -> bool {
        let open = fs::read_dir(format!("/proc/{program}/fd")).into_iter().flatten().flatten();
        let mut files = open.filter_map(|it| fs::read_link(it.path()).ok());
        files.any(|file| file.ends_with("games.jsonl") && has_line(&file, self.held))
    }

    /// Number of shards with games in their logs.
    pub(super) fn begun(&self) -> usize {
        let log = |shard: usize| self.folder().join(format!("shards/{shard}/games.jsonl"));
        (0..SHARDS).filter(|shard| has_line(&log(*shard), self.held)).count()
    }

    /// Output of the programs and engines in files of the test's folder.
    pub(super) fn outputs(&self) -> String {
        let entries = fs::read_dir(self.bench.folder()).into_iter().flatten().flatten();
        let is_told = |path: &PathBuf| {
            path.extension().is_some_and(|end| end == "out" || end == "stderr" || end == "stdout")
        };
        let text = |path: PathBuf| {
            let text = fs::read_to_string(&path).unwrap_or_default();
            format!("\n{}:\n{text}", path.display())
        };
        entries.map(|entry| entry.path()).filter(is_told).map(text).collect()
    }

    /// Asserts that the whole tournament is there, that it verifies, and that it is what one machine has
    /// played, but for what was measured.
    pub(super) fn assert_is_that_of_one_machine(&self) {
        verify(&self.bench, &self.name);
        let (lines, standings) = result(&self.folder());
        let (expected, of_one_machine) = of_one_machine();
        assert_eq!(lines.len(), expected.len());
        for (number, (line, expected)) in lines.iter().zip(expected).enumerate() {
            assert!(line == expected, "line {}: {line}\ninstead of {expected}", number + 1);
        }
        assert_eq!(standings, *of_one_machine);
        assert_eq!(log::games(&self.folder().join("games.jsonl")).len(), 6 * SHARDS);
        assert_eq!(self.programs(), BTreeSet::new(), "none is left");
    }
}

fn has_line(log: &Path, beginning: &str) -> bool {
    let text = fs::read_to_string(log).unwrap_or_default();
    text.lines().any(|line| line.starts_with(beginning))
}

/// The number of the process that has started another one; nothing when that has ended.
fn parent(number: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{number}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// Kills a program, and waits until it is gone.
pub(super) fn kill(program: u32) {
    let pid = Pid::from_raw(program as i32).expect("a process");
    kill_process(pid, Signal::KILL).expect("it is ours");
    let is_gone = || fs::read(format!("/proc/{program}/cmdline")).is_ok_and(|line| line.is_empty());
    let folder = format!("/proc/{program}");
    wait_until("it is gone", || is_gone() || !Path::new(&folder).exists());
}

/// Writes the bot into a folder, behind a gate that is closed.
pub(super) fn place_bot(folder: &Path) {
    for (name, text) in [("bot.py", BOT), ("closed", "")] {
        fs::write(folder.join(name), text).expect("the folder is ours");
    }
}

/// Result on one machine: played once for all tests.
fn of_one_machine() -> &'static (Vec<Value>, String) {
    static RESULT: OnceLock<(Vec<Value>, String)> = OnceLock::new();
    RESULT.get_or_init(|| {
        let bench = Bench::new();
        place_bot(bench.folder());
        fs::remove_file(bench.path("closed")).expect("it was closed");
        let head = ["tournament", "--dir", "whole", "--quiet", "--seed", SEED];
        bench.succeed([&head[..], &WORDS, &BOTS].concat());
        result(&bench.path("whole"))
    })
}

pub(super) fn template(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/engines").join(name)
}

/// Python with the packages of the engines; if it is not there, says so.
pub(super) fn python(cup: &Cup) -> Option<PathBuf> {
    installed::python_with_packages(&cup.bench)
}
