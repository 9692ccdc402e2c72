//! `arbiter new`: a folder with a bot to start from.

use std::io::Write;
use std::path::PathBuf;

use rules::GameKind;
use text::printable;

use conditions::bot::starter::Starter;
use conditions::failure::Failure;
use text::shell::bot_word;

/// The options of `arbiter new`.
#[derive(Debug)]
pub(crate) struct NewRequest {
    pub folder: PathBuf,
    pub starter: Starter,
    pub game: GameKind,
}

/// Writes the folder, and shows the next commands.
pub(crate) fn run(request: &NewRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let NewRequest { folder, starter, game } = request;
    let name = starter.write(folder, game).map_err(Failure::usage)?;
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

/// A bot that is a folder must be a path, which a bare name is not.
fn bot_of(folder: &str) -> String {
    if folder.contains('/') { folder.to_owned() } else { format!("./{folder}") }
}
