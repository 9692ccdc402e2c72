//! `arbiter export`: logs as tables for machine learning; and `arbiter compress`: makes finished logs shorter.

use std::io;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use rules::NoteKey;
use sandbox::{file, new_file};

use crate::commands::review as review_command;
use crate::disputes::failure;
use crate::options::game::RulesArgs;
use crate::options::logs::{all_or_last, logs_of};
use crate::options::parse_checked;
use contest::tournament::folder;
use league::compression::{CompressionOutcome, compress_all};
use record::compress::CompressionResult;
use review::export;
use review::export::{ExportError, FeatureSet, TableFormat};
use text::failure::Failure;
use text::terminal::say;
use text::{display_path, system_error};

const HELP: &str = "Writes one row per move of the rated games, without faults and without moves \
of forfeited seats; `expert` writes one row per alternative. Numbers start at 0. Missing values \
are empty in CSV and null in JSON. A row contains only what the seat knew.

Columns of `moves`:
  log, game, deal    log, game and deal
  seat, player       seat and bot
  move               move number in the game
  text               the move
  legal_moves, more  number of listed legal moves; 1 if more exist, else 0
  points             points of the seat before the move
  final_points       points of the seat at the end of the game
  place              place of the seat at the end of the game, from 1
  note_KEY           with `--notes KEY`: the value of the line `note KEY VALUE` that the bot printed
                     on standard error with this answer

Columns of `greedy` (Tablić); CLASS is one of A 2 3 4 5 6 7 8 9 10 J Q K 2C 10D, numbered from 0:
  hand_CLASS         1 if the hand holds a card of the class, else 0
  table_CLASS        cards of the class on the table
  played             class of the card played

Columns of `minimax` (Tablić); S stands for each seat, K for each other seat, from 1:
  seats, seat        number of seats, and the seat to move
  points_S, cards_S  points so far, and cards captured so far, of each seat
  last               seat that captured last
  known_CLASS        cards of the class that no other seat can hold
  lacks_K_CLASS      1 if that seat is assumed to lack the class, else 0
  hand_CLASS         cards of the class in the hand
  table_CLASS        cards of the class on the table
  played             class of the card played
  captured_CLASS     cards of the class that the move captured

Columns of `expert`, one row per alternative (docs/reference/export.md has more):
  log, game, deal, seat, player, move, final_points, place
                     as in `moves`
  choice, chosen     a move; 1 if it was played, else 0
 of Tablić, for the best move with each class of cards:
  deals_left         deals after this one
  value_S_           for each seat: points, cards, more_cards, last, first, first_points,
                     first_cards, end, last_cards
  move_              captures, points, cards, tabla, laid_points, laid_value, next_points,
                     next_cards, next_tablas, unseen_alike, own_next_points, own_next_cards,
                     own_now_points, own_alike
 of Durak, for each legal move:
  kind, stage        lead, beat, transfer, throw, load or pass; 0 without a talon, up to 3
  height, height_squared, trump, trump_height, alike, alike_height, beaten_by, unseen_alike,
  unbeatable, rank_on_table, trumps_with, constant, hand_size, other_hand_size, table_size,
  table_worth, trumps, can_be_thrown, attack_height, attack_trump, talon, hand_worth
 of Coup, for each legal move:
  stage, is_actor    kind of decision; 1 if it is the seat's own turn, else 0
  actor_, other_     for both sides: coins, lost, claim_1, claim_2, missing
  caught_without     character missing, if a card is about to be lost for a false claim
  hand_              cards of each character in the hand

Examples:
  arbiter export match.jsonl -o moves.csv
  arbiter export match.jsonl --notes eval,depth,nodes
  arbiter export cup more.jsonl --features greedy --format jsonl -o greedy.jsonl
  arbiter export cup --features minimax -o minimax.csv
  arbiter export games.jsonl --features expert -o expert.csv";

/// `arbiter export`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ExportArgs {
    /// Logs or tournament folders [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    logs: Vec<PathBuf>,
    /// Columns: plain moves, or the features of a built-in bot
    #[arg(long, default_value = "moves", value_parser = names_of(&FeatureSet::ALL.each_ref().map(|features| features.name())))]
    features: String,
    /// Add a column `note_KEY` for each bot note, comma-separated
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    notes: Vec<NoteKey>,
    /// Output format
    #[arg(long, default_value = "csv", value_parser = names_of(&TableFormat::ALL.map(TableFormat::name)))]
    format: String,
    /// New output file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
}

