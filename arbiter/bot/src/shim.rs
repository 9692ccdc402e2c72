//! Interpreters that version managers stand before: scripts that look for the real one at every start.
//!
//! pyenv, rbenv, nodenv, asdf and mise put such a *shim* on `PATH`. It takes several times as long to
//! start as the interpreter, for every move. It also looks for the file that chooses a version, such as
//! `.python-version`, in the current folder, which for a bot is an empty one. So arbiter
//! asks the interpreter behind it once for its path, in the root folder, and starts that path instead.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use text::printable;

use crate::spec::{BotSpec, is_path};
use sandbox::launchers::LauncherProgram;
use sandbox::{Program, SearchPath, ask_for_path, sought_by_env};

/// The folder in which version managers keep shims.
const SHIMS: &str = "shims";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterpreterShim {
    /// The name by which it is found.
    name: String,
    /// The file that chooses a version.
    version_file: &'static str,
    /// Arguments that make the interpreter tell where it is.
    tells: &'static str,
    path: PathBuf,
    /// True if the first line of a script names the interpreter, false if the command of the bot begins with its name.
    is_in_first_line: bool,
}

/// The interpreter behind each shim, which is asked once.
static INTERPRETERS: Mutex<BTreeMap<PathBuf, Option<PathBuf>>> = Mutex::new(BTreeMap::new());

impl InterpreterShim {
    pub fn find(bot: &BotSpec, search: &SearchPath) -> Option<InterpreterShim> {
        let first = bot.words().first()?;
        let folder = bot.folder().map_or(&search.folder, |folder| &folder.path);
        let is_in_first_line = is_path(first);
        let name = match is_in_first_line {
            true => sought_by_env(&folder.join(first))?,
            false => first.clone(),
        };
        let (version_file, tells) = LauncherProgram::named(&name)?.version?;
        let found = Program::resolve(&[&name], search).ok()?;
        let path = found.path().to_owned();
        is_shim(&path).then_some(InterpreterShim {
            name,
            version_file,
            tells,
            path,
            is_in_first_line,
        })
    }

    /// The interpreter behind it, which is started in its place. There is none if a script names the shim in its
    /// first line, or if the interpreter does not tell where it is.
    pub fn interpreter(&self) -> Option<PathBuf> {
        if self.is_in_first_line {
            return None;
        }
        let known = INTERPRETERS.lock().ok()?.get(&self.path).cloned();
        // The version that was chosen may have been removed meanwhile.
        let is_there = |known: &Option<PathBuf>| known.as_ref().is_none_or(|path| path.is_file());
        known.filter(is_there).unwrap_or_else(|| {
            // No other bot waits for the answer; two that ask at once get the same one.
            let found = self.ask();
            INTERPRETERS.lock().ok()?.insert(self.path.clone(), found.clone());
            found
        })
    }

    fn ask(&self) -> Option<PathBuf> {
        let arguments = shlex::split(self.tells)?;
        ask_for_path(&self.path, &arguments).filter(|path| !is_shim(path))
    }

    /// A note on a file in the folder of the bot that has no effect, although it is to choose a
    /// version.
    pub fn unread_version(&self, bot: &BotSpec) -> Option<String> {
        let file = self.version_file;
        let is_there = bot.folder()?.path.join(file).is_file();
        is_there.then(|| {
            format!(
                "its {file} is ignored, because bots run in an empty folder; {}",
                self.name_the_real_one()
            )
        })
    }

    fn name_the_real_one(&self) -> String {
        let (name, tells) = (printable(&self.name), self.tells);
        format!(
            "run `{name} {tells}` in the bot's folder and begin the command with the path it prints"
        )
    }
}

impl fmt::Display for InterpreterShim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, remedy) = (printable(&self.name), self.name_the_real_one());
        write!(f, "`{name}` is a shim that starts slowly on every move; {remedy}")
    }
}

/// Returns true if a program with the name of an interpreter is a shim. Elsewhere it may be a script in which a user
/// sets variables; it is started as it is.
fn is_shim(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    folder.is_some_and(|folder| folder == SHIMS)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use tempfile::TempDir;

    use super::*;

    /// A script `python3` in a folder of this name, which prints the path of an interpreter.
    fn found(folder: &Path, name: &str, interpreter: &Path) -> Option<InterpreterShim> {
        let shims = folder.join(name);
        fs::create_dir_all(&shims).expect("a folder");
        let script = shims.join("python3");
        fs::write(&script, format!("#!/bin/sh\necho {}\n", interpreter.display())).expect("a file");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let search = SearchPath { folder: folder.to_owned(), built_in: None, path: vec![shims] };
        InterpreterShim::find(&"python3 bot.py".parse().expect("a bot"), &search)
    }

    #[test]
    fn only_a_script_in_a_folder_of_shims_is_a_shim() {
        let folder = TempDir::new().expect("a folder");
        let real = folder.path().join("real");
        assert!(found(folder.path(), "shims", &real).is_some());
        assert_eq!(found(folder.path(), "bin", &real), None);
    }

    #[test]
    fn an_interpreter_that_is_gone_is_asked_for_again() {
        let folder = TempDir::new().expect("a folder");
        let versions = ["3.12", "3.13"].map(|name| folder.path().join(name));
        for version in &versions {
            fs::write(version, "").expect("a file");
            let shim = found(folder.path(), "shims", version).expect("a shim");
            assert_eq!(shim.interpreter().as_ref(), Some(version));
            fs::remove_file(version).expect("it is ours");
        }
    }
}
