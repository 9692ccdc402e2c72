//! Hints for the author of a bot whose fault looks like a common mistake, and mistakes that its files and its
//! command show.
//!
//! What its files show is known before the first game, and says nothing about the machine: the author of a bot that
//! somebody else runs may learn it.

use std::path::Path;

use rules::dialect::Strictness;
use rules::{AnswerRecord, Dialect, FailureCause, Measurements, SignalName, StopCause, Verdict};
use sandbox::launchers::{SHELLS, family};
use sandbox::{AllowedPaths, Program, file, interpreter, signal_name};
use text::printable;

use crate::spec::{BotSpec, is_path};
use crate::stderr_lines::{
    BUILT_ELSEWHERE, BYTE_ORDER_MARK, END, FILE_TOO_LARGE, MODULE, NO_FILE_THERE, SCRIPT,
    UNNAMED_MODULE,
};

/// A fault as it can be seen.
#[derive(Debug, Clone, Copy)]
pub struct FaultSymptoms<'a> {
    pub verdict: Verdict,
    pub dialect: Dialect,
    pub printed: &'a [u8],
    /// Its output on standard error.
    pub stderr: &'a [u8],
    /// Why the program ended, if its end and not its output is the fault.
    pub cause: Option<&'a FailureCause>,
}

impl<'a> FaultSymptoms<'a> {
    /// A logged answer with its cause and its measurements.
    pub fn in_record(
        answer: &'a AnswerRecord,
        cause: Option<&'a FailureCause>,
        measured: &'a Measurements,
    ) -> FaultSymptoms<'a> {
        let (printed, dialect) = match &answer.classic {
            None => (&answer.reply.0, Dialect::Native),
            Some(classic) => (&classic.printed.0, Dialect::Classic(Strictness::Strict)),
        };
        FaultSymptoms {
            verdict: answer.verdict,
            dialect,
            printed,
            stderr: measured.stderr.bytes(),
            cause,
        }
    }
}

const NO_MODULE: &str = "check the name; bots cannot see packages in your home folder";
const NO_SCRIPT: &str = "the command names a script that does not exist";
const NOT_READABLE: &str =
    "the sandbox user cannot read the script: chmod o+r, and o+x for its parent folders";
const READS_ON: &str = "the request ends with the line `end`: stop reading there";
const NOT_ZERO: &str = "exit with code 0: a legal move is not enough";
const NO_FILE: &str = "bots run in an empty folder: build paths from the program's folder";
const TOO_MUCH: &str = "print only the move; send everything else to standard error";
const PROMPT: &str = "print only the move: call `input()` without a prompt";
const FIRST_LINE: &str = "this echoes the first line of the request: read up to the line `end`";
const A_LINE_OF_OURS: &str = "this is a line of the request, not a move: moves follow `legal N`";
const OTHER_SPELLING: &str = "print one of the lines after `legal N`, unchanged";
const MARK: &str = "a byte order mark (BOM) comes first: save or print UTF-8 without it";
const NOTHING: &str = "print one of the listed moves to standard output";
const NO_END: &str = "no output: stuck in a loop, slow to import, or reading past `end`?";
const NO_EXIT: &str = "it printed but kept running: exit, or use resident:COMMAND";

// Of programs that a signal has ended.
const ELSEWHERE: &str = "built for another machine (-march=native)? build it on this one";
const TOO_LARGE: &str = "it wrote a file that is larger than --file-size allows";
const NO_ROOM: &str = "a memory-mapped file was truncated, or there was no memory left for it";
const TRAPPED: &str = "it stopped itself: a failed check, an overflow or a breakpoint";
const DIVISION: &str = "it divided an integer by zero, or the quotient was too large";
const WILD: &str = "is an index or pointer wrong, or the recursion too deep?";
const ABORTED: &str = "it aborted: a failed assertion, or an uncaught error";

// Of resident programs.
const UNFINISHED: &str = "end each answer with a newline and flush it";
const NOTHING_YET: &str = "no output: flush each answer, stop at `end`; is an import slow?";
const NOT_YET: &str = "print nothing before the line `end` of the next request";
const LIVES_ON: &str = "a resident bot must answer until its input ends";

/// The first words of the lines of a request.
const KEYS: [&str; 13] = [
    "arbiter", "game", "match", "seat", "move", "time", "seed", "retry", "reason", "view",
    "history", "legal", "end",
];

