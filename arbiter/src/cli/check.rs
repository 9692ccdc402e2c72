//! `arbiter check` on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::game::game_names;
use super::isolation::IsolationArgs;
use super::limits::LimitArgs;
use super::number::number;
use super::parsed;
use crate::bot::BadBot;
use crate::commands::check::{self, CheckRequest};
use crate::failure::Failure;
use crate::series::given_seed::GivenSeed;
use crate::text::colours::Colours;

const HELP: &str = "A BOT is named as in `arbiter match`; a folder with a bot.toml is built \
first. A bot that lives for a whole game (resident:COMMAND) must answer as it does when it is started \
anew, or say `remembers = true` in its bot.toml. A warning is about something that is \
allowed but worth knowing.

Examples:
  arbiter check --game tablic ./my-bot
  arbiter check --game durak --seats 4 --options \"deck=24 transfer=on\" ./my-bot
  arbiter check --game tablic --keep failures \"python3 my_bot.py\"
  arbiter check --game coup \"dialect=classic python3 my_bot.py\"";

/// The check of a bot.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct CheckArgs {
    /// The game [default: the games of the bot's bot.toml, or all]
    #[arg(long, value_parser = game_names())]
    game: Option<String>,
    /// The number of seats in the games played [default: the usual number]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Other options of these games, as in `arbiter match`
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// The number of games against the built-in `random`
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<u64>("a number of games", 0..=1_000_000_000))]
    games: u64,
    /// The seed of these games: 64 hexadecimal digits, or for practice a number, which can be guessed
    /// [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// The number of further chances after an illegal or malformed answer
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u32>("a number of chances", 0..=100))]
    retries: u32,
    /// Write the requests and the output of failed steps to files in this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Show a line of JSON for each step and one for the check
    #[arg(long)]
    json: bool,
    /// The bot
    #[arg(value_name = "BOT")]
    bot: String,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl CheckArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        check::run(self.request()?, out)
    }

    fn request(self) -> Result<CheckRequest, Failure> {
        let kind = self.game.as_deref().map(parsed).transpose()?;
        Ok(CheckRequest {
            bot: self.bot.parse().map_err(|error: BadBot| Failure::Usage(error.to_string()))?,
            kind,
            seats: self.seats,
            options: self.options,
            games: self.games,
            seed: self.seed,
            retries: self.retries,
            limits: self.limits.asked(),
            isolation: self.isolation.asked()?,
            format: match self.json {
                true => check::Format::Json,
                false => check::Format::Text(Colours::of_stdout()),
            },
            keep: self.keep,
        })
    }
}
