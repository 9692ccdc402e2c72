//! The options that choose a game, for every command that plays one.

use clap::Args;
use clap::builder::PossibleValuesParser;
use rules::GameKind;

use super::number::number;
use conditions::failure::Failure;
use contest::setup::AskedGame;

/// The game and its options.
#[derive(Debug, Args)]
pub(super) struct GameArgs {
    /// The game
    #[arg(long, value_parser = game_names())]
    game: String,
    /// The number of seats, one bot on each [default: the number of bots]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Other options of the game, in quotes, such as "deck=24 transfer=on"; `arbiter games` lists
    /// them
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
}

impl GameArgs {
    pub(super) fn asked(self) -> Result<AskedGame, Failure> {
        let GameArgs { game, seats, options } = self;
        Ok(AskedGame { kind: super::parsed(&game)?, seats, options })
    }
}

/// The names of all games.
pub(super) fn game_names() -> PossibleValuesParser {
    PossibleValuesParser::new(GameKind::ALL.iter().map(GameKind::name))
}
