//! The lines of JSON about games: of a match, of a tournament, and of a log that is shown.

use std::io::{self, Write};

use bot::sandboxed::SandboxedBots;
use contest::playing::match_text::ShownFault;
use contest::playing::series_runner::{ContestState, SeriesEvent, Watcher};
use contest::tournament::folder::RefusedBot;
use contest::tournament::plan::Estimate;
use league::entry::checks::CheckResult;
use rules::{Digest, GameRecord, Outcome, Referee, Score, Seat, Verdict};
use serde::Serialize;
use series::game_status::{GameStatus, PlayerTotals, Totals};
use series::header::CommittedSeed;
use standings::{OutsideHelp, Standings};

use crate::output::json_line;
use crate::output::tournament::ShardsSummary;

/// A line, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum SeriesLine<'a> {
    #[serde(rename = "start")]
    MatchStart {
        game: &'a str,
        options: &'a str,
        games: u64,
        commitment: Digest,
        entropy: &'a [String],
    },
    #[serde(rename = "start")]
    TournamentStart {
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
        /// In a tournament.
        #[serde(skip_serializing_if = "Option::is_none")]
        deal: Option<u64>,
        seats: Vec<JsonSeat<'a>>,
        /// In a match.
        #[serde(skip_serializing_if = "Option::is_none")]
        ending: Option<&'static str>,
        counts: bool,
    },
    /// A bot is out of a tournament.
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
    /// A match was stopped.
    Stopped {
        played: u64,
        games: u64,
        players: Vec<JsonTotal<'a>>,
        played_again: u64,
        suspect: &'a [u64],
        seed: &'a CommittedSeed,
    },
    #[serde(rename = "result")]
    MatchResult {
        players: Vec<JsonTotal<'a>>,
        winner: Option<&'a str>,
        played_again: u64,
        suspect: &'a [u64],
        seed: &'a CommittedSeed,
    },
    #[serde(rename = "result")]
    TournamentResult {
        played: u64,
        skipped: u64,
        standings: &'a Standings,
    },
    Status(Box<TournamentStatus<'a>>),
    /// A bot was checked before a tournament.
    Checked {
        name: &'a str,
        problem: Option<&'a str>,
        seconds: Option<f64>,
    },
    Estimate {
        seconds: u64,
        unchecked: &'a [String],
    },
    Refused(&'a RefusedBot),
    /// A game of a log begins.
    #[serde(rename = "game")]
    ShownGame {
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
    #[serde(rename = "result")]
    ShownResult {
        game: u64,
        ending: &'static str,
        seats: Vec<JsonSeat<'a>>,
        counts: bool,
    },
}

/// A seat of a game, and what became of it.
#[derive(Serialize)]
struct JsonSeat<'a> {
    name: &'a str,
    points: Option<Score>,
    fault: Option<Verdict>,
}

#[derive(Serialize)]
struct JsonTotal<'a> {
    name: &'a str,
    #[serde(flatten, serialize_with = "OutsideHelp::as_key")]
    help: Option<OutsideHelp>,
    points: Score,
    won: u64,
    drawn: u64,
    lost: u64,
    faults: u64,
    first_fault: Option<ShownFault<'a>>,
    escaped: u64,
}

#[derive(Serialize)]
struct TournamentStatus<'a> {
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
    players: Vec<StatusPlayer<'a>>,
    refused: &'a [RefusedBot],
    standings: Standings,
    /// The progress of the shards, while they are not merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<&'a ShardsSummary>,
}

#[derive(Serialize)]
struct StatusPlayer<'a> {
    name: &'a str,
    /// The game after which it was out of the tournament.
    out_after: Option<u64>,
    faults: u64,
    first_fault: Option<ShownFault<'a>>,
}

/// All seats of a game, in the order of turns.
fn seats(game: &GameRecord) -> Vec<JsonSeat<'_>> {
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

