//! `arbiter new`: a folder with a bot, or with a game, to start from.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use bot::starter::{ReadmeCommands, Starter};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use games::GameFiles;
use games::contents::GameStarter;
use rules::GameKind;
use rules::tablic::Tablic;
use text::failure::Failure;
use text::printable;
use text::shell::{bot_word, word};

use crate::options::game::{self, GameName};

const HELP: &str =
    "The template for custom games is a small poker game in python, c, rust or assemblyscript.

Examples:
  arbiter new my-bot --language python && arbiter check ./my-bot
  arbiter new my-game --language python --game && arbiter check --game ./my-game
  arbiter new my-bot --language python --game ./my-game";

/// `arbiter new`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct NewArgs {
    /// Folder to create; also the name of the bot or game
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Programming language
    #[arg(long, value_parser = languages())]
    language: String,
    /// Game that the bot plays [default: tablic]; without GAME, create a custom game instead
    #[arg(long, value_name = "GAME", num_args = 0..=1, value_parser = GameName)]
    game: Option<Option<String>>,
}

impl NewArgs {
    /// Writes the folder, and shows the next commands.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let NewArgs { folder, language, game } = self;
        match game {
            Some(None) => write_game(&folder, &game_starter(&language)?, out),
            Some(Some(game)) => {
                write_bot(&folder, &starter(&language)?, &game::opened(&game)?, out)
            }
            None => write_bot(&folder, &starter(&language)?, &GameKind::of::<Tablic>(), out),
        }
    }
}

fn languages() -> PossibleValuesParser {
    let bots = Starter::ALL.map(|it| PossibleValue::new(it.language).aliases(it.aliases));
    let of_games = GameStarter::ALL.into_iter().map(|it| it.language);
    let games = of_games.filter(|it| Starter::named(it).is_none()).map(PossibleValue::new);
    PossibleValuesParser::new(bots.into_iter().chain(games))
}

fn starter(language: &str) -> Result<Starter, Failure> {
    Starter::named(language).ok_or_else(|| {
        let language = printable(language);
        Failure::Usage(format!("{language} has only a game template: add --game without a value"))
    })
}

fn game_starter(language: &str) -> Result<GameStarter, Failure> {
    GameStarter::named(language).ok_or_else(|| {
        let languages = GameStarter::ALL.map(|it| it.language).join(", ");
        let language = printable(language);
        Failure::Usage(format!("{language} has no game template: use one of {languages}"))
    })
}

fn write_bot(
    folder: &Path,
    starter: &Starter,
    game: &GameKind,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // Once, and first: a game that never answers takes its time at each question.
    let seats = game.seats("").map_err(|error| Failure::Rules(format!("{game}: {error}")))?;
    let commands = |bot: &str, at: &dyn Fn(&str) -> String| match GameFiles::for_game(game) {
        None => {
            let greedy = vec!["greedy"; seats.saturating_sub(1).max(1)].join(" ");
            ReadmeCommands {
                check: format!("arbiter check {bot}"),
                play: format!("arbiter match --game {game} --games 10 {bot} {greedy}"),
            }
        }
        Some(files) => {
            let game = word(Path::new(&at(files.named_as())));
            let random = vec!["random"; seats.saturating_sub(1).max(1)].join(" ");
            ReadmeCommands {
                check: format!("arbiter check --game {game} {bot}"),
                play: format!("arbiter match --game {game} --games 10 {bot} {random}"),
            }
        }
    };
    // Another folder is the current one there, and the folder of the bot goes to other machines.
    let from_bot = |named: &str| from_folder(folder, named).unwrap_or_else(|| named.to_owned());
    let name = starter.write(folder, game, &commands(".", &from_bot))?;
    let shown = printable(&folder.display().to_string());
    writeln!(
        out,
        "{name}: a bot in {}, in {shown}; it needs {}\n",
        starter.language, starter.needs
    )?;
    let typed = bot_word(&path_of(&folder.display().to_string()));
    let ReadmeCommands { check, play } = commands(&typed, &str::to_owned);
    writeln!(out, "{check}\n{play}")?;
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

/// A path of something that is there, as seen from a folder: `../hearts` where they lie side by side. Where they have
/// nothing in common but the root, it is only the name.
fn from_folder(folder: &Path, named: &str) -> Option<String> {
    let (folder, path) = (whole(folder)?, Path::new(named).canonicalize().ok()?);
    let common = folder.iter().zip(path.iter()).take_while(|(one, other)| one == other).count();
    if common < 2 {
        return Some(path_of(&path.file_name()?.to_string_lossy()));
    }
    let up = folder.iter().skip(common).map(|_| OsStr::new(".."));
    let relative: PathBuf = up.chain(path.iter().skip(common)).collect();
    Some(path_of(&relative.display().to_string()))
}

/// The path without links of a folder that may not be there yet.
fn whole(folder: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(folder).ok()?;
    let found = absolute.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    let (above, real) = found?;
    Some(real.join(absolute.strip_prefix(above).ok()?))
}

/// A bot or a game that is a folder must be a path, which a bare name is not.
fn path_of(folder: &str) -> String {
    if folder.contains('/') { folder.to_owned() } else { format!("./{folder}") }
}
