//! Playing one game after the other, between players that stay for the whole match.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rules::{GameRecord, Outcome, PerSeat, Seed};

use crate::playing::Player;
use crate::playing::background::LOOK;
use crate::playing::game::{GameSetup, play_game};
use crate::playing::series_runner::{GameRunner, SeriesError, tell};
use crate::playing::state::State;
use crate::playing::watcher::{SeriesEvent, Watcher};
use record::{Line, LogWriter};
use series::game_status::AGAIN;
use series::progress::{NextGame, Progress};
use series::{End, Series};

/// The players of a match, whose games are played in turn, and its log, if it has one.
pub(super) struct InTurn<'a, 'b> {
    players: Vec<&'b mut dyn Player>,
    dealing: Seed,
    log: Option<LogWriter>,
    stop: &'a AtomicBool,
    /// An attempt that is not in the log yet.
    played: Option<GameRecord>,
}

impl<'a, 'b> InTurn<'a, 'b> {
    /// Takes the players of a series in the order of its header, and writes the first line of the log.
    pub(super) fn begin(
        series: &Series,
        players: Vec<&'b mut dyn Player>,
        dealing: Seed,
        log: Option<LogWriter>,
        stop: &'a AtomicBool,
    ) -> io::Result<InTurn<'a, 'b>> {
        let mut begun = InTurn { players, dealing, log, stop, played: None };
        begun.append(|| Line::Header(Box::new(series.header().clone())))?;
        Ok(begun)
    }

    fn append(&mut self, line: impl FnOnce() -> Line) -> io::Result<()> {
        self.log.as_mut().map_or(Ok(()), |log| log.append(&line()))
    }

    /// Closes the players, in the order of the header of their series.
    pub(super) fn close(
        &mut self,
        series: &Series,
        watcher: &mut dyn Watcher,
    ) -> Result<(), SeriesError> {
        for (player, line) in self.players.iter_mut().zip(&series.header().players) {
            for text in player.close() {
                tell(watcher, series, SeriesEvent::Warned { name: &line.name, text: &text })?;
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn game(
        &mut self,
        series: &Series,
        place: NextGame,
        watcher: &mut dyn Watcher,
    ) -> Result<GameRecord, SeriesError> {
        let setup = GameSetup::new(series, place);
        tell(watcher, series, SeriesEvent::GameStarted(&setup))?;
        let mut seated = seated(&mut self.players, series, place);
        let mut told = 0;
        let mut watched = Ok(());
        let played = play_game(series, &setup, &self.dealing, &mut seated, &mut |referee| {
            if watched.is_ok() {
                let (setup, from) = (&setup, told);
                watched = tell(watcher, series, SeriesEvent::Stepped { setup, referee, from });
            }
            told = referee.history_len();
        });
        watched?;
        for (player, line) in self.players.iter_mut().zip(&series.header().players) {
            for text in player.take_warnings() {
                tell(watcher, series, SeriesEvent::Warned { name: &line.name, text: &text })?;
            }
        }
        played.map_err(|error| SeriesError::machine("cannot set up a game", error))
    }
}

impl GameRunner for InTurn<'_, '_> {
    /// Plays an attempt. A void attempt of a match that was stopped meanwhile was cut off, and is dropped.
    fn play_on(&mut self, state: &State, watcher: &mut dyn Watcher) -> Result<(), SeriesError> {
        let Some(place) = state.games.progress.next() else { return Ok(()) };
        sleep(pause_before(place.attempt), self.stop);
        if !self.is_stopped() {
            let game = self.game(&state.games.series, place, watcher)?;
            let is_cut_off = self.is_stopped() && matches!(game.result, Outcome::Void { .. });
            self.played = (!is_cut_off).then_some(game);
        }
        Ok(())
    }

    fn commit(&mut self, _: &Progress) -> io::Result<Option<Vec<GameRecord>>> {
        let Some(game) = self.played.take() else { return Ok(None) };
        self.append(|| Line::Game(Box::new(game.clone())))?;
        Ok(Some(vec![game]))
    }

    /// Always none for a caller: games are played in the caller's thread.
    fn busy(&self) -> usize {
        0
    }

    /// A match cannot be resumed, so there is no need to wait for the disk.
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, end: End) -> io::Result<()> {
        self.append(|| Line::End(end))
    }
}

/// Returns the players by their seats in a game.
fn seated<'a>(
    players: &'a mut [&mut dyn Player],
    series: &Series,
    place: NextGame,
) -> PerSeat<&'a mut dyn Player> {
    let mut free: Vec<Option<&mut dyn Player>> =
        players.iter_mut().map(|player| Some(&mut **player as &mut dyn Player)).collect();
    let seating = series.seating(place.game).players;
    let seated = seating.values().iter().filter_map(|player| free[*player].take());
    seated.collect::<Vec<_>>().into()
}

/// Returns the pause before an attempt at a game, counted from 0. A machine that has run out of something may
/// need a moment before a void game is played again.
pub(crate) fn pause_before(attempt: u32) -> Duration {
    match attempt.checked_sub(1) {
        None => Duration::ZERO,
        Some(before) => Duration::from_millis(100 << (2 * before.min(AGAIN))),
    }
}

/// Sleeps for this time, or until the match is stopped.
fn sleep(time: Duration, stop: &AtomicBool) {
    let begun = Instant::now();
    while !stop.load(Ordering::Relaxed) && begun.elapsed() < time {
        thread::sleep(LOOK.min(time));
    }
}
