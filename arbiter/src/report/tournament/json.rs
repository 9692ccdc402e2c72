//! A tournament as lines of JSON for programs.

use std::io::{self, Write};

use serde::Serialize;

use crate::fate::Fate;
use crate::report::json::JsonSeat;
use crate::standings::Standings;
use crate::tournament::run::{Event, Watcher};
use rules::Digest;

/// Writes a line for each event as it happens.
pub struct JsonLines<'a> {
    out: &'a mut dyn Write,
}

/// A line, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonLine<'a> {
    Start {
        game: &'a str,
        options: &'a str,
        bots: Vec<&'a str>,
        games: u64,
        played: u64,
        commitment: Digest,
    },
    Game {
        number: u64,
        attempt: u32,
        deal: u64,
        seats: Vec<JsonSeat<'a>>,
        counts: bool,
    },
    Out {
        name: &'a str,
        after: u64,
    },
    Warning {
        name: &'a str,
        text: &'a str,
    },
    Stopping {
        busy: usize,
    },
    Result {
        played: u64,
        skipped: u64,
        standings: &'a Standings,
    },
}

impl<'a> JsonLines<'a> {
    /// A watcher that writes to `out`.
    pub fn new(out: &'a mut dyn Write) -> Self {
        JsonLines { out }
    }

    fn line(&mut self, line: &JsonLine<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

impl Watcher for JsonLines<'_> {
    fn on(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Started(progress) => {
                let header = progress.series.header();
                self.line(&JsonLine::Start {
                    game: &header.game,
                    options: &header.options,
                    bots: header.players.iter().map(|player| player.name.as_str()).collect(),
                    games: header.games,
                    played: progress.course.played(),
                    commitment: header.commitment,
                })
            }
            Event::GameOver { game, fate, progress } => {
                let seats = JsonSeat::all(game);
                let (number, attempt, deal) = (game.game, game.attempt, game.deal);
                let counts = fate == Fate::Counts;
                self.line(&JsonLine::Game { number, attempt, deal, seats, counts })?;
                for (place, player) in progress.series.header().players.iter().enumerate() {
                    if counts && progress.course.out_after(place) == Some(number) {
                        self.line(&JsonLine::Out { name: &player.name, after: number })?;
                    }
                }
                Ok(())
            }
            Event::Warned { name, text } => self.line(&JsonLine::Warning { name, text }),
            Event::Stopping { busy } => self.line(&JsonLine::Stopping { busy }),
            Event::Over { progress, standings } => self.line(&JsonLine::Result {
                played: progress.course.played(),
                skipped: progress.course.skipped(),
                standings,
            }),
            Event::Tick { .. } => Ok(()),
        }
    }
}
