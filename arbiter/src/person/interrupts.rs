//! SIGINT, noticed where a line is asked for.

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

/// The SIGINTs that came and were not noticed yet.
pub(super) struct Interrupts {
    /// Each writes a byte.
    came: UnixStream,
    signal: SigId,
    unnoticed: usize,
}

impl Interrupts {
    pub(super) fn new() -> io::Result<Interrupts> {
        let (came, comes) = UnixStream::pair()?;
        came.set_nonblocking(true)?;
        Ok(Interrupts { came, signal: low_level::pipe::register(SIGINT, comes)?, unnoticed: 0 })
    }

    /// How many came that were not noticed yet.
    pub(super) fn count(&mut self) -> io::Result<usize> {
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

    /// Notices all that came, and says whether there were any.
    pub(super) fn notice(&mut self) -> io::Result<bool> {
        let count = self.count()?;
        self.unnoticed = 0;
        Ok(count > 0)
    }

    /// Waits until there is something to read, and says whether a SIGINT came instead, or before.
    pub(super) fn wait(&mut self, input: &BufReader<File>) -> io::Result<bool> {
        // What is in the buffer can be read at once; no descriptor tells of it.
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

impl Drop for Interrupts {
    fn drop(&mut self) {
        low_level::unregister(self.signal);
    }
}

/// Lets every SIGINT end the reading of a key, for as long as it is kept.
///
/// After the handler of [`Interrupts`] a read continues, so that the line editor would learn of a
/// SIGINT with the next key. After its own handler for the size of the terminal a read stops, and
/// then it looks what has come.
pub(super) struct Wake(SigId);

impl Wake {
    pub(super) fn new() -> io::Result<Wake> {
        let (mut came, comes) = UnixStream::pair()?;
        let signal = low_level::pipe::register(SIGINT, comes)?;
        thread::Builder::new().name("wake".to_owned()).spawn(move || {
            let mut bytes = [0; 16];
            // It ends when nothing is registered.
            while came.read(&mut bytes).is_ok_and(|count| count > 0) {
                let _ = kill_process(getpid(), Signal::WINCH);
            }
        })?;
        Ok(Wake(signal))
    }
}

impl Drop for Wake {
    fn drop(&mut self) {
        low_level::unregister(self.0);
    }
}
