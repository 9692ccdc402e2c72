//! Rules that are a program, run on a copy of its files as a resident bot is, isolated in the same way.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use bot::HASH_SEED;
use bot::judge::judge;
use rules::custom::{LONGEST_ANSWER, NoAnswer, RulesInstance, RulesSource};
use rules::{Answer, Signal, SignalName, StopCause};
use sandbox::{
    CallInput, EndOfAnswer, Limits, PonderPermission, Program, ResolveError, SearchPath,
    SupervisedProgram, Supervisor, ViewRules, signal_name,
};
use text::{printable, system_error};

use crate::contents::set_mode;
use crate::game_files::GameFiles;
use sandbox::scratch::Scratch;

/// The time for an answer.
const TIME: Duration = Duration::from_secs(10);

/// The most memory of a program, in bytes.
const MEMORY: u64 = 1 << 30;

/// The exit code of a shell whose program a signal has ended, less the number of the signal.
const SHELLS: i32 = 128;

/// The usual value of [`HASH_SEED`].
pub(crate) const USUAL_HASH_SEED: &str = HASH_SEED.1;

pub(crate) struct ProgramSource {
    supervisor: Supervisor,
    files: GameFiles,
    hash_seed: OsString,
}

struct ProgramInstance {
    // It ends before its files are removed.
    supervised: SupervisedProgram,
    limits: Limits,
    /// The paths of its files in the game.
    names: Vec<String>,
    /// Its memory after its first game, in bytes, once it has played one and that is known.
    at_first: Option<u64>,
    _copy: InstanceFiles,
}

impl ProgramSource {
    pub(crate) fn new(supervisor: Supervisor, files: GameFiles, hash_seed: &str) -> ProgramSource {
        // It may use its time as it likes: no bot is slowed by it.
        let supervisor = supervisor.pondering(PonderPermission::Allowed);
        ProgramSource { supervisor, files, hash_seed: hash_seed.into() }
    }
}

impl RulesSource for ProgramSource {
    fn start(&self) -> Result<Box<dyn RulesInstance>, NoAnswer> {
        let copy = InstanceFiles::write(&self.files)?;
        let variable = (OsString::from(HASH_SEED.0), self.hash_seed.clone());
        let program = copy.program.clone().with_variables([variable]);
        let limits = Limits {
            time: TIME,
            memory: MEMORY,
            answer_bytes: LONGEST_ANSWER + 1,
            ..Limits::DEFAULT
        };
        let supervised = self.supervisor.supervise(&program, &copy.sight);
        let names = self.files.contents().map(|(name, _)| name.clone()).collect();
        Ok(Box::new(ProgramInstance { supervised, limits, names, at_first: None, _copy: copy }))
    }
}

