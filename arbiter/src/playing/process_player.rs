//! A bot whose program is started afresh for every request.

use std::ffi::OsString;
use std::io;
use std::mem;
use std::path::Path;
use std::time::Duration;

use rules::text::system_error;
use rules::{Answer, Asked, Dialect, Escaped, Measured};

use crate::bot::Contender;
use crate::bot::fingerprint::{Fingerprint, NotTheSame};
use crate::playing::classic_file::ClassicFile;
use crate::playing::player::{Bot, Player, Reply};
use crate::process::scratch::Scratch;
use crate::process::{Call, End, Limits, Observed, Program, StartError, Supervisor, judge};

/// How long a program runs at most that is only started to see that it can be.
const MOMENT: Duration = Duration::from_secs(1);

/// A program that is started for every request, in a scratch folder of its own.
#[derive(Debug)]
pub(super) struct ProcessPlayer {
    supervisor: Supervisor,
    program: Program,
    limits: Limits,
    files: Vec<Fingerprint>,
    scratch: Scratch,
    dialect: Dialect,
    warnings: Vec<String>,
}

impl ProcessPlayer {
    /// A player that starts this contender's program.
    ///
    /// # Errors
    ///
    /// Fails if no scratch folder can be made.
    pub(super) fn new(contender: &Contender, supervisor: Supervisor) -> io::Result<Self> {
        let (program, limits) = (contender.program.clone(), contender.limits);
        let files = [&contender.files[..], &contender.interpreters[..]].concat();
        let (scratch, dialect, warnings) = (Scratch::new()?, contender.dialect, Vec::new());
        Ok(ProcessPlayer { supervisor, program, limits, files, scratch, dialect, warnings })
    }
}

impl Player for ProcessPlayer {
    fn new_game(&mut self) -> io::Result<()> {
        match self.dialect {
            Dialect::Classic => Ok(()),
            Dialect::Native => self.renew_folder(),
        }
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        if let Err(error) = self.files.iter_mut().try_for_each(Fingerprint::check) {
            return self.not_started(match error {
                NotTheSame::Changed(_) => End::NotStarted(error.to_string()),
                NotTheSame::Unknown { .. } => End::Fault(error.to_string()),
            });
        }
        // A bot that spoils its own folder gets an empty one, and not a void game instead of a loss.
        // Where none can be made, the call says so.
        if !self.scratch.is_usable() {
            let _ = self.renew_folder();
        }
        match asked {
            Asked::Request(request) => self.call(&self.program, request.as_bytes()),
            Asked::Classic { file, arguments } => self.ask_classic(file, arguments),
        }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        mem::take(&mut self.warnings)
    }

    fn close(&mut self) -> Vec<String> {
        self.warnings.extend(self.scratch.remove().err().map(|left| left.to_string()));
        self.take_warnings()
    }
}

impl Bot for ProcessPlayer {
    fn probe(&self) -> Result<(), StartError> {
        self.supervisor.probe(&self.program, self.scratch.path())
    }

    fn can_be_started(&self) -> bool {
        let limits = Limits { time: self.limits.time.min(MOMENT), ..self.limits };
        let (program, scratch) = (&self.program, self.scratch.path());
        let seen = self.supervisor.run(&Call { program, scratch, request: b"", limits });
        !matches!(seen.end, End::Fault(_) | End::NotStarted(_))
    }

    fn renew_folder(&mut self) -> io::Result<()> {
        let mut old = mem::replace(&mut self.scratch, Scratch::new()?);
        // One that cannot be emptied is left behind: the new one has another name.
        self.warnings.extend(old.remove().err().map(|left| left.to_string()));
        Ok(())
    }

    fn folder(&self) -> &Path {
        self.scratch.path()
    }
}

impl ProcessPlayer {
    fn call(&self, program: &Program, request: &[u8]) -> Reply {
        self.reply(self.supervisor.run(&Call {
            program,
            scratch: self.scratch.path(),
            request,
            limits: self.limits,
        }))
    }

    fn not_started(&self, end: End) -> Reply {
        self.reply(Observed::nothing(end, Duration::ZERO))
    }

    fn reply(&self, observed: Observed) -> Reply {
        let answer = judge(&observed, &self.limits);
        let measured = Measured {
            ms: milliseconds(observed.wall),
            cpu_ms: observed.cpu.map(milliseconds),
            waited_ms: observed.waited.map(milliseconds),
            referee_waited_ms: observed.referee_waited.map(milliseconds).filter(|it| *it > 0.0),
            stderr: Escaped(observed.stderr),
            stderr_dropped: observed.stderr_dropped,
            escaped: observed.escaped,
        };
        Reply { answer, measured }
    }

    /// Asks through a file: the program appends its answer.
    fn ask_classic(&mut self, text: &str, arguments: &[String]) -> Reply {
        let file = match ClassicFile::new(text) {
            Ok(file) => file,
            Err(error) => {
                let why = format!("cannot write the file of a request: {}", system_error(error));
                return self.not_started(End::Fault(why));
            }
        };
        let path = file.path().into_os_string();
        let words = [path].into_iter().chain(arguments.iter().map(OsString::from));
        let Reply { answer, measured } = self.call(&self.program.with_arguments(words), b"");
        // However little an answer may hold, what may be appended is read with a byte to spare: a
        // text that begins like it and continues is another one.
        let longest = arguments.iter().map(String::len).max().unwrap_or_default();
        let most = text.len() + self.limits.answer_bytes.max(longest + 1);
        let answer = match answer {
            Answer::Output(output) => Answer::Classic { file: file.read(most), output },
            stopped => stopped,
        };
        self.warnings.extend(file.remove().err().map(|left| left.to_string()));
        Reply { answer, measured }
    }
}

/// Milliseconds with three decimals: more would be noise in the log.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
