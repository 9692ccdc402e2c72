//! What takes long to compute for the pages of a league, and is computed beside them.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use league::folder::LeagueFolder;
use report::league::LeagueReport;
use report::league::mistakes::{LeagueMistakes, kept_reviews_of};
use standings::{Standings, Tally};

/// The time for which a look waits for standings: those of a class are there by then.
const PATIENCE: Duration = Duration::from_millis(50);
/// The time between two looks for reviews of rounds.
const REVIEWS: Duration = Duration::from_secs(10);

/// Standings that are computed beside the pages, which show the last ones meanwhile: those of a thousand bots take minutes.
#[derive(Debug, Default)]
pub(super) struct BackgroundStandings {
    running: Option<Receiver<TimedStandings>>,
    next: Option<Tally>,
    /// The time that the last ones took.
    took: Duration,
}

/// Standings, and the time that they took.
#[derive(Debug)]
struct TimedStandings {
    standings: Standings,
    took: Duration,
}

impl BackgroundStandings {
    /// Asks for the standings of a tally, in place of others that have not begun.
    pub(super) fn ask(&mut self, tally: Tally) {
        self.next = Some(tally);
    }

    /// The last standings that are done, if there are new ones.
    pub(super) fn done(&mut self) -> Option<Standings> {
        let mut last = None;
        loop {
            if self.running.is_none() {
                let Some(tally) = self.next.take() else { return last };
                let (tell, told) = mpsc::channel();
                thread::spawn(move || {
                    let begun = Instant::now();
                    let standings = tally.standings();
                    // If nothing waits for them any longer, they are of no use.
                    drop(tell.send(TimedStandings { standings, took: begun.elapsed() }));
                });
                self.running = Some(told);
            }
            let Some(running) = &self.running else { return last };
            // To wait for those that take longer would only hold up pages.
            let patience = if self.took > PATIENCE { Duration::ZERO } else { PATIENCE };
            match running.recv_timeout(patience) {
                Ok(TimedStandings { standings, took }) => {
                    last = Some(standings);
                    self.took = took;
                }
                Err(RecvTimeoutError::Timeout) => return last,
                Err(RecvTimeoutError::Disconnected) => {}
            }
            self.running = None;
        }
    }
}

/// Mistakes that are added up beside the pages, from the reviews that were kept beside the logs of rounds.
#[derive(Debug, Default)]
pub(super) struct BackgroundMistakes {
    looked: Option<Instant>,
    running: Option<Receiver<LeagueMistakes>>,
}

impl BackgroundMistakes {
    /// The mistakes of all rounds that were reviewed, if they are others than those that pages show. Reviews are looked
    /// for now and then.
    pub(super) fn look(
        &mut self,
        folder: &LeagueFolder,
        shown: &LeagueReport,
    ) -> Option<LeagueMistakes> {
        if let Some(running) = &self.running {
            return match running.try_recv() {
                Err(TryRecvError::Empty) => None,
                done => {
                    self.running = None;
                    done.ok()
                }
            };
        }
        if self.looked.is_some_and(|looked| looked.elapsed() < REVIEWS) {
            return None;
        }
        self.looked = Some(Instant::now());
        let kept = kept_reviews_of(folder, &shown.league);
        if !shown.mistakes.are_of(&kept) {
            let (tell, told) = mpsc::channel();
            let (folder, league) = (folder.clone(), Arc::clone(&shown.league));
            let known = Arc::clone(&shown.mistakes);
            thread::spawn(move || drop(tell.send(known.brought_to(&folder, &league, kept))));
            self.running = Some(told);
        }
        None
    }
}
