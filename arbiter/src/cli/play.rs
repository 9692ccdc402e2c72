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
use series::given_seed::GivenSeed;
use series::{Conditions, Treatment};
use text::failure::Failure;

/// The orders of seats in a game with a person.
const ORDERS: [Order; 3] = [Order::Fixed, Order::Reversed, Order::Random];

const HELP: &str = "A BOT is named as in `arbiter match`. Type `help` or `rules` at any prompt. In Tablić, \
type the card to play, then the cards to take, one per line, and an empty line when you are done: \
7, QH, clubs 2, tref 2; or type all of them on one line: 9S 4C 5S. In the other games, choose from a \
list. Ctrl-C means `quit`; press it twice while a bot thinks to leave the game at once. Standard input \
can be a file or a pipe, and its end means `quit`.

If the table fits the terminal, it is redrawn in place; Ctrl-L redraws it, and `history` shows the \
moves so far. Suits are shown as symbols in a UTF-8 locale; you can always type letters. NO_COLOR \
turns colours off.

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
    /// The game: a built-in one, or a game of your own by its folder, its module or its command
    #[arg(long, value_name = "GAME", value_parser = GameName)]
    game: String,
    /// The number of seats, including yours [default: one more than the number of bots]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Other options of the game, as in `arbiter match`
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
    /// The number of games; the seats rotate from game to game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>("a number of games", 1..))]
    games: u64,
    /// Your seat in the first game, counted from 0 in the order of turns; --order may change it
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<usize>("the number of a seat", 0..))]
    seat: usize,
    /// How the players are seated in the first game: as listed, in reverse, or in an order drawn from
    /// the seed
    #[arg(long, default_value = "fixed", value_parser = PossibleValuesParser::new(ORDERS.map(Order::name)))]
    order: String,
    /// Your name
    #[arg(long, value_name = "NAME", default_value = "you")]
    name: String,
    /// The seed of the deals: 64 hexadecimal digits, or a short number for practice, which can be
    /// guessed [default: random]
    #[arg(long, value_name = "SEED")]
    seed: Option<GivenSeed>,
    /// Read the seed from this file, written by `arbiter seed`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seed_file: Option<PathBuf>,
    /// Let resident bots keep thinking during other seats' turns
    #[arg(long)]
    ponder: bool,
    /// Write the log of the games to this new file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Replace the log if it exists
    #[arg(long, requires = "log")]
    overwrite: bool,
    /// Print scrolling text instead of redrawing the table in place
    #[arg(long)]
    scroll: bool,
    /// The bots, in the order of the other seats [default: greedy in each, or random for a game of your own]
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
