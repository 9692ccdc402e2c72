//! One fold over the lines of a log, by which everything that reads one goes.
//!
//! A header comes first and only once, games stand in their places, and the end follows from them.
//! So the verification of a log, the commands that show its games, a tournament that continues and
//! a report accept and refuse the same logs. How lines come to it is for [`super::checked_log`].

use rules::{Digest, GameRecord, Seat, Seed, Verdict};

use crate::line::LogProblem;
use crate::{Line, ReadLine};
use series::committed_seed::CommittedSeed;
use series::game_status::GameStatus;
use series::progress::{NextGame, Progress};
use series::schedule::Seating;
use series::totals::Totals;
use series::{End, Header, Series, SeriesState};
use text::counted;

/// The number of milliseconds by which the time of an `ok` answer may exceed its limit.
///
/// A log may hold the moment at which an answer was seen, which on a busy machine is later than its
/// arrival.
const LATE_LOOK: f64 = 1000.0;

/// The state after reading part of a log: at least its header.
#[derive(Debug)]
pub struct Fold {
    state: SeriesState,
    /// The seed of all chance, if known before the first line.
    dealing: Option<Seed>,
    /// The number of the last line.
    number: usize,
    head: Digest,
    end: Option<End>,
}

/// A game that is in order.
#[derive(Debug)]
pub struct FoldedGame<T> {
    pub line: usize,
    pub game: Box<GameRecord>,
    pub status: GameStatus,
    /// The result of the reader's own check.
    pub checked: T,
}

impl Fold {
    /// Begins with the first line of a log, and with the seed where it is known before.
    pub(crate) fn begin(first: ReadLine, seed: Option<&CommittedSeed>) -> Result<Fold, LogProblem> {
        let ReadLine { number, line, digest } = first;
        let wrong = |problem: String| LogProblem::line(number, problem);
        let Line::Header(header) = line else {
            return Err(wrong("is not the header".to_owned()));
        };
        let series = Series::new(*header).map_err(wrong)?;
        if seed.is_some_and(|seed| seed.commitment() != series.header().commitment) {
            return Err(wrong("commits to another seed than the last line reveals".to_owned()));
        }
        Ok(Fold {
            dealing: seed.map(|seed| series.dealing(seed)),
            state: SeriesState::new(series),
            number,
            head: digest,
            end: None,
        })
    }

    /// Takes the next line, and gives the game in it; nothing if it is the end.
    ///
    /// `check` is the reader's own check of a game, such as recomputing it. It is called after the place
    /// of the game was checked, and before the game is counted.
    pub(crate) fn take<T>(
        &mut self,
        next: ReadLine,
        check: impl FnOnce(&Fold, &GameRecord) -> Result<T, String>,
    ) -> Result<Option<FoldedGame<T>>, LogProblem> {
        let ReadLine { number, line, digest } = next;
        if self.end.is_some() {
            return Err(LogProblem::line(number, "comes after the end"));
        }
        let taken = match line {
            Line::Header(_) => return Err(LogProblem::line(number, "is a second header")),
            Line::Game(game) => Some(self.take_game(number, game, check)?),
            Line::End(end) => {
                self.check_end(&end).map_err(|problem| LogProblem::line(number, problem))?;
                self.end = Some(end);
                None
            }
        };
        (self.number, self.head) = (number, digest);
        Ok(taken)
    }

    fn take_game<T>(
        &mut self,
        line: usize,
        game: Box<GameRecord>,
        check: impl FnOnce(&Fold, &GameRecord) -> Result<T, String>,
    ) -> Result<FoldedGame<T>, LogProblem> {
        let checked = check_place(&game, &self.state)
            .and_then(|()| check(self, &game))
            .and_then(|checked| game.check_form(self.series().seats()).map(|()| checked))
            .and_then(|checked| check_times(&game, self.series()).map(|()| checked))
            .map_err(|problem| LogProblem::game(line, &game, problem))?;
        let status = self.state.add(&game);
        Ok(FoldedGame { line, game, status, checked })
    }

