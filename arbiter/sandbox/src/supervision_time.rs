//! Tells whether the referee was there while a program ran.
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

/// The most that the first of these is worth: a bot must not get much for little.
const MOST: Duration = Duration::from_millis(100);

/// The share of the time that has passed which is noise as well.
///
/// A thread that looks after a program wakes some 50 times a second, and each time a moment is counted
/// nowhere: the system rounds what it counts, wakes a sleeper late, or runs on a virtual processor that
/// another machine has just then. So the noise grows with the time. A fixed tolerance is used up by any
/// call that is long enough: 100 ms by some 150 s beside load. A fiftieth leaves 400 µs for each waking,
/// thirty times what was seen then. It gives little away: the deadline itself never moves, so a referee
/// that was stopped for a fiftieth of the time has taken no time from the program.
const NOISE: u32 = 50;

/// The most by which the system wakes a thread too late: it puts timers together.
const LATE: Duration = Duration::from_micros(100);

/// The most time if the system does not tell how long the thread waited for a processor: a busy
/// machine must not look like one that was stopped.
const MOST_UNTOLD: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy)]
pub(super) struct ThreadTimes {
    /// Time on a processor.
    pub(super) ran: Duration,
    /// Time that it was ready to run while others ran.
    pub(super) waited: Duration,
}

/// The time that the thread of one call spends on its program.
#[derive(Debug)]
pub(super) struct SupervisionTime {
    at_start: Option<ThreadTimes>,
    supervising: Instant,
    at_supervision: Option<ThreadTimes>,
    sleep: PlannedSleep,
}

#[derive(Debug, Clone, Copy, Default)]
struct PlannedSleep {
    meant: Duration,
    /// Longer than it meant to.
    over: Duration,
}

impl PlannedSleep {
    /// Adds one sleep, which was meant to take this time at most.
    fn add(&mut self, slept: Duration, most: Duration) {
        let most = most.saturating_add(LATE);
        self.meant += slept.min(most);
        self.over += slept.saturating_sub(most);
    }
}

/// Account of the time in which a thread looked after a program.
#[derive(Debug, Clone, Copy)]
struct TimeAccount {
    passed: Duration,
    sleep: PlannedSleep,
    /// Time that it ran and waited meanwhile, if the system tells.
    times: Option<ThreadTimes>,
}

impl TimeAccount {
    /// Returns true if the thread was stopped so long that it may be why a program with this limit was
    /// late.
    fn was_stopped(&self, limit: Duration) -> bool {
        let (away, fixed) = match self.times {
            Some(ThreadTimes { ran, waited }) => {
                let known = self.sleep.meant + ran + waited;
                (self.passed.saturating_sub(known), (limit / SHARE).clamp(LEAST, MOST))
            }
            None => (self.sleep.over, MOST_UNTOLD),
        };
        away >= fixed + self.passed / NOISE
    }
}

impl SupervisionTime {
    /// Begins, before the program is started.
    pub(super) fn start() -> SupervisionTime {
        let times = own_times();
        SupervisionTime {
            at_start: times,
            supervising: Instant::now(),
            at_supervision: times,
            sleep: PlannedSleep::default(),
        }
    }

    /// From here on the thread knows what it waits for: before, it may have waited for a program
    /// that took long to start.
    pub(super) fn supervise(&mut self) {
        (self.supervising, self.at_supervision) = (Instant::now(), own_times());
    }

    /// The thread has slept since then, and meant to for this time at most.
    pub(super) fn slept(&mut self, since: Instant, most: Duration) {
        self.sleep.add(since.elapsed(), most);
    }

    /// Time that the thread has waited for a processor, since before the program was started.
    pub(super) fn waited(&self) -> Option<Duration> {
        Some(own_times()?.waited.saturating_sub(self.at_start?.waited))
    }

    fn account(&self) -> TimeAccount {
        let times = self.at_supervision.zip(own_times()).map(|(before, now)| ThreadTimes {
            ran: now.ran.saturating_sub(before.ran),
            waited: now.waited.saturating_sub(before.waited),
        });
        TimeAccount { passed: self.supervising.elapsed(), sleep: self.sleep, times }
    }

    /// Says so where the time of a program with this limit is over and the thread was stopped.
    ///
    /// One that has not ended may be late because of that. Of one that has, what it left behind had
    /// more time than it, and may have printed the answer.
    pub(super) fn check(&self, clock: &Clock, limit: Duration) -> Result<(), String> {
        match clock.is_over() && self.account().was_stopped(limit) {
            true => Err("the referee was stopped while the time of a program ran out".to_owned()),
            false => Ok(()),
        }
    }
}

