//! Shared by the tests of the supervisors: small programs, and calls to them.

use std::path::Path;
use std::time::Duration;

use sandbox::isolation::Isolation;
use sandbox::{Limits, Observation, Program, SearchPath, Supervisor};
use tempfile::TempDir;

/// The limit of calls that end by themselves, and a ceiling for all others: there to catch a
/// hang, far from what anything takes.
pub(crate) const CEILING: Duration = Duration::from_secs(30);

/// Every supervisor of this system, the best first; none of them keeps anything apart.
pub(crate) fn supervisors() -> Vec<Supervisor> {
    let linux = cfg!(target_os = "linux").then(linux);
    linux.into_iter().chain([portable()]).collect()
}

/// The supervisor for Linux.
pub(crate) fn linux() -> Supervisor {
    #[cfg(target_os = "linux")]
    sandbox::keeper::announce(Path::new(env!("CARGO_BIN_EXE_run_program")));
    Supervisor::named("linux".as_ref(), Isolation::Off).expect("this system has it")
}

/// The supervisor for every system.
pub(crate) fn portable() -> Supervisor {
    Supervisor::named("portable".as_ref(), Isolation::Off).expect("every system has it")
}

/// A scratch folder, and a supervisor to start programs in it.
pub(crate) struct Bench {
    pub(crate) supervisor: Supervisor,
    pub(crate) scratch: TempDir,
}

impl Bench {
    pub(crate) fn new(supervisor: Supervisor) -> Bench {
        Bench { supervisor, scratch: TempDir::new().expect("a scratch folder") }
    }

    /// Runs a shell script, which is not executed itself: while one thread writes a file,
    /// another one's child may hold it open for a moment, and a file open for writing does not
    /// start.
    pub(crate) fn shell(&self, script: &str, request: &[u8], time: Duration) -> Observation {
        self.call(&["/bin/sh", "-c", script], request, Limits { time, ..Limits::default() })
    }

    /// Runs a command.
    pub(crate) fn call(&self, words: &[&str], request: &[u8], limits: Limits) -> Observation {
        let program = resolve(words);
        let scratch = self.scratch.path();
        let observed = self.supervisor.run_in(scratch, &program, request, limits);
        assert!(observed.wall < CEILING, "{words:?} took {:?}", observed.wall);
        observed
    }
}

/// Resolves the absolute path of a program.
pub(crate) fn resolve(words: &[&str]) -> Program {
    let folder = Path::new("/").to_path_buf();
    let search = SearchPath { folder, built_in: None, path: Vec::new() };
    Program::resolve(words, &search).expect("a program")
}