fn ending(game: &GameRecord) -> &'static str {
    match game.result {
        Outcome::Played { .. } => "played",
        Outcome::Walkover { .. } => "walkover",
        Outcome::Void { .. } => "void",
    }
}

/// The totals of all players of a match, in their order.
fn totals<'a>(totals: &'a Totals, sandboxed: &SandboxedBots) -> Vec<JsonTotal<'a>> {
    let total = |total: &'a PlayerTotals| JsonTotal {
        name: &total.name,
        help: total.help,
        points: total.points,
        won: total.won,
        drawn: total.drawn,
        lost: total.lost,
        faults: total.faults,
        first_fault: ShownFault::first_fault(total, sandboxed),
        escaped: total.escaped,
    };
    totals.players().iter().map(total).collect()
}

#[derive(Debug)]
pub(crate) struct JsonMatchWatcher<W> {
    out: W,
    sandboxed: SandboxedBots,
}

impl<W: Write> JsonMatchWatcher<W> {
    /// A watcher that writes to `out`, of a match of these bots.
    pub(crate) fn new(out: W, sandboxed: SandboxedBots) -> Self {
        JsonMatchWatcher { out, sandboxed }
    }
}

impl<W: Write> Watcher for JsonMatchWatcher<W> {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        let line = match event {
            SeriesEvent::Started(state) => {
                let header = state.games.series.header();
                SeriesLine::MatchStart {
                    game: &header.game,
                    options: &header.options,
                    games: header.games,
                    commitment: header.commitment,
                    entropy: &header.entropy,
                }
            }
            SeriesEvent::GameOver { game, status, .. } => SeriesLine::Game {
                number: game.game,
                attempt: game.attempt,
                deal: None,
                seats: seats(game),
                ending: Some(ending(game)),
                counts: status == GameStatus::Counts,
            },
            SeriesEvent::Over { state, seed } => {
                let of_all = &state.games.totals;
                SeriesLine::MatchResult {
                    players: totals(of_all, &self.sandboxed),
                    winner: of_all.winner().map(|winner| winner.name.as_str()),
                    played_again: of_all.played_again(),
                    suspect: of_all.suspect(),
                    seed,
                }
            }
            SeriesEvent::Stopped { state, seed } => SeriesLine::Stopped {
                played: state.games.progress.played(),
                games: state.games.series.header().games,
                players: totals(&state.games.totals, &self.sandboxed),
                played_again: state.games.totals.played_again(),
                suspect: state.games.totals.suspect(),
                seed,
            },
            SeriesEvent::Warned { name, text } => SeriesLine::Warning { name, text },
            SeriesEvent::GameStarted(_)
            | SeriesEvent::Stepped { .. }
            | SeriesEvent::Tick { .. }
            | SeriesEvent::Stopping { .. } => return Ok(()),
        };
        json_line(&mut self.out, &line)
    }
}

#[derive(Debug)]
pub(crate) struct JsonTournamentWatcher<W>(pub W);

impl<W: Write> Watcher for JsonTournamentWatcher<W> {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        let JsonTournamentWatcher(out) = self;
        match event {
            SeriesEvent::Started(state) => {
                let header = state.games.series.header();
                let line = SeriesLine::TournamentStart {
                    game: &header.game,
                    options: &header.options,
                    bots: header.players.iter().map(|player| player.name.as_str()).collect(),
                    games: header.games,
                    played: state.games.progress.played(),
                    commitment: header.commitment,
                };
                json_line(out, &line)
            }
            SeriesEvent::GameOver { game, status, state } => {
                let line = SeriesLine::Game {
                    number: game.game,
                    attempt: game.attempt,
                    deal: Some(game.deal),
                    seats: seats(game),
                    ending: None,
                    counts: status == GameStatus::Counts,
                };
                json_line(out, &line)?;
                for (place, player) in state.games.series.header().players.iter().enumerate() {
                    if status != GameStatus::Again
                        && state.games.progress.out_after(place) == Some(game.game)
                    {
                        json_line(out, &SeriesLine::Out { name: &player.name, after: game.game })?;
                    }
                }
                Ok(())
            }
            SeriesEvent::Warned { name, text } => {
                json_line(out, &SeriesLine::Warning { name, text })
            }
            SeriesEvent::Stopping { busy } => json_line(out, &SeriesLine::Stopping { busy }),
            SeriesEvent::Over { state, .. } => write_result(out, state),
            SeriesEvent::GameStarted(_)
            | SeriesEvent::Stepped { .. }
            | SeriesEvent::Tick { .. }
            | SeriesEvent::Stopped { .. } => Ok(()),
        }
    }
}

