//! Whether a source has changed, and telling open pages.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

use axum::response::Response;

use super::events::{self, Looks};

/// How often a source is looked at, at most.
const PAUSE: Duration = Duration::from_millis(500);
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
    looks: Mutex<Looks>,
}

impl Default for Changes {
    fn default() -> Changes {
        Changes { version: AtomicU64::new(1), looks: Mutex::new(Looks::every(PAUSE)) }
    }
}

/// The number of changes of a source, which is looked at again if it is time. This may read files.
pub(super) fn version<S: Changing>(source: &S) -> u64 {
    let changes = source.changes();
    let mut looks = match changes.looks.try_lock() {
        Ok(looks) => looks,
        // Another thread is looking.
        Err(TryLockError::WouldBlock) => return changes.version.load(Ordering::SeqCst),
        Err(TryLockError::Poisoned(looks)) => looks.into_inner(),
    };
    if looks.look(|| source.look()) == Some(true) {
        changes.version.fetch_add(1, Ordering::SeqCst);
    }
    changes.version.load(Ordering::SeqCst)
}

/// Events for one page: `changed`, with the number of changes, once at the beginning and after each.
pub(super) fn events<S: Changing>(source: Arc<S>) -> Response {
    events::of_changes(TOLD, move || version(&*source))
}
