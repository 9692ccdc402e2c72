//! Playing a tournament, or what is left of it.

use std::collections::BTreeSet;
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};
use std::{io, thread};

use bot::Contender;
use rules::{FailureCause, GameRecord, Host, Outcome, RefereeInput};
use sandbox::Supervisor;
use series::game_status::{GameStatus, broken_rules, culprit, ended_rules};
use series::header::CommittedSeed;
use series::progress::{NextGame, Progress};
use series::{End, Header, IsolationLine, Series, SeriesState};
use text::system_error;
use thiserror::Error;

use crate::playing::series_runner::{
    ContestState, SeriesEnd, SeriesError, SeriesEvent, SeriesGames, SeriesRunner, Watcher, tell,
};
use crate::tournament::folder::{TournamentFolder, TournamentFolders};
use crate::tournament::journal::{Attempts, Journal, ResumeError};
use crate::tournament::plan::Plan;
use crate::tournament::playing_now::{RunningGames, RunningGamesPublisher};
use crate::tournament::read;
use crate::tournament::workers::{KeptBots, WorkerContext, WorkerResult, Workers};

/// A tournament about to be played.
#[derive(Debug, Clone, Copy)]
pub struct TournamentRun<'a> {
    pub plan: &'a Plan,
    pub seed: &'a CommittedSeed,
    pub contenders: &'a [Contender],
    pub supervisor: Supervisor,
    /// Number of games that are played at once.
    pub workers: NonZeroUsize,
    /// Name of the machine in the log, if several play.
    pub machine: Option<&'a Host>,
    /// Once set, the tournament stops after the games that are being played.
    pub stop: &'a AtomicBool,
    /// Stops the tournament once the deals in play are over; none where nothing asks for that.
    pub after_deals: Option<DealStop<'a>>,
}