    /// Checks that the end follows from the games.
    fn check_end(&self, end: &End) -> Result<(), String> {
        let (played, games) = (self.progress().played(), self.header().games);
        if end.games != played || !self.progress().is_over() {
            let games = counted(games, "game", "games");
            return Err(format!("ends after {played} of {games}, and says {}", end.games));
        }
        if end.seed.is_some() != self.series().reveals_seed() {
            return Err("must reveal the seed, and only that of a shard must not".to_owned());
        }
        if end.points != self.totals().points() {
            return Err("has other points than the games add up to".to_owned());
        }
        if end.seed.as_ref().is_some_and(|seed| seed.commitment() != self.header().commitment) {
            return Err("reveals another seed than the first line commits to".to_owned());
        }
        Ok(())
    }

    /// Checks that the log has its end.
    pub(crate) fn check_whole(&self) -> Result<(), LogProblem> {
        if self.end.is_some() {
            return Ok(());
        }
        let why = match self.progress().is_void() {
            true => format!("at {}", self.progress().stops_at()),
            false => "without its end".to_owned(),
        };
        let (played, games) = (self.progress().played(), self.header().games);
        let games = counted(games, "game", "games");
        let problem = format!("is missing: the log stops after {played} of {games}, {why}");
        Err(LogProblem::line(self.number + 1, problem))
    }

    /// Returns true if no more lines can follow: the log has its end, or had to stop without one.
    pub(crate) fn is_closed(&self) -> bool {
        self.end.is_some() || (self.progress().next().is_none() && !self.progress().is_over())
    }

    /// The games that the header describes.
    pub fn series(&self) -> &Series {
        &self.state.series
    }

    pub fn header(&self) -> &Header {
        self.series().header()
    }

    pub fn progress(&self) -> &Progress {
        &self.state.progress
    }

    pub fn totals(&self) -> &Totals {
        &self.state.totals
    }

    /// The seed of all chance, if known before the first line.
    pub fn dealing(&self) -> Option<&Seed> {
        self.dealing.as_ref()
    }

    /// The number of the last line, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The digest of the last line, which stands for all of them.
    pub fn head(&self) -> Digest {
        self.head
    }

    /// The last line of a log that was played to its end, once it was read.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    pub fn state(&self) -> &SeriesState {
        &self.state
    }

    /// Ends reading, and returns the state of the games.
    pub fn into_state(self) -> SeriesState {
        self.state
    }
}

/// Checks that a game is the next one in order, with each player on the right seat.
pub fn check_place(
    game: &GameRecord,
    SeriesState { series, progress, .. }: &SeriesState,
) -> Result<(), String> {
    let Some(NextGame { game: number, attempt }) = progress.next() else {
        return Err(match progress.is_void() {
            true => "where the log had to stop: the game before was void too often".to_owned(),
            false => "where no game was left".to_owned(),
        });
    };
    let Seating { deal, players } = series.seating(number);
    if game.game != number || game.deal != deal {
        return Err(format!("where game {number} was expected"));
    }
    if game.attempt != attempt {
        return Err(format!("is attempt {} at it, expected {attempt}", game.attempt));
    }
    for (place, name) in game.seats.iter().enumerate() {
        // The form of the game has the number of seats.
        let Some(seat) = Seat::new(place).filter(|seat| players.has(*seat)) else { break };
        if series.header().players[players[seat]].name != *name {
            return Err(format!("seat {seat} is not {name}'s in this game"));
        }
    }
    Ok(())
}

/// Checks that no time is negative, and that every answer accepted as in time is within its limit.
fn check_times(game: &GameRecord, series: &Series) -> Result<(), String> {
    let times = series.times(game.game);
    for (number, (answer, measured)) in game.answers().enumerate() {
        let all = [
            ("ms", Some(measured.ms)),
            ("cpu_ms", measured.cpu_ms),
            ("waited_ms", measured.waited_ms),
            ("referee_waited_ms", measured.referee_waited_ms),
        ];
        for (key, time) in all {
            if let Some(time) = time.filter(|time| time.is_sign_negative()) {
                let seat = answer.seat;
                return Err(format!(
                    "answer {number}, of seat {seat}, has {key} {time}, expected 0 or more"
                ));
            }
        }
        if !times.has(answer.seat) {
            continue;
        }
        let limit = times[answer.seat].longest();
        // People have no limit.
        let is_late = limit > 0 && measured.ms > limit as f64 + LATE_LOOK;
        if answer.verdict == Verdict::Ok && is_late {
            let (seat, ms) = (answer.seat, measured.ms);
            return Err(format!(
                "answer {number}, of seat {seat}, is `ok` after {ms} ms, expected at most {limit}"
            ));
        }
    }
    Ok(())
}
