//! Whether the referee was there while a program ran.
//!
//! A thread sleeps as intended, runs, or is ready to run while others have the processors. The rest
//! of the time it was stopped: by a signal, with the container that it runs in, or with the whole
//! machine below it.

use std::time::{Duration, Instant};

use super::clock::Clock;

/// Why an answer is neither in time nor late.
pub(super) const NOT_KNOWN: &str =
    "it is not known whether a program ended in time: the referee was late";

/// The share of a program's time for which the referee must have been away to be the cause of a
/// timeout.
const SHARE: u32 = 5;

/// For any time, however short, this much is noise: the system counts a running thread's time in
/// ticks.
const LEAST: Duration = Duration::from_millis(20);

/// For any time, however long, this much is not noise.
const MOST: Duration = Duration::from_millis(100);

/// By how much the system may wake a thread later than it meant to: it puts timers together. In a
/// minute there are thousands of sleeps.
const LATE: Duration = Duration::from_micros(100);

/// The same if the system does not tell how long the thread waited for a processor: a busy machine
/// must not look like one that was stopped.
const MOST_UNTOLD: Duration = Duration::from_secs(1);

/// What the system tells of the time of a thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    /// How long it was on a processor.
    pub(super) ran: Duration,
    /// How long it was ready to run while others ran.
    pub(super) waited: Duration,
}

/// How the thread of one call spends the time of its program.
#[derive(Debug)]
pub(super) struct Presence {
    at_start: Option<Times>,
    supervising: Instant,
    at_supervision: Option<Times>,
    /// How long it has slept as it meant to.
    slept: Duration,
    /// How much longer it has slept than it meant to.
    overslept: Duration,
}

impl Presence {
    /// Before the program is started.
    pub(super) fn start() -> Presence {
        let times = own_times();
        Presence {
            at_start: times,
            supervising: Instant::now(),
            at_supervision: times,
            slept: Duration::ZERO,
            overslept: Duration::ZERO,
        }
    }

    /// From here on the thread knows what it waits for: before, it may have waited for a program
    /// that took long to start.
    pub(super) fn supervise(&mut self) {
        (self.supervising, self.at_supervision) = (Instant::now(), own_times());
    }

    /// The thread has slept since then, and meant to for this time at most.
    pub(super) fn slept(&mut self, since: Instant, most: Duration) {
        let slept = since.elapsed();
        let most = most.saturating_add(LATE);
        self.slept += slept.min(most);
        self.overslept += slept.saturating_sub(most);
    }

    /// How long the thread waited for a processor, since before the program was started.
    pub(super) fn waited(&self) -> Option<Duration> {
        Some(own_times()?.waited.saturating_sub(self.at_start?.waited))
    }

    /// Whether the thread was stopped so long that it may be why a program with this limit was
    /// late.
    fn was_stopped(&self, limit: Duration) -> bool {
        let (away, least) = match self.at_supervision.zip(own_times()) {
            Some((before, now)) => {
                let busy = now.ran.saturating_sub(before.ran);
                let waited = now.waited.saturating_sub(before.waited);
                let known = self.slept + busy + waited;
                let away = self.supervising.elapsed().saturating_sub(known);
                (away, (limit / SHARE).clamp(LEAST, MOST))
            }
            None => (self.overslept, MOST_UNTOLD),
        };
        away >= least
    }

    /// Says so where the time of a program with this limit is over and the thread was stopped.
    ///
    /// One that has not ended may be late because of that. Of one that has, what it left behind had
    /// more time than it, and may have printed the answer.
    pub(super) fn check(&self, clock: &Clock, limit: Duration) -> Result<(), String> {
        match clock.is_over() && self.was_stopped(limit) {
            true => Err("the referee was stopped while the time of a program ran out".to_owned()),
            false => Ok(()),
        }
    }
}

#[cfg(target_os = "linux")]
fn own_times() -> Option<Times> {
    super::proc::own_times()
}

#[cfg(not(target_os = "linux"))]
fn own_times() -> Option<Times> {
    None
}
