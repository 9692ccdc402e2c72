//! Reviews as a table for spreadsheets: a row for each different move of each decision.

use std::io::{self, Write};

use text::spreadsheet_cell;

use crate::decision::ReviewedGame;

/// The names of the columns.
pub const COLUMNS: [&str; 18] = [
    "log",
    "game",
    "deal",
    "seat",
    "bot",
    "move",
    "phase",
    "text",
    "played",
    "win",
    "error",
    "points",
    "lead",
    "lead_error",
    "habits",
    "worlds",
    "given_away",
    "mark",
];

/// Writes rows of reviewed games.
#[derive(Debug)]
pub struct ReviewTable<W: Write> {
    rows: csv::Writer<W>,
}

impl<W: Write> ReviewTable<W> {
    /// Begins with the names of the columns.
    pub fn begin(out: W) -> io::Result<ReviewTable<W>> {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(COLUMNS)?;
        Ok(ReviewTable { rows })
    }

    /// Writes the rows of a game of a log with this name.
    pub fn write(&mut self, log: &str, game: &ReviewedGame) -> io::Result<()> {
        for decision in &game.decisions {
            let mark = decision.mark().map(|mark| mark.to_string()).unwrap_or_default();
            let bot = game.seats.get(decision.seat).cloned().unwrap_or_default();
            for (place, mv) in decision.moves.iter().enumerate() {
                let is_played = place == decision.played;
                let optional = |number: Option<f64>| number.map(rounded).unwrap_or_default();
                self.rows.write_record([
                    log.to_owned(),
                    game.number.to_string(),
                    game.deal.to_string(),
                    decision.seat.to_string(),
                    spreadsheet_cell(&bot).into_owned(),
                    decision.number.to_string(),
                    spreadsheet_cell(&decision.phase).into_owned(),
                    spreadsheet_cell(&mv.mv).into_owned(),
                    u8::from(is_played).to_string(),
                    rounded(mv.win),
                    rounded(mv.error),
                    optional(mv.points),
                    rounded(mv.lead),
                    rounded(mv.lead_error),
                    optional(mv.habits),
                    decision.worlds().map(|worlds| worlds.to_string()).unwrap_or_default(),
                    optional(is_played.then_some(decision.given_away)),
                    if is_played { mark.clone() } else { String::new() },
                ])?;
            }
        }
        Ok(())
    }

    /// Writes what is left.
    pub fn finish(mut self) -> io::Result<()> {
        self.rows.flush()
    }
}

fn rounded(number: f64) -> String {
    format!("{number:.6}")
}
