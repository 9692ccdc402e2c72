//! `arbiter new`: a folder with a bot, or with a game, to start from.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use games::GameFiles;
use games::starter::GameStarter;
use rules::GameKind;
use rules::tablic::Tablic;
use text::printable;

use crate::options::game::{self, GameName};
use bot::starter::{ReadmeCommands, Starter};
use text::failure::Failure;
use text::shell::{bot_word, word};

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
    let commands = |bot: &str, at: &dyn Fn(&str) -> String| {
        let seats = game.seats("").unwrap_or(2);
        match GameFiles::of(game) {
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
        }
    };
    // Another folder is the current one there.
    let whole = |named: &str| match std::path::absolute(named) {
        Ok(path) if path.exists() => path.display().to_string(),
        _ => named.to_owned(),
    };
    let name = starter.write(folder, game, &commands(".", &whole))?;
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

/// A bot or a game that is a folder must be a path, which a bare name is not.
fn path_of(folder: &str) -> String {
    if folder.contains('/') { folder.to_owned() } else { format!("./{folder}") }
}
