//! `arbiter play` on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use rules::Seed;

use super::game::game_names;
use super::limits::LimitArgs;
use super::{asked_seed, parsed};
use crate::bot::BotSpec;
use crate::commands::play::{self, PlayRequest};
use crate::commands::setup::AskedGame;
use crate::failure::Failure;

const HELP: &str = "A BOT is named as in `arbiter match`. Type `help` at any prompt. In Tablić you \
name the card to play and then the cards to take, one a line, and an empty line when you have them: \
7, QH, clubs 2, tref 2. In the other games you choose from a list. Where standard input is no \
terminal, lines are read from it in the same way, and its end is `quit`. Ctrl-C is `quit`, too; pressed twice \
while a bot thinks, it leaves the game at once.

Examples:
  arbiter play --game tablic greedy
  arbiter play --game tablic --seats 3 --seat 2 --log game.jsonl greedy minimax
  arbiter play --game durak --options \"deck=24 transfer=on\" minimax
  arbiter play --game coup --name Ana \"mine=python3 my_bot.py\"";

/// A game of a person.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct PlayArgs {
    /// The game
    #[arg(long, value_parser = game_names())]
    game: String,
    /// How many seats, yours included [default: one more than there are bots]
    #[arg(long, value_name = "N")]
    seats: Option<usize>,
    /// Other options of the game, as in `arbiter match`
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// Your seat, from 0 in the order of turns
    #[arg(long, value_name = "S", default_value_t = 0)]
    seat: usize,
    /// Your name
    #[arg(long, value_name = "NAME", default_value = "you")]
    name: String,
    /// The seed of the deal, 64 hexadecimal digits [default: random]
    #[arg(long, value_name = "HEX")]
    seed: Option<Seed>,
    /// The file with the seed, as `arbiter seed FILE` writes it
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Write the log of the game to this new file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The bots, on the other seats in this order
    #[arg(required = true, value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl PlayArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        play::run(self.request()?, out)
    }

    fn request(self) -> Result<PlayRequest, Failure> {
        // As in a match: clap's errors repeat the word as it is.
        let bots: Result<Vec<BotSpec>, _> = self.bots.iter().map(|bot| bot.parse()).collect();
        let kind = parsed(&self.game)?;
        Ok(PlayRequest {
            game: AskedGame { kind, seats: self.seats, options: self.options },
            seat: self.seat,
            name: self.name,
            seed: asked_seed(self.seed, self.seed_file),
            limits: self.limits.asked(),
            log: self.log,
            bots: bots.map_err(|error| Failure::Usage(error.to_string()))?,
        })
    }
}
