//! `arbiter new`: a folder with a bot to start from.

use std::io::Write;
use std::path::PathBuf;

use rules::GameKind;
use text::printable;

use conditions::bot::starter::Starter;
use conditions::failure::Failure;
use text::shell::bot_word;

/// A bot as it is asked for.
#[derive(Debug)]
pub struct NewRequest {
    /// Where it goes.
    pub folder: PathBuf,
    /// What it is written in.
    pub starter: Starter,
    /// The game that its `bot.toml` names.
    pub game: GameKind,
}

/// Writes the folder, and says what to do next.
///
/// # Errors
///
/// Wrong usage, if there is no room for it.
pub fn run(request: &NewRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let NewRequest { folder, starter, game } = request;
    let name = starter.write(folder, game).map_err(|error| Failure::Usage(error.to_string()))?;
    let shown = printable(&folder.display().to_string());
    writeln!(
        out,
        "{name}: a bot in {}, in {shown}; it needs {}\n",
        starter.language, starter.needs
    )?;
    let typed = bot_word(&bot_of(&folder.display().to_string()));
    writeln!(out, "arbiter check {typed}")?;
    writeln!(out, "arbiter match --game {game} --games 10 {typed} greedy")?;
    writeln!(
        out,
        "\n{}/README.md explains how to try it by hand and how to extend it",
        bot_of(&shown).trim_end_matches('/')
    )?;
    Ok(())
}

/// A bot is a folder only by a path, which a bare name is not.
fn bot_of(folder: &str) -> String {
    if folder.contains('/') { folder.to_owned() } else { format!("./{folder}") }
}
