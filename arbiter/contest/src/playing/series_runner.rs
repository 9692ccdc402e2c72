//! Drives a series of games to its end, for all kinds of players and any number of games at once, and tells its watchers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, io};

use ::games::ReplacementCopy;
use rules::{GameKind, GameRecord, Outcome, Referee, Score, VoidCause};
use series::game_status::{AGAIN, GameStatus, broken_rules, ended_rules, who_left};
use series::header::CommittedSeed;
use series::progress::Progress;
use series::{End, Series, SeriesState};
use standings::{BootstrapSeed, BotResults, Entrant, Game, Standings, StandingsSetup, Tally};
use thiserror::Error;

use super::GameSetup;
use record::{LastLog, LastLogWriter, Line};
use text::failure::Failure;
use text::system_error;

/// A series to be continued from its present state.
///
/// Attempts come back one after the other, in the order of the log. Only here are they counted and reported, and only
/// here a series ends, stops or fails.
pub(crate) struct SeriesRunner<'a> {
    pub state: &'a mut ContestState,
    pub seed: &'a CommittedSeed,
    /// Once set, the series stops as soon as no game is being played.
    pub stop: &'a AtomicBool,
    pub watcher: &'a mut dyn Watcher,
}

/// Plays the games of a series and keeps its log: one game after the other, or several at once.
pub(crate) trait SeriesGames {
    /// Plays on: one attempt, or for a moment where several games are played at once. Then
    /// [`commit`](SeriesGames::commit) returns the results, in the order of the log.
    fn play_on(
        &mut self,
        state: &ContestState,
        watcher: &mut dyn Watcher,
    ) -> Result<(), SeriesError>;

    /// Writes the attempts at the next game to the log, if they were played, and returns them.
    fn commit(&mut self, progress: &Progress) -> io::Result<Option<Vec<GameRecord>>>;

    /// Returns the number of games that are being played.
    fn busy(&self) -> usize;

    /// Returns the number of games that are over and wait for an earlier one.
    fn ahead(&self) -> usize {
        0
    }

    /// Waits until the log so far is on the disk.
    fn sync(&mut self) -> io::Result<()>;

    fn end(&mut self, end: End) -> io::Result<()>;
}

/// Result of a series that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesEnd {
    /// After its last game.
    Over,
    /// Before its last game, on request.
    Stopped {
        /// Number of games that count.
        played: u64,
    },
}

