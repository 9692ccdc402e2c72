//! Work on several things at once, with news of each as it begins and ends.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// News of the work on the thing in this place.
#[derive(Debug)]
pub enum CheckProgress<R> {
    /// It begins.
    Begins(usize),
    /// It ends, with this result.
    Ends(usize, R),
}

/// Works on things in their order, `workers` at once. The news come to the thread that calls. Nothing more begins
/// once `goes_on` says so.
///
/// # Errors
///
/// Fails if a thread cannot be started; what was begun is brought to its end.
pub fn run_parallel<T: Sync, R: Send>(
    things: &[T],
    workers: NonZeroUsize,
    goes_on: &(dyn Fn() -> bool + Sync),
    work: &(dyn Fn(&T) -> R + Sync),
    hear: &mut dyn FnMut(CheckProgress<R>),
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (tell, news) = channel();
        let mut started = Ok(());
        for _ in 0..workers.get().min(things.len()) {
            let (tell, next) = (tell.clone(), &next);
            let works = move || {
                while goes_on() {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(place) else { break };
                    let _ = tell.send(CheckProgress::Begins(place));
                    let _ = tell.send(CheckProgress::Ends(place, work(thing)));
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, works) {
                next.store(things.len(), Ordering::Relaxed);
                started = Err(error);
                break;
            }
        }
        drop(tell);
        news.into_iter().for_each(hear);
        started
    })
}

/// Does the same as [`run_parallel`], and hears of the results in the order of the things. If it ends early, the results
/// that are there come in their order, too.
///
/// # Errors
///
/// Fails if a thread cannot be started; what was begun is brought to its end.
pub fn run_parallel_in_order<T: Sync, R: Send>(
    things: &[T],
    workers: NonZeroUsize,
    goes_on: &(dyn Fn() -> bool + Sync),
    work: &(dyn Fn(&T) -> R + Sync),
    hear: &mut dyn FnMut(usize, R),
) -> io::Result<()> {
    let (mut next, mut early) = (0, BTreeMap::new());
    let started = run_parallel(things, workers, goes_on, work, &mut |news| {
        let CheckProgress::Ends(place, result) = news else { return };
        early.insert(place, result);
        while let Some(result) = early.remove(&next) {
            hear(next, result);
            next += 1;
        }
    });
    early.into_iter().for_each(|(place, result)| hear(place, result));
    started
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKERS: NonZeroUsize = NonZeroUsize::new(4).expect("it is not 0");

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let things: Vec<u64> = (0..40).collect();
        let mut heard = Vec::new();
        let slow = |thing: &u64| {
            thread::sleep(std::time::Duration::from_millis(7 - thing % 7));
            thing * 2
        };
        run_parallel_in_order(&things, WORKERS, &|| true, &slow, &mut |place, result| {
            heard.push((place, result));
        })
        .expect("threads");
        let expected: Vec<(usize, u64)> = things.iter().map(|it| (*it as usize, it * 2)).collect();
        assert_eq!(heard, expected);
    }

    #[test]
    fn nothing_begins_once_it_does_not_go_on_and_what_has_ended_is_heard() {
        let things: Vec<usize> = (0..40).collect();
        let begun = AtomicUsize::new(0);
        let mut heard = Vec::new();
        let goes_on = || begun.load(Ordering::SeqCst) < 10;
        let work = |thing: &usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            *thing
        };
        run_parallel_in_order(&things, WORKERS, &goes_on, &work, &mut |place, result| {
            heard.push((place, result));
        })
        .expect("threads");
        assert!((10..10 + WORKERS.get()).contains(&heard.len()), "{heard:?}");
        assert!(heard.is_sorted(), "{heard:?}");
    }
}
