//! A virtual environment of Python in the folder of a bot: used only if the command begins in it.

use crate::bot::{BotSpec, is_path, launched};

/// The interpreter of such an environment.
const INTERPRETER: &str = ".venv/bin/python3";

impl BotSpec {
    /// The command with the interpreter of the folder's own environment, if there is one and the
    /// command uses that of the system.
    pub fn command_in_venv(&self) -> Option<String> {
        let folder = self.folder.as_ref()?;
        let (first, arguments) = self.words.split_first()?;
        if is_path(first)
            || launched::family(first) != "python"
            || !folder.path.join(INTERPRETER).exists()
        {
            return None;
        }
        let words = [INTERPRETER].into_iter().chain(arguments.iter().map(String::as_str));
        shlex::try_join(words).ok()
    }
}
