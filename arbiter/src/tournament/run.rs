//! Playing a tournament, or what is left of it.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rules::text::system_error;
use rules::{GameRecord, Outcome};
use thiserror::Error;

use crate::bot::Contender;
use crate::process::Supervisor;
use crate::series::game_status::{AGAIN, GameStatus, culprit, game_status};
use crate::series::progress::{Place, Progress};
use crate::series::totals::Totals;
use crate::series::{End, Series};
use crate::standings::{Standings, Tally};
use crate::tournament::folder::Folder;
use crate::tournament::journal::{Journal, NotGoneOn};
use crate::tournament::parts::Parts;
use crate::tournament::plan::Plan;
use crate::tournament::workers::{Conditions, Done, Waited, Workers};
use crate::tournament::{count, read};

/// How long is waited before something else is looked at.
const TICK: Duration = Duration::from_millis(100);

/// How many bots in a row can have games given up through them: where there are more, it is the
/// machine.
const MOST_SUSPECTS: usize = 2;

/// How many games may be played ahead of one that is not over yet, for each worker.
const AHEAD: usize = 64;

/// A tournament about to be played.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// What is played.
    pub plan: &'a Plan,
    /// Its bots.
    pub contenders: &'a [Contender],
    /// How programs are started.
    pub supervisor: Supervisor,
    /// How many games are played at once.
    pub workers: NonZeroUsize,
    /// Set to have the tournament stop once the games that are being played are over.
    pub stop: &'a AtomicBool,
}

/// Where a tournament stands.
#[derive(Debug)]
pub struct TournamentState {
    /// The games that it has.
    pub series: Series,
    /// How far it is.
    pub progress: Progress,
    /// What the games say about the bots.
    pub tally: Tally,
    /// What they add up to.
    pub totals: Totals,
}

/// Something that happened in a tournament, for whoever watches.
#[derive(Debug)]
pub enum Event<'a> {
    /// Games begin to be played; some may have been played before.
    Started(&'a TournamentState),
    /// A game is over, and in the log.
    GameOver {
        /// The game.
        game: &'a GameRecord,
        /// What becomes of it.
        status: GameStatus,
        /// Where the tournament stands after it.
        state: &'a TournamentState,
    },
    /// Something that no game depends on went wrong with what a bot left behind.
    Warned {
        /// The name of the bot.
        name: &'a str,
        /// What went wrong, one line.
        text: &'a str,
    },
    /// Some time went by.
    Tick {
        /// Where the tournament stands.
        state: &'a TournamentState,
        /// How many games are being played.
        busy: usize,
    },
    /// No more games are begun; so many are still being played.
    Stopping {
        /// How many.
        busy: usize,
    },
    /// The tournament is over.
    Over {
        /// Where it stands.
        state: &'a TournamentState,
        /// The standings at the end.
        standings: &'a Standings,
    },
}

/// Whoever watches a tournament.
pub trait Watcher {
    /// Learns of an event.
    ///
    /// # Errors
    ///
    /// Fails where it cannot tell others: then the tournament stops.
    fn on(&mut self, event: Event<'_>) -> io::Result<()>;
}

/// How a run ended that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With the last game of the tournament.
    Over,
    /// Before it, since it was told to stop.
    Stopped,
}

