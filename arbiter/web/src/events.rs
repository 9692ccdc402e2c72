//! Server-sent events, and the pauses between looks for them.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::http::HeaderName;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc::{self, Sender};
use tokio_stream::wrappers::ReceiverStream;

/// A look takes at most one part in this number of the time.
const SHARE: u32 = 20;

/// The next item on a stream.
pub(super) enum StreamItem {
    /// An event, or nothing yet.
    Event(Option<Event>),
    Last(Event),
}

/// Looks for events until the page is closed, in a thread of its own, with a pause after each look.
pub(super) fn stream(
    pause: Duration,
    look: impl FnMut() -> StreamItem + Send + 'static,
) -> Response {
    let (tell, told) = mpsc::channel(1);
    tokio::spawn(follow(pause, look, tell));
    let events = Sse::new(ReceiverStream::new(told)).keep_alive(KeepAlive::default());
    // A proxy that collects answers would keep events back.
    ([(HeaderName::from_static("x-accel-buffering"), "no")], events).into_response()
}

/// Sends `changed` with the version of a source, at the beginning and after each change.
pub(super) fn of_changes(pause: Duration, version: impl Fn() -> u64 + Send + 'static) -> Response {
    let mut known = None;
    stream(pause, move || {
        let now = version();
        let is_new = known.replace(now) != Some(now);
        StreamItem::Event(is_new.then(|| Event::default().event("changed").data(now.to_string())))
    })
}

async fn follow(
    pause: Duration,
    mut look: impl FnMut() -> StreamItem + Send + 'static,
    tell: Sender<Result<Event, Infallible>>,
) {
    loop {
        let looked = tokio::task::spawn_blocking(move || {
            let next = look();
            (next, look)
        });
        let Ok((next, again)) = looked.await else { return };
        look = again;
        let (event, is_last) = match next {
            StreamItem::Event(event) => (event, false),
            StreamItem::Last(event) => (Some(event), true),
        };
        if let Some(event) = event
            && tell.send(Ok(event)).await.is_err()
        {
            return;
        }
        if is_last {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = tell.closed() => return,
        }
    }
}

/// Spaces the looks that all open pages share.
#[derive(Debug)]
pub(super) struct LookThrottle {
    pause: Duration,
    next: Option<Instant>,
}

impl LookThrottle {
    /// Looks with at least this pause in between. The first one is due at once.
    pub(super) fn every(pause: Duration) -> LookThrottle {
        LookThrottle { pause, next: None }
    }

    /// Looks if it is time; returns nothing otherwise.
    pub(super) fn look<T>(&mut self, look: impl FnOnce() -> T) -> Option<T> {
        let begun = Instant::now();
        if self.next.is_some_and(|next| next > begun) {
            return None;
        }
        let seen = look();
        self.next = Some(Instant::now() + self.pause.max(begun.elapsed() * SHARE));
        Some(seen)
    }

    /// Lets the next look come after the shortest pause.
    pub(super) fn hurry(&mut self) {
        self.next = Some(Instant::now() + self.pause);
    }

    #[cfg(test)]
    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }
}
