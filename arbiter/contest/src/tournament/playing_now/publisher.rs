//! The thread that writes down what is being played.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::board::Board;
use super::written;
use crate::tournament::folder::Folder;

/// Least time between two writes.
const PAUSE: Duration = Duration::from_millis(250);

/// A thread that keeps the file up to date while this value lives, and then removes it.
#[derive(Debug)]
pub struct Publisher {
    _ends: Sender<()>,
}

impl Publisher {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot start it.
    pub fn start<'scope, 'env>(
        folder: &'env Folder,
        board: &'env Board,
        scope: &'scope thread::Scope<'scope, 'env>,
    ) -> io::Result<Publisher> {
        let (ends, ended) = channel();
        let publish = move || {
            let mut shown = 0;
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                let now = board.changes();
                // No game depends on this file.
                if now != shown
                    && let Ok(text) = written(board.games())
                    && folder.show_playing(&text).is_ok()
                {
                    shown = now;
                }
            }
            folder.show_nothing();
        };
        thread::Builder::new().spawn_scoped(scope, publish)?;
        Ok(Publisher { _ends: ends })
    }
}
