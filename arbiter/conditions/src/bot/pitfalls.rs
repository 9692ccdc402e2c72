//! Mistakes that the files and the command of a bot show, told where the bot faults.
//!
//! It is known before the first game, and says nothing about the machine: the author of a bot that
//! somebody else runs may learn it.

use std::fmt;
use std::path::Path;

use text::printable;

use crate::bot::launched::{SHELLS, family};
use crate::bot::{BotSpec, is_path};
use sandbox::{Program, SearchPath, file, interpreter, sought_by_env};

/// How much of a script is looked at, in bytes.
const LOOKED_AT: u64 = 64 << 10;

/// How an interpreter says that a package is not there.
const NO_MODULE: &str = "No module named";

/// What may be wrong with a bot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pitfalls {
    /// The command that would use the virtual environment in the folder of the bot.
    in_venv: Option<String>,
    /// A script of a shell with the line ends of Windows.
    windows_script: Option<String>,
}

impl Pitfalls {
    /// Those of a bot and its program.
    pub(super) fn of(bot: &BotSpec, program: &Program) -> Pitfalls {
        Pitfalls {
            in_venv: bot.command_in_venv(),
            windows_script: shell_script(bot, program)
                .filter(|path| has_windows_lines(path))
                .map(|path| printable(&path.file_name().unwrap_or_default().to_string_lossy())),
        }
    }

    /// What may help after a fault that came with this on standard error.
    pub fn hint(&self, stderr: &[u8]) -> Option<String> {
        if let Some(script) = &self.windows_script {
            return Some(format!(
                "{script} has Windows line ends, which break a shell script: remove them with sed -i \
                 's/\\r$//' {script}"
            ));
        }
        let command = self.in_venv.as_ref()?;
        let lacks_module = String::from_utf8_lossy(stderr).contains(NO_MODULE);
        let command = printable(&toml::Value::String(command.clone()).to_string());
        lacks_module.then(|| {
            format!("packages in .venv are found only if bot.toml says `command = {command}`")
        })
    }
}

/// The script that a shell runs for this bot, if one does.
fn shell_script<'a>(bot: &BotSpec, program: &'a Program) -> Option<&'a Path> {
    let is_shell = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        SHELLS.contains(&family(&name))
    };
    let first = bot.words().first()?;
    if is_path(first) && interpreter(program.path()).is_some_and(|path| is_shell(&path)) {
        return Some(program.path());
    }
    let mut arguments = program.arguments().iter().map(Path::new);
    let script = arguments.find(|path| path.is_absolute() && path.is_file());
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
        let folder = self.folder.as_ref()?;
        let (first, arguments) = self.words.split_first()?;
        if is_path(first) || family(first) != "python" || !folder.path.join(INTERPRETER).exists() {
            return None;
        }
        let words = [INTERPRETER].into_iter().chain(arguments.iter().map(String::as_str));
        shlex::try_join(words).ok()
    }
}

// pyenv, rbenv, nodenv, asdf and mise put such a *shim* on `PATH`. It takes several times as long to
// start as the interpreter, for every move. It also looks for the file that chooses a version, such as
// `.python-version`, in the current folder, which for a bot is an empty one.

/// The folder in which version managers keep shims.
const SHIMS: &str = "shims";

/// The interpreters that version managers choose, the file that says which, and how each tells where it is.
const MANAGED: [(&str, &str, &str); 3] = [
    ("python", ".python-version", "-c \"import sys; print(sys.executable)\""),
    ("node", ".node-version", "-p process.execPath"),
    ("ruby", ".ruby-version", "-e \"puts RbConfig.ruby\""),
];

/// An interpreter of a bot that is a shim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shim {
    /// The name by which it is found.
    name: String,
    /// The file that chooses a version.
    version_file: &'static str,
    /// What makes the interpreter tell where it is.
    tells: &'static str,
}

impl Shim {
    /// The shim that starts this bot, if one does.
    pub fn of(bot: &BotSpec, search: &SearchPath) -> Option<Shim> {
        let first = bot.words().first()?;
        let folder = bot.folder().map_or(&search.folder, |folder| &folder.path);
        let name = match is_path(first) {
            true => sought_by_env(&folder.join(first))?,
            false => first.clone(),
        };
        let managed = MANAGED.into_iter().find(|(known, ..)| *known == family(&name));
        let (_, version_file, tells) = managed?;
        let found = Program::resolve(&[&name], search).ok()?;
        is_shim(found.path()).then_some(Shim { name, version_file, tells })
    }

    /// What to know of a file in the folder of the bot that chooses a version for nobody.
    pub fn unread_version(&self, bot: &BotSpec) -> Option<String> {
        let file = self.version_file;
        let is_there = bot.folder()?.path.join(file).is_file();
        is_there.then(|| {
            format!(
                "its {file} has no effect, since bots run in an empty folder; {}",
                self.name_the_real_one()
            )
        })
    }

    fn name_the_real_one(&self) -> String {
        let (name, tells) = (printable(&self.name), self.tells);
        format!("start its command with the path that `{name} {tells}` prints in its folder")
    }
}

impl fmt::Display for Shim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, remedy) = (printable(&self.name), self.name_the_real_one());
        write!(f, "`{name}` is a shim, which is slow to start at every move; {remedy}")
    }
}

/// Returns true if what is found under the name of an interpreter only looks for it.
fn is_shim(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    folder.is_some_and(|folder| folder == SHIMS) || interpreter(path).is_some()
}
