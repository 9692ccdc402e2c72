//! Who answers a request: for now a program, started afresh for every one.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rules::{Answer, Escaped, Measured};
use tempfile::TempDir;

use crate::bot::Contender;
use crate::process::{Call, Limits, Program, StartError, Supervisor, judge};

/// What came back of one request, and what was measured of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// What the referee is told.
    pub answer: Answer,
    /// What the log keeps beside it.
    pub measured: Measured,
}

/// Somebody who answers requests.
pub trait Player {
    /// Prepares for a new game, of which nothing that was before may be left.
    ///
    /// # Errors
    ///
    /// Fails through the machine alone.
    fn new_game(&mut self) -> io::Result<()>;

    /// Answers one request.
    fn ask(&mut self, request: &str) -> Reply;
}

/// A program that is started for every request, in a scratch folder of its own.
#[derive(Debug)]
pub struct ProcessPlayer {
    supervisor: Supervisor,
    program: Program,
    limits: Limits,
    scratch: TempDir,
}

impl ProcessPlayer {
    /// A player that starts this contender's program.
    ///
    /// # Errors
    ///
    /// Fails where no scratch folder can be made.
    pub fn new(contender: &Contender, supervisor: Supervisor) -> io::Result<Self> {
        let (program, limits) = (contender.program.clone(), contender.limits);
        Ok(ProcessPlayer { supervisor, program, limits, scratch: scratch_folder()? })
    }

    /// Tells whether the program can be started at all.
    ///
    /// # Errors
    ///
    /// Says whose fault it is that it cannot.
    pub fn probe(&self) -> Result<(), StartError> {
        self.supervisor.probe(&self.program, self.scratch.path())
    }
}

impl Player for ProcessPlayer {
    fn new_game(&mut self) -> io::Result<()> {
        // A folder that cannot be emptied, whatever the bot left there, is left behind: the new
        // one has another name.
        self.scratch = scratch_folder()?;
        Ok(())
    }

    fn ask(&mut self, request: &str) -> Reply {
        // Whoever spoils its own folder gets an empty one, and not a void game instead of a loss.
        // Where none can be made, the call says so.
        if !is_usable(self.scratch.path())
            && let Ok(folder) = scratch_folder()
        {
            self.scratch = folder;
        }
        let observed = self.supervisor.run(&Call {
            program: &self.program,
            scratch: self.scratch.path(),
            request: request.as_bytes(),
            limits: self.limits,
        });
        let answer = judge(&observed, &self.limits);
        let measured = Measured {
            ms: milliseconds(observed.wall),
            cpu_ms: observed.cpu.map(milliseconds),
            waited_ms: observed.waited.map(milliseconds),
            stderr: Escaped(observed.stderr),
            stderr_dropped: observed.stderr_dropped,
            escaped: observed.escaped,
        };
        Reply { answer, measured }
    }
}

/// A folder that other users of the machine cannot look into, whatever the umask.
fn scratch_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700))
    };
    builder.prefix("arbiter-").tempdir()
}

/// Whether a program can be started in a folder, which its bot may have removed, closed or
/// replaced.
fn is_usable(folder: &Path) -> bool {
    // The dot makes the lookup fail where the folder may not be entered.
    fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir())
        && fs::metadata(folder.join(".")).is_ok()
}

/// Milliseconds with three decimals: more would be noise in the log.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