/// Advice in one line; none if the verdict and its details say it all.
pub fn advice(seen: FaultSymptoms<'_>) -> Option<&'static str> {
    let stop = match seen.cause {
        Some(FailureCause::Stopped(stop)) => Some(stop),
        Some(FailureCause::Void(_)) | None => None,
    };
    let stderr = String::from_utf8_lossy(seen.stderr).to_lowercase();
    let says = |messages: &[&str]| messages.iter().any(|message| stderr.contains(message));
    match seen.verdict {
        Verdict::Ok | Verdict::Void | Verdict::StartFailed => None,
        _ if says(&MODULE) || says(&UNNAMED_MODULE) => Some(NO_MODULE),
        _ if says(&SCRIPT) && says(&["permission denied"]) => Some(NOT_READABLE),
        _ if says(&SCRIPT) => Some(NO_SCRIPT),
        _ if says(&BUILT_ELSEWHERE) => Some(ELSEWHERE),
        _ if says(&BYTE_ORDER_MARK) => Some(MARK),
        _ if says(&NO_FILE_THERE) => Some(NO_FILE),
        _ if says(&FILE_TOO_LARGE) => Some(TOO_LARGE),
        Verdict::Crash if stop.and_then(of_signal).is_some() => stop.and_then(of_signal),
        // In the classic dialect the answer is not what is printed.
        _ if seen.dialect != Dialect::Native => None,
        _ if says(&END) => Some(READS_ON),
        _ if stop == Some(&StopCause::Unasked) => Some(NOT_YET),
        _ if stop == Some(&StopCause::Left) => Some(LIVES_ON),
        Verdict::Timeout if matches!(stop, Some(StopCause::NoLine(_))) => {
            Some(if seen.printed.is_empty() { NOTHING_YET } else { UNFINISHED })
        }
        // A bot that is out of time as a whole may have done all else well.
        Verdict::Timeout
            if matches!(stop, Some(StopCause::GameTime(_))) && seen.printed.is_empty() =>
        {
            None
        }
        Verdict::Crash if is_one_line(seen.printed) && matches!(stop, Some(StopCause::Exit(_))) => {
            Some(NOT_ZERO)
        }
        Verdict::Timeout if seen.printed.is_empty() => Some(NO_END),
        Verdict::Timeout => Some(NO_EXIT),
        Verdict::OutputLimit => Some(TOO_MUCH),
        Verdict::NoAnswer => Some(NOTHING),
        Verdict::Malformed => Some(misspelt(seen.printed)),
        Verdict::Illegal | Verdict::Crash | Verdict::Memory => None,
    }
}

/// A hint for a program that a signal has ended, or whose shell says so by its exit code.
fn of_signal(stop: &StopCause) -> Option<&'static str> {
    let name = match stop {
        StopCause::Signal(signal) => signal.name,
        StopCause::Exit(code) => {
            signal_name(code.checked_sub(128)?).and_then(SignalName::from_name)
        }
        _ => None,
    };
    match name? {
        SignalName::Ill => Some(ELSEWHERE),
        SignalName::Xfsz => Some(TOO_LARGE),
        SignalName::Bus => Some(NO_ROOM),
        SignalName::Trap => Some(TRAPPED),
        SignalName::Fpe => Some(DIVISION),
        SignalName::Segv => Some(WILD),
        SignalName::Abrt => Some(ABORTED),
        _ => None,
    }
}

/// Returns true if an answer has the form of a move.
fn is_one_line(printed: &[u8]) -> bool {
    String::from_utf8_lossy(printed).trim().lines().count() == 1
}

/// Describes the fault of an answer that is not a move.
fn misspelt(printed: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(printed);
    let first = text.split_whitespace().next().unwrap_or_default();
    match text.trim().lines().count() {
        _ if text.starts_with('\u{feff}') => MARK,
        2.. => TOO_MUCH,
        _ if first == KEYS[0] => FIRST_LINE,
        _ if KEYS.contains(&first) => A_LINE_OF_OURS,
        _ if is_behind_prompt(text.trim()) => PROMPT,
        _ => OTHER_SPELLING,
    }
}

/// Returns true if a line looks like a question and its answer. No move has one of these signs.
fn is_behind_prompt(line: &str) -> bool {
    line.split_once([':', '?', '>'])
        .is_some_and(|(before, after)| !before.trim().is_empty() && !after.trim().is_empty())
}

/// The most bytes of a script to look at.
const LOOKED_AT: u64 = 64 << 10;