impl RulesInstance for ProgramInstance {
    fn call(&mut self, call: &str) -> Result<String, NoAnswer> {
        let line = format!("{call}\n");
        let request = CallInput::Turn(line.as_bytes(), EndOfAnswer::EmptyLine);
        let mut seen = self.supervised.ask(request, &self.limits);
        let remark = remark(&std::mem::take(&mut seen.stderr), &self.names);
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
fn is_of_machine(by: &StopCause, has_computed: bool) -> bool {
    match by {
        StopCause::Signal(signal) => signal.is_foreign(),
        // A shell that runs a program which was killed ends with this code.
        StopCause::Exit(code) => code.checked_sub(SHELLS).is_some_and(is_foreign),
        StopCause::Memory(_) => true,
        StopCause::NoExit(_) | StopCause::NoLine(_) => !has_computed,
        _ => false,
    }
}

/// Returns true for the number of a signal that only another process sends.
fn is_foreign(number: i32) -> bool {
    let name = signal_name(number).and_then(SignalName::from_name);
    name.is_some_and(|name| Signal { number, name: Some(name) }.is_foreign())
}

/// The last line that a program has printed to standard error, where its language says what failed, and the place in
/// its files that it names before.
fn remark(stderr: &[u8], files: &[String]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    let place = place(&text, files).map(|place| format!("; {place}")).unwrap_or_default();
    Some(printable(line) + &place)
}

/// The place where a program has failed, in one of these files: the last that Python names, as `File "game.py", line 7`,
/// and of other languages the first `game.js:7`.
fn place(stderr: &str, files: &[String]) -> Option<String> {
    let found = |line: &str, between: &str| {
        files.iter().find_map(|file| {
            let named = format!("{file}{between}");
            let (before, behind) = line.split_once(&named)?;
            // No other file ends with this name.
            if before.ends_with(|letter: char| letter.is_alphanumeric() || "_-.".contains(letter)) {
                return None;
            }
            let number: String = behind.chars().take_while(char::is_ascii_digit).collect();
            (!number.is_empty()).then(|| format!("{}, line {number}", printable(file)))
        })
    };
    let of_python = stderr.lines().rev().find_map(|line| found(line, "\", line "));
    of_python.or_else(|| stderr.lines().find_map(|line| found(line, ":")))
}

fn with_remark(end: String, remark: Option<String>) -> String {
    match remark {
        Some(remark) => format!("{end} ({remark})"),
        None => end,
    }
}

/// The folder of the files in the scratch folder.
const FOLDER: &str = "game";

/// The copy of a program's files that one instance of it runs on. It is removed when this is dropped.
///
/// It holds the files that the digest covers, and nothing else: no hidden file, no page, no code that an interpreter
/// has compiled before. So rules cannot depend on anything that no digest shows, and a change of the folder that they
/// come from does not change a game that is being played.
pub(crate) struct InstanceFiles {
    /// The program with paths of the copy.
    pub program: Program,
    pub sight: ViewRules,
    _scratch: Scratch,
}

impl InstanceFiles {
    /// Writes a copy.
    ///
    /// # Errors
    ///
    /// Says why it cannot be written, which lies in the machine, or why the program cannot be started.
    pub(crate) fn write(files: &GameFiles) -> Result<InstanceFiles, NoAnswer> {
        let unwritten =
            |error| NoAnswer::Machine(format!("cannot copy its files: {}", system_error(error)));
        let scratch = Scratch::new().map_err(unwritten)?;
        let folder = scratch.path().join(FOLDER);
        write_files(files, scratch.path(), &folder).map_err(unwritten)?;
        let search = SearchPath::of_this_process(None)
            .map_err(|error| NoAnswer::Machine(system_error(error)))?;
        let is_typed = files.folder().is_none();
        // The words of a command start from where it was typed, those of a manifest from its folder.
        let search = if is_typed { search } else { search.from(&folder) };
        let located = |word: &String| match files.holds(word) {
            true => folder.join(word).display().to_string(),
            false => word.clone(),
        };
        let words: Vec<String> = files.command().iter().map(located).collect();
        let program = Program::resolve(&words, &search).map_err(|error| {
            NoAnswer::Rules(match error {
                ResolveError::NoExec { .. } => format!(
                    "its program is copied to `{}`, which is mounted noexec: set TMPDIR to \
                     another folder",
                    printable(&std::env::temp_dir().display().to_string())
                ),
                // The path of the copy says nothing to its author.
                error => error.to_string().replace(&format!("{}/", folder.display()), ""),
            })
        })?;
        // An interpreter that its user has named by a path.
        let is_elsewhere = is_typed && !program.is_named() && !program.path().starts_with(&folder);
        let granted: Vec<PathBuf> =
            is_elsewhere.then(|| program.path().to_owned()).into_iter().collect();
        let sight = ViewRules { folder: Some(folder), granted, ..ViewRules::default() };
        Ok(InstanceFiles { program, sight, _scratch: scratch })
    }
}

fn write_files(files: &GameFiles, top: &Path, folder: &Path) -> io::Result<()> {
    // Where root starts them, programs run as another user, whatever the umask of this process.
    if is_of_root(top)? {
        set_mode(top, 0o711)?;
    }
    make(folder)?;
    for (name, content) in files.contents() {
        let mut inner = folder.to_owned();
        let parts: Vec<&str> = name.split('/').collect();
        for part in &parts[..parts.len() - 1] {
            inner.push(part);
            if !inner.is_dir() {
                make(&inner)?;
            }
        }
        content.write_plainly(&folder.join(name))?;
    }
    Ok(())
}

fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)?;
    set_mode(folder, 0o755)
}

#[cfg(unix)]
fn is_of_root(folder: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata(folder)?.uid() == 0)
}

#[cfg(not(unix))]
fn is_of_root(_folder: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn ends_that_rules_have_not_caused_are_told_from_their_faults() {
        let signal = |number| {
            let name = signal_name(number).and_then(SignalName::from_name);
            StopCause::Signal(Signal { number, name })
        };
        let table = [
            (signal(9), true),
            (signal(15), true),
            (signal(1), true),
            (signal(11), false),
            (signal(6), false),
            (signal(31), false),
            // A shell ends like this after its program.
            (StopCause::Exit(137), true),
            (StopCause::Exit(143), true),
            (StopCause::Exit(139), false),
            (StopCause::Exit(255), false),
            (StopCause::Exit(128), false),
            (StopCause::Exit(1), false),
            (StopCause::Exit(-7), false),
            (StopCause::Memory(MEMORY), true),
            (StopCause::Left, false),
            (StopCause::Unasked, false),
            (StopCause::Output(1), false),
            (StopCause::Processes(256), false),
            (StopCause::NotStarted("no such file".to_owned()), false),
        ];
        for (by, expected) in table {
            assert_eq!(is_of_machine(&by, false), expected, "{by}");
        }
    }

    #[test]
    fn late_rules_that_have_computed_all_the_time_are_at_fault() {
        for by in [StopCause::NoLine(10_000), StopCause::NoExit(10_000)] {
            assert!(is_of_machine(&by, false) && !is_of_machine(&by, true), "{by}");
        }
    }
}