/// Why a run failed; what is in the log stays there.
#[derive(Debug, Error)]
pub enum Failed {
    /// It cannot be gone on with.
    #[error("the tournament cannot be gone on with: {0}")]
    NotGoneOn(#[from] NotGoneOn),
    /// A game is void again and again: the referee or the machine fails.
    #[error("game {game} is void {AGAIN} times more, and the tournament stops: {reason}")]
    Void {
        /// The number of the game, from 0.
        game: u64,
        /// What failed at last.
        reason: String,
    },
    /// The machine failed outside a game.
    #[error("{doing}: {problem}")]
    Machine {
        /// What was being done.
        doing: &'static str,
        /// What went wrong.
        problem: String,
    },
    /// Whoever watches cannot be told.
    #[error("cannot write to standard output: {}; the tournament stops", system_error(.0))]
    Watcher(io::Error),
    /// The same, when there was nothing left to play.
    #[error("cannot write to standard output: {}; the tournament is over all the same", system_error(.0))]
    Untold(io::Error),
}

impl Run<'_> {
    /// Plays all games that are not in the folder's log yet.
    ///
    /// # Errors
    ///
    /// [`Failed`]
    pub fn play(&self, folder: &Folder, watcher: &mut dyn Watcher) -> Result<Ended, Failed> {
        let header = self.plan.header(self.contenders);
        let series = Series::new(header).map_err(|problem| machine("cannot begin", problem))?;
        let before = Parts::before(folder.path());
        let tally = read::tally(&series, &before)
            .map_err(|problem| NotGoneOn::Other(format!("the parts before it: {problem}")))?;
        let mut state = TournamentState { tally, ..TournamentState::new(series) };
        let journal = {
            let TournamentState { series, progress, tally, totals } = &mut state;
            let mut wrong = None;
            let journal = Journal::open(folder, series, progress, &mut |game, status| {
                totals.add(game, series);
                if status == GameStatus::Counts {
                    wrong = count::add(tally, series, game).err().or(wrong.take());
                }
            });
            if let Some(problem) = wrong {
                return Err(NotGoneOn::Other(problem).into());
            }
            journal
        };
        let journal = match journal {
            Err(NotGoneOn::Over) => {
                // What came after its last game may be missing.
                self.conclude(folder, &state, watcher)?;
                return Ok(Ended::Over);
            }
            other => other?,
        };
        watcher.on(Event::Started(&state)).map_err(Failed::Watcher)?;
        let playing_series = state.series.clone();
        let dealing = playing_series.dealing(&self.plan.settings().seed);
        thread::scope(|scope| {
            let conditions = Conditions {
                series: &playing_series,
                contenders: self.contenders,
                seed: &dealing,
                supervisor: self.supervisor,
            };
            let workers = Workers::start(self.workers.get(), conditions, scope)
                .map_err(|error| machine("cannot start a thread", error))?;
            let next = state.progress.next();
            let director = Director {
                journal,
                state: &mut state,
                conditions,
                workers,
                next,
                suspects: BTreeSet::new(),
                stopping: false,
            };
            director.play(self, folder, watcher)
        })
    }

    fn conclude(
        &self,
        folder: &Folder,
        state: &TournamentState,
        watcher: &mut dyn Watcher,
    ) -> Result<(), Failed> {
        let standings = state.tally.standings();
        folder
            .write_standings(&standings)
            .map_err(|error| machine("cannot write the standings", error))?;
        watcher.on(Event::Over { state, standings: &standings }).map_err(Failed::Untold)
    }
}

impl TournamentState {
    /// Before the first game.
    pub fn new(series: Series) -> TournamentState {
        let progress = Progress::new(&series);
        let tally = count::tally(&[], &series);
        let totals = Totals::new(&series);
        TournamentState { series, progress, tally, totals }
    }
}

/// Where games are given out and results are taken, in one thread.
struct Director<'a, 'scope> {
    journal: Journal,
    state: &'a mut TournamentState,
    conditions: Conditions<'scope>,
    workers: Workers<'scope>,
    /// The next game that was not given out.
    next: Option<Place>,
    /// The bots through which games were given up since the last one that counts came in.
    suspects: BTreeSet<usize>,
    stopping: bool,
}

