//! SIGINT while a line is waited for.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::SigId;
use signal_hook::consts::SIGINT;
use signal_hook::low_level;

/// The SIGINTs that came and were not noticed yet: each writes a byte.
pub(super) struct Interrupts {
    came: UnixStream,
    signal: SigId,
}

impl Interrupts {
    pub(super) fn new() -> io::Result<Interrupts> {
        let (came, comes) = UnixStream::pair()?;
        came.set_nonblocking(true)?;
        Ok(Interrupts { came, signal: low_level::pipe::register(SIGINT, comes)? })
    }

    /// Waits until there is something to read, and says whether a SIGINT came instead.
    pub(super) fn wait(&mut self, input: &BufReader<File>) -> io::Result<bool> {
        // What is in the buffer can be read at once; no descriptor tells of it.
        let at_once = (!input.buffer().is_empty()).then(Timespec::default);
        let ready = PollFlags::IN;
        loop {
            let mut watched = [PollFd::new(&self.came, ready), PollFd::new(input.get_ref(), ready)];
            match poll(&mut watched, at_once.as_ref()) {
                Err(Errno::INTR) => continue,
                other => other?,
            };
            if !watched[0].revents().is_empty() {
                let mut bytes = [0; 16];
                return Ok(self.came.read(&mut bytes)? > 0);
            }
            return Ok(false);
        }
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        low_level::unregister(self.signal);
    }
}
