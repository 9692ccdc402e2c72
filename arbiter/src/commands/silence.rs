//! A message on standard error when a followed log stays silent.
//!
//! A file does not tell whether someone still writes to it. A user who waits for the next game of a
//! match that was killed would wait forever, so one message tells how to stop.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use text::terminal::say;

/// How long nothing comes until it is said.
const PATIENCE: Duration = Duration::from_secs(10);

/// Says once that nothing comes, for as long as it is kept.
#[derive(Debug)]
pub(super) struct Silence(Option<Sender<()>>);

impl Silence {
    /// Begins to wait for news of the log with this name.
    pub(super) fn new(name: &str) -> Silence {
        let (news, heard) = mpsc::channel();
        let text = format!(
            "{name}: nothing new for {} seconds, and the log has no end yet; Ctrl-C stops waiting",
            PATIENCE.as_secs()
        );
        let listen = move || {
            loop {
                match heard.recv_timeout(PATIENCE) {
                    Ok(()) => {}
                    Err(RecvTimeoutError::Timeout) => return say(text),
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        };
        // If no thread can be started, nothing is said.
        let started = thread::Builder::new().name("silence".to_owned()).spawn(listen);
        Silence(started.is_ok().then_some(news))
    }

    /// Something has come.
    pub(super) fn is_broken(&self) {
        // Once it was said that nothing came, no one listens.
        let _ = self.0.as_ref().map(|news| news.send(()));
    }
}
