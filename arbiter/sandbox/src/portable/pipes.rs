//! The pipes of a program that threads of the referee read, and its end.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, PoisonError, Weak};
use std::time::Duration;

use text::system_error;

use super::super::call::Capture;
use super::super::clock::Clock;
use super::super::exit::{Change, Waiter, reap};
use super::super::group;

/// Time to wait for an exit before the output is looked at again.
pub(super) const SLICE: Duration = Duration::from_millis(20);

/// Bytes to read from a pipe at once.
const CHUNK: usize = 16 << 10;

pub(super) fn no_thread(error: io::Error) -> String {
    format!("cannot start a thread for a program: {}", system_error(error))
}

/// Reaps a killed child, within bounds if someone can wait for it.
pub(super) fn bury(
    mut child: Child,
    waiter: Option<Waiter>,
) -> Result<(ExitStatus, Duration), String> {
    let Some(mut waiter) = waiter else { return reap(child) };
    let clock = Clock::start(group::BURIAL);
    while !clock.is_over() {
        match waiter.wait(&mut child, clock.left().min(SLICE)) {
            // The second is a waiter that has already told of the end.
            Ok(Some(Change::Ended(_))) | Err(_) => return reap(child),
            // A process that it has left may trace it, and then no one learns of its end.
            Ok(Some(Change::Stopped(_)) | None) => {}
        }
    }
    let id = child.id();
    group::bury_later(child);
    Err(format!("killed process {id} does not end"))
}

/// Reads into what keeps the bytes, until no one wants them.
pub(super) fn read_into(stream: impl Read, capture: &Weak<Mutex<Capture>>) {
    read_all(stream, |bytes| match capture.upgrade() {
        Some(capture) => {
            locked(&capture).take(bytes);
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    });
}

/// Reads to the end of file, or until no one wants the bytes.
pub(super) fn read_all(mut stream: impl Read, mut take: impl FnMut(&[u8]) -> ControlFlow<()>) {
    let mut chunk = [0; CHUNK];
    loop {
        let length = match stream.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        if take(&chunk[..length]).is_break() {
            return;
        }
    }
}

/// No reader panics while it holds the lock, and if one did, its bytes would still be whole.
pub(super) fn locked(capture: &Mutex<Capture>) -> std::sync::MutexGuard<'_, Capture> {
    capture.lock().unwrap_or_else(PoisonError::into_inner)
}
