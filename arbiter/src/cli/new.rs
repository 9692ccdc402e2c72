//! `arbiter new` on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use rules::GameKind;
use rules::tablic::Tablic;
use text::printable;

use super::game::{self, GameName};
use crate::commands::new::{self, NewFolder, NewRequest};
use bot::starter::Starter;
use games::starter::GameStarter;
use text::failure::Failure;

const HELP: &str =
    "The template for custom games is a small poker game in python, c, rust or assemblyscript.

Examples:
  arbiter new my-bot --language python && arbiter check ./my-bot
  arbiter new my-game --language python --game && arbiter check --game ./my-game
  arbiter new my-bot --language python --game ./my-game";

/// `arbiter new`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct NewArgs {
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
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let NewArgs { folder, language, game } = self;
        let asked = match game {
            Some(None) => NewFolder::Game(game_starter(&language)?),
            Some(Some(game)) => NewFolder::Bot(starter(&language)?, game::opened(&game)?),
            None => NewFolder::Bot(starter(&language)?, GameKind::of::<Tablic>()),
        };
        new::run(&NewRequest { folder, asked }, out)
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
