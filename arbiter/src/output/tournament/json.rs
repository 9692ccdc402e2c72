//! A tournament as lines of JSON for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::shards::ShardsSummary;
use crate::output::json::{JsonLines, JsonSeat};
use bot::sandboxed::SandboxedBots;
use contest::playing::match_text::ShownFault;
use contest::playing::series_runner::{SeriesEvent, Watcher};
use contest::playing::state::State;
use contest::tournament::folder::Refused;
use contest::tournament::plan::Estimate;
use league::entry::checks::CheckResult;
use rules::Digest;
use series::game_status::GameStatus;
use standings::Standings;

/// A line, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonLine<'a> {
    Checked {
        name: &'a str,
        problem: Option<&'a str>,
        seconds: Option<f64>,
    },
    Estimate {
        seconds: u64,
        unchecked: &'a [String],
    },
    Refused(&'a Refused),
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
    Status(Box<JsonStatus<'a>>),
}

/// The state of a tournament.
#[derive(Serialize)]
struct JsonStatus<'a> {
    state: &'a str,
    game: &'a str,
    options: &'a str,
    commitment: Digest,
    shard: Option<String>,
    games: u64,
    played: u64,
    skipped: u64,
    played_again: u64,
    suspect: &'a [u64],
    players: Vec<JsonPlayer<'a>>,
    refused: &'a [Refused],
    standings: Standings,
    /// The progress of the shards, while they are not merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<&'a ShardsSummary>,
}

#[derive(Serialize)]
struct JsonPlayer<'a> {
    name: &'a str,
    /// The game after which it was out of the tournament.
    out_after: Option<u64>,
    faults: u64,
    first_fault: Option<ShownFault<'a>>,
}

/// Writes the state of a tournament.
pub(crate) fn write_status(
    out: &mut dyn Write,
    state: &State,
    running: &str,
    refused: &[Refused],
    shards: Option<&ShardsSummary>,
) -> io::Result<()> {
    let header = state.games.series.header();
    let totals = state.games.totals.players().iter().enumerate();
    let players = totals.map(|(place, total)| JsonPlayer {
        name: &total.name,
        out_after: state.games.progress.out_after(place),
        faults: total.faults,
        first_fault: ShownFault::first(total, &SandboxedBots::default()),
    });
    JsonLines::new(out).line(&JsonLine::Status(Box::new(JsonStatus {
        state: running,
        game: &header.game,
        options: &header.options,
        commitment: header.commitment,
        shard: header
            .tournament
            .as_ref()
            .and_then(|line| line.schedule.shard)
            .map(|shard| shard.to_string()),
        games: header.games,
        played: state.games.progress.played(),
        skipped: state.games.progress.skipped(),
        played_again: state.games.totals.played_again(),
        suspect: state.games.totals.suspect(),
        players: players.collect(),
        refused,
        standings: state.standings(),
        shards,
    })))
}

/// Writes the standings of a tournament.
pub(crate) fn write_result(out: &mut dyn Write, state: &State) -> io::Result<()> {
    result(&mut JsonLines::new(out), state)
}

fn result<W: Write>(lines: &mut JsonLines<W>, state: &State) -> io::Result<()> {
    lines.line(&JsonLine::Result {
        played: state.games.progress.played(),
        skipped: state.games.progress.skipped(),
        standings: &state.standings(),
    })
}

/// Writes a line for a bot that was checked.
pub(crate) fn tell_checked(
    out: &mut dyn Write,
    name: &str,
    checked: &CheckResult,
) -> io::Result<()> {
    let seconds = checked.time.map(|time| (time.as_secs_f64() * 1000.0).round() / 1000.0);
    let problem = checked.problem.as_deref();
    JsonLines::new(out).line(&JsonLine::Checked { name, problem, seconds })
}

/// Writes a line for an estimate of the time.
pub(crate) fn write_estimate(out: &mut dyn Write, estimate: &Estimate) -> io::Result<()> {
    let Estimate { time, unchecked } = estimate;
    JsonLines::new(out).line(&JsonLine::Estimate { seconds: time.as_secs(), unchecked })
}

/// Writes a line for each refused submission.
pub(crate) fn tell_refused(out: &mut dyn Write, refused: &[Refused]) -> io::Result<()> {
    let mut lines = JsonLines::new(out);
    refused.iter().try_for_each(|refused| lines.line(&JsonLine::Refused(refused)))
}

impl<W: Write> Watcher for JsonLines<W> {
    fn on(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                let header = state.games.series.header();
                self.line(&JsonLine::Start {
                    game: &header.game,
                    options: &header.options,
                    bots: header.players.iter().map(|player| player.name.as_str()).collect(),
                    games: header.games,
                    played: state.games.progress.played(),
                    commitment: header.commitment,
                })
            }
            SeriesEvent::GameOver { game, status, state } => {
                let seats = JsonSeat::all(game);
                let (number, attempt, deal) = (game.game, game.attempt, game.deal);
                let counts = status == GameStatus::Counts;
                self.line(&JsonLine::Game { number, attempt, deal, seats, counts })?;
                for (place, player) in state.games.series.header().players.iter().enumerate() {
                    if status != GameStatus::Again
                        && state.games.progress.out_after(place) == Some(number)
                    {
                        self.line(&JsonLine::Out { name: &player.name, after: number })?;
                    }
                }
                Ok(())
            }
            SeriesEvent::Warned { name, text } => self.line(&JsonLine::Warning { name, text }),
            SeriesEvent::Stopping { busy } => self.line(&JsonLine::Stopping { busy }),
            SeriesEvent::Over { state, .. } => result(self, state),
            SeriesEvent::GameStarted(_)
            | SeriesEvent::Stepped { .. }
            | SeriesEvent::Tick { .. }
            | SeriesEvent::Stopped { .. } => Ok(()),
        }
    }
}
