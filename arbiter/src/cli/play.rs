//! `arbiter play` on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::game::game_names;
use super::isolation::IsolationArgs;
use super::limits::LimitArgs;
use super::number::number;
use super::{asked_seed, parsed};
use crate::bot::BotSpec;
use crate::commands::play::{self, PlayRequest};
use crate::commands::setup::AskedGame;
use crate::failure::Failure;
use crate::person::Layout;
use crate::series::given_seed::GivenSeed;

const HELP: &str = "A BOT is named as in `arbiter match`. Type `help` at any prompt. In Tablić, \
name the card to play and then the cards to take, one on each line, and an empty line when done: \
7, QH, clubs 2, tref 2; or all on one line: 9S 4C 5S. In the other games, choose from a list. \
Standard input need not be a terminal; its end means `quit`. Ctrl-C means `quit`, too; pressed twice \
while a bot thinks, it leaves the game at once.

On a terminal the table is drawn in place if it fits; Ctrl-L draws it again, and `history` shows the \
moves so far. Suits are shown as symbols in a UTF-8 locale, and you can always type letters. \
NO_COLOR turns colours off.

Examples:
  arbiter play --game tablic greedy
  arbiter play --game tablic --seats 3 --seat 2 --log game.jsonl greedy minimax
  arbiter play --game durak --options \"deck=24 transfer=on\" minimax
  arbiter play --game tablic --games 4 --log games.jsonl minimax
  arbiter play --game coup --name Ana \"mine=python3 my_bot.py\"";

/// Games of a person.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct PlayArgs {
    /// The game
    #[arg(long, value_parser = game_names())]
    game: String,
    /// The number of seats, yours included [default: one more than the number of bots]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Other options of the game, as in `arbiter match`
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// The number of games; the seats rotate from game to game as in a match
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>("a number of games", 1..))]
    games: u64,
    /// Your seat in the first game, from 0 in the order of turns
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<usize>("the number of a seat", 0..))]
    seat: usize,
    /// Your name
    #[arg(long, value_name = "NAME", default_value = "you")]
    name: String,
    /// The seed of the deal: 64 hexadecimal digits, or for practice a number, which can be guessed
    /// [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// The file with the seed, as `arbiter seed FILE` writes it
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Let resident bots think while others have their turns, and not only while they have their own
    #[arg(long)]
    ponder: bool,
    /// Write the log of the games to this new file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Let the text scroll instead of drawing the table in place
    #[arg(long)]
    scroll: bool,
    /// The bots, in the order of the other seats
    #[arg(required = true, value_name = "BOT")]
    bots: Vec<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl PlayArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        play::run(self.request()?, out).map_err(Failure::or_undone)
    }

    fn request(self) -> Result<PlayRequest, Failure> {
        // As in a match: clap's errors repeat the word as it is.
        let bots: Result<Vec<BotSpec>, _> = self.bots.iter().map(|bot| bot.parse()).collect();
        let kind = parsed(&self.game)?;
        Ok(PlayRequest {
            game: AskedGame { kind, seats: self.seats, options: self.options },
            games: self.games,
            seat: self.seat,
            name: self.name,
            seed: asked_seed(self.seed, self.seed_file),
            limits: self.limits.asked(),
            isolation: self.isolation.asked()?,
            ponder: self.ponder.into(),
            log: self.log,
            layout: if self.scroll { Layout::Scroll } else { Layout::InPlace },
            bots: bots.map_err(|error| Failure::Usage(error.to_string()))?,
        })
    }
}
