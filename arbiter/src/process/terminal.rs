//! Giving up the terminal, so that no bot has one.
//!
//! A child inherits the controlling terminal, and `/dev/tty` is that terminal, even if its three
//! streams are not. A bot that opened it could show a person anything and read what is typed. The
//! referee needs no controlling terminal: it writes to its own streams, and Ctrl-C is sent to the
//! foreground group of the terminal, to which it belongs with or without one.

use std::fs::File;
use std::os::fd::AsRawFd;

use rustix::process::getpid;

/// Gives up the controlling terminal of this process, if it has one.
///
/// The leader of a session keeps it: with the leader, everyone in the session would lose it, and
/// the foreground group would be hung up.
pub(super) fn give_up() {
    if leader() == getpid().as_raw_pid() {
        return;
    }
    // It cannot be opened if there is none.
    if let Ok(terminal) = File::open("/dev/tty") {
        detach(&terminal);
    }
}

/// The leader of this session, as a number: 0 if it is outside this namespace of processes, as in a
/// container that shares the session of its starter.
#[expect(unsafe_code, reason = "the safe form in rustix takes it that the number is never 0")]
fn leader() -> libc::pid_t {
    // SAFETY: it takes and gives a number, and touches no memory of this process.
    unsafe { libc::getsid(0) }
}

#[expect(unsafe_code, reason = "no crate has this call in a safe form")]
fn detach(terminal: &File) {
    // SAFETY: the descriptor is open for the whole call, and `TIOCNOTTY` takes no argument: it
    // reads and writes no memory of this process. Where it fails, nothing has changed.
    unsafe {
        libc::ioctl(terminal.as_raw_fd(), libc::TIOCNOTTY);
    }
}
