//! Rules that are a program, run as a resident bot is, isolated in the same way.

use std::ffi::OsString;
use std::time::Duration;

use conditions::bot::judge::judge;
use rules::Answer;
use rules::own::{Carrier, LONGEST_ANSWER, Source};
use sandbox::{EndOfAnswer, Limits, Ponder, Request, Supervised, Supervisor};
use text::printable;

use crate::game_files::GameFiles;
use crate::running_copy::RunningCopy;

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
    supervisor: Supervisor,
    files: GameFiles,
    hash_seed: OsString,
}

/// One instance of it.
struct Instance {
    // It ends before its files are removed.
    supervised: Supervised,
    limits: Limits,
    _copy: RunningCopy,
}

impl ProgramSource {
    pub(crate) fn new(supervisor: Supervisor, files: GameFiles, hash_seed: &str) -> ProgramSource {
        // It may use its time as it likes: no bot is slowed by it.
        let supervisor = supervisor.pondering(Ponder::Allowed);
        ProgramSource { supervisor, files, hash_seed: hash_seed.into() }
    }
}

impl Source for ProgramSource {
    fn start(&self) -> Result<Box<dyn Carrier>, String> {
        let copy = RunningCopy::of(&self.files)?;
        let variable = (OsString::from(HASH_SEED), self.hash_seed.clone());
        let program = copy.program.clone().with_variables([variable]);
        let limits = Limits {
            time: TIME,
            memory: MEMORY,
            answer_bytes: LONGEST_ANSWER + 1,
            ..Limits::DEFAULT
        };
        let supervised = self.supervisor.supervise(&program, &copy.sight);
        Ok(Box::new(Instance { supervised, limits, _copy: copy }))
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
