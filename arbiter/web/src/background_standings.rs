//! Standings that are computed beside the pages, which show the last ones meanwhile: those of a thousand bots take minutes.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use standings::{Standings, Tally};

/// The time for which a look waits for standings: those of a class are there by then.
const PATIENCE: Duration = Duration::from_millis(50);

/// Standings that are being computed, and those that come after them.
#[derive(Debug, Default)]
pub(super) struct BackgroundStandings {
    running: Option<Receiver<Standings>>,
    next: Option<Tally>,
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
                // If nothing waits for them any longer, they are of no use.
                thread::spawn(move || drop(tell.send(tally.standings())));
                self.running = Some(told);
            }
            let Some(running) = &self.running else { return last };
            match running.recv_timeout(PATIENCE) {
                Ok(standings) => last = Some(standings),
                Err(RecvTimeoutError::Timeout) => return last,
                Err(RecvTimeoutError::Disconnected) => {}
            }
            self.running = None;
        }
    }
}
