//! The files of participants that are on their way.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::answer::RefusedRequest;

/// The most files on their way at once; each has at most 256 KiB in memory.
const AT_ONCE: usize = 128;
/// The room that files on their way may take on the disk together, in KiB.
const ROOM: usize = 1 << 20;
/// The longest time that a sender waits for a place.
const PATIENCE: Duration = Duration::from_secs(60);

/// The files that are on their way.
#[derive(Debug)]
pub(super) struct UploadSlots {
    places: Semaphore,
    room: Semaphore,
    /// The participants who are sending a file just now.
    senders: Mutex<BTreeSet<String>>,
}

impl UploadSlots {
    pub(super) fn new() -> UploadSlots {
        UploadSlots {
            places: Semaphore::new(AT_ONCE),
            room: Semaphore::new(ROOM),
            senders: Mutex::default(),
        }
    }

    fn senders(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.senders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(&self, name: &str) -> Result<ActiveSender<'_>, RefusedRequest> {
        match self.senders().insert(name.to_owned()) {
            true => Ok(ActiveSender { all: self, name: name.to_owned() }),
            false => {
                let why = "you already have an upload in progress";
                Err(RefusedRequest::later(StatusCode::CONFLICT, why, 10))
            }
        }
    }

    /// Waits for a place for a file of at most this many bytes.
    pub(super) async fn place(&self, bytes: u64) -> Result<UploadSlot<'_>, RefusedRequest> {
        let room = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let both = async {
            let place = self.places.acquire().await.ok()?;
            let room = self.room.acquire_many(room).await.ok()?;
            Some(UploadSlot { _place: place, _room: room })
        };
        tokio::time::timeout(PATIENCE, both).await.ok().flatten().ok_or_else(|| {
            let why = "too many uploads at once: try again later";
            RefusedRequest::later(StatusCode::SERVICE_UNAVAILABLE, why, 10)
        })
    }
}

/// A participant who is sending a file, one at a time.
pub(super) struct ActiveSender<'a> {
    all: &'a UploadSlots,
    name: String,
}

impl Drop for ActiveSender<'_> {
    fn drop(&mut self) {
        self.all.senders().remove(&self.name);
    }
}

/// A place for a file that is sent, with room on the disk.
pub(super) struct UploadSlot<'a> {
    _place: SemaphorePermit<'a>,
    _room: SemaphorePermit<'a>,
}
