//! Lines of JSON for programs.

use std::io::{self, Write};

use rules::{GameRecord, Outcome, Score, Verdict};
use serde::Serialize;

/// Writes values as JSON, a line each, as they come.
#[derive(Debug)]
pub(crate) struct JsonLines<W> {
    out: W,
}

impl<W: Write> JsonLines<W> {
    /// Writes to `out`.
    pub(crate) fn new(out: W) -> Self {
        JsonLines { out }
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

/// A seat of a game, and what became of it.
#[derive(Serialize)]
pub(super) struct JsonSeat<'a> {
    name: &'a str,
    points: Option<Score>,
    fault: Option<Verdict>,
}

impl JsonSeat<'_> {
    /// All seats of a game, in the order of turns.
    pub(super) fn all(game: &GameRecord) -> Vec<JsonSeat<'_>> {
        let faults = game.result.faults();
        let points = game.result.scores().map(|scores| scores.values());
        let fault = |place| faults.iter().find(|(seat, _)| seat.index() == place);
        let seat = |(place, name)| JsonSeat {
            name,
            points: points.and_then(|points| points.get(place).copied()),
            fault: fault(place).map(|(_, fault)| *fault),
        };
        game.seats.iter().map(String::as_str).enumerate().map(seat).collect()
    }
}

/// The ending of a game, in one word.
pub(super) fn ending(game: &GameRecord) -> &'static str {
    match game.result {
        Outcome::Played { .. } => "played",
        Outcome::Walkover { .. } => "walkover",
        Outcome::Void { .. } => "void",
    }
}
