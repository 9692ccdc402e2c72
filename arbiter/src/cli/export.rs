//! `arbiter export` on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::parsed;
use crate::commands::export::{ExportRequest, run};
use crate::export::{Features, Format};
use crate::failure::Failure;

const HELP: &str = "Writes one row for each move of the games that count, without the moves of \
the house and without faulty answers; `expert` has one for each choice that there was. Seats, games, deals and moves count from 0. A cell without a \
value is empty in CSV and null in JSON. A row tells only what the seat knew.

Columns of `moves`:
  log, game, deal    where the move was made
  seat, player       who made it
  move               the number of moves before it in the game
  text               the move
  legal_moves, more  the number of legal moves listed; 1 if there were others, else 0
  points             the points of the seat before the move
  final_points       the points of the seat at the end of the game
  place              the place of the seat at the end of the game, from 1

Columns of `greedy`; each CLASS stands for 15, A 2 3 4 5 6 7 8 9 10 J Q K 2C 10D, numbered from 0:
  hand_CLASS         1 if the hand holds a card of the class, else 0
  table_CLASS        the number of cards of the class on the table
  played             the number of the class of the card that was played

Columns of `minimax`; S stands for each seat, K for each other seat, from 1:
  seats, seat        the number of seats, and the one that moved
  points_S, cards_S  points so far, and cards captured so far, of each seat
  last               the seat that captured last
  known_CLASS        the number of cards of the class that no other seat can hold
  lacks_K_CLASS      1 if the other seat is assumed not to hold the class, else 0
  hand_CLASS         the number of cards of the class in the hand
  table_CLASS        the number of cards of the class on the table
  played             the number of the class of the card that was played
  captured_CLASS     the number of cards of the class that the move took

Columns of `expert`, which has a row for each choice of a move; export.md explains the features:
  log, game, deal, seat, player, move, final_points, place
                     as in `moves`
  choice, chosen     a move, and 1 if it was played, else 0
 of Tablić, for the best move with each class of cards:
  deals_left         how many deals come after this one
  value_S_           for each seat: points, cards, more_cards, last, first, first_points, first_cards,
                     end, last_cards
  move_              captures, points, cards, tabla, laid_points, laid_value, next_points, next_cards,
                     next_tablas, unseen_alike, own_next_points, own_next_cards, own_now_points, own_alike
 of Durak, for each legal move:
  kind, stage        lead, beat, transfer, throw, load or pass; 0 without a talon, up to 3
  height, height_squared, trump, trump_height, alike, alike_height, beaten_by, unseen_alike, unbeatable,
  rank_on_table, trumps_with, constant, hand_size, other_hand_size, table_size, table_worth, trumps,
  can_be_thrown, attack_height, attack_trump, talon, hand_worth
 of Coup, for each legal move:
  stage, is_actor    what is decided, and whether it is the turn of the seat
  actor_, other_     for both sides: coins, lost, claim_1, claim_2, missing
  caught_without     the card that was missing, where one is lost for it
  hand_              the number of cards of each character in the hand

Examples:
  arbiter export match.jsonl --features moves
  arbiter export cup more.jsonl --features greedy --format jsonl -o greedy.jsonl
  arbiter export cup --features minimax -o minimax.csv
  arbiter export games.jsonl --features expert -o expert.csv";

/// Which moves go into a table, and how.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ExportArgs {
    /// The logs, or the folders of tournaments
    #[arg(required = true, value_name = "LOG|DIR")]
    logs: Vec<PathBuf>,
    /// The columns; `greedy`, `minimax` and `expert` are what these players look at, the first two for
    /// Tablić only
    #[arg(long, value_parser = names_of(&Features::ALL.map(Features::name)))]
    features: String,
    /// The format of the table
    #[arg(long, default_value = "csv", value_parser = names_of(&Format::ALL.map(Format::name)))]
    format: String,
    /// Write to this new file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ExportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ExportArgs { logs, features, format, output } = self;
        let (features, format) = (parsed(&features)?, parsed(&format)?);
        run(&ExportRequest { logs, features, format, file: output }, out)
    }
}

fn names_of(names: &[&'static str]) -> PossibleValuesParser {
    PossibleValuesParser::new(names.iter().copied())
}
