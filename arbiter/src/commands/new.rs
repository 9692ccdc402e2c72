//! `arbiter new`: a folder with a bot, or with a game, to start from.

use std::io::Write;
use std::path::{Path, PathBuf};

use games::GameFiles;
use games::starter::GameStarter;
use rules::GameKind;
use text::printable;

use bot::starter::Starter;
use text::failure::Failure;
use text::shell::{bot_word, word};

/// The folder of `arbiter new`, and what it is for.
#[derive(Debug)]
pub(crate) struct NewRequest {
    pub folder: PathBuf,
    pub asked: NewFolder,
}

/// What a folder is to hold.
#[derive(Debug)]
pub(crate) enum NewFolder {
    /// A bot that plays a game.
    Bot(Starter, GameKind),
    /// A game of one's own.
    Game(GameStarter),
}

/// Writes the folder, and shows the next commands.
pub(crate) fn run(request: &NewRequest, out: &mut dyn Write) -> Result<(), Failure> {
    match &request.asked {
        NewFolder::Bot(starter, game) => write_bot(&request.folder, starter, game, out),
        NewFolder::Game(starter) => write_game(&request.folder, starter, out),
    }
}

fn write_bot(
    folder: &Path,
    starter: &Starter,
    game: &GameKind,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let name = starter.write(folder, game)?;
    let shown = printable(&folder.display().to_string());
    writeln!(
        out,
        "{name}: a bot in {}, in {shown}; it needs {}\n",
        starter.language, starter.needs
    )?;
    let typed = bot_word(&path_of(&folder.display().to_string()));
    match GameFiles::of(game) {
        None => {
            writeln!(out, "arbiter check {typed}")?;
            writeln!(out, "arbiter match --game {game} --games 10 {typed} greedy")?;
        }
        Some(files) => {
            let game = word(Path::new(files.named_as()));
            writeln!(out, "arbiter check --game {game} {typed}")?;
            writeln!(out, "arbiter match --game {game} --games 10 {typed} random")?;
        }
    }
    writeln!(
        out,
        "\n{}/README.md explains how to try it by hand and how to extend it",
        path_of(&shown).trim_end_matches('/')
    )?;
    Ok(())
}

fn write_game(folder: &Path, starter: &GameStarter, out: &mut dyn Write) -> Result<(), Failure> {
    let name = starter.write(folder)?;
    let shown = printable(&folder.display().to_string());
    writeln!(
        out,
        "{name}: a game in {}, in {shown}; it needs {}\n",
        starter.language, starter.needs
    )?;
    let typed = word(Path::new(&path_of(&folder.display().to_string())));
    if let Some(build) = starter.build() {
        writeln!(out, "(cd {typed} && {build})")?;
    }
    writeln!(out, "arbiter check --game {typed}")?;
    writeln!(out, "arbiter match --game {typed} --games 10 random random")?;
    writeln!(
        out,
        "\n{}/README.md explains how to make it your game",
        path_of(&shown).trim_end_matches('/')
    )?;
    Ok(())
}

/// A bot or a game that is a folder must be a path, which a bare name is not.
fn path_of(folder: &str) -> String {
    if folder.contains('/') { folder.to_owned() } else { format!("./{folder}") }
}
