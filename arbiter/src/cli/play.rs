//! `arbiter play` on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use simulation::Order;

use super::arguments::{asked_seed, existing_log, number, parse_checked};
use super::game::{self, GameName};
use super::isolation::IsolationArgs;
use super::limits::LimitArgs;
use crate::commands::log_target::LogTarget;
use crate::commands::play::{self, PlayRequest};
use bot::BotSpec;
use contest::setup::AskedGame;
use person::TerminalLayout;
use series::committed_seed::GivenSeed;
use series::{Conditions, Treatment};
use text::failure::Failure;

/// The orders of seats in a game with a person.
const ORDERS: [Order; 3] = [Order::Fixed, Order::Reversed, Order::Random];

const HELP: &str = "For BOT, see `arbiter match --help`. Type `help` or `rules` at any prompt. In \
Tablić, type the card to play and the cards to capture on one line (9S 4C 5S), or one per line, \
then an empty line; QH, clubs 2 and tref 2 all work. In other games, choose from a list. Ctrl-C or \
end of input quits; press Ctrl-C twice while a bot is thinking to leave at once.

Ctrl-L redraws the screen; `history` lists the moves so far. UTF-8 locales show suit symbols; \
letters always work as input. NO_COLOR disables colours.

Examples:
  arbiter play --game tablic
  arbiter play --game tablic --seats 3 --seat 2 --log game.jsonl greedy minimax
  arbiter play --game durak --order random expert
  arbiter play --game durak --options \"deck=24 transfer=on\" minimax
  arbiter play --game tablic --games 4 --log games.jsonl minimax
  arbiter play --game coup --name Ana \"mine=python3 my_bot.py\"";

/// `arbiter play`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct PlayArgs {
    /// Built-in or custom game: a name, a folder, a .wasm module or a command
    #[arg(long, value_name = "GAME", value_parser = GameName)]
    game: String,
    /// Number of seats, including yours [default: number of bots + 1]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Game options (see `arbiter games`)
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// Number of games; seats rotate after each game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>("a number of games", 1..))]
    games: u64,
    /// Your seat in the first game, from 0 in turn order
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<usize>("the number of a seat", 0..))]
    seat: usize,
    /// Seating of the first game: as listed, reversed, or drawn from the seed
    #[arg(long, default_value = "fixed", value_parser = PossibleValuesParser::new(ORDERS.map(Order::name)))]
    order: String,
    /// Your name
    #[arg(long, value_name = "NAME", default_value = "you")]
    name: String,
    /// Seed: 64 hex digits, or a number for practice only (guessable) [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// Read the seed from a file created by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Allow resident bots to ponder during other seats' turns
    #[arg(long)]
    ponder: bool,
    /// Write a log to a new file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Overwrite an existing log
    #[arg(long, requires = "log")]
    overwrite: bool,
    /// Print scrolling text instead of redrawing the screen
    #[arg(long)]
    scroll: bool,
    /// Opponents, in seat order [default: greedy; random in a custom game]
    #[arg(value_name = "BOT")]
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
        let kind = game::opened(&self.game)?;
        Ok(PlayRequest {
            game: AskedGame { kind, seats: self.seats, options: self.options },
            games: self.games,
            seat: self.seat,
            order: parse_checked(&self.order)?,
            name: self.name,
            seed: asked_seed(self.seed, self.seed_file),
            conditions: Conditions {
                treatment: Treatment { ponder: self.ponder.into(), ..Treatment::default() },
                isolation: self.isolation.asked()?,
                limits: self.limits.asked(),
                ..Conditions::default()
            },
            log: LogTarget::at(self.log, existing_log(self.overwrite)),
            layout: if self.scroll { TerminalLayout::Scroll } else { TerminalLayout::InPlace },
            bots: bots.map_err(|error| Failure::Usage(error.to_string()))?,
        })
    }
}
