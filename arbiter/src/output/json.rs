//! A match as lines of JSON for programs: one for each game, and one for the whole.

use std::io::{self, Write};

use rules::{GameRecord, Outcome, Score, Verdict};
use serde::Serialize;

use crate::playing::watcher::{SeriesEvent, Watcher};
use crate::series::SeriesState;
use crate::series::committed_seed::CommittedSeed;
use crate::series::game_status::GameStatus;
use crate::series::totals::Total;
use rules::Digest;

/// Writes a line for each game as it ends, and one for the match.
#[derive(Debug)]
pub struct JsonWatcher<W> {
    out: W,
}

impl<W: Write> JsonWatcher<W> {
    /// A watcher that writes to `out`.
    pub fn new(out: W) -> Self {
        JsonWatcher { out }
    }

    fn line(&mut self, line: &JsonLine<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

/// A line, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonLine<'a> {
    Start {
        game: &'a str,
        options: &'a str,
        games: u64,
        commitment: Digest,
        entropy: &'a [String],
    },
    Game {
        number: u64,
        attempt: u32,
        seats: Vec<JsonSeat<'a>>,
        ending: &'static str,
        counts: bool,
    },
    Warning {
        name: &'a str,
        text: &'a str,
    },
    Stopped {
        played: u64,
        games: u64,
        players: &'a [Total],
        played_again: u64,
        suspect: &'a [u64],
        seed: &'a CommittedSeed,
    },
    Result {
        players: &'a [Total],
        winner: Option<&'a str>,
        played_again: u64,
        suspect: &'a [u64],
        seed: &'a CommittedSeed,
    },
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

impl<W: Write> Watcher<SeriesState> for JsonWatcher<W> {
    fn on(&mut self, event: SeriesEvent<'_, SeriesState>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                let header = state.series.header();
                self.line(&JsonLine::Start {
                    game: &header.game,
                    options: &header.options,
                    games: header.games,
                    commitment: header.commitment,
                    entropy: &header.entropy,
                })
            }
            SeriesEvent::GameOver { game, status, .. } => {
                let seats = JsonSeat::all(game);
                let ending = match game.result {
                    Outcome::Played { .. } => "played",
                    Outcome::Walkover { .. } => "walkover",
                    Outcome::Void { .. } => "void",
                };
                let (number, attempt, counts) =
                    (game.game, game.attempt, status == GameStatus::Counts);
                self.line(&JsonLine::Game { number, attempt, seats, ending, counts })
            }
            SeriesEvent::Over { state, found: seed } => {
                let totals = &state.totals;
                let winner = totals.winner().map(|winner| winner.name.as_str());
                self.line(&JsonLine::Result {
                    players: totals.players(),
                    winner,
                    played_again: totals.played_again(),
                    suspect: totals.suspect(),
                    seed,
                })
            }
            SeriesEvent::Stopped { state, found: seed } => self.line(&JsonLine::Stopped {
                played: state.progress.played(),
                games: state.series.header().games,
                players: state.totals.players(),
                played_again: state.totals.played_again(),
                suspect: state.totals.suspect(),
                seed,
            }),
            SeriesEvent::Warned { name, text } => self.line(&JsonLine::Warning { name, text }),
            SeriesEvent::GameStarted(_)
            | SeriesEvent::Stepped { .. }
            | SeriesEvent::Tick { .. }
            | SeriesEvent::Stopping { .. } => Ok(()),
        }
    }
}
