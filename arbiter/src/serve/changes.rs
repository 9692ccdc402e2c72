//! Telling open pages that a source has changed, by server-sent events.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// How often a source is looked at, at most.
const PAUSE: Duration = Duration::from_millis(500);
/// A look takes at most one part in this number of the time.
const SHARE: u32 = 20;
/// How often a page is told of changes, at most.
const TOLD: Duration = Duration::from_secs(1);

/// Something whose changes pages are told.
pub(super) trait Changing: Send + Sync + 'static {
    /// What is known of its changes.
    fn changes(&self) -> &Changes;

    /// Looks whether it has changed since the last look. This may read files.
    fn look(&self) -> bool;
}

/// How often a source has changed.
#[derive(Debug)]
pub(super) struct Changes {
    version: AtomicU64,
    last: Mutex<Look>,
}

/// When a source was looked at.
#[derive(Debug)]
struct Look {
    next: Option<Instant>,
}

impl Default for Changes {
    fn default() -> Changes {
        Changes { version: AtomicU64::new(1), last: Mutex::new(Look { next: None }) }
    }
}

/// The number of changes of a source, which is looked at again if it is time. This may read files.
pub(super) fn version<S: Changing>(source: &S) -> u64 {
    let changes = source.changes();
    let mut last = match changes.last.try_lock() {
        Ok(last) => last,
        // Another thread is looking.
        Err(TryLockError::WouldBlock) => return changes.version.load(Ordering::SeqCst),
        Err(TryLockError::Poisoned(last)) => last.into_inner(),
    };
    let now = Instant::now();
    if last.next.is_none_or(|next| next <= now) {
        if source.look() {
            changes.version.fetch_add(1, Ordering::SeqCst);
        }
        last.next = Some(Instant::now() + PAUSE.max(now.elapsed() * SHARE));
    }
    changes.version.load(Ordering::SeqCst)
}

/// Events for one page: `changed`, with the number of changes, once at the beginning and after each.
pub(super) fn events<S: Changing>(source: Arc<S>) -> impl IntoResponse {
    let (tell, told) = mpsc::channel::<Result<Event, Infallible>>(1);
    tokio::spawn(async move {
        let mut known = 0;
        loop {
            let looked = Arc::clone(&source);
            let Ok(now) = tokio::task::spawn_blocking(move || version(&*looked)).await else {
                return;
            };
            if now != known {
                known = now;
                let event = Event::default().event("changed").data(now.to_string());
                if tell.send(Ok(event)).await.is_err() {
                    return;
                }
            }
            tokio::select! {
                () = tokio::time::sleep(TOLD) => {}
                () = tell.closed() => return,
            }
        }
    });
    Sse::new(ReceiverStream::new(told)).keep_alive(KeepAlive::default())
}
