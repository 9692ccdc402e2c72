//! Numbered jobs on several threads, their results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Does the jobs from 0 to below `count`, and has each result taken in the order of the numbers,
/// on the calling thread.
///
/// `start` makes what does the jobs, once for each thread.
///
/// # Errors
///
/// The failure of the first job that failed, by number, whatever the number of threads. All
/// results before it have been taken.
pub(super) fn in_order<T: Send, E: Send, W: FnMut(u64) -> Result<T, E> + Send>(
    count: u64,
    workers: NonZeroUsize,
    start: impl Fn() -> W,
    mut take: impl FnMut(T),
) -> Result<(), E> {
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let useful = usize::try_from(count).unwrap_or(usize::MAX);
        for _ in 0..workers.get().min(useful) {
            let (next, sender, mut job) = (&next, sender.clone(), start());
            scope.spawn(move || {
                // Jobs are claimed in order, so those before one that fails are all under way.
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let done = job(number);
                    if done.is_err() {
                        next.store(count, Ordering::Relaxed);
                    }
                    if sender.send((number, done)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (number, done) in receiver {
            early.insert(number, done);
            while let Some(done) = early.remove(&wanted) {
                take(done?);
                wanted += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn squares(workers: usize, fail_from: u64) -> (Vec<u64>, Result<(), u64>) {
        let mut taken = Vec::new();
        let job = || {
            move |number| {
                // The last of every few is done first.
                thread::sleep(Duration::from_micros(200 * (4 - number % 5)));
                if number >= fail_from { Err(number) } else { Ok(number * number) }
            }
        };
        let workers = NonZeroUsize::new(workers).unwrap();
        let done = in_order(50, workers, job, |square| taken.push(square));
        (taken, done)
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_threads() {
        for workers in [1, 2, 8, 100] {
            let expected: Vec<u64> = (0..50).map(|number| number * number).collect();
            assert_eq!(squares(workers, 50), (expected, Ok(())), "{workers} threads");
        }
    }

    #[test]
    fn the_first_failure_counts_and_all_before_it_is_taken() {
        for workers in [1, 2, 8, 100] {
            let expected: Vec<u64> = (0..20).map(|number| number * number).collect();
            assert_eq!(squares(workers, 20), (expected, Err(20)), "{workers} threads");
        }
    }
}
