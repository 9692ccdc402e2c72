//! A referee that is still running, looked at from outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::bench::{self, Bench, CEILING, pause};
use crate::processes;

/// Room for descriptors in the smallest table of them.
const LEAST_TABLE: usize = 64;

/// A running referee; dropped, it is killed.
#[derive(Debug)]
pub struct Running {
    child: Child,
    command: String,
}

/// Resources that a process holds at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldResources {
    /// Its open descriptors; where an ordinary user may not see them, since a referee closes its
    /// memory to others, the size of their table above its least, which is public.
    pub descriptors: usize,
    /// Its threads.
    pub threads: usize,
    /// Its children, the dead ones included.
    pub children: usize,
    /// The dead ones.
    pub zombies: usize,
    /// Its resident memory, in KiB.
    pub resident: usize,
}

impl Running {
    /// Starts a command, whose output is discarded unless it is redirected.
    pub fn start(command: &mut Command) -> Running {
        let child = command.spawn().expect("the referee starts");
        Running { child, command: format!("{command:?}") }
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its standard output, if that was piped.
    pub fn stdout(&mut self) -> std::process::ChildStdout {
        self.child.stdout.take().expect("a pipe")
    }

    /// Sends a signal to it.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is ours");
    }

    /// Sends a signal to its process group, which it must lead.
    pub fn signal_group(&self, signal: Signal) {
        kill_process_group(Pid::from_child(&self.child), signal).expect("it is ours");
    }

    /// Returns true once it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Waits for its end, within the ceiling.
    pub fn wait(&mut self) -> ExitStatus {
        bench::wait(&mut self.child, &self.command)
    }

    /// The resources that it holds now; `None` if it has ended.
    pub fn held_resources(&self) -> Option<HeldResources> {
        let process = format!("/proc/{}", self.id());
        let count = |folder| Some(fs::read_dir(format!("{process}/{folder}")).ok()?.count());
        let status = fs::read_to_string(format!("{process}/status")).ok()?;
        let value = |key| {
            let text = status.lines().find_map(|line| line.strip_prefix(key))?;
            text.split_whitespace().next()?.parse::<usize>().ok()
        };
        let resident = value("VmRSS:")?;
        let table = || Some(value("FDSize:")?.saturating_sub(LEAST_TABLE));
        let children = states_of_children(self.id());
        Some(HeldResources {
            descriptors: count("fd").or_else(table)?,
            threads: count("task")?,
            children: children.len(),
            zombies: children.iter().filter(|state| *state == "Z").count(),
            resident,
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A match in whose middle a bot hangs.
#[derive(Debug)]
pub struct Hanging {
    /// The bench of the match; the log is `log` there.
    pub bench: Bench,
    /// The referee, or the program that runs it.
    pub referee: Running,
    /// Number of games in the log.
    pub games: usize,
}

impl Hanging {
    /// The words for the referee before those for its bots.
    pub const WORDS: [&str; 8] =
        ["match", "--game", "tablic", "--games", "100000", "--time-limit", "10min", "--log=log"];

    /// Starts a match in which a bot behaves as `mode` says, as soon as some games are over.
    ///
    /// A file `hangs` says that it does. `command` makes the command that runs the referee in its bench with these bots.
    pub fn start(
        bench: Bench,
        mode: &str,
        command: impl FnOnce(&Bench, [String; 2]) -> Command,
    ) -> Hanging {
        let calls = bench.path("calls");
        fs::create_dir(&calls).expect("the folder is ours");
        let until_called = format!("until-called '{}' {mode}", calls.display());
        let bots = [format!("bad={}", bench.faulty(&until_called)), bench.faulty("ok")];
        let mut command = command(&bench, bots);
        let mut referee = Running::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
        let log = bench.path("log");
        let over = |count| {
            let text = fs::read_to_string(&log).unwrap_or_default();
            text.bytes().filter(|byte| *byte == b'\n').count() > count
        };
        wait_until("two games are over", || over(2));
        fs::write(calls.join("call"), "").expect("the folder is ours");
        // It has become another program by then, by way of a shell perhaps.
        let before = ["ok", "until-called", "-c"];
        let modes = || processes::modes(bench.marker()).into_iter();
        let hangs = || modes().any(|mode| !before.contains(&mode.as_str()));
        // A bot that ends the referee may be gone with it before the first look.
        wait_until("the bot hangs", || hangs() || referee.has_ended());
        let games = crate::log::games(&log).len();
        bench.write("hangs", "");
        Hanging { bench, referee, games }
    }

    /// Asserts that nothing is left of the bots when the referee has ended.
    pub fn assert_cleaned_up(&self) {
        processes::wait_for_none(self.bench.marker());
        wait_for_no_scratch(&self.bench);
    }

    /// Asserts that the log holds the games that were over, and that it has no end.
    pub fn assert_log(&self) {
        let (bench, games) = (&self.bench, self.games);
        let verified = bench.run(["verify", "log"]);
        let stops = format!("the log stops after {games} of 100000 games, without its end");
        verified.assert_refused(3, &[&format!("line {}", games + 2), &stops]);
        let shown = bench.succeed(["show", "log"]);
        let results = shown.lines().filter(|line| line.starts_with("result: "));
        assert_eq!(results.count(), games, "{shown}");
    }
}

/// Waits until something is so, within the ceiling; `what` says what, for the case that it is not.
pub fn wait_until(what: &str, is_so: impl FnMut() -> bool) {
    wait_or_say(is_so, || what.to_owned());
}

/// Waits until something is so, within the ceiling; `what` is asked only where it is not.
pub fn wait_or_say(mut is_so: impl FnMut() -> bool, what: impl Fn() -> String) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < CEILING, "waited in vain until {}", what());
        pause(begun);
    }
}

/// Waits until no scratch folder of a bench is left.
pub fn wait_for_no_scratch(bench: &Bench) {
    wait_until("no scratch folder is left", || entries(&bench.scratch()).is_empty());
}

/// The entries of a folder.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("the folder is there").flatten().map(|it| it.path()).collect()
}

/// The numbers of the children of a process.
pub fn children(id: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|it| fs::read_to_string(it.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().map(str::parse).collect::<Vec<_>>())
        .flatten()
        .collect()
}

/// The states of the children of a process: `Z` for those that wait to be reaped.
pub fn states_of_children(id: u32) -> Vec<String> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = processes.filter_map(|it| fs::read_to_string(it.path().join("stat")).ok());
    let state = |stat: String| {
        // The fields after the program's name are its state and its parent.
        let (_, fields) = stat.rsplit_once(") ")?;
        let (state, fields) = fields.split_once(' ')?;
        (fields.split(' ').next() == Some(&id.to_string())).then(|| state.to_owned())
    };
    stats.filter_map(state).collect()
}