/// Reason why a series could not be finished; the log stays as it is.
#[derive(Debug, Error)]
pub enum SeriesError {
    #[error("game {game} stayed void after {AGAIN} replays; stopping the {series}: {reason}")]
    Void { series: &'static str, game: u64, reason: String },
    #[error("game {game}: rules of {kind} failed; stopping the {series}: {fault}")]
    Rules { series: &'static str, kind: String, game: u64, fault: String },
    #[error(
        "game {game} stayed void after {AGAIN} replays, because the rules of {kind} were ended; \
         stopping the {series}: {why}"
    )]
    RulesEnded { series: &'static str, kind: String, game: u64, why: String },
    #[error("{}", VoidCause::Left(.0.clone()))]
    Left(String),
    #[error("bot `{bot}`: `{file}` changed during play; stopping the {series}")]
    Changed { series: &'static str, bot: String, file: String },
    #[error("{doing}: {problem}")]
    Machine { doing: &'static str, problem: String },
    #[error("cannot write to standard output: {}; stopping the {series}", system_error(error))]
    Watcher { series: &'static str, error: io::Error },
}

impl SeriesError {
    /// Makes a failure of the machine outside a game.
    pub fn machine(doing: &'static str, problem: impl fmt::Display) -> SeriesError {
        SeriesError::Machine { doing, problem: system_error(problem) }
    }

    /// Makes the reason why a series stops at a void game.
    pub(crate) fn of_void(game: &GameRecord, reason: &str, series: &Series) -> SeriesError {
        let (kind, number) = (series.kind().name().to_owned(), game.game);
        let series = series.called();
        if let Some(fault) = broken_rules(game) {
            return SeriesError::Rules { series, kind, game: number, fault };
        }
        match ended_rules(game) {
            Some(why) => SeriesError::RulesEnded { series, kind, game: number, why },
            None => SeriesError::Void { series, game: number, reason: reason.to_owned() },
        }
    }

    pub fn log(error: io::Error) -> SeriesError {
        SeriesError::machine("cannot write to the log", error)
    }
}

impl From<SeriesError> for Failure {
    fn from(failed: SeriesError) -> Failure {
        let problem = failed.to_string();
        match failed {
            SeriesError::Watcher { error, .. } => {
                Failure::Unwritten { problem, kind: error.kind() }
            }
            SeriesError::Changed { .. } => Failure::Usage(problem),
            SeriesError::Rules { .. } | SeriesError::RulesEnded { .. } => Failure::Rules(problem),
            SeriesError::Void { .. } | SeriesError::Left(_) | SeriesError::Machine { .. } => {
                Failure::Ours(problem)
            }
        }
    }
}

impl SeriesRunner<'_> {
    /// Plays all remaining games.
    ///
    /// A game counts once it is in the log. A void game is played again, up to [`AGAIN`] times, and so is a suspect
    /// one if the series says so.
    pub(crate) fn play(mut self, runner: &mut dyn SeriesGames) -> Result<SeriesEnd, SeriesError> {
        // Some may have been played ahead of their turn before a crash.
        self.commit(runner)?;
        let mut is_stopping = false;
        while !self.state.games.progress.is_over() {
            if !is_stopping && self.stop.load(Ordering::Relaxed) {
                is_stopping = true;
                tell(
                    self.watcher,
                    &self.state.games.series,
                    SeriesEvent::Stopping { busy: runner.busy() },
                )?;
            }
            if is_stopping && runner.busy() == 0 {
                runner.sync().map_err(SeriesError::log)?;
                return Ok(SeriesEnd::Stopped { played: self.state.games.progress.played() });
            }
            self.play_on(runner)?;
            self.commit(runner)?;
            let (state, busy, ahead) = (&*self.state, runner.busy(), runner.ahead());
            let tick = SeriesEvent::Tick { state, busy, ahead };
            tell(self.watcher, &self.state.games.series, tick)?;
        }
        runner.end(self.state.games.end(self.seed)).map_err(SeriesError::log)?;
        Ok(SeriesEnd::Over)
    }

    fn play_on(&mut self, runner: &mut dyn SeriesGames) -> Result<(), SeriesError> {
        let played = runner.play_on(self.state, self.watcher);
        if played.is_err() {
            runner.sync().map_err(SeriesError::log)?;
        }
        played
    }

    /// Commits and counts every played game whose turn has come.
    fn commit(&mut self, runner: &mut dyn SeriesGames) -> Result<(), SeriesError> {
        while let Some(attempts) =
            runner.commit(&self.state.games.progress).map_err(SeriesError::log)?
        {
            attempts.iter().try_for_each(|game| self.add(game))?;
        }
        Ok(())
    }

    fn add(&mut self, game: &GameRecord) -> Result<(), SeriesError> {
        let status = self.state.add(game);
        let status =
            status.map_err(|problem| SeriesError::machine("cannot count a game", problem))?;
        tell(
            self.watcher,
            &self.state.games.series,
            SeriesEvent::GameOver { game, status, state: self.state },
        )?;
        match (status, &game.result) {
            (GameStatus::Stops, Outcome::Void { reason }) => Err(self.stopped(game, reason)),
            _ => Ok(()),
        }
    }

    /// Returns why the series cannot go on after this game.
    fn stopped(&self, game: &GameRecord, reason: &str) -> SeriesError {
        let series = &self.state.games.series;
        match who_left(game, series) {
            Some(name) => SeriesError::Left(name.to_owned()),
            None => SeriesError::of_void(game, reason, series),
        }
    }
}

pub fn tell(
    watcher: &mut dyn Watcher,
    series: &Series,
    event: SeriesEvent<'_>,
) -> Result<(), SeriesError> {
    watcher.on_event(event).map_err(|error| SeriesError::Watcher { series: series.called(), error })
}

/// Watches a series: a match or a tournament.
pub trait Watcher {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()>;
}

/// Something that happened while a series was played.
pub enum SeriesEvent<'a> {
    /// Games begin to be played; some may have been played before.
    Started(&'a ContestState),
    /// A game begins. Not sent if several are played at once.
    GameStarted(&'a GameSetup),
    /// A step of a game; the lines of the history from `from` on are new.
    Stepped {
        setup: &'a GameSetup,
        /// Its state.
        referee: &'a Referee,
        /// The first new line.
        from: usize,
    },
    GameOver {
        game: &'a GameRecord,
        status: GameStatus,
        /// State of the series after it.
        state: &'a ContestState,
    },
    /// A problem with something that a bot left behind; no game depends on it.
    Warned {
        name: &'a str,
        /// The problem, one line.
        text: &'a str,
    },
    /// Some time went by.
    Tick {
        state: &'a ContestState,
        /// Number of games being played.
        busy: usize,
        /// Number of games that are over and wait for an earlier one before they count.
        ahead: usize,
    },
    /// No more games are begun; `busy` are still being played.
    Stopping { busy: usize },
    /// The series was stopped before its end for good, or something failed. A game that was being played
    /// does not count.
    Stopped {
        state: &'a ContestState,
        /// The seed, which is no longer a secret.
        seed: &'a CommittedSeed,
    },
    Over {
        state: &'a ContestState,
        /// The seed, which is no longer a secret.
        seed: &'a CommittedSeed,
    },
}

#[derive(Debug)]
pub struct NoWatcher;

impl Watcher for NoWatcher {
    fn on_event(&mut self, _: SeriesEvent<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// A watcher that keeps the log of a match as its user's last one, and passes on all events.
pub struct LastLogWatcher<'a> {
    watcher: &'a mut dyn Watcher,
    log: Option<LastLogWriter>,
    /// The game, of which a copy is kept beside the log if it is a custom one.
    kind: GameKind,
    /// The number of games that count.
    finished: u64,
}

impl<'a> LastLogWatcher<'a> {
    /// Keeps the log in this place, if given.
    pub fn new(watcher: &'a mut dyn Watcher, place: Option<LastLog>, kind: &GameKind) -> Self {
        let log = place.map(LastLogWriter::new);
        LastLogWatcher { watcher, log, kind: kind.clone(), finished: 0 }
    }

    /// Returns true once a game was played to its end.
    pub fn has_finished_game(&self) -> bool {
        self.finished > 0
    }

    /// Makes this log the last one of the user, with a copy of a custom game beside it. Returns true on success.
    /// Without a game in it, the former log and its game stay.
    pub fn keep(self) -> bool {
        let Some(log) = self.log.filter(LastLogWriter::has_game) else { return false };
        let Ok(copy) = ReplacementCopy::write(&self.kind, log.folder()) else { return false };
        log.keep() && copy.install().is_ok()
    }
}

impl Watcher for LastLogWatcher<'_> {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        if let SeriesEvent::GameOver { status: GameStatus::Counts, .. } = &event {
            self.finished += 1;
        }
        if let Some(log) = &mut self.log {
            match &event {
                SeriesEvent::Started(state) => {
                    log.append(&Line::Header(Box::new(state.games.series.header().clone())));
                }
                SeriesEvent::GameOver { game, .. } => {
                    log.append(&Line::Game(Box::new((*game).clone())));
                }
                SeriesEvent::Over { state, seed } => log.append(&Line::End(state.games.end(seed))),
                _ => {}
            }
        }
        self.watcher.on_event(event)
    }
}

/// State of a match, tournament or simulation while it is played.
#[derive(Debug)]
pub struct ContestState {
    pub games: SeriesState,
    /// Statistics of the bots. Only tournaments have standings: counting costs time, and memory as long
    /// as a deal is not complete, which no deal of a match ever is.
    tally: Option<Tally>,
}

impl ContestState {
    /// Returns the state of a match or a simulation before its first game.
    pub fn of_match(series: Series) -> ContestState {
        ContestState { games: SeriesState::new(series), tally: None }
    }

    /// Returns the state of a tournament before its first game.
    pub fn of_tournament(series: Series) -> ContestState {
        let tally = tally(&[], &series);
        ContestState::of_part(SeriesState::new(series), tally)
    }

    /// Returns the state of a part of a tournament; the tally may include earlier parts.
    pub(crate) fn of_part(games: SeriesState, tally: Tally) -> ContestState {
        ContestState { games, tally: Some(tally) }
    }

    /// Adds the next attempt, and returns its status.
    ///
    /// # Errors
    ///
    /// Says in one line why it cannot be counted.
    pub fn add(&mut self, game: &GameRecord) -> Result<GameStatus, String> {
        let status = self.games.add(game);
        if let Some(tally) = self.tally.as_mut().filter(|_| status == GameStatus::Counts) {
            add(tally, &self.games.series, game)?;
        }
        Ok(status)
    }

    /// Returns the standings; empty for a match.
    pub fn standings(&self) -> Standings {
        match &self.tally {
            Some(tally) => tally.standings(),
            None => tally(&[], &self.games.series).standings(),
        }
    }

    /// Returns the bots with their games, the best score first; empty for a match. It costs little.
    pub fn results(&self) -> Vec<BotResults> {
        self.tally.as_ref().map_or_else(Vec::new, Tally::results)
    }

    pub(crate) fn tally_mut(&mut self) -> Option<&mut Tally> {
        self.tally.as_mut()
    }
}

/// Returns the tally of a tournament before its first game.
///
/// The bootstrap follows from the commitment to the seed, so that anyone with the log computes the same
/// intervals. The bots of earlier parts of the tournament come first.
pub fn tally(earlier: &[Series], series: &Series) -> Tally {
    let header = series.header();
    let mut names: Vec<String> = Vec::new();
    let mut helped = BTreeMap::new();
    for player in earlier.iter().chain([series]).flat_map(|series| &series.header().players) {
        if !names.contains(&player.name) {
            names.push(player.name.clone());
        }
        helped.extend(player.outside_help().map(|help| (player.name.clone(), help)));
    }
    let line = header.tournament.as_ref();
    let sprt = line.and_then(|line| line.sprt);
    let tie_breaks = line.map(|line| line.tie_breaks.clone()).unwrap_or_default();
    let seats = series.seating(0).players.count();
    let [a, b, c, d, e, f, g, h, ..] = header.commitment.bytes();
    let seed = BootstrapSeed(u64::from_be_bytes([a, b, c, d, e, f, g, h]));
    let widest = series.kind().most_points().map(Score::as_f64);
    Tally::new(StandingsSetup {
        helped,
        sprt,
        tie_breaks,
        seed,
        widest,
        ..StandingsSetup::new(names, seats)
    })
}

/// Adds a game that counts.
///
/// # Errors
///
/// Says in one line why it cannot be counted.
pub fn add(tally: &mut Tally, series: &Series, game: &GameRecord) -> Result<(), String> {
    match played(tally, series, game)? {
        Some(played) => tally.add(&played).map_err(|problem| problem.to_string()),
        None => Ok(()),
    }
}

/// Converts a game for the statistics, with bots numbered as in the tally; none if it is void.
///
/// # Errors
///
/// Says in one line why it cannot be counted.
pub fn played(tally: &Tally, series: &Series, game: &GameRecord) -> Result<Option<Game>, String> {
    let (Outcome::Played { scores, .. } | Outcome::Walkover { scores, .. }) = &game.result else {
        return Ok(None);
    };
    // A bot has the same name in every part, and seldom the same place.
    let entrant = |place: &usize| {
        let name = &series.header().players[*place].name;
        let found = tally.setup().names.iter().position(|known| known == name);
        Entrant(found.unwrap_or(usize::MAX))
    };
    let seats = series.seating(game.game).players.map(|_, place| entrant(place));
    Game::new(game.deal, seats, scores.clone(), &game.result.faults())
        .map(Some)
        .map_err(|problem| problem.to_string())
}
