//! Reviews of games, made when a visitor asks for one.
//!
//! A review takes up to seconds of a processor, and bots may be playing on the same machine. So one is made at a
//! time, few wait, and those that were made are kept.

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use thiserror::Error;

/// The most reviews that are being made or waited for. Fewer than the threads that read, so that pages are served
/// meanwhile.
const MOST: usize = 2;

/// The most bytes of reviews that are kept.
const ROOM: usize = 32 << 20;

#[derive(Debug, Default)]
pub(super) struct ReviewService {
    /// Held while a review is made.
    turn: Mutex<()>,
    asked: AtomicUsize,
    kept: Mutex<CachedReviews>,
}

/// Reviews by their names, the oldest first to go.
#[derive(Debug, Default)]
struct CachedReviews {
    texts: BTreeMap<String, Bytes>,
    order: VecDeque<String>,
    bytes: usize,
}

/// There is no review now.
#[derive(Debug, Error)]
pub(super) enum ReviewUnavailable {
    #[error("the reviewer is busy: try again in a few seconds")]
    Busy,
    #[error("{0}")]
    Failed(String),
}

impl ReviewService {
    /// Returns the review of this name, and makes it if it is not kept; none if there is nothing to review.
    ///
    /// # Errors
    ///
    /// [`ReviewUnavailable::Busy`] if too many are asked for, and the failure of `make`.
    pub(super) fn text(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<Option<String>, String>,
    ) -> Result<Option<Bytes>, ReviewUnavailable> {
        if let Some(text) = self.lock_cache().texts.get(name) {
            return Ok(Some(text.clone()));
        }
        let asked = ReviewSlot::new(&self.asked).ok_or(ReviewUnavailable::Busy)?;
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        // Another visitor may have asked for the same one.
        let found = self.lock_cache().texts.get(name).cloned();
        let text = match found {
            Some(text) => Some(text),
            None => make().map_err(ReviewUnavailable::Failed)?.map(Bytes::from),
        };
        text.iter().for_each(|text| self.lock_cache().keep(name, text));
        drop((turn, asked));
        Ok(text)
    }

    fn lock_cache(&self) -> std::sync::MutexGuard<'_, CachedReviews> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedReviews {
    fn keep(&mut self, name: &str, text: &Bytes) {
        if text.len() > ROOM || self.texts.contains_key(name) {
            return;
        }
        self.bytes += text.len();
        self.texts.insert(name.to_owned(), text.clone());
        self.order.push_back(name.to_owned());
        while self.bytes > ROOM
            && let Some(oldest) = self.order.pop_front()
        {
            self.bytes -= self.texts.remove(&oldest).map_or(0, |text| text.len());
        }
    }
}

/// One of those that ask, until it is dropped.
struct ReviewSlot<'a>(&'a AtomicUsize);

impl ReviewSlot<'_> {
    fn new(count: &AtomicUsize) -> Option<ReviewSlot<'_>> {
        let more = |asked: usize| (asked < MOST).then_some(asked + 1);
        count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).ok()?;
        Some(ReviewSlot(count))
    }
}

impl Drop for ReviewSlot<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn a_review_is_made_once_and_the_oldest_are_forgotten() {
        let reviewing = ReviewService::default();
        let made = |name: &str| reviewing.text(name, || Ok(Some("x".repeat(ROOM / 2))));
        let known = |name: &str| reviewing.text(name, || Err("made again".to_owned())).is_ok();
        assert!(made("a").is_ok() && made("b").is_ok());
        assert!(known("a") && known("b"));
        assert!(made("c").is_ok());
        assert!(!known("a") && known("b") && known("c"));
        // A failure is not kept.
        assert!(made("d").is_ok());
    }

    #[test]
    fn no_more_than_a_few_wait() {
        let reviewing = ReviewService::default();
        let (begun, has_begun) = mpsc::channel();
        let (end, may_end) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let first = scope.spawn(|| {
                reviewing.text("first", move || {
                    begun.send(()).expect("the test waits");
                    may_end.recv().expect("the test ends it");
                    Ok(Some(String::new()))
                })
            });
            has_begun.recv().expect("it begins");
            let second = scope.spawn(|| reviewing.text("second", || Ok(Some(String::new()))));
            while reviewing.asked.load(Ordering::SeqCst) < MOST {
                thread::yield_now();
            }
            assert!(matches!(
                reviewing.text("third", || Ok(Some(String::new()))),
                Err(ReviewUnavailable::Busy)
            ));
            end.send(()).expect("it waits");
            assert!(first.join().expect("no panic").is_ok());
            assert!(second.join().expect("no panic").is_ok());
        });
        assert!(reviewing.text("third", || Ok(Some(String::new()))).is_ok());
    }
}
