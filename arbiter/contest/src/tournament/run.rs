//! Playing a tournament, or what is left of it.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::{io, thread};

use bot::Contender;
use rules::Machine;
use sandbox::Supervisor;
use series::header::CommittedSeed;
use series::{Header, IsolationLine, Series, SeriesState};
use text::system_error;
use thiserror::Error;

use crate::playing::series_runner::{
    SeriesEnd, SeriesError, SeriesEvent, SeriesRunner, Watcher, tell,
};
use crate::playing::state::State;
use crate::tournament::director::{AfterDeals, Director};
use crate::tournament::folder::Folder;
use crate::tournament::journal::{Journal, NotContinued};
use crate::tournament::parts::Parts;
use crate::tournament::plan::Plan;
use crate::tournament::playing_now::{Board, Publisher};
use crate::tournament::read;
use crate::tournament::workers::{Conditions, KeptBots, Workers};

/// A tournament about to be played.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    pub plan: &'a Plan,
    /// Seed of all deals.
    pub seed: &'a CommittedSeed,
    pub contenders: &'a [Contender],
    /// Starts the programs.
    pub supervisor: Supervisor,
    /// Number of games that are played at once.
    pub workers: NonZeroUsize,
    /// Name of the machine in the log, if several play.
    pub machine: Option<&'a Machine>,
    /// Once set, the tournament stops after the games that are being played.
    pub stop: &'a AtomicBool,
    /// Stops the tournament once the deals in play are over; none where nothing asks for that.
    pub after_deals: Option<AfterDeals<'a>>,
}

/// Reason why a run failed; the log stays as it is.
#[derive(Debug, Error)]
pub enum RunError {
    #[error("cannot resume the tournament: {0}")]
    NotContinued(#[from] NotContinued),
    #[error(transparent)]
    Playing(#[from] SeriesError),
    #[error("cannot write to standard output: {}; the tournament is finished anyway", system_error(.0))]
    Untold(io::Error),
}

impl Run<'_> {
    fn header(&self) -> Header {
        let isolation = IsolationLine::new(self.supervisor);
        Header { isolation, ..self.plan.header(self.contenders) }
    }

    /// Plays all games that are not in the folder's log yet.
    pub fn play(&self, folder: &Folder, watcher: &mut dyn Watcher) -> Result<SeriesEnd, RunError> {
        let series = Series::new(self.header())
            .map_err(|problem| SeriesError::machine("cannot begin", problem))?;
        let before = Parts::before(folder.path());
        let tally = read::tally(&series, &before)
            .map_err(|problem| NotContinued::Other(format!("the parts before it: {problem}")))?;
        let mut state = State::of_part(SeriesState::new(series), tally);
        let journal = match Journal::open(folder, &mut state) {
            Err(NotContinued::Over) => {
                // A crash may have come after its last game, but before this.
                self.conclude(folder, &state, watcher)?;
                return Ok(SeriesEnd::Over);
            }
            other => other?,
        };
        tell(watcher, &state.games.series, SeriesEvent::Started(&state))?;
        self.play_on(state, journal, folder, watcher)
    }

    /// Plays the remaining games.
    fn play_on(
        &self,
        mut state: State,
        journal: Journal,
        folder: &Folder,
        watcher: &mut dyn Watcher,
    ) -> Result<SeriesEnd, RunError> {
        let (series, seed) = (state.games.series.clone(), self.seed);
        let dealing = series.dealing(seed);
        let board = Board::new(self.workers.get());
        let kept = KeptBots::new(&series, self.contenders, self.supervisor);
        thread::scope(|scope| {
            let conditions = Conditions {
                series: &series,
                contenders: self.contenders,
                seed: &dealing,
                supervisor: self.supervisor,
                machine: self.machine,
                board: &board,
                kept: &kept,
            };
            let _publisher = Publisher::start(folder, &board, scope)
                .map_err(|error| SeriesError::machine("cannot start a thread", error))?;
            let workers = Workers::start(self.workers.get(), conditions, scope)
                .map_err(|error| SeriesError::machine("cannot start a thread", error))?;
            let next = state.games.progress.next();
            let mut director =
                Director::new(journal, conditions, workers, next, (self.stop, self.after_deals));
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
        folder: &Folder,
        state: &State,
        watcher: &mut dyn Watcher,
    ) -> Result<(), RunError> {
        let standings = state.standings();
        folder
            .write_standings(&standings)
            .map_err(|error| SeriesError::machine("cannot write the standings", error))?;
        watcher.on(SeriesEvent::Over { state, seed: self.seed }).map_err(RunError::Untold)
    }
}
