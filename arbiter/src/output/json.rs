//! Lines of JSON for programs.

use std::io::{self, Write};

use rules::{GameRecord, Outcome, Referee, Score, Seat, Verdict};
use serde::Serialize;

use series::game_status::GameStatus;

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

pub(super) fn ending(game: &GameRecord) -> &'static str {
    match game.result {
        Outcome::Played { .. } => "played",
        Outcome::Walkover { .. } => "walkover",
        Outcome::Void { .. } => "void",
    }
}

/// A line about a game, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum GameLine<'a> {
    Game {
        number: u64,
        attempt: u32,
        deal: u64,
        id: String,
        seats: &'a [String],
        seen_by: Option<Seat>,
    },
    Event {
        game: u64,
        text: &'a str,
    },
    Result {
        game: u64,
        ending: &'static str,
        seats: Vec<JsonSeat<'a>>,
        counts: bool,
    },
}

/// The line before a game.
pub(crate) fn game_heading(
    out: &mut dyn Write,
    game: &GameRecord,
    seat: Option<Seat>,
) -> io::Result<()> {
    JsonLines::new(out).line(&GameLine::Game {
        number: game.game,
        attempt: game.attempt,
        deal: game.deal,
        id: game.id.to_string(),
        seats: &game.seats,
        seen_by: seat,
    })
}

/// The lines of the history from `from` on, as the referee or as one seat saw them.
pub(crate) fn game_step(
    out: &mut dyn Write,
    referee: &Referee,
    game: u64,
    from: usize,
    seat: Option<Seat>,
) -> io::Result<()> {
    let events = match seat {
        None => referee.history(from),
        Some(seat) => referee.history_of(seat, from),
    };
    let mut lines = JsonLines::new(out);
    events.iter().try_for_each(|text| lines.line(&GameLine::Event { game, text }))
}

/// The line after a game.
pub(crate) fn game_result(
    out: &mut dyn Write,
    game: &GameRecord,
    status: GameStatus,
) -> io::Result<()> {
    let (seats, counts) = (JsonSeat::all(game), status == GameStatus::Counts);
    let line = GameLine::Result { game: game.game, ending: ending(game), seats, counts };
    JsonLines::new(out).line(&line)
}
