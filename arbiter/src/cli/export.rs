//! `arbiter export` on the command line.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::arguments::parse_checked;
use super::game::RulesArgs;
use crate::commands::export::{ExportRequest, run};
use crate::commands::log_target::all_or_last;
use review::export::{Features, TableFormat};
use rules::NoteKey;
use text::failure::Failure;

const HELP: &str = "Writes one row for each move of the games that count, without faulty answers and \
without the moves that are played for a seat that is out; `expert` has a row for each choice of a move. \
Seats, games, deals and moves are numbered from 0. A missing value is empty in CSV and null in JSON. A \
row holds only what the seat knew.

Columns of `moves`:
  log, game, deal    the log, game and deal of the move
  seat, player       the seat and player that made it
  move               the number of moves before it in the game
  text               the move
  legal_moves, more  the number of legal moves listed; 1 if there were more, else 0
  points             the points of the seat before the move
  final_points       the points of the seat at the end of the game
  place              the place of the seat at the end of the game, from 1
  note_KEY           with `--notes KEY`: what the bot noted with this answer, a line `note KEY VALUE` on
                     standard error

Columns of `greedy`; CLASS is one of 15, A 2 3 4 5 6 7 8 9 10 J Q K 2C 10D, numbered from 0:
  hand_CLASS         1 if the hand holds a card of the class, else 0
  table_CLASS        how many cards of the class are on the table
  played             the class of the card that was played

Columns of `minimax`; S stands for each seat, K for each other seat, from 1:
  seats, seat        the number of seats, and the seat that moved
  points_S, cards_S  points so far, and cards captured so far, of each seat
  last               the seat that captured last
  known_CLASS        how many cards of the class no other seat can hold
  lacks_K_CLASS      1 if the other seat is assumed not to hold the class, else 0
  hand_CLASS         how many cards of the class are in the hand
  table_CLASS        how many cards of the class are on the table
  played             the class of the card that was played
  captured_CLASS     how many cards of the class the move took

Columns of `expert`, with a row for each choice of a move (docs/reference/export.md has more):
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
  stage, is_actor    the kind of decision, and 1 if it is the seat's own turn, else 0
  actor_, other_     for both sides: coins, lost, claim_1, claim_2, missing
  caught_without     the character missing, if a card is about to be lost for a false claim
  hand_              how many cards of each character are in the hand

Examples:
  arbiter export match.jsonl --features moves
  arbiter export match.jsonl --features moves --notes eval,depth,nodes
  arbiter export cup more.jsonl --features greedy --format jsonl -o greedy.jsonl
  arbiter export cup --features minimax -o minimax.csv
  arbiter export games.jsonl --features expert -o expert.csv";

/// `arbiter export`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ExportArgs {
    /// Logs, or folders of tournaments [default: the log of the last match]
    #[arg(value_name = "LOG|DIR")]
    logs: Vec<PathBuf>,
    /// The columns: the moves, or the features that the player `greedy`, `minimax` or `expert` uses;
    /// `greedy` and `minimax` are for Tablić only
    #[arg(long, value_parser = names_of(&Features::ALL.each_ref().map(|features| features.name())))]
    features: String,
    /// Add columns to the moves, `note_KEY` for each of these keys of notes
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    notes: Vec<NoteKey>,
    /// The format of the table
    #[arg(long, default_value = "csv", value_parser = names_of(&TableFormat::ALL.map(TableFormat::name)))]
    format: String,
    /// Write to this new file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
}

impl ExportArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ExportArgs { logs, features, notes, format, output, rules } = self;
        rules.open()?;
        let (features, format) = (parse_checked::<Features>(&features)?, parse_checked(&format)?);
        let features = features.with_notes(&notes).map_err(Failure::usage)?;
        let logs = all_or_last(logs)?;
        run(&ExportRequest { logs, features, format, file: output }, out)
    }
}

fn names_of(names: &[&'static str]) -> PossibleValuesParser {
    PossibleValuesParser::new(names.iter().copied())
}
