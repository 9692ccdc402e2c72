//! SIGINT, the signals that end the games, and a terminal that changes its size, noticed while a person is asked for a
//! line: the picture above the line is redrawn in the new size.
//!
//! The line editor learns of the new size by itself, and minds its line. It does not know the picture, so
//! another thread draws that, with the line as it is, and leaves the cursor at its place. A key that is typed
//! just then may be seen twice, or not, until the next picture: the editor writes by itself, and its line is
//! right anyway.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};
use std::{io, thread};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Signal, getpid, kill_process};
use rustix::termios::tcgetwinsize;
use signal_hook::consts::{SIGINT, SIGWINCH};
use signal_hook::{SigId, low_level};

use crate::picture::{DrawnScreen, TerminalSize, drawn};
use crate::termination::TerminationSignals;
use text::columns::width;

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

/// Draws pictures again until it is dropped.
pub(crate) struct ResizeRedraw(SigId);

impl ResizeRedraw {
    /// Call this once the line editor has its own handler.
    pub(crate) fn new(shown: Arc<Mutex<DrawnScreen>>) -> io::Result<ResizeRedraw> {
        let (mut came, comes) = UnixStream::pair()?;
        // Standard output itself may be locked for as long as the game continues.
        let mut out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let signal = low_level::pipe::register(SIGWINCH, comes)?;
        thread::Builder::new().name("resizes".to_owned()).spawn(move || {
            let mut bytes = [0; 16];
            // It ends when nothing is registered.
            while came.read(&mut bytes).is_ok_and(|count| count > 0) {
                // If drawing fails here, it fails for the next picture, too, which reports the error.
                let _ = draw_again(&mut out, &mut drawn(&shown));
            }
        })?;
        Ok(ResizeRedraw(signal))
    }
}

impl Drop for ResizeRedraw {
    fn drop(&mut self) {
        low_level::unregister(self.0);
    }
}

fn draw_again(out: &mut File, shown: &mut DrawnScreen) -> io::Result<()> {
    if shown.prompt.is_none() {
        return Ok(());
    }
    let now = tcgetwinsize(&*out)?;
    let now = TerminalSize { columns: now.ws_col.into(), rows: now.ws_row.into() };
    // The editor gets the same signal for other reasons, too.
    let (Some(mut text), Some(prompt)) = (shown.redraw(now), &shown.prompt) else { return Ok(()) };
    let (before, after) = shown.line.parts();
    text.push_str(&format!("{prompt}{before}{after}"));
    let (begun, whole) = (visible_width(prompt) + width(before), width(after));
    if whole > 0 && begun + whole < now.columns {
        text.push_str(&format!("\r\x1b[{begun}C"));
    }
    out.write_all(text.as_bytes())
}

/// The width of a text with colours.
fn visible_width(text: &str) -> usize {
    let mut parts = text.split("\x1b[");
    let first = parts.next().map_or(0, width);
    let after = |part: &str| part.split_once('m').map_or(0, |(_, shown)| width(shown));
    first + parts.map(after).sum::<usize>()
}