/// Reason why a run failed; the log stays as it is.
#[derive(Debug, Error)]
pub enum RunError {
    #[error("cannot resume the tournament: {0}")]
    NotContinued(#[from] ResumeError),
    #[error(transparent)]
    Playing(#[from] SeriesError),
    #[error("cannot write to standard output: {}; the tournament is finished anyway", system_error(.0))]
    Untold(io::Error),
}

impl TournamentRun<'_> {
    fn header(&self) -> Header {
        let isolation = IsolationLine::new(self.supervisor);
        Header { isolation, ..self.plan.header(self.contenders) }
    }

    /// Plays all games that are not in the folder's log yet.
    pub fn play(
        &self,
        folder: &TournamentFolder,
        watcher: &mut dyn Watcher,
    ) -> Result<SeriesEnd, RunError> {
        let series = Series::new(self.header())
            .map_err(|problem| SeriesError::machine("cannot begin", problem))?;
        let before = TournamentFolders::earlier_parts(folder.path());
        let tally = read::tally(&series, &before)
            .map_err(|problem| ResumeError::Other(format!("the parts before it: {problem}")))?;
        let mut state = ContestState::of_part(SeriesState::new(series), tally);
        let journal = match Journal::open(folder, &mut state) {
            Err(ResumeError::Over) => {
                // A crash may have come after its last game, but before this.
                self.conclude(folder, &state, watcher)?;
                return Ok(SeriesEnd::Over);
            }
            other => other?,
        };
        tell(watcher, &state.games.series, SeriesEvent::Started(&state))?;
        self.play_on(state, journal, folder, watcher)
    }

    fn play_on(
        &self,
        mut state: ContestState,
        journal: Journal,
        folder: &TournamentFolder,
        watcher: &mut dyn Watcher,
    ) -> Result<SeriesEnd, RunError> {
        let (series, seed) = (state.games.series.clone(), self.seed);
        let dealing = series.dealing(seed);
        let board = RunningGames::new(self.workers.get());
        let kept = KeptBots::new(&series, self.contenders, self.supervisor);
        thread::scope(|scope| {
            let conditions = WorkerContext {
                series: &series,
                contenders: self.contenders,
                seed: &dealing,
                supervisor: self.supervisor,
                machine: self.machine,
                board: &board,
                kept: &kept,
            };
            let _publisher = RunningGamesPublisher::start(folder, &board, scope)
                .map_err(|error| SeriesError::machine("cannot start a thread", error))?;
            let workers = Workers::start(self.workers.get(), conditions, scope)
                .map_err(|error| SeriesError::machine("cannot start a thread", error))?;
            let mut director = Director {
                journal,
                conditions,
                workers,
                next: state.games.progress.next(),
                suspects: BTreeSet::new(),
                stop: self.stop,
                after_deals: self.after_deals,
            };
            let (state, stop) = (&mut state, self.stop);
            let series_runner =
                SeriesRunner { state: &mut *state, seed, stop, watcher: &mut *watcher };
            let ended = series_runner.play(&mut director)?;
            // Inside the scope, whose end waits for games that were skipped but are still being played.
            if ended == SeriesEnd::Over {
                self.conclude(folder, state, watcher)?;
            }
            Ok(ended)
        })
    }

    fn conclude(
        &self,
        folder: &TournamentFolder,
        state: &ContestState,
        watcher: &mut dyn Watcher,
    ) -> Result<(), RunError> {
        let standings = state.standings();
        folder
            .write_standings(&standings)
            .map_err(|error| SeriesError::machine("cannot write the standings", error))?;
        watcher.on_event(SeriesEvent::Over { state, seed: self.seed }).map_err(RunError::Untold)
    }
}

/// Time to wait before something else is checked.
const TICK: Duration = Duration::from_millis(100);

/// Time to wait for a stop after a bot was ended by a foreign signal.
const STOP_COMES: Duration = Duration::from_secs(1);

/// Time between two checks for it.
const LOOK: Duration = Duration::from_millis(20);

/// Number of bots in a row that can have games given up through them: beyond that the machine is to
/// blame.
const MOST_SUSPECTS: usize = 2;

/// Number of games, for each worker, that may be played ahead of an unfinished one.
const AHEAD: usize = 64;

/// Gives out games and takes results, in one thread.
struct Director<'a> {
    journal: Journal,
    conditions: WorkerContext<'a>,
    workers: Workers<'a>,
    /// The next game to give out.
    next: Option<NextGame>,
    /// Bots through which games were given up since the last game that counts.
    suspects: BTreeSet<usize>,
    /// Once set, no more games are given out.
    stop: &'a AtomicBool,
    after_deals: Option<DealStop<'a>>,
}

impl SeriesGames for Director<'_> {
    fn play_on(
        &mut self,
        state: &ContestState,
        watcher: &mut dyn Watcher,
    ) -> Result<(), SeriesError> {
        if !self.stop.load(Ordering::Relaxed) {
            self.give_out(&state.games);
        }
        match self.workers.wait(TICK) {
            Ok(done) => self.take(done, state, watcher),
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                Err(SeriesError::machine("cannot continue", "all worker threads have ended"))
            }
        }
    }

    fn commit(&mut self, progress: &Progress) -> io::Result<Option<Attempts>> {
        let attempts = self.journal.commit(progress)?;
        self.journal.sync_in_time()?;
        Ok(attempts)
    }

    fn busy(&self) -> usize {
        self.workers.busy()
    }

    fn ahead(&self) -> usize {
        self.journal.waiting()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.journal.sync()
    }

    fn end(&mut self, end: End) -> io::Result<()> {
        self.journal.end(end)
    }
}

