//! SIGINT, and the signals that end the games, noticed while a person is asked for a line.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::thread;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Signal, getpid, kill_process};
use signal_hook::SigId;
use signal_hook::consts::SIGINT;
use signal_hook::low_level;

use crate::termination::TerminationSignals;

/// The SIGINTs that were not noticed yet, and the signals that end the games.
pub(crate) struct InterruptSignals {
    /// Each signal writes a byte.
    came: UnixStream,
    _signals: SignalRegistration,
    closing: TerminationSignals,
    unnoticed: usize,
}

impl InterruptSignals {
    pub(crate) fn new(closing: TerminationSignals) -> io::Result<InterruptSignals> {
        let (came, comes) = UnixStream::pair()?;
        came.set_nonblocking(true)?;
        let signals = [&[SIGINT][..], closing.signals()].concat();
        let signals = SignalRegistration::new(&signals, &comes)?;
        Ok(InterruptSignals { came, _signals: signals, closing, unnoticed: 0 })
    }

    /// Returns true if a signal that ends the games has come.
    pub(crate) fn is_closing(&self) -> bool {
        self.closing.has_come()
    }

    /// The number of SIGINTs that were not noticed yet; once the games are to end, more than any person
    /// sends.
    pub(crate) fn count(&mut self) -> io::Result<usize> {
        if self.closing.has_come() {
            return Ok(usize::MAX);
        }
        let mut bytes = [0; 16];
        loop {
            match self.came.read(&mut bytes) {
                Ok(0) => return Ok(self.unnoticed),
                Ok(count) => self.unnoticed += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(self.unnoticed),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Notices all SIGINTs, and returns true if there were any.
    pub(crate) fn notice(&mut self) -> io::Result<bool> {
        let count = self.count()?;
        self.unnoticed = 0;
        Ok(count > 0)
    }

    /// Waits for input, and returns true if a SIGINT came instead, or before.
    pub(crate) fn wait(&mut self, input: &BufReader<File>) -> io::Result<bool> {
        // The buffer can be read at once; no descriptor tells of it.
        let at_once = (!input.buffer().is_empty()).then(Timespec::default);
        let ready = PollFlags::IN;
        loop {
            if self.notice()? {
                return Ok(true);
            }
            let mut watched = [PollFd::new(&self.came, ready), PollFd::new(input.get_ref(), ready)];
            match poll(&mut watched, at_once.as_ref()) {
                Err(Errno::INTR) => continue,
                other => other?,
            };
            if watched[0].revents().is_empty() {
                return Ok(false);
            }
        }
    }
}

/// Signals that write a byte into a stream, until it is dropped.
struct SignalRegistration(Vec<SigId>);

impl SignalRegistration {
    fn new(signals: &[i32], comes: &UnixStream) -> io::Result<SignalRegistration> {
        let mut registered = SignalRegistration(Vec::new());
        for &signal in signals {
            registered.0.push(low_level::pipe::register(signal, comes.try_clone()?)?);
        }
        Ok(registered)
    }
}

impl Drop for SignalRegistration {
    fn drop(&mut self) {
        for signal in &self.0 {
            low_level::unregister(*signal);
        }
    }
}

/// Lets every SIGINT end the reading of a key, until it is dropped.
///
/// After the handler of [`InterruptSignals`] a read continues, so that the line editor would learn of a
/// SIGINT with the next key. After its own handler for the size of the terminal a read stops, and
/// then it looks what has come.
pub(crate) struct ReadInterrupter {
    _signals: SignalRegistration,
}

impl ReadInterrupter {
    pub(crate) fn new() -> io::Result<ReadInterrupter> {
        let (mut came, comes) = UnixStream::pair()?;
        let signals = SignalRegistration::new(&[SIGINT], &comes)?;
        // So that the thread ends with those that are registered.
        drop(comes);
        thread::Builder::new().name("wake".to_owned()).spawn(move || {
            let mut bytes = [0; 16];
            while came.read(&mut bytes).is_ok_and(|count| count > 0) {
                let _ = kill_process(getpid(), Signal::WINCH);
            }
        })?;
        Ok(ReadInterrupter { _signals: signals })
    }
}
