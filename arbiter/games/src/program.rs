//! Rules that are a program, run as a resident bot is, isolated in the same way.

use std::ffi::OsString;
use std::time::Duration;

use bot::HASH_SEED;
use bot::judge::judge;
use rules::own::{LONGEST_ANSWER, NoAnswer, RulesInstance, Source};
use rules::{Answer, Signal, SignalName, Stop};
use sandbox::{EndOfAnswer, Limits, Ponder, Request, Supervised, Supervisor, signal_name};
use text::printable;

use crate::game_files::GameFiles;
use crate::running_copy::RunningCopy;

/// The time for an answer.
const TIME: Duration = Duration::from_secs(10);

/// The most memory of a program, in bytes.
const MEMORY: u64 = 1 << 30;

/// The exit code of a shell whose program a signal has ended, less the number of the signal.
const SHELLS: i32 = 128;

/// The usual value of [`HASH_SEED`].
pub(crate) const USUAL_HASH_SEED: &str = HASH_SEED.1;

/// A program that can be started.
pub(crate) struct ProgramSource {
    supervisor: Supervisor,
    files: GameFiles,
    hash_seed: OsString,
}

struct Instance {
    // It ends before its files are removed.
    supervised: Supervised,
    limits: Limits,
    /// Its memory after its first game, in bytes, once it has played one and that is known.
    at_first: Option<u64>,
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
    fn start(&self) -> Result<Box<dyn RulesInstance>, NoAnswer> {
        let copy = RunningCopy::write(&self.files)?;
        let variable = (OsString::from(HASH_SEED.0), self.hash_seed.clone());
        let program = copy.program.clone().with_variables([variable]);
        let limits = Limits {
            time: TIME,
            memory: MEMORY,
            answer_bytes: LONGEST_ANSWER + 1,
            ..Limits::DEFAULT
        };
        let supervised = self.supervisor.supervise(&program, &copy.sight);
        Ok(Box::new(Instance { supervised, limits, at_first: None, _copy: copy }))
    }
}

impl RulesInstance for Instance {
    fn call(&mut self, call: &str) -> Result<String, NoAnswer> {
        let line = format!("{call}\n");
        let request = Request::Turn(line.as_bytes(), EndOfAnswer::EmptyLine);
        let mut seen = self.supervised.ask(request, &self.limits);
        let remark = last_line(&std::mem::take(&mut seen.stderr));
        let has_computed = seen.cpu.is_some_and(|cpu| cpu >= TIME / 2);
        let output = match judge(seen, &self.limits) {
            Answer::Output(output) | Answer::Classic { output, .. } => output,
            Answer::Stopped { by, .. } => {
                let is_of_machine = is_of_machine(&by, has_computed);
                let why = with_remark(by.to_string(), remark);
                return Err(match is_of_machine {
                    true => NoAnswer::Machine(why),
                    false => NoAnswer::Rules(why),
                });
            }
            Answer::Void(why) => {
                return Err(NoAnswer::Machine(with_remark(why.to_string(), remark)));
            }
        };
        let broken = |why: &str| NoAnswer::Rules(why.to_owned());
        let text = String::from_utf8(output).map_err(|_| broken("the answer is not UTF-8"))?;
        match text.split_once("\n\n") {
            Some((answer, "")) => Ok(format!("{answer}\n")),
            Some(_) => Err(broken("it printed more after the empty line that ends an answer")),
            None => Ok(String::new()),
        }
    }

    /// Half of what its first game has left may be taken by further ones: then each of them has the other half.
    fn is_spent(&mut self) -> bool {
        let Some(memory) = self.supervised.memory() else { return false };
        let at_first = *self.at_first.get_or_insert(memory);
        memory > at_first + self.limits.memory.saturating_sub(at_first) / 2
    }
}

/// Returns true if rules that have not done anything wrong can end like this: they were killed, the games before have
/// taken their memory, or they were late and have not computed meanwhile.
fn is_of_machine(by: &Stop, has_computed: bool) -> bool {
    match by {
        Stop::Signal(signal) => signal.is_foreign(),
        // A shell that runs a program which was killed ends with this code.
        Stop::Exit(code) => code.checked_sub(SHELLS).is_some_and(is_foreign),
        Stop::Memory(_) => true,
        Stop::NoExit(_) | Stop::NoLine(_) => !has_computed,
        _ => false,
    }
}

/// Returns true for the number of a signal that only another process sends.
fn is_foreign(number: i32) -> bool {
    let name = signal_name(number).and_then(SignalName::from_name);
    name.is_some_and(|name| Signal { number, name: Some(name) }.is_foreign())
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn ends_that_rules_have_not_caused_are_told_from_their_faults() {
        let signal = |number| {
            let name = signal_name(number).and_then(SignalName::from_name);
            Stop::Signal(Signal { number, name })
        };
        let table = [
            (signal(9), true),
            (signal(15), true),
            (signal(1), true),
            (signal(11), false),
            (signal(6), false),
            (signal(31), false),
            // A shell ends like this after its program.
            (Stop::Exit(137), true),
            (Stop::Exit(143), true),
            (Stop::Exit(139), false),
            (Stop::Exit(255), false),
            (Stop::Exit(128), false),
            (Stop::Exit(1), false),
            (Stop::Exit(-7), false),
            (Stop::Memory(MEMORY), true),
            (Stop::Left, false),
            (Stop::Unasked, false),
            (Stop::Output(1), false),
            (Stop::Processes(256), false),
            (Stop::NotStarted("no such file".to_owned()), false),
        ];
        for (by, expected) in table {
            assert_eq!(is_of_machine(&by, false), expected, "{by}");
        }
    }

    #[test]
    fn late_rules_that_have_computed_all_the_time_are_at_fault() {
        for by in [Stop::NoLine(10_000), Stop::NoExit(10_000)] {
            assert!(is_of_machine(&by, false) && !is_of_machine(&by, true), "{by}");
        }
    }
}