impl Director<'_, '_> {
    fn play(
        mut self,
        run: &Run<'_>,
        folder: &Folder,
        watcher: &mut dyn Watcher,
    ) -> Result<Ended, Failed> {
        // Some may have been played ahead of their turn before a crash.
        self.commit(watcher)?;
        while !self.state.progress.is_over() {
            if !self.stopping && run.stop.load(Ordering::Relaxed) {
                self.stopping = true;
                let busy = self.workers.busy();
                watcher.on(Event::Stopping { busy }).map_err(Failed::Watcher)?;
            }
            if self.stopping && self.workers.busy() == 0 {
                self.journal.sync().map_err(disk)?;
                return Ok(Ended::Stopped);
            }
            self.give_out();
            match self.workers.wait(TICK) {
                Waited::Done(done) => self.take(*done, watcher)?,
                Waited::Nothing => {}
                Waited::AllGone => return Err(machine("cannot go on", "no worker is left")),
            }
            self.journal.sync_in_time().map_err(disk)?;
            let (state, busy) = (&*self.state, self.workers.busy());
            watcher.on(Event::Tick { state, busy }).map_err(Failed::Watcher)?;
        }
        let end = End {
            games: self.state.progress.played(),
            points: self.state.totals.points(),
            seed: self.state.series.reveals_seed().then(|| run.plan.settings().seed.clone()),
        };
        self.journal.end(end).map_err(disk)?;
        run.conclude(folder, self.state, watcher)?;
        Ok(Ended::Over)
    }

    /// Gives games to workers who are free, the next ones in order.
    fn give_out(&mut self) {
        let most = AHEAD * (self.workers.busy() + 1);
        while !self.stopping && self.workers.is_any_free() && self.journal.waiting() < most {
            let Some(place) = self.next else { return };
            let TournamentState { series, progress, .. } = &*self.state;
            let is_past = progress.next().is_none_or(|next| place.game < next.game);
            if !is_past && !progress.skips(series, place.game) && !self.journal.has(place.game) {
                self.workers.give(place);
            }
            let next = series.schedule().own_from(place.game + 1);
            self.next = next.map(|game| Place { game, attempt: 0 });
        }
    }

    fn take(&mut self, done: Done, watcher: &mut dyn Watcher) -> Result<(), Failed> {
        for (name, text) in &done.warnings {
            watcher.on(Event::Warned { name, text }).map_err(Failed::Watcher)?;
        }
        let attempts = done.attempts.map_err(|problem| machine("cannot set up a game", problem))?;
        match attempts.last() {
            Some(last @ GameRecord { game, result: Outcome::Void { reason }, .. }) => {
                // Attempts for which the machine is to blame are not written, so that whoever goes
                // on tries again.
                if !self.is_bots_fault(last) {
                    self.journal.sync().map_err(disk)?;
                    return Err(Failed::Void { game: *game, reason: reason.clone() });
                }
            }
            Some(_) | None => self.suspects.clear(),
        }
        self.journal.take(attempts, &self.state.progress).map_err(disk)?;
        self.commit(watcher)
    }

    /// Whether a game that was void too often can be given up, for it is a bot that makes it void.
    ///
    /// A machine that has run out of something starts no program, and makes games void whoever is
    /// asked. So a bot that was not asked in any of them must start, and they must not be too many
    /// who were, with no game in between that counts.
    fn is_bots_fault(&mut self, game: &GameRecord) -> bool {
        let TournamentState { series, .. } = &*self.state;
        let players = series.seating(game.game).players;
        let Some(seat) = culprit(game).filter(|_| game_status(game, series) == GameStatus::GivenUp)
        else {
            return false;
        };
        self.suspects.insert(players[seat]);
        let bots = 0..series.header().players.len();
        self.suspects.len() <= MOST_SUSPECTS
            && self.conditions.can_start_any(bots.filter(|bot| !self.suspects.contains(bot)))
    }

    /// Puts the games into the log whose turn has come.
    fn commit(&mut self, watcher: &mut dyn Watcher) -> Result<(), Failed> {
        while let Some(attempts) = self.journal.commit(&self.state.progress).map_err(disk)? {
            for game in &attempts {
                let TournamentState { series, progress, tally, totals } = &mut *self.state;
                let status = progress.add(series, game);
                totals.add(game, series);
                if status == GameStatus::Counts {
                    count::add(tally, series, game)
                        .map_err(|problem| machine("cannot count a game", problem))?;
                }
                let state = &*self.state;
                watcher.on(Event::GameOver { game, status, state }).map_err(Failed::Watcher)?;
            }
        }
        Ok(())
    }
}

fn disk(error: io::Error) -> Failed {
    machine("cannot write to the log", error)
}

fn machine(doing: &'static str, problem: impl fmt::Display) -> Failed {
    Failed::Machine { doing, problem: system_error(problem) }
}
