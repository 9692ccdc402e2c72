//! Follows the changes of a source: server-sent events tell pages of them, and rendered texts are kept until the next one.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::{self, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::HeaderName;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc;
use tokio::sync::mpsc::Sender;
use tokio_stream::wrappers::ReceiverStream;

/// The shortest time between two looks at a source.
const PAUSE: Duration = Duration::from_millis(500);
/// The shortest time between two events for a page.
const TOLD: Duration = Duration::from_secs(1);
/// The most texts that are kept.
const MOST: usize = 100;
/// The most bytes that they take together.
const ROOM: usize = 4 << 20;

pub(super) trait ChangingSource: Send + Sync + 'static {
    fn changes(&self) -> &ChangeCounter;

    /// Returns true if the source has changed since the last look. This may read files.
    fn look(&self) -> bool;

    /// True if the last look ended before it had read everything.
    fn is_behind(&self) -> bool {
        false
    }
}

/// Counts the changes of a source.
#[derive(Debug)]
pub(super) struct ChangeCounter {
    version: AtomicU64,
    looks: Mutex<LookThrottle>,
}

impl Default for ChangeCounter {
    fn default() -> ChangeCounter {
        ChangeCounter { version: AtomicU64::new(1), looks: Mutex::new(LookThrottle::every(PAUSE)) }
    }
}

/// Returns the number of changes, and looks at the source again if it is time. This may read files.
pub(super) fn version<S: ChangingSource>(source: &S) -> u64 {
    let changes = source.changes();
    let mut looks = match changes.looks.try_lock() {
        Ok(looks) => looks,
        // Another thread is looking.
        Err(TryLockError::WouldBlock) => return changes.version.load(atomic::Ordering::SeqCst),
        Err(TryLockError::Poisoned(looks)) => looks.into_inner(),
    };
    let Some(has_changed) = looks.look(|| source.look()) else {
        return changes.version.load(atomic::Ordering::SeqCst);
    };
    if source.is_behind() {
        looks.hurry();
    }
    if has_changed {
        changes.version.fetch_add(1, atomic::Ordering::SeqCst);
    }
    changes.version.load(atomic::Ordering::SeqCst)
}

/// Sends a page `changed` with the number of changes, at the beginning and after each one.
pub(super) fn events<S: ChangingSource>(source: Arc<S>) -> Response {
    of_changes(TOLD, move || version(&*source))
}

#[derive(Debug, Default)]
pub(super) struct TextCache {
    kept: Mutex<CachedTexts>,
}

#[derive(Debug, Default)]
struct CachedTexts {
    version: u64,
    texts: BTreeMap<String, Bytes>,
    bytes: usize,
}

impl TextCache {
    /// The text of this name, if it is kept in this version of the source.
    pub(super) fn find(&self, version: u64, name: &str) -> Option<Bytes> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.texts.get(name).filter(|_| kept.version == version).cloned()
    }

    /// Returns the text of this name in this version of the source, and makes it only if it is missing.
    pub(super) fn text<E>(
        &self,
        version: u64,
        name: &str,
        make: impl FnOnce() -> Result<Option<String>, E>,
    ) -> Result<Option<Bytes>, E> {
        // It stays locked while a text is made: a hundred pages that ask for it wait, and it is made once.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.version.cmp(&version) {
            Ordering::Less => *kept = CachedTexts { version, ..CachedTexts::default() },
            Ordering::Equal => {}
            // It took long to make, and the source has changed meanwhile.
            Ordering::Greater => return Ok(make()?.map(Bytes::from)),
        }
        if let Some(text) = kept.texts.get(name) {
            return Ok(Some(text.clone()));
        }
        let Some(text) = make()?.map(Bytes::from) else { return Ok(None) };
        if kept.texts.len() >= MOST || kept.bytes + text.len() > ROOM {
            (kept.texts, kept.bytes) = (BTreeMap::new(), 0);
        }
        if text.len() <= ROOM {
            kept.bytes += text.len();
            kept.texts.insert(name.to_owned(), text.clone());
        }
        Ok(Some(text))
    }
}

/// A look takes at most one part in this number of the time.
const SHARE: u32 = 20;

/// Looks for events until the page is closed or there was the last one, in a thread of its own, with a pause after each look.
pub(super) fn stream(
    pause: Duration,
    look: impl FnMut() -> ControlFlow<Event, Option<Event>> + Send + 'static,
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
        ControlFlow::Continue(
            is_new.then(|| Event::default().event("changed").data(now.to_string())),
        )
    })
}

async fn follow(
    pause: Duration,
    mut look: impl FnMut() -> ControlFlow<Event, Option<Event>> + Send + 'static,
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
            ControlFlow::Continue(event) => (event, false),
            ControlFlow::Break(event) => (Some(event), true),
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
    fn hurry(&mut self) {
        self.next = Some(Instant::now() + self.pause);
    }

    #[cfg(test)]
    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// A source whose looks take a while.
    struct SlowSource {
        changes: ChangeCounter,
        is_behind: bool,
    }

    impl ChangingSource for SlowSource {
        fn changes(&self) -> &ChangeCounter {
            &self.changes
        }

        fn look(&self) -> bool {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(50) {}
            true
        }

        fn is_behind(&self) -> bool {
            self.is_behind
        }
    }

    /// A log of slow games took minutes to load, because each look was followed by a pause of twenty times its length.
    ///
    /// The times of the next looks are compared, not the time left until them: the thread may be held up meanwhile.
    #[test]
    fn a_log_that_is_not_read_to_its_end_is_read_on_after_the_shortest_pause() {
        let next = |is_behind| {
            let source = SlowSource { changes: ChangeCounter::default(), is_behind };
            assert_eq!(version(&source), 2);
            let looks = source.changes.looks.into_inner().unwrap();
            looks.next().expect("a look is followed by another one")
        };
        assert!(next(true) <= Instant::now() + PAUSE);
        let begun = Instant::now();
        assert!(next(false) > begun + PAUSE + Duration::from_millis(50));
    }

    /// A page that took seconds emptied the texts of all changes since it was asked for.
    #[test]
    fn a_text_of_an_earlier_version_takes_the_place_of_no_later_one() {
        let cache = TextCache::default();
        let made = |version, text: &str| {
            let made: Result<Option<Bytes>, ()> =
                cache.text(version, "page", || Ok(Some(text.to_owned())));
            made.expect("it is made").expect("it is there")
        };
        assert_eq!(made(2, "new"), "new");
        assert_eq!(made(1, "old"), "old");
        assert_eq!(cache.find(2, "page"), Some(Bytes::from_static(b"new")));
        assert_eq!(made(2, "again"), "new");
    }
}