/// The time that this thread has run, and was ready to run while others ran.
#[cfg(target_os = "linux")]
fn own_times() -> Option<ThreadTimes> {
    use std::fs::File;
    use std::os::unix::fs::FileExt;

    thread_local! {
        /// It is asked for each call, so it is opened once.
        static SCHEDULED: Option<File> = File::open("/proc/thread-self/schedstat").ok();
    }
    let mut text = [0; 128];
    let length = SCHEDULED.with(|file| file.as_ref()?.read_at(&mut text, 0).ok())?;
    let mut numbers = std::str::from_utf8(text.get(..length)?).ok()?.split_whitespace();
    let mut next = || Some(Duration::from_nanos(numbers.next()?.parse().ok()?));
    Some(ThreadTimes { ran: next()?, waited: next()? })
}

#[cfg(not(target_os = "linux"))]
fn own_times() -> Option<ThreadTimes> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pause between two looks at a program.
    const PAUSE: Duration = Duration::from_millis(20);

    /// Lengths of calls, in seconds.
    const CALLS: [u64; 7] = [1, 5, 30, 150, 600, 1800, 3600];

    /// A call of this many seconds in which the thread wakes at every look, each time so much later than
    /// it meant to, and is stopped once for a while. The clock is a number.
    fn call(
        seconds: u64,
        late: Duration,
        stopped: Duration,
        told: ThreadTimesAvailability,
    ) -> TimeAccount {
        let limit = Duration::from_secs(seconds);
        let (look, waited) = (Duration::from_micros(40), Duration::from_millis(2));
        let (mut passed, mut sleep) = (Duration::ZERO, PlannedSleep::default());
        let mut times = ThreadTimes { ran: Duration::ZERO, waited: Duration::ZERO };
        while passed < limit {
            sleep.add(PAUSE + late, PAUSE);
            times.ran += look;
            times.waited += waited;
            passed += PAUSE + late + look + waited;
        }
        sleep.add(stopped, Duration::ZERO);
        let times = (told == ThreadTimesAvailability::All).then_some(times);
        TimeAccount { passed: passed + stopped, sleep, times }
    }

    /// Times of a thread that the system tells.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum ThreadTimesAvailability {
        All,
        Nothing,
    }

    #[test]
    fn the_noise_of_many_wakings_is_no_stop() {
        for seconds in CALLS {
            // The last is thirty times what 150 s beside load had.
            for late in [0, 100, 113, 200, 400] {
                for told in [ThreadTimesAvailability::All, ThreadTimesAvailability::Nothing] {
                    let account = call(seconds, Duration::from_micros(late), Duration::ZERO, told);
                    let was_stopped = account.was_stopped(Duration::from_secs(seconds));
                    assert!(!was_stopped, "{seconds} s, each waking {late} µs late, {told:?}");
                }
            }
        }
    }

    #[test]
    fn a_stop_of_a_tenth_of_the_time_is_found_in_calls_of_any_length() {
        for seconds in CALLS {
            let limit = Duration::from_secs(seconds);
            // In a second, 100 ms are noise; where nothing is told, a whole second is.
            for (told, stopped) in [
                (ThreadTimesAvailability::All, (limit / 10).max(2 * MOST)),
                (ThreadTimesAvailability::Nothing, MOST_UNTOLD + limit / 10),
            ] {
                let account = call(seconds, Duration::from_micros(113), stopped, told);
                assert!(account.was_stopped(limit), "{seconds} s, {told:?}");
            }
        }
    }

    #[test]
    fn a_short_call_tolerates_a_fifth_of_its_limit() {
        for (limit, tolerated) in [(50, 20), (200, 40), (400, 80), (2000, 100)] {
            let limit = Duration::from_millis(limit);
            let tolerated = Duration::from_millis(tolerated) + limit / NOISE;
            let account = |away| {
                let meant = limit - away;
                let times = ThreadTimes { ran: Duration::ZERO, waited: Duration::ZERO };
                let sleep = PlannedSleep { meant, over: Duration::ZERO };
                TimeAccount { passed: limit, sleep, times: Some(times) }
            };
            assert!(account(tolerated).was_stopped(limit), "{limit:?}");
            let less = tolerated - Duration::from_millis(1);
            assert!(!account(less).was_stopped(limit), "{limit:?}");
        }
    }
}