/// Likely mistakes in a bot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pitfalls {
    /// The command that would use the virtual environment in the folder of the bot.
    in_venv: Option<String>,
    /// A script of a shell with the line ends of Windows.
    windows_script: Option<String>,
    /// A script that seems to read all of standard input twice.
    reads_twice: Option<String>,
}

impl Pitfalls {
    /// Likely mistakes in a bot and its program.
    pub(super) fn find(bot: &BotSpec, program: &Program, reach: &AllowedPaths) -> Pitfalls {
        let has_venv = bot.folder().is_some_and(|it| reach.allows(&it.path.join(INTERPRETER)));
        Pitfalls {
            in_venv: if has_venv { bot.command_in_venv() } else { None },
            windows_script: shell_script(bot, program, reach)
                .filter(|path| has_windows_lines(path))
                .map(file_name),
            reads_twice: own_script(program, reach)
                .filter(|path| reads_input_twice(path))
                .map(file_name),
        }
    }

    /// A hint after a fault that came with this on standard error.
    pub fn hint(&self, stderr: &[u8]) -> Option<String> {
        if let Some(script) = &self.windows_script {
            return Some(format!(
                "{script} has Windows line endings (CRLF): remove them with sed -i 's/\\r$//' \
                 {script}"
            ));
        }
        let said = String::from_utf8_lossy(stderr).to_lowercase();
        let lacks_module = MODULE.iter().any(|message| said.contains(message));
        if let Some(command) = self.in_venv.as_ref().filter(|_| lacks_module) {
            let command = printable(&toml::Value::String(command.clone()).to_string());
            return Some(format!(".venv is used only with `command = {command}` in bot.toml"));
        }
        let script = self.reads_twice.as_ref().filter(|_| said.contains("error"))?;
        Some(format!(
            "{script} seems to read all of standard input twice, but the second read returns nothing: \
             keep the text from the first"
        ))
    }
}

fn file_name(path: &Path) -> String {
    printable(&path.file_name().unwrap_or_default().to_string_lossy())
}

/// The first file among the arguments of a program.
fn own_script<'a>(program: &'a Program, reach: &AllowedPaths) -> Option<&'a Path> {
    let mut arguments = program.arguments().iter().map(Path::new);
    arguments.find(|path| path.is_absolute() && reach.allows(path) && path.is_file())
}

/// Calls that read standard input to its end, in Python and JavaScript.
const READS_ALL: [&str; 5] = [
    "sys.stdin.read()",
    "sys.stdin.readlines()",
    "sys.stdin.buffer.read()",
    "open(0).read()",
    "readFileSync(0",
];

fn reads_input_twice(path: &Path) -> bool {
    let start = file::open(path).and_then(|file| file::beginning(file, LOOKED_AT));
    let text = start.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let is_comment =
        |line: &&str| ["#", "//", "*", "/*"].iter().any(|mark| line.trim_start().starts_with(mark));
    let reads = |line: &str| READS_ALL.iter().map(|call| line.matches(call).count()).sum::<usize>();
    text.lines().filter(|line| !is_comment(line)).map(reads).sum::<usize>() > 1
}

/// The script that a shell runs for this bot, if one does.
fn shell_script<'a>(bot: &BotSpec, program: &'a Program, reach: &AllowedPaths) -> Option<&'a Path> {
    let is_shell = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        SHELLS.contains(&family(&name))
    };
    let first = bot.words().first()?;
    if is_path(first) && interpreter(program.path()).is_some_and(|path| is_shell(&path)) {
        return Some(program.path());
    }
    let mut arguments = program.arguments().iter().map(Path::new);
    let script = arguments.find(|path| path.is_absolute() && reach.allows(path) && path.is_file());
    script.filter(|_| is_shell(program.path()))
}

fn has_windows_lines(path: &Path) -> bool {
    let start = file::open(path).and_then(|file| file::beginning(file, LOOKED_AT));
    start.is_ok_and(|bytes| bytes.windows(2).any(|letters| letters == b"\r\n"))
}

/// The interpreter in a virtual environment.
const INTERPRETER: &str = ".venv/bin/python3";

