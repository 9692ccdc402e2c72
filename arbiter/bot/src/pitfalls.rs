//! Mistakes that the files and the command of a bot show, told where the bot faults.
//!
//! It is known before the first game, and says nothing about the machine: the author of a bot that
//! somebody else runs may learn it.

use std::path::Path;

use text::printable;

use crate::messages::MODULE;
use crate::spec::{BotSpec, is_path};
use sandbox::launchers::{SHELLS, family};
use sandbox::{AllowedPaths, Program, file, interpreter};

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
            "{script} may read all of standard input twice, but the second time it is empty: keep the \
             text"
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

/// The interpreter of such an environment.
const INTERPRETER: &str = ".venv/bin/python3";

impl BotSpec {
    /// The command with the interpreter of the folder's own environment, if there is one and the
    /// command uses that of the system.
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