impl ExportArgs {
    /// Writes the table. If that fails, no file is left behind.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ExportArgs { logs, features, notes, format, output, rules } = self;
        rules.open()?;
        let (features, format) = (parse_checked::<FeatureSet>(&features)?, parse_checked(&format)?);
        let features = features.with_notes(&notes)?;
        let logs = all_or_last(logs)?;
        // A tournament that was extended has a log for each of its parts, and a league one for each round.
        let paths: Vec<PathBuf> = logs.iter().flat_map(|path| logs_of(path)).collect();
        let mut logs =
            paths.iter().map(|path| review_command::opened(path)).collect::<Result<Vec<_>, _>>()?;
        features.check(&logs)?;
        let wrong = |stopped, output: &dyn Fn(io::Error) -> Failure| match stopped {
            ExportError::Output(error) => output(error),
            ExportError::Log(place, error) => failure(&paths[place], error),
        };
        let Some(path) = &output else {
            return export::write(&mut logs, &features, format, out)
                .map_err(|stopped| wrong(stopped, &Failure::Output));
        };
        // A partial table would be taken for a whole one.
        let mut table = BufWriter::new(create(path)?);
        let done = export::write(&mut logs, &features, format, &mut table);
        let done = done.and_then(|()| {
            let table = table.into_inner().map_err(io::IntoInnerError::into_error)?;
            table.persist_noclobber(path).map_err(|error| error.error)?;
            Ok(())
        });
        done.map_err(|stopped| {
            wrong(stopped, &|error| {
                Failure::Ours(format!(
                    "cannot write to `{}`: {}",
                    folder::shown(path),
                    system_error(error)
                ))
            })
        })
    }
}

fn names_of(names: &[&'static str]) -> PossibleValuesParser {
    PossibleValuesParser::new(names.iter().copied())
}

fn create(path: &Path) -> Result<new_file::NewFile, Failure> {
    let created =
        new_file::must_be_new(path).and_then(|()| new_file::file_for_all_in(file::folder_of(path)));
    created.map_err(|error| {
        Failure::Usage(format!(
            "cannot write to a new file `{}`: {}",
            folder::shown(path),
            system_error(error)
        ))
    })
}

const COMPRESS_HELP: &str = "Writes LOG.gz, reads it back and compares it, then removes LOG. The \
head stays the same, and every command reads compressed logs. In a tournament, compresses the logs \
of all parts and shards; in a league, those of finished rounds. Use `gunzip` to decompress. `--log \
FILE.gz` compresses a new log directly. Typical size: a quarter to a third.

Examples:
  arbiter compress cup
  arbiter compress match.jsonl
  arbiter match --game tablic --log match.jsonl.gz random greedy";

#[derive(Debug, Args)]
#[command(after_help = COMPRESS_HELP)]
pub(crate) struct CompressArgs {
    /// Logs, or tournament or league folders
    #[arg(value_name = "LOG|DIR", required = true)]
    logs: Vec<PathBuf>,
}

impl CompressArgs {
    /// Compresses all logs at these paths, with a line for each.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut unwritten = None;
        for path in &self.logs {
            compress_all(path, &mut |outcome| {
                unwritten = unwritten.take().or_else(|| tell(&outcome, out).err());
            })?;
        }
        unwritten.map_or(Ok(()), |error| Err(Failure::Output(error).or_undone()))
    }
}

fn tell(outcome: &CompressionOutcome, out: &mut dyn Write) -> io::Result<()> {
    match outcome {
        CompressionOutcome::Done(CompressionResult { path, before, after }) => {
            let share = *after as f64 * 100.0 / (*before).max(1) as f64;
            writeln!(out, "{}: {after} of {before} bytes ({share:.0} %)", display_path(path))
        }
        CompressionOutcome::Already(path) => {
            writeln!(out, "{}: already compressed", display_path(path))
        }
        CompressionOutcome::Open(path) => {
            say(format!("note: {}: skipped, the round is in progress", display_path(path)));
            Ok(())
        }
    }
}