impl BotSpec {
    /// The command with the interpreter of the folder's own environment, if there is one and the
    /// command uses the interpreter of the system.
    pub fn command_in_venv(&self) -> Option<String> {
        let folder = self.folder()?;
        let (first, arguments) = self.words().split_first()?;
        if is_path(first) || family(first) != "python" || !folder.path.join(INTERPRETER).exists() {
            return None;
        }
        let words = [INTERPRETER].into_iter().chain(arguments.iter().map(String::as_str));
        shlex::try_join(words).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXIT: FailureCause = FailureCause::Stopped(StopCause::Exit(1));

    fn seen<'a>(verdict: Verdict, printed: &'a str, stderr: &'a str) -> FaultSymptoms<'a> {
        let (printed, stderr) = (printed.as_bytes(), stderr.as_bytes());
        FaultSymptoms { verdict, dialect: Dialect::Native, printed, stderr, cause: Some(&EXIT) }
    }

    #[test]
    fn a_script_that_may_not_be_read_is_not_taken_for_one_that_does_not_exist() {
        let (stderr, hint) = ("sh: 0: cannot open x.sh: Permission denied", Some(NOT_READABLE));
        assert_eq!(advice(seen(Verdict::Crash, "", stderr)), hint);
        for stderr in [
            "python3: can't open file '/b/x.py': [Errno 13] Permission denied",
            "Can't open perl script \"x.pl\": Permission denied",
            "ruby: Permission denied -- x.rb (LoadError)",
        ] {
            assert_eq!(advice(seen(Verdict::Crash, "", stderr)), hint, "{stderr}");
        }
        let stderr = "sh: 0: cannot open x.sh: No such file";
        assert_eq!(advice(seen(Verdict::Crash, "", stderr)), Some(NO_SCRIPT));
    }

    /// As the interpreters and libraries of the example bots say it.
    #[test]
    fn what_is_missing_is_understood_in_every_language() {
        let files = [
            "FileNotFoundError: [Errno 2] No such file or directory: 'w.txt'",
            "Error: ENOENT: no such file or directory, open 'w.txt'",
            "f.rb:1:in `read': No such file or directory @ rb_sysopen - w.txt (Errno::ENOENT)",
            "w.txt: No such file or directory at f.pl line 1.",
            "lua: f.lua:1: cannot open file 'w.txt' (No such file or directory)",
            "f.sh: 1: cannot open w.txt: No such file",
            "Exception in thread \"main\" java.nio.file.NoSuchFileException: w.txt",
            "java.io.FileNotFoundException: w.txt (No such file or directory)",
            "panic: open w.txt: no such file or directory",
            "Error: Os { code: 2, kind: NotFound, message: \"No such file or directory\" }",
            "w.txt: No such file or directory",
        ];
        let modules = [
            "ModuleNotFoundError: No module named 'nothere'",
            "Error: Cannot find module 'nothere'",
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nothere' imported from /m.mjs",
            "m.rb:1:in `require': cannot load such file -- nothere (LoadError)",
            "Can't locate Nothere.pm in @INC (you may need to install the Nothere module)",
            "lua: m.lua:1: module 'nothere' not found:\n\tno field package.preload['nothere']",
        ];
        let scripts = [
            "python3: can't open file '/w.py': [Errno 2] No such file or directory",
            "Can't open perl script \"w.pl\": No such file or directory",
            "ruby: No such file or directory -- w.rb (LoadError)",
            "sh: 0: cannot open w.sh: No such file",
        ];
        let ends = [
            "EOFError: EOF when reading a line",
            "f.rb:1:in `readline': end of file reached (EOFError)",
            "Exception in thread \"main\" java.util.NoSuchElementException: No line found",
        ];
        for (messages, expected) in
            [(&files[..], NO_FILE), (&modules, NO_MODULE), (&scripts, NO_SCRIPT), (&ends, READS_ON)]
        {
            for message in messages {
                assert_eq!(advice(seen(Verdict::Crash, "", message)), Some(expected), "{message}");
            }
        }
    }

    #[test]
    fn answers_are_told_apart() {
        use Verdict::{Crash, Illegal, Malformed, NoAnswer, Ok, OutputLimit, Timeout};
        for (verdict, printed, expected) in [
            (Malformed, "debug\n7S\n", Some(TOO_MUCH)),
            (OutputLimit, "debug", Some(TOO_MUCH)),
            (Malformed, "legal 3\n", Some(A_LINE_OF_OURS)),
            (Malformed, "arbiter 1", Some(FIRST_LINE)),
            (Malformed, "your move: 4H\n", Some(PROMPT)),
            (Malformed, "move? 4H", Some(PROMPT)),
            (Malformed, "Enter move:4H", Some(PROMPT)),
            (Malformed, "> 4H", Some(OTHER_SPELLING)),
            (Malformed, "King of hearts\n", Some(OTHER_SPELLING)),
            (Malformed, "\"4H\"", Some(OTHER_SPELLING)),
            (NoAnswer, "", Some(NOTHING)),
            (Timeout, "", Some(NO_END)),
            (Timeout, "7S\n", Some(NO_EXIT)),
            (Illegal, "7S\n", None),
            (Crash, "", None),
            (Crash, "7S\n", Some(NOT_ZERO)),
            (Crash, "debug\n7S\n", None),
            (Ok, "7S\n", None),
        ] {
            assert_eq!(advice(seen(verdict, printed, "")), expected, "{verdict} {printed}");
            let dialect = Dialect::Classic(Strictness::Strict);
            let classic = FaultSymptoms { dialect, ..seen(verdict, printed, "") };
            assert_eq!(advice(classic), None, "{verdict} {printed}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_bot_that_dies_by_a_signal_gets_a_hint() {
        use rules::Signal;

        for (name, number, expected) in [
            ("SIGILL", 4, ELSEWHERE),
            ("SIGTRAP", 5, TRAPPED),
            ("SIGABRT", 6, ABORTED),
            ("SIGFPE", 8, DIVISION),
            ("SIGSEGV", 11, WILD),
        ] {
            let signal = Signal { number, name: SignalName::from_name(name) };
            // A shell that has run the program tells by its exit code.
            for stop in [StopCause::Signal(signal), StopCause::Exit(128 + number)] {
                let cause = FailureCause::Stopped(stop);
                for printed in ["", "debug\n7S\n"] {
                    let seen =
                        FaultSymptoms { cause: Some(&cause), ..seen(Verdict::Crash, printed, "") };
                    assert_eq!(advice(seen), Some(expected), "{cause:?}");
                    let classic =
                        FaultSymptoms { dialect: Dialect::Classic(Strictness::Strict), ..seen };
                    assert_eq!(advice(classic), Some(expected), "{cause:?}");
                }
            }
        }
        for (name, expected) in
            [("SIGBUS", Some(NO_ROOM)), ("SIGXFSZ", Some(TOO_LARGE)), ("SIGKILL", None)]
        {
            let signal = Signal { number: 99, name: SignalName::from_name(name) };
            let cause = FailureCause::Stopped(StopCause::Signal(signal));
            let seen = FaultSymptoms { cause: Some(&cause), ..seen(Verdict::Crash, "", "") };
            assert_eq!(advice(seen), expected, "{name}");
        }
    }

    #[test]
    fn what_was_built_for_another_machine_is_understood_in_every_language() {
        for stderr in [
            "run.sh: line 2:    17 Illegal instruction     (core dumped) ./bot",
            "#  SIGILL (0x4) at pc=0x00007f, pid=17, tid=18",
            "sh: 1: ./bot: Exec format error",
            "bash: ./bot: cannot execute binary file: Exec format error",
            "ImportError: ./net.so: wrong ELF class: ELFCLASS32",
            "Error: ./net.node: invalid ELF header",
            "./bot: /lib/libc.so.6: version `GLIBC_2.99' not found (required by ./bot)",
            "java.lang.UnsupportedClassVersionError: Main has been compiled by a more recent version",
            "RuntimeError: NumPy was built with baseline optimizations: (X86_V2) but your machine doesn't",
        ] {
            assert_eq!(advice(seen(Verdict::Crash, "", stderr)), Some(ELSEWHERE), "{stderr}");
        }
        let large = "OSError: [Errno 27] File too large: 'book.bin'";
        assert_eq!(advice(seen(Verdict::Crash, "", large)), Some(TOO_LARGE));
    }

    /// Thirty mistakes of beginners, as their programs show them: each hint says what to do next.
    #[test]
    fn thirty_mistakes_of_beginners_have_a_hint() {
        use Verdict::{Crash, Malformed, NoAnswer, OutputLimit, Timeout};
        let exit = StopCause::Exit(1);
        let unasked = StopCause::Unasked;
        let rows: [(&str, Verdict, &StopCause, &str, &str, &str); 30] = [
            ("debug output", Malformed, &exit, "hand: 7S\n7S\n", "", TOO_MUCH),
            ("all legal moves", Malformed, &exit, "7S\n8S\n9S\n", "", TOO_MUCH),
            ("endless output", OutputLimit, &exit, "7S\n7S\n7S", "", TOO_MUCH),
            ("a prompt", Malformed, &exit, "move? 7S", "", PROMPT),
            ("a label", Malformed, &exit, "my move: 7S", "", PROMPT),
            ("the first line", Malformed, &exit, "arbiter 1\n", "", FIRST_LINE),
            ("the line `legal`", Malformed, &exit, "legal 8\n", "", A_LINE_OF_OURS),
            ("the line `end`", Malformed, &exit, "end\n", "", A_LINE_OF_OURS),
            ("a quoted move", Malformed, &exit, "'7S'\n", "", OTHER_SPELLING),
            ("a list", Malformed, &exit, "['7S', '8S']\n", "", OTHER_SPELLING),
            ("an object", Malformed, &exit, "[object Object]\n", "", OTHER_SPELLING),
            ("None", Malformed, &exit, "None\n", "", OTHER_SPELLING),
            ("undefined", Malformed, &exit, "undefined\n", "", OTHER_SPELLING),
            ("the number of a move", Malformed, &exit, "3\n", "", OTHER_SPELLING),
            ("a BOM in the output", Malformed, &exit, "\u{feff}7S\n", "", MARK),
            (
                "a BOM in a script",
                Crash,
                &exit,
                "",
                "bot.sh: 1: \u{feff}#!/bin/sh: not found",
                MARK,
            ),
            ("a BOM in Perl", Crash, &exit, "", "Unrecognized character \\xEF; marked by", MARK),
            ("no output", NoAnswer, &exit, "", "", NOTHING),
            ("an empty line", NoAnswer, &exit, "\n", "", NOTHING),
            ("a loop, or an import of 6 s", Timeout, &exit, "", "", NO_END),
            ("no exit", Timeout, &exit, "7S\n", "", NO_EXIT),
            ("a second line", Malformed, &unasked, "7S\n8S\n", "", NOT_YET),
            (
                "one input() too many",
                Crash,
                &exit,
                "",
                "EOFError: EOF when reading a line",
                READS_ON,
            ),
            ("an exit code", Crash, &exit, "7S\n", "", NOT_ZERO),
            ("an exception after the move", Crash, &exit, "7S\n", "KeyError: 'x'", NOT_ZERO),
            (
                "no package",
                Crash,
                &exit,
                "",
                "ModuleNotFoundError: No module named 'numpy'",
                NO_MODULE,
            ),
            (
                "a package of Node",
                Crash,
                &exit,
                "",
                "Error: Cannot find module 'lodash'",
                NO_MODULE,
            ),
            (
                "a file by its bare name",
                Crash,
                &exit,
                "",
                "FileNotFoundError: 'weights.txt'",
                NO_FILE,
            ),
            (
                "no script",
                Crash,
                &exit,
                "",
                "python3: can't open file '/b/x.py': [Errno 2]",
                NO_SCRIPT,
            ),
            ("built elsewhere", Crash, &exit, "", "sh: 1: ./bot: Exec format error", ELSEWHERE),
        ];
        for (mistake, verdict, stop, printed, stderr, expected) in rows {
            let cause = FailureCause::Stopped(stop.clone());
            let seen = FaultSymptoms { cause: Some(&cause), ..seen(verdict, printed, stderr) };
            assert_eq!(advice(seen), Some(expected), "{mistake}");
        }
    }

    /// They stand behind a label in lines of 80 columns.
    #[test]
    fn advice_is_short() {
        for text in [
            NO_MODULE,
            NO_SCRIPT,
            MARK,
            NOTHING_YET,
            READS_ON,
            NOT_ZERO,
            NO_FILE,
            TOO_MUCH,
            A_LINE_OF_OURS,
            FIRST_LINE,
            PROMPT,
            OTHER_SPELLING,
            NO_END,
            ELSEWHERE,
            TOO_LARGE,
            NO_ROOM,
            TRAPPED,
            DIVISION,
            WILD,
            ABORTED,
        ] {
            assert!(text.len() <= 70, "{text}");
        }
    }

    #[test]
    fn a_call_in_a_comment_reads_nothing() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let script = folder.path().join("bot.py");
        let reads_twice = |text: &str| {
            std::fs::write(&script, text).expect("a file");
            reads_input_twice(&script)
        };
        assert!(reads_twice("first = sys.stdin.read()\nsecond = sys.stdin.read()\n"));
        assert!(!reads_twice("# sys.stdin.read() would block, so sys.stdin.read() is not used\n"));
        assert!(!reads_twice("  // readFileSync(0)\nread(readFileSync(0, \"utf8\"));\n"));
    }
}
