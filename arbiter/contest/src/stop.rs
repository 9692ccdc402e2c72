//! Stopping by a signal: the first one is noticed, the second one ends the program at once.
//!
//! A terminal that closes sends SIGHUP more than once, so SIGHUP is never the second one.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use signal_hook::consts::SIGINT;

use sandbox::closing_signals;

/// A flag that the first SIGINT, SIGTERM or SIGHUP sets.
#[derive(Debug, Default)]
pub struct StopFlag {
    set: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
    /// Time that the program has after the first signal, if limited.
    grace: OnceLock<Duration>,
}

static STOP: OnceLock<StopFlag> = OnceLock::new();

impl StopFlag {
    /// Returns the exit code if a signal has asked this program to stop; none before, and none if [`StopFlag::on_signals`]
    /// was never called.
    pub fn requested() -> Option<u8> {
        let stop = STOP.get().filter(|stop| stop.set.load(Ordering::SeqCst))?;
        Some(stop.exit_code())
    }

    /// Returns the stop of this process, which signals set from now on. Before the second signal ends the program,
    /// `leave` puts the terminal in order.
    pub fn on_signals(leave: fn()) -> io::Result<&'static StopFlag> {
        // Two that wait would take one signal for two.
        if let Some(stop) = STOP.get() {
            return Ok(stop);
        }
        let stop = STOP.get_or_init(StopFlag::default);
        stop.register(leave)?;
        Ok(stop)
    }

    /// Waits for signals in a thread of its own: a handler may not touch the terminal.
    #[cfg(unix)]
    fn register(&'static self, leave: fn()) -> io::Result<()> {
        use signal_hook::consts::{SIGHUP, SIGXFSZ};
        // With a handler, a file that is as long as it may be is an error and does not end the program.
        signal_hook::flag::register(SIGXFSZ, Arc::default())?;
        let mut signals = signal_hook::iterator::Signals::new(stopping_signals())?;
        let wait = move || {
            for signal in signals.forever() {
                if self.set.load(Ordering::SeqCst) {
                    if signal == SIGHUP {
                        continue;
                    }
                    leave();
                    signal_hook::low_level::exit(128 + signal);
                }
                self.signal.store(usize::try_from(signal).unwrap_or_default(), Ordering::SeqCst);
                self.set.store(true, Ordering::SeqCst);
                if let Some(grace) = self.grace.get() {
                    let end = move || {
                        std::thread::sleep(*grace);
                        leave();
                        signal_hook::low_level::exit(128 + signal);
                    };
                    // Without the thread, the program ends when it is done, or by a second signal.
                    let _ = std::thread::Builder::new().spawn(end);
                }
            }
        };
        std::thread::Builder::new().spawn(wait).map(drop)
    }

    #[cfg(not(unix))]
    fn register(&'static self, _leave: fn()) -> io::Result<()> {
        use signal_hook::flag;
        for signal in stopping_signals() {
            // In this order, so that the one that sets it does not end the program as well.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&self.set))?;
            flag::register_usize(signal, Arc::clone(&self.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&self.set))?;
        }
        Ok(())
    }

    /// Ends the program this long after the first signal, as the second one would, if it has not
    /// ended by itself by then.
    pub fn allow(&'static self, grace: Duration) {
        let _ = self.grace.set(grace);
    }

    /// Set by the first signal.
    pub fn set(&self) -> &AtomicBool {
        &self.set
    }

    /// The exit code of a program that was stopped: 128 and the number of the signal.
    pub fn exit_code(&self) -> u8 {
        u8::try_from(128 + self.signal.load(Ordering::Relaxed)).unwrap_or(u8::MAX)
    }
}

fn stopping_signals() -> Vec<i32> {
    [vec![SIGINT], closing_signals()].concat()
}