pub(crate) fn write_status(
    out: &mut dyn Write,
    state: &ContestState,
    running: &str,
    refused: &[RefusedBot],
    shards: Option<&ShardsSummary>,
) -> io::Result<()> {
    let header = state.games.series.header();
    let totals = state.games.totals.players().iter().enumerate();
    let players = totals.map(|(place, total)| StatusPlayer {
        name: &total.name,
        out_after: state.games.progress.out_after(place),
        faults: total.faults,
        first_fault: ShownFault::first_fault(total, &SandboxedBots::default()),
    });
    let shard = header.tournament.as_ref().and_then(|line| line.schedule.shard);
    let status = SeriesLine::Status(Box::new(TournamentStatus {
        state: running,
        game: &header.game,
        options: &header.options,
        commitment: header.commitment,
        shard: shard.map(|shard| shard.to_string()),
        games: header.games,
        played: state.games.progress.played(),
        skipped: state.games.progress.skipped(),
        played_again: state.games.totals.played_again(),
        suspect: state.games.totals.suspect(),
        players: players.collect(),
        refused,
        standings: state.standings(),
        shards,
    }));
    json_line(out, &status)
}

pub(crate) fn write_result(out: &mut dyn Write, state: &ContestState) -> io::Result<()> {
    let line = SeriesLine::TournamentResult {
        played: state.games.progress.played(),
        skipped: state.games.progress.skipped(),
        standings: &state.standings(),
    };
    json_line(out, &line)
}

pub(crate) fn tell_checked(
    out: &mut dyn Write,
    name: &str,
    checked: &CheckResult,
) -> io::Result<()> {
    let seconds = checked.time.map(|time| (time.as_secs_f64() * 1000.0).round() / 1000.0);
    let problem = checked.problem.as_deref();
    json_line(out, &SeriesLine::Checked { name, problem, seconds })
}

pub(crate) fn write_estimate(out: &mut dyn Write, estimate: &Estimate) -> io::Result<()> {
    let Estimate { time, unchecked } = estimate;
    json_line(out, &SeriesLine::Estimate { seconds: time.as_secs(), unchecked })
}

/// Writes a line for each refused submission.
pub(crate) fn tell_refused(out: &mut dyn Write, refused: &[RefusedBot]) -> io::Result<()> {
    refused.iter().try_for_each(|refused| json_line(out, &SeriesLine::Refused(refused)))
}

/// Writes the line before a game of a log.
pub(crate) fn game_heading(
    out: &mut dyn Write,
    game: &GameRecord,
    seat: Option<Seat>,
) -> io::Result<()> {
    let line = SeriesLine::ShownGame {
        number: game.game,
        attempt: game.attempt,
        deal: game.deal,
        id: game.id.to_string(),
        seats: &game.seats,
        seen_by: seat,
    };
    json_line(out, &line)
}

/// Writes the lines of the history from `from` on, as the referee or as one seat saw them.
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
    events.iter().try_for_each(|text| json_line(out, &SeriesLine::Event { game, text }))
}

/// Writes the line after a game of a log.
pub(crate) fn game_result(
    out: &mut dyn Write,
    game: &GameRecord,
    status: GameStatus,
) -> io::Result<()> {
    let (seats, counts) = (seats(game), status == GameStatus::Counts);
    let line = SeriesLine::ShownResult { game: game.game, ending: ending(game), seats, counts };
    json_line(out, &line)
}
