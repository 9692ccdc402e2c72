//! A test's own folder, and the referee run in it.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::search_path::search_path;
use crate::{binaries, log};

/// The seed of matches of which none in particular is needed.
pub const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// A ceiling for everything that ends by itself: there to catch a hang, far from what anything
/// takes.
pub const CEILING: Duration = Duration::from_secs(300);

/// Sleeps before the next check of a condition, for a tenth of the time since `begun`: 1 ms at least, and 20 at most. A
/// check may be a request, or read all processes, so a long wait checks less often.
pub fn pause(begun: Instant) {
    let shortest = Duration::from_millis(1);
    let longest = Duration::from_millis(20);
    thread::sleep((begun.elapsed() / 10).clamp(shortest, longest));
}

/// A folder of its own for one test, and the programs to run in it.
#[derive(Debug)]
pub struct Bench {
    folder: TempDir,
    programs: PathBuf,
    marker: String,
}

/// The result of a program that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code; nothing if a signal ended it.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error, without anything that depends on the machine or the moment.
    pub stderr: String,
}

impl Default for Bench {
    fn default() -> Bench {
        Bench::new()
    }
}

impl Bench {
    /// A new folder.
    pub fn new() -> Bench {
        static BENCHES: AtomicU64 = AtomicU64::new(0);
        let number = BENCHES.fetch_add(1, Ordering::Relaxed);
        let folder = TempDir::new().expect("a temporary folder");
        fs::create_dir(folder.path().join("tmp")).expect("a folder for scratch folders");
        let marker = format!("marker={}-{number}", process::id());
        Bench { folder, programs: binaries::folder(), marker }
    }

    /// The folder of this test, in which programs are run.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A path in the folder of this test.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The folder in which the referee makes its scratch folders.
    pub fn scratch(&self) -> PathBuf {
        self.path("tmp")
    }

    /// Writes a file into the folder of this test, and makes the folder in which it lies.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        let folder = path.parent().expect("a folder");
        fs::create_dir_all(folder).expect("the folder of the test can be written");
        fs::write(&path, content).expect("the folder of the test can be written");
        path
    }

    /// Copies a file into the folder of this test, to be started there.
    ///
    /// Another program does it: a file that this process writes may still be open in a child that
    /// another test is just starting, and then the system does not start it.
    pub fn copy(&self, from: &Path, name: &str) -> PathBuf {
        let path = self.path(name);
        let copied = Command::new("cp").arg(from).arg(&path).status();
        assert!(copied.is_ok_and(|status| status.success()), "no copy of {}", from.display());
        path
    }

    /// The argument that all processes of this test's faulty bots carry.
    pub fn marker(&self) -> &str {
        &self.marker
    }

    /// The path of a program that is built with this workspace.
    pub fn program(&self, name: &str) -> PathBuf {
        binaries::program(&self.programs, name)
    }

    /// The command of the faulty bot in a mode, with the words that the mode takes.
    pub fn faulty(&self, mode: &str) -> String {
        format!("'{}' {mode} {}", self.program("faulty").display(), self.marker)
    }

    /// A command that starts the referee in the folder of this test.
    pub fn arbiter<W: AsRef<std::ffi::OsStr>>(
        &self,
        words: impl IntoIterator<Item = W>,
    ) -> Command {
        let mut command = self.command(self.program("arbiter"));
        command.args(words);
        command
    }

    /// A command that starts a program in the folder of this test.
    ///
    /// Neither the supervisor nor the folder for scratch folders depends on the environment of
    /// the tests, and nothing finds the home of the user.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder())
            .env("TMPDIR", self.scratch())
            .env("HOME", self.folder())
            .env("PATH", search_path())
            .env_remove("XDG_STATE_HOME")
            .env_remove("ARBITER_SUPERVISOR")
            .stdin(Stdio::null());
        command
    }

    /// Runs the referee to its end.
    pub fn run<W: AsRef<std::ffi::OsStr>>(&self, words: impl IntoIterator<Item = W>) -> Ended {
        run(&mut self.arbiter(words))
    }

    /// Runs the referee, which must be content, and gives what it printed.
    pub fn succeed<W: AsRef<std::ffi::OsStr>>(&self, words: impl IntoIterator<Item = W>) -> String {
        self.run(words).with_code(0).stdout
    }

    /// Plays a match that shows nothing, with a log that verifies, and gives its games. Nobody is
    /// too slow for it: some interpreters take long to start, and a machine may be busy.
    pub fn play(&self, game: &str, options: &[&str], bots: &[&str]) -> Vec<Value> {
        let log = self.path("log");
        let _ = fs::remove_file(&log);
        let head = ["match", "--game", game, "--quiet", "--log", "log", "--seed", SEED];
        let head = [&head[..], &["--time-limit", "30s"]].concat();
        assert_eq!(self.succeed([&head, options, bots].concat()), "", "nothing is shown");
        self.verify(&log);
        log::games(&log)
    }

    /// Asserts that the referee verifies a log.
    pub fn verify(&self, log: &Path) {
        let ended = self.run([Path::new("verify"), log]).without_error();
        assert!(ended.stdout.contains(": ok, "), "{ended:?}");
    }
}

