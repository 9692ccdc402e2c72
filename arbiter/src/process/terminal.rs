//! Giving up the terminal, so that no bot has one.
//!
//! A child inherits the controlling terminal, and `/dev/tty` is that terminal whatever its three
//! streams are. A bot that opened it could show a person what it likes and read what is typed. The
//! referee needs no controlling terminal: it writes to its own streams, and Ctrl-C is sent to the
//! foreground group of the terminal, to which it belongs with or without one.

use std::fs::File;
use std::os::fd::AsRawFd;

use rustix::process::{getpid, getsid};

/// Gives up the controlling terminal of this process, if it has one.
///
/// The leader of a session keeps it: with him, everybody in the session would lose it, and the
/// foreground group be hung up.
pub(super) fn give_up() {
    if getsid(None).is_ok_and(|leader| leader == getpid()) {
        return;
    }
    // It cannot be opened where there is none.
    if let Ok(terminal) = File::open("/dev/tty") {
        detach(&terminal);
    }
}

#[expect(unsafe_code, reason = "no crate has this call in a safe form")]
fn detach(terminal: &File) {
    // SAFETY: the descriptor is open for the whole call, and `TIOCNOTTY` takes no argument: it
    // reads and writes no memory of this process. Where it fails, nothing has changed.
    unsafe {
        libc::ioctl(terminal.as_raw_fd(), libc::TIOCNOTTY);
    }
}