impl Director<'_> {
    /// Gives the next games to free workers, in order.
    fn give_out(&mut self, SeriesState { series, progress, .. }: &SeriesState) {
        let most = AHEAD * (self.workers.busy() + 1);
        while self.workers.is_any_free() && self.journal.waiting() < most {
            let Some(place) = self.next else { return };
            if self.after_deals.is_some_and(|stop| stop.comes_before(place.game)) {
                self.stop.store(true, Ordering::SeqCst);
                return;
            }
            let is_past = progress.next().is_none_or(|next| place.game < next.game);
            if !is_past && !progress.skips(series, place.game) && !self.journal.has(place.game) {
                self.workers.give(place);
            }
            let next = series.schedule().own_from(place.game + 1);
            self.next = next.map(|game| NextGame { game, attempt: 0 });
        }
    }

    /// Keeps a game until its turn comes.
    fn take(
        &mut self,
        done: WorkerResult,
        state: &ContestState,
        watcher: &mut dyn Watcher,
    ) -> Result<(), SeriesError> {
        let series = &state.games.series;
        for (name, text) in &done.warnings {
            tell(watcher, series, SeriesEvent::Warned { name, text })?;
        }
        let (attempts, status) = done.attempts?;
        if attempts.iter().any(is_ended_by_others) && self.stop_comes() {
            // A later run plays it again.
            return Ok(());
        }
        match attempts.last() {
            Some(last @ GameRecord { result: Outcome::Void { reason }, .. }) => {
                // Attempts that are void through the machine are not written, so that
                // a later run tries again.
                if !is_of_rules(last, series)
                    && (status != GameStatus::GivenUp || !self.is_bots_fault(last, series))
                {
                    return Err(SeriesError::of_void(last, reason, series));
                }
            }
            Some(_) | None => self.suspects.clear(),
        }
        self.journal.take(attempts, &state.games.progress).map_err(SeriesError::log)
    }

    /// Waits a moment for a stop of the run. Returns true if it has come.
    ///
    /// An engine or a system that stops a run may send its signal to all of its processes. A bot that
    /// ends by it is not to blame, and may end before the run sees the signal. A run that is
    /// killed with its bots does not live to the end of the wait.
    fn stop_comes(&self) -> bool {
        let begun = Instant::now();
        while !self.stop.load(Ordering::SeqCst) && begun.elapsed() < STOP_COMES {
            thread::sleep(LOOK);
        }
        self.stop.load(Ordering::SeqCst)
    }

    /// Returns true if a bot is to blame for a game that stayed void after all replays.
    ///
    /// A machine that has run out of something starts no program, and makes games void for every
    /// bot that is asked. So a bot that was asked in none of them must start, and not too many
    /// bots may have been asked since the last game that counts.
    fn is_bots_fault(&mut self, game: &GameRecord, series: &Series) -> bool {
        let players = series.seating(game.game).players;
        let Some(seat) = culprit(game) else { return false };
        self.suspects.insert(players[seat]);
        let bots = 0..series.header().players.len();
        self.suspects.len() <= MOST_SUSPECTS
            && self.conditions.can_start_any(bots.filter(|bot| !self.suspects.contains(bot)))
    }
}

/// Returns true if a void game is to be in the log because of its rules.
///
/// Rules that end again and again may do so in every run. A round of a league is then broken off at this game, and
/// others can be played; a tournament tries again.
fn is_of_rules(game: &GameRecord, series: &Series) -> bool {
    let tournament = series.header().tournament.as_ref();
    let is_round = tournament.is_some_and(|line| line.league.is_some());
    broken_rules(game).is_some() || (is_round && ended_rules(game).is_some())
}

/// Returns true if a bot of this game was ended by a signal that neither it nor the referee has sent, or its rules
/// were ended.
fn is_ended_by_others(game: &GameRecord) -> bool {
    let mut answers = game.inputs.iter().filter_map(RefereeInput::answer);
    ended_rules(game).is_some()
        || answers.any(
            |answer| matches!(answer.cause(), Some(FailureCause::Stopped(by)) if by.is_foreign()),
        )
}

/// A stop that waits for deals: a deal that a table has begun is played in all of its games.
#[derive(Debug, Clone, Copy)]
pub struct DealStop<'a> {
    /// Set once it is to come.
    pub asked: &'a AtomicBool,
    /// Number of games of a table with the same deal.
    pub games: NonZeroU64,
}

impl DealStop<'_> {
    /// Returns true if the stop was asked for, and a deal of a table begins with this game.
    fn comes_before(self, game: u64) -> bool {
        self.asked.load(Ordering::SeqCst) && game.is_multiple_of(self.games.get())
    }
}
