//! The signals that end the games of a person: the program is asked to end, or the terminal closes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::flag;

use sandbox::closing_signals;

/// Notes the signals that end the games.
#[derive(Debug, Clone)]
pub struct TerminationSignals {
    #[cfg_attr(
        not(unix),
        expect(dead_code, reason = "only Unix waits for them where a line is asked for")
    )]
    signals: Vec<i32>,
    /// The number of the last one that came.
    came: Arc<AtomicUsize>,
}

impl TerminationSignals {
    /// Notes none: they end the program at once.
    pub fn unnoticed() -> TerminationSignals {
        TerminationSignals { signals: Vec::new(), came: Arc::default() }
    }

    /// Notes the first signal from now on. The second one ends the program at once, unless it is a SIGHUP: a
    /// terminal that closes sends several.
    ///
    /// # Errors
    ///
    /// Fails where signals cannot be waited for.
    pub fn on_signals() -> io::Result<TerminationSignals> {
        let (came, number) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        for signal in closing_signals() {
            // In this order, so that the one that sets it does not end the program as well.
            if signal == signal_hook::consts::SIGTERM {
                flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&came))?;
            }
            flag::register_usize(signal, Arc::clone(&number), signal as usize)?;
            flag::register(signal, Arc::clone(&came))?;
        }
        Ok(TerminationSignals { signals: closing_signals(), came: number })
    }

    /// The exit code of a program that such a signal has ended, if one has come.
    pub fn exit_code(&self) -> Option<u8> {
        match self.came.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(u8::try_from(128 + signal).unwrap_or(u8::MAX)),
        }
    }

    /// Returns true once a signal has come.
    #[cfg(unix)]
    pub(crate) fn has_come(&self) -> bool {
        self.exit_code().is_some()
    }

    #[cfg(unix)]
    pub(crate) fn signals(&self) -> &[i32] {
        &self.signals
    }
}
