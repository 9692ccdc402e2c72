//! Interpreters that version managers stand before: scripts that look for the real one at every start.
//!
//! pyenv, rbenv, nodenv, asdf and mise put such a *shim* on `PATH`. It takes several times as long to
//! start as the interpreter, for every move. It also looks for the file that chooses a version, such as
//! `.python-version`, in the current folder, which for a bot is an empty one.

use std::fmt;
use std::path::Path;

use text::printable;

use crate::spec::{BotSpec, is_path};
use sandbox::launchers::Launcher;
use sandbox::{Program, SearchPath, interpreter, sought_by_env};

/// The folder in which version managers keep shims.
const SHIMS: &str = "shims";

/// An interpreter of a bot that is a shim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shim {
    /// The name by which it is found.
    name: String,
    /// The file that chooses a version.
    version_file: &'static str,
    /// Arguments that make the interpreter tell where it is.
    tells: &'static str,
}

impl Shim {
    /// The shim that starts this bot, if one does.
    pub fn find(bot: &BotSpec, search: &SearchPath) -> Option<Shim> {
        let first = bot.words().first()?;
        let folder = bot.folder().map_or(&search.folder, |folder| &folder.path);
        let name = match is_path(first) {
            true => sought_by_env(&folder.join(first))?,
            false => first.clone(),
        };
        let (version_file, tells) = Launcher::named(&name)?.version?;
        let found = Program::resolve(&[&name], search).ok()?;
        is_shim(found.path()).then_some(Shim { name, version_file, tells })
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
        format!("start the command with the path printed by `{name} {tells}` in its folder")
    }
}

impl fmt::Display for Shim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, remedy) = (printable(&self.name), self.name_the_real_one());
        write!(f, "`{name}` is a shim that starts slowly at every move; {remedy}")
    }
}

/// Returns true if the program of an interpreter's name only looks for the interpreter.
fn is_shim(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    folder.is_some_and(|folder| folder == SHIMS) || interpreter(path).is_some()
}
