//! `arbiter export` on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::parsed;
use crate::commands::export::{ExportRequest, run};
use crate::export::{Features, Format};
use crate::failure::Failure;

const HELP: &str = "Moves of games that count have a row each; those of the house, and answers \
that faulted, have none. Seats, games, deals and moves count from 0. A cell that says nothing is \
empty in CSV, and null in JSON. What is told of a position is what the seat knew.

Columns of `moves`:
  log, game, deal    where the move was made
  seat, player       who made it
  move               how many moves were made before it in the game
  text               the move
  legal_moves, more  how many legal moves were listed; 1 where there were others, else 0
  points             of the seat before the move
  final_points       of the seat in the end
  place              of the seat in the end, from 1

Columns of `greedy`; each CLASS stands for 15, A 2 3 4 5 6 7 8 9 10 J Q K 2C 10D, numbered from 0:
  hand_CLASS         1 where the hand holds a card of the class, else 0
  table_CLASS        how many cards of the class lie on the table
  played             the number of the class of the card that was played

Columns of `minimax`, with as many S as seats and as many K, from 1, as other seats:
  seats, seat        how many seats play, and which one moved
  points_S, cards_S  points so far, and cards captured so far, of each seat
  last               the seat that captured last
  known_CLASS        how many cards of the class no other seat can hold
  lacks_K_CLASS      1 where another seat is assumed not to hold the class, else 0
  hand_CLASS         how many cards of the class the hand holds
  table_CLASS        how many cards of the class lie on the table
  played             the number of the class of the card that was played
  captured_CLASS     how many cards of the class the move took

Examples:
  arbiter export match.jsonl --features moves
  arbiter export cup more.jsonl --features greedy --format jsonl -o greedy.jsonl
  arbiter export cup --features minimax -o minimax.csv";

/// Which moves go into a table, and how.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ExportArgs {
    /// The logs, or the folders of tournaments
    #[arg(required = true, value_name = "LOG|DIR")]
    logs: Vec<PathBuf>,
    /// What is told of each move: `greedy` and `minimax`, what these players look at, for Tablić
    /// alone
    #[arg(long, value_parser = names_of(&Features::ALL.map(Features::name)))]
    features: String,
    /// How it is written
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