impl Ended {
    /// The same, which must have this exit code.
    #[track_caller]
    pub fn with_code(self, code: i32) -> Ended {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// The same, which must have succeeded without a word of error.
    #[track_caller]
    pub fn without_error(self) -> Ended {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{self:?}");
        self
    }

    /// The lines of JSON that were printed.
    pub fn json(&self) -> Vec<Value> {
        let value = |line| serde_json::from_str(line).expect("every line is JSON");
        self.stdout.lines().map(value).collect()
    }

    /// Asserts an exit code and one line of error that says every one of some words.
    pub fn assert_refused(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        let line = self.stderr.strip_suffix('\n').unwrap_or_default();
        assert!(line.starts_with("error: "), "{self:?}");
        assert!(!line.contains(|c: char| c.is_control()), "more than one line: {self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        for word in words {
            assert!(line.contains(word), "`{word}` is not in {line:?}");
        }
    }
}

/// Runs a program to its end, and fails where that takes longer than the ceiling.
///
/// Its output goes through files, so that no thread has to read while it runs, and a process that
/// it leaves behind cannot keep the test waiting.
pub fn run(command: &mut Command) -> Ended {
    let (mut stdout, mut stderr) = (unnamed(), unnamed());
    let copy = |file: &File| file.try_clone().expect("a descriptor");
    let mut child = command
        .stdout(copy(&stdout))
        .stderr(copy(&stderr))
        .spawn()
        .unwrap_or_else(|error| unusable(command, &error));
    let status = wait(&mut child, command);
    let stderr = without_notices(&content(&mut stderr));
    Ended { code: status.code(), stdout: content(&mut stdout), stderr }
}

/// Standard error without the lines that depend on the machine and the moment: how far a check or a series of games is,
/// what a move costs if a match would take long, and which layers of isolation are missing here.
pub fn without_notices(stderr: &str) -> String {
    let is_notice = |line: &str| {
        let is_progress = || line.contains(" games, ") && line.contains(" s per game");
        line.starts_with("checking: ") && line.ends_with(" s so far\n")
            || line.starts_with("isolation: on, missing ")
            || line.starts_with("note: a move by ")
            || line.starts_with(|first: char| first.is_ascii_digit()) && is_progress()
    };
    stderr.split_inclusive('\n').filter(|line| !is_notice(line)).collect()
}

/// Waits for the end of a program, and fails where that takes longer than the ceiling.
pub fn wait(child: &mut Child, what: &impl std::fmt::Debug) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status;
        }
        if begun.elapsed() > CEILING {
            let _ = child.kill();
            let _ = child.wait();
        }
        assert!(begun.elapsed() <= CEILING, "still running after {CEILING:?}: {what:?}");
        pause(begun);
    }
}

fn unnamed() -> File {
    tempfile::tempfile().expect("a temporary file")
}

fn content(file: &mut File) -> String {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("the file can be read");
    String::from_utf8(bytes).expect("the referee prints UTF-8")
}

#[expect(clippy::panic, reason = "a test that cannot start its program has failed")]
fn unusable(command: &Command, error: &io::Error) -> ! {
    panic!("cannot start {command:?}: {error}")
}

/// The files below a folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files_below(&path)),
            false => found.push(path),
        }
    }
    found
}
