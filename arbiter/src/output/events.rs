//! The games of a log as lines of JSON for programs: what happened, one event a line.

use std::io::{self, Write};

use rules::{GameRecord, Referee, Seat};
use serde::Serialize;

use crate::output::json::{JsonLines, JsonSeat, ending};
use conditions::series::game_status::GameStatus;

/// A line, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonLine<'a> {
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
pub(crate) fn heading(
    out: &mut dyn Write,
    game: &GameRecord,
    seat: Option<Seat>,
) -> io::Result<()> {
    JsonLines::new(out).line(&JsonLine::Game {
        number: game.game,
        attempt: game.attempt,
        deal: game.deal,
        id: game.id.to_string(),
        seats: &game.seats,
        seen_by: seat,
    })
}

/// The lines of the history from `from` on, as the referee or as one seat saw them.
pub(crate) fn step(
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
    events.iter().try_for_each(|text| lines.line(&JsonLine::Event { game, text }))
}

/// The line after a game.
pub(crate) fn result(out: &mut dyn Write, game: &GameRecord, status: GameStatus) -> io::Result<()> {
    let (seats, counts) = (JsonSeat::all(game), status == GameStatus::Counts);
    let line = JsonLine::Result { game: game.game, ending: ending(game), seats, counts };
    JsonLines::new(out).line(&line)
}
