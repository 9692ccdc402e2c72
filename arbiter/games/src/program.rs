//! Rules that are a program, run as a resident bot is, isolated in the same way.

use std::ffi::OsString;
use std::time::Duration;

use conditions::bot::judge::judge;
use rules::Answer;
use rules::own::{Carrier, LONGEST_ANSWER, Source};
use sandbox::{EndOfAnswer, Limits, Ponder, Program, Request, Sight, Supervised, Supervisor};
use text::printable;

use crate::game_files::GameFiles;

/// The time for an answer.
const TIME: Duration = Duration::from_secs(10);

/// The most memory of a program, in bytes.
const MEMORY: u64 = 1 << 30;

/// The variable that would change the order of Python's sets.
const HASH_SEED: &str = "PYTHONHASHSEED";

/// The value of [`HASH_SEED`] in all games.
pub(crate) const USUAL_HASH_SEED: &str = "0";

/// A program that can be started.
pub(crate) struct ProgramSource {
    program: Program,
    sight: Sight,
    supervisor: Supervisor,
    /// The files as they were when the digest was computed.
    files: GameFiles,
}

/// One instance of it.
struct Instance {
    supervised: Supervised,
    limits: Limits,
}

impl ProgramSource {
    pub(crate) fn new(
        program: Program,
        sight: Sight,
        supervisor: Supervisor,
        files: GameFiles,
        hash_seed: &str,
    ) -> ProgramSource {
        let variable = (OsString::from(HASH_SEED), OsString::from(hash_seed));
        let program = program.with_variables([variable]);
        // It may use its time as it likes: no bot is slowed by it.
        let supervisor = supervisor.pondering(Ponder::Allowed);
        ProgramSource { program, sight, supervisor, files }
    }
}

impl Source for ProgramSource {
    fn start(&self) -> Result<Box<dyn Carrier>, String> {
        if !self.files.are_the_same() {
            return Err("its files have changed since it was opened".to_owned());
        }
        let limits = Limits {
            time: TIME,
            memory: MEMORY,
            answer_bytes: LONGEST_ANSWER + 1,
            ..Limits::DEFAULT
        };
        let supervised = self.supervisor.supervise(&self.program, &self.sight);
        Ok(Box::new(Instance { supervised, limits }))
    }
}

impl Carrier for Instance {
    fn call(&mut self, call: &str) -> Result<String, String> {
        let line = format!("{call}\n");
        let request = Request::Turn(line.as_bytes(), EndOfAnswer::EmptyLine);
        let mut seen = self.supervised.ask(request, &self.limits);
        let remark = last_line(&std::mem::take(&mut seen.stderr));
        let output = match judge(seen, &self.limits) {
            Answer::Output(output) | Answer::Classic { output, .. } => output,
            Answer::Stopped { by, .. } => return Err(with_remark(by.to_string(), remark)),
            Answer::Void(why) => return Err(with_remark(why.to_string(), remark)),
        };
        let text = String::from_utf8(output).map_err(|_| "the answer is not UTF-8".to_owned())?;
        match text.split_once("\n\n") {
            Some((answer, "")) => Ok(format!("{answer}\n")),
            Some(_) => Err("it printed more after the empty line that ends an answer".to_owned()),
            None => Ok(String::new()),
        }
    }
}

/// The last line that a program has printed to standard error, where its languages say what failed.
fn last_line(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    Some(printable(line))
}

fn with_remark(end: String, remark: Option<String>) -> String {
    match remark {
        Some(remark) => format!("{end} ({remark})"),
        None => end,
    }
}
