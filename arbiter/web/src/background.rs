//! What the pages of a league show before all of it is computed: standings and mistakes, which are computed beside the
//! pages, and the games of the open round, as far as they were read.

use std::io::BufReader;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use std::{io, thread};

use series::game_status::GameStatus;
use standings::{Standings, Tally};

use contest::playing::series_runner;
use contest::tournament::folder::{games as log_of, shown};
use league::folder::LeagueFolder;
use record::checked_log::{CheckedLog, LogRange};
use record::{LogReader, WholeLines};
use report::league::LeagueReport;
use report::league::mistakes::{LeagueMistakes, kept_reviews_of};
use text::failure::Failure;

/// The time for which a look waits for standings: those of a class are there by then.
const PATIENCE: Duration = Duration::from_millis(50);
/// The time between two looks for reviews of rounds.
const REVIEWS: Duration = Duration::from_secs(10);

/// Standings that are computed beside the pages, which show the last ones meanwhile: those of a thousand bots take minutes.
#[derive(Debug, Default)]
pub(super) struct BackgroundStandings {
    /// Gets the standings that are being computed, and how long that took.
    running: Option<Receiver<(Standings, Duration)>>,
    next: Option<Tally>,
    /// The time that the last ones took.
    took: Duration,
}

impl BackgroundStandings {
    /// Asks for the standings of a tally, in place of others that have not begun.
    pub(super) fn ask(&mut self, tally: Tally) {
        self.next = Some(tally);
    }

    /// The last standings that are done, if there are new ones.
    pub(super) fn take_finished(&mut self) -> Option<Standings> {
        let mut last = None;
        loop {
            if self.running.is_none() {
                let Some(tally) = self.next.take() else { return last };
                let (tell, told) = mpsc::channel();
                thread::spawn(move || {
                    let begun = Instant::now();
                    let standings = tally.standings();
                    // If nothing waits for them any longer, they are of no use.
                    drop(tell.send((standings, begun.elapsed())));
                });
                self.running = Some(told);
            }
            let Some(running) = &self.running else { return last };
            // To wait for those that take longer would only hold up pages.
            let patience = if self.took > PATIENCE { Duration::ZERO } else { PATIENCE };
            match running.recv_timeout(patience) {
                Ok((standings, took)) => {
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

/// The longest time for which a look reads the games of a round.
pub(super) const LOOK: Duration = Duration::from_millis(300);

#[derive(Debug)]
pub(super) struct OpenRoundTally {
    pub(super) number: u64,
    log: Option<CheckedLog<LogReader<BufReader<WholeLines>>>>,
    /// The sum of all games, those of this round included.
    pub(super) tally: Tally,
    /// The number of its games that count.
    pub(super) games: u64,
}

impl OpenRoundTally {
    /// A round of which nothing was read, and the sum of all rounds before.
    pub(super) fn new(number: u64, before: Tally) -> OpenRoundTally {
        OpenRoundTally { number, log: None, tally: before, games: 0 }
    }

    /// Reads new games, for about as long as it may take, and returns true if there were any.
    pub(super) fn read_on(
        &mut self,
        folder: &LeagueFolder,
        time: Duration,
    ) -> Result<bool, Failure> {
        let begun = Instant::now();
        let path = folder.round(self.number);
        let wrong =
            |problem: String| Failure::Verification(format!("`{}`: {problem}", shown(&path)));
        if self.log.is_none() {
            let lines = match WholeLines::open(&log_of(&path)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
                other => other.map_err(|error| wrong(error.to_string()))?,
            };
            match CheckedLog::begin(LogReader::new(lines), LogRange::SoFar, None) {
                Err(problem) if problem.is_empty() => return Ok(false),
                begun => self.log = Some(begun.map_err(|problem| wrong(problem.to_string()))?),
            }
        }
        let Some(log) = &mut self.log else { return Ok(false) };
        let mut has_game = false;
        while begun.elapsed() < time {
            let next = log.next_game(|_, _, ()| Ok(())).map_err(|it| wrong(it.to_string()))?;
            let Some(next) = next else { break };
            if next.status == GameStatus::Counts {
                series_runner::add(&mut self.tally, log.fold().series(), &next.game)
                    .map_err(wrong)?;
                self.games += 1;
                has_game = true;
            }
        }
        Ok(has_game)
    }
}
