//! Limits the rate of actions, by turns that come back with time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most keys that are known at once.
const MOST: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RateLimit {
    pub(super) turns: u32,
    /// The time until a turn comes back.
    pub(super) every: Duration,
}

/// The turns of each key, such as an address.
#[derive(Debug)]
pub(super) struct RateLimiter<K> {
    rate: RateLimit,
    /// The time at which all turns of a key have come back; a key that is not here has all.
    whole_at: Mutex<HashMap<K, Instant>>,
}

/// Something was done too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RateLimitExceeded {
    /// The time until the next turn.
    pub(super) wait: Duration,
}

impl<K: Eq + Hash> RateLimiter<K> {
    pub(super) fn new(rate: RateLimit) -> RateLimiter<K> {
        RateLimiter { rate, whole_at: Mutex::default() }
    }

    pub(super) fn take(&self, key: K, now: Instant) -> Result<(), RateLimitExceeded> {
        let mut all = self.whole_at.lock().unwrap_or_else(PoisonError::into_inner);
        let whole_at = self.next(&mut all, &key, now)?;
        all.insert(key, whole_at);
        Ok(())
    }

    /// Checks that this key has a turn, and takes none.
    pub(super) fn has_turn(&self, key: &K, now: Instant) -> Result<(), RateLimitExceeded> {
        let mut all = self.whole_at.lock().unwrap_or_else(PoisonError::into_inner);
        self.next(&mut all, key, now).map(drop)
    }

    /// The time at which all turns of this key will have come back once it has taken one more.
    fn next(
        &self,
        all: &mut HashMap<K, Instant>,
        key: &K,
        now: Instant,
    ) -> Result<Instant, RateLimitExceeded> {
        if all.len() >= MOST && !all.contains_key(key) {
            all.retain(|_, whole_at| *whole_at > now);
            if all.len() >= MOST {
                return Err(RateLimitExceeded { wait: self.rate.every });
            }
        }
        let whole_at = all.get(key).copied().unwrap_or(now).max(now) + self.rate.every;
        let latest = now + self.rate.every * self.rate.turns;
        match whole_at.checked_duration_since(latest).filter(|wait| !wait.is_zero()) {
            Some(wait) => Err(RateLimitExceeded { wait }),
            None => Ok(whole_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: RateLimit = RateLimit { turns: 3, every: Duration::from_secs(10) };

    #[test]
    fn turns_are_used_up_and_come_back() {
        let rates = RateLimiter::new(RATE);
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        for _ in 0..3 {
            // To look at a turn takes none.
            assert_eq!(rates.has_turn(&"a", at(0)), Ok(()));
            assert_eq!(rates.has_turn(&"a", at(0)), Ok(()));
            assert_eq!(rates.take("a", at(0)), Ok(()));
        }
        assert!(rates.has_turn(&"a", at(0)).is_err());
        assert_eq!(
            rates.take("a", at(0)),
            Err(RateLimitExceeded { wait: Duration::from_secs(10) })
        );
        assert_eq!(rates.take("a", at(4)), Err(RateLimitExceeded { wait: Duration::from_secs(6) }));
        assert_eq!(rates.take("b", at(4)), Ok(()), "each key has turns of its own");
        assert_eq!(rates.take("a", at(10)), Ok(()));
        assert!(rates.take("a", at(10)).is_err());
        // Never more than all of them.
        for _ in 0..3 {
            assert_eq!(rates.take("a", at(1_000)), Ok(()));
        }
        assert!(rates.take("a", at(1_000)).is_err());
    }

    #[test]
    fn many_keys_take_no_more_room() {
        let rates = RateLimiter::new(RATE);
        let begun = Instant::now();
        for key in 0..MOST {
            assert_eq!(rates.take(key, begun), Ok(()));
        }
        assert!(rates.take(MOST, begun).is_err());
        assert_eq!(rates.take(0, begun), Ok(()), "who is known has turns");
        assert_eq!(rates.take(MOST, begun + Duration::from_secs(15)), Ok(()));
        let left = rates.whole_at.lock().expect("no panic").len();
        assert_eq!(left, 2, "who has all turns is forgotten");
    }
}
