//! A match: some games between the same players, the order of turns rotating from game to game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{io, thread};

use rules::{GameKind, GameRecord, Outcome, PerSeat, Seed};

use super::series_runner::ContestState;
use super::{GameSetup, play_game};
use crate::playing::bot::{BackgroundBot, Bot, BotSetupError};
use crate::playing::series_runner::{
    SeriesEnd, SeriesError, SeriesEvent, SeriesGames, SeriesRunner, Watcher, tell,
};
use crate::playing::{LOOK, Player};
use bot::Contender;
use record::{Line, LogWriter};
use sandbox::Supervisor;
use series::game_status::AGAIN;
use series::header::CommittedSeed;
use series::progress::{NextGame, Progress};
use series::{Conditions, End, Header, IsolationLine, PlayerLine, Series};

#[derive(Debug)]
pub struct Match {
    pub kind: GameKind,
    /// Options of the game, which include the number of seats.
    pub options: String,
    pub games: u64,
    pub seed: CommittedSeed,
    pub conditions: Conditions,
    /// The players, one for each seat, in the order of turns of the first game.
    pub contenders: Vec<Contender>,
    pub supervisor: Supervisor,
}

impl Match {
    /// Returns the first line of this match's log.
    pub fn header(&self) -> Header {
        let players = self.contenders.iter().map(PlayerLine::from).collect();
        Header {
            games: self.games,
            isolation: IsolationLine::new(self.supervisor),
            ..Header::new(&self.kind, self.options.clone(), players, self.seed.commitment())
        }
        .under(&self.conditions)
    }

    /// Starts every bot for a moment, and kills it at once. Call it before anything is written.
    pub fn ready(&self) -> Result<ReadyMatch<'_>, BotSetupError> {
        let players = Bot::all_ready(&self.contenders, self.supervisor)?;
        Ok(ReadyMatch { plan: self, players })
    }
}

/// A match whose bots can be started.
#[derive(Debug)]
pub struct ReadyMatch<'a> {
    plan: &'a Match,
    players: Vec<Bot>,
}

impl ReadyMatch<'_> {
    /// Restarts every bot in its present surroundings: the log did not exist before. Returns warnings.
    pub fn renew(&mut self) -> Vec<String> {
        self.players.iter_mut().flat_map(|player| player.close()).collect()
    }

    /// Plays all games, writes them to the log and tells the watcher, as [`play`] does.
    pub fn play(
        self,
        log: Option<LogWriter>,
        stop: &AtomicBool,
        watcher: &mut dyn Watcher,
    ) -> Result<SeriesEnd, SeriesError> {
        let stoppable = |bot| BackgroundBot::new(bot, stop);
        let mut players: Vec<BackgroundBot<_>> = self.players.into_iter().map(stoppable).collect();
        let players = players.iter_mut().map(|player| player as &mut dyn Player).collect();
        let series = Series::new(self.plan.header()).map_err(no_match)?;
        let state = ContestState::of_match(series);
        play(state, &self.plan.seed, players, log, stop, watcher)
    }
}

/// Makes the failure for a header that describes no match.
pub fn no_match(problem: String) -> SeriesError {
    SeriesError::machine("cannot set up a match", problem)
}

/// Plays all games of a match from its first, writes them to the log and tells the watcher. `players` are in the order
/// of the header. Once `stop` is set, the match stops as soon as no answer of a player is awaited.
///
/// A match that printed the commitment to its seed also prints the seed, even if it fails.
pub fn play(
    mut state: ContestState,
    seed: &CommittedSeed,
    players: Vec<&mut dyn Player>,
    log: Option<LogWriter>,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Result<SeriesEnd, SeriesError> {
    tell(watcher, &state.games.series, SeriesEvent::Started(&state))?;
    let play_games = || {
        let dealing = state.games.series.dealing(seed);
        let mut runner = SequentialGames::begin(&state.games.series, players, dealing, log, stop)
            .map_err(SeriesError::log)?;
        let series_runner = SeriesRunner { state: &mut state, seed, stop, watcher: &mut *watcher };
        let ended = series_runner.play(&mut runner)?;
        runner.close(&state.games.series, &mut *watcher)?;
        Ok(ended)
    };
    let ended = play_games();
    let (state, series) = (&state, &state.games.series);
    match ended {
        Ok(SeriesEnd::Over) => tell(watcher, series, SeriesEvent::Over { state, seed })?,
        Ok(SeriesEnd::Stopped { .. }) => {
            tell(watcher, series, SeriesEvent::Stopped { state, seed })?
        }
        // The first failure is the one to report.
        Err(_) => drop(watcher.on_event(SeriesEvent::Stopped { state, seed })),
    }
    ended
}

/// Says how far a match was when it was stopped.
pub fn stopped_after(played: u64, games: u64) -> String {
    match played {
        0 => "stopped before the end of the first game".to_owned(),
        _ => format!("stopped after {played} of {games} games"),
    }
}

/// The players of a match, who stay for all of its games, played in turn; and its log, if it has one.
pub(super) struct SequentialGames<'a, 'b> {
    players: Vec<&'b mut dyn Player>,
    dealing: Seed,
    log: Option<LogWriter>,
    stop: &'a AtomicBool,
    /// An attempt that is not in the log yet.
    played: Option<GameRecord>,
}

impl<'a, 'b> SequentialGames<'a, 'b> {
    /// Takes the players of a series in the order of its header, and writes the first line of the log.
    pub(super) fn begin(
        series: &Series,
        players: Vec<&'b mut dyn Player>,
        dealing: Seed,
        log: Option<LogWriter>,
        stop: &'a AtomicBool,
    ) -> io::Result<SequentialGames<'a, 'b>> {
        let mut begun = SequentialGames { players, dealing, log, stop, played: None };
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

impl SeriesGames for SequentialGames<'_, '_> {
    /// Plays an attempt. A void attempt of a match that was stopped meanwhile was cut off, and is dropped.
    fn play_on(
        &mut self,
        state: &ContestState,
        watcher: &mut dyn Watcher,
    ) -> Result<(), SeriesError> {
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
