//! The places for checks, which the queues of a server share.

use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The places of a server for checks: each submission takes one while it is checked, in whichever league.
#[derive(Debug)]
pub struct CheckSlots {
    number: NonZeroUsize,
    free: Mutex<usize>,
    freed: Condvar,
}

/// A place, which is free again once this is dropped.
#[derive(Debug)]
pub(super) struct CheckSlot(Arc<CheckSlots>);

impl CheckSlots {
    /// Makes this number of places.
    pub fn new(number: NonZeroUsize) -> Arc<CheckSlots> {
        Arc::new(CheckSlots { number, free: Mutex::new(number.get()), freed: Condvar::new() })
    }

    /// Returns the number of all places.
    pub fn number(&self) -> NonZeroUsize {
        self.number
    }

    /// Takes a place, and waits at most this long for a free one.
    pub(super) fn take(self: &Arc<Self>, patience: Duration) -> Option<CheckSlot> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.freed.wait_timeout_while(free, patience, |free| *free == 0);
        let (mut free, _) = free.unwrap_or_else(PoisonError::into_inner);
        *free = free.checked_sub(1)?;
        Some(CheckSlot(Arc::clone(self)))
    }
}

impl Drop for CheckSlot {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_taken_once_until_it_is_given_back() {
        let places = CheckSlots::new(NonZeroUsize::new(2).expect("it is not 0"));
        let [one, other] = [(); 2].map(|()| places.take(Duration::ZERO).expect("a place"));
        assert!(places.take(Duration::from_millis(1)).is_none());
        drop(one);
        let again = places.take(Duration::ZERO).expect("the place that was given back");
        assert!(places.take(Duration::ZERO).is_none());
        drop((other, again));
        assert_eq!(places.number().get(), 2);
        assert!(places.take(Duration::ZERO).is_some());
    }
}
