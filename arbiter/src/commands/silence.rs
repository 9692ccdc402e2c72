//! A word on standard error where nothing comes of a log that is followed.
//!
//! Nothing in a file tells whether somebody still writes to it. Whoever waits for the next game of a
//! match that was killed would wait for ever, so they are told once how to stop.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crate::text::notice::say;

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
        // Where there is no thread to be had, nothing is said.
        let started = thread::Builder::new().name("silence".to_owned()).spawn(listen);
        Silence(started.is_ok().then_some(news))
    }

    /// Something has come.
    pub(super) fn is_broken(&self) {
        // Once it was said that nothing came, nobody listens any more.
        let _ = self.0.as_ref().map(|news| news.send(()));
    }
}
