//! Who answers a request: for now a program, started afresh for every one.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rules::{Answer, Asked, Dialect, Escaped, Measured};
use tempfile::TempDir;

use crate::bot::Contender;
use crate::classic::ClassicFile;
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
    fn ask(&mut self, asked: &Asked) -> Reply;
}

/// A program that is started for every request, in a scratch folder of its own.
#[derive(Debug)]
pub struct ProcessPlayer {
    supervisor: Supervisor,
    program: Program,
    limits: Limits,
    scratch: TempDir,
    /// For a program of the classic dialect.
    classic: Option<ClassicFile>,
}

impl ProcessPlayer {
    /// A player that starts this contender's program.
    ///
    /// # Errors
    ///
    /// Fails where no scratch folder can be made.
    pub fn new(contender: &Contender, supervisor: Supervisor) -> io::Result<Self> {
        let (program, limits) = (contender.program.clone(), contender.limits);
        let classic = match contender.dialect {
            Dialect::Native => None,
            Dialect::Classic => Some(ClassicFile::new()?),
        };
        Ok(ProcessPlayer { supervisor, program, limits, scratch: scratch_folder()?, classic })
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
        // A program of the classic dialect keeps its folder for the whole match.
        if self.classic.is_some() {
            return Ok(());
        }
        // A folder that cannot be emptied, whatever the bot left there, is left behind: the new
        // one has another name.
        self.scratch = scratch_folder()?;
        Ok(())
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        // Whoever spoils its own folder gets an empty one, and not a void game instead of a loss.
        // Where none can be made, the call says so.
        if !is_usable(self.scratch.path())
            && let Ok(folder) = scratch_folder()
        {
            self.scratch = folder;
        }
        match asked {
            Asked::Request(request) => self.call(&self.program, request.as_bytes()),
            Asked::Classic { file, arguments } => self.ask_classic(file, arguments),
        }
    }
}

impl ProcessPlayer {
    fn call(&self, program: &Program, request: &[u8]) -> Reply {
        let observed = self.supervisor.run(&Call {
            program,
            scratch: self.scratch.path(),
            request,
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

    /// Asks through a file: the program appends its answer.
    fn ask_classic(&mut self, text: &str, arguments: &[String]) -> Reply {
        let most = text.len() + self.limits.answer_bytes;
        let written = match &mut self.classic {
            Some(file) => file.write(text).map(|()| file.path()),
            None => Err(io::Error::other("the bot speaks another dialect")),
        };
        let path = match written {
            Ok(path) => path,
            Err(error) => {
                let why = format!("cannot write the file of a request: {error}");
                return Reply { answer: Answer::Void(why), measured: Measured::default() };
            }
        };
        let words = [path.into_os_string()].into_iter().chain(arguments.iter().map(OsString::from));
        let reply = self.call(&self.program.with_arguments(words), b"");
        match (reply.answer, &self.classic) {
            (Answer::Output(output), Some(file)) => {
                let answer = Answer::Classic { file: file.read(most), output };
                Reply { answer, measured: reply.measured }
            }
            (answer, _) => Reply { answer, measured: reply.measured },
        }
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
