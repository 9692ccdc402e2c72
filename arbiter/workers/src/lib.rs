//! Numbered jobs on several threads, their results in order.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::hint;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread::{self, Builder};

use text::system_error;

/// Memory that must be left beside the stack of the first thread.
const SPARE: usize = 16 << 20;

/// Memory that must be left beside the stack of each later thread. An allocator may reserve 128 MiB of addresses for a
/// new thread that has not started completely.
const SPARE_BESIDE_OTHERS: usize = 160 << 20;

/// Number of jobs that may be done ahead of the first whose result was not taken, for each worker:
/// results that wait are in memory.
const AHEAD: u64 = 64;

/// Not a single thread could be started.
#[derive(Debug, thiserror::Error)]
#[error("no thread can be started: {}", system_error(.0))]
pub struct NoThread(io::Error);

/// Does the jobs numbered from 0 to below `count`, and gives their results to `take` in the order
/// of the numbers, on the calling thread, until `take` wants no more. Only a bounded number of
/// results waits, however many jobs there are.
///
/// `start` makes what does the jobs, once for each thread. Where the system cannot start as many
/// threads as `workers`, some of those that it could start do the jobs.
///
/// # Errors
///
/// The failure of the first job that failed, by number, with any number of threads. All
/// results before it have been taken. [`NoThread`], where there is no thread at all.
///
/// # Panics
///
/// If a job panics, once all threads have ended.
pub fn in_order<T: Send, E: Send + From<NoThread>, W: FnMut(u64) -> Result<T, E> + Send>(
    count: u64,
    workers: NonZeroUsize,
    start: impl Fn() -> W,
    take: impl FnMut(T) -> ControlFlow<()>,
) -> Result<(), E> {
    on_threads(count, workers, |_| Builder::new(), start, take)
}

/// Runs the jobs on threads that `builder` makes for their places.
fn on_threads<T: Send, E: Send + From<NoThread>, W: FnMut(u64) -> Result<T, E> + Send>(
    count: u64,
    workers: NonZeroUsize,
    builder: impl Fn(usize) -> Builder,
    start: impl Fn() -> W,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> Result<(), E> {
    let next = AtomicU64::new(0);
    let window = Window::new(AHEAD.saturating_mul(workers.get() as u64));
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let useful = usize::try_from(count).unwrap_or(usize::MAX);
        let mut waiting = Vec::new();
        for place in 0..workers.get().min(useful) {
            let (next, window, sender, mut job) = (&next, &window, sender.clone(), start());
            let (gate, opened) = mpsc::sync_channel(0);
            let work = move || {
                // The first word waits until the thread runs, the second lets it begin.
                if opened.recv().and_then(|()| opened.recv()).is_err() {
                    return;
                }
                // Jobs are claimed in order, so those before one that fails are all under way.
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || window.wait_for(number).is_break() {
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
            };
            let started = spare_memory(if place == 0 { SPARE } else { SPARE_BESIDE_OTHERS })
                .and_then(|_spare| builder(place).spawn_scoped(scope, work));
            match started {
                Ok(thread) => {
                    let _ = gate.send(());
                    waiting.push((gate, thread));
                }
                Err(error) if place == 0 => return Err(NoThread(error).into()),
                Err(_) => {
                    // Memory is short as a rule, and the jobs need some too: most threads go.
                    for (gate, thread) in waiting.drain(waiting.len().div_ceil(4)..) {
                        drop(gate);
                        let _ = thread.join();
                    }
                    break;
                }
            }
        }
        for (gate, _) in waiting {
            let _ = gate.send(());
        }
        drop(sender);
        // Those who wait for their turn must not wait for ever, however this ends.
        let _closed = WindowCloser(&window);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (number, done) in receiver {
            early.insert(number, done);
            while let Some(done) = early.remove(&wanted) {
                if take(done?).is_break() {
                    return Ok(());
                }
                wanted += 1;
                window.advance(wanted);
            }
        }
        Ok(())
    })
}

/// The jobs that may be done already, by their numbers.
struct Window {
    /// Number of results at a time.
    length: u64,
    /// The number of the first, or the highest number once no more are wanted.
    start: Mutex<u64>,
    moved: Condvar,
}

impl Window {
    fn new(length: u64) -> Window {
        Window { length, start: Mutex::new(0), moved: Condvar::new() }
    }

    /// Waits until a job may be done; it breaks off where none is wanted any more.
    fn wait_for(&self, number: u64) -> ControlFlow<()> {
        let start = self.start.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = |start: &mut u64| number - (*start).min(number) >= self.length;
        let start = self.moved.wait_while(start, is_early).unwrap_or_else(PoisonError::into_inner);
        if *start == u64::MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The results of this number of jobs were taken.
    fn advance(&self, count: u64) {
        *self.start.lock().unwrap_or_else(PoisonError::into_inner) = count;
        self.moved.notify_all();
    }
}

/// Lets those who wait go at its end.
struct WindowCloser<'a>(&'a Window);

impl Drop for WindowCloser<'_> {
    fn drop(&mut self) {
        self.0.advance(u64::MAX);
    }
}

/// Unused memory, held while a thread is started and free afterwards: a thread that begins with too
/// little ends the process.
fn spare_memory(bytes: usize) -> io::Result<Vec<u8>> {
    let mut spare = Vec::new();
    spare.try_reserve_exact(bytes)?;
    // Otherwise the compiler may remove the unused allocation.
    Ok(hint::black_box(spare))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[derive(Debug, PartialEq)]
    enum Failure {
        Job(u64),
        NoThread,
    }

    impl From<NoThread> for Failure {
        fn from(_: NoThread) -> Failure {
            Failure::NoThread
        }
    }

    fn square(number: u64, fail_from: u64) -> Result<u64, Failure> {
        // The last of every few is done first.
        thread::sleep(Duration::from_micros(200 * (4 - number % 5)));
        if number >= fail_from { Err(Failure::Job(number)) } else { Ok(number * number) }
    }

    /// Keeps a result, and wants more.
    fn keep(taken: &mut Vec<u64>, square: u64) -> ControlFlow<()> {
        taken.push(square);
        ControlFlow::Continue(())
    }

    fn squares(workers: usize, fail_from: u64) -> (Vec<u64>, Result<(), Failure>) {
        let mut taken = Vec::new();
        let job = || move |number| square(number, fail_from);
        let workers = NonZeroUsize::new(workers).unwrap();
        let done = in_order(50, workers, job, |square| keep(&mut taken, square));
        (taken, done)
    }

    /// Asks for eight threads, as if the system had room for `threads`.
    fn with_room_for(threads: usize) -> (Vec<u64>, Result<(), Failure>) {
        let mut taken = Vec::new();
        let builder = |place| match Builder::new() {
            fine if place < threads => fine,
            // More than there are addresses.
            none => none.stack_size(1 << (usize::BITS - 1)),
        };
        let (workers, job) = (NonZeroUsize::new(8).unwrap(), || |number| square(number, 50));
        let done = on_threads(50, workers, builder, job, |square| keep(&mut taken, square));
        (taken, done)
    }

    #[test]
    fn other_threads_do_the_work_if_some_cannot_be_started() {
        let expected: Vec<u64> = (0..50).map(|number| number * number).collect();
        for threads in [1, 2, 7] {
            assert_eq!(with_room_for(threads), (expected.clone(), Ok(())), "{threads} threads");
        }
        assert_eq!(with_room_for(0), (Vec::new(), Err(Failure::NoThread)));
    }

    #[test]
    fn results_come_in_order_with_any_number_of_threads() {
        for workers in [1, 2, 8, 100] {
            let expected: Vec<u64> = (0..50).map(|number| number * number).collect();
            assert_eq!(squares(workers, 50), (expected, Ok(())), "{workers} threads");
        }
    }

    #[test]
    fn no_more_is_done_than_is_taken_and_a_few() {
        for workers in [1, 2, 8] {
            let done = AtomicU64::new(0);
            let job = || {
                |_| {
                    done.fetch_add(1, Ordering::SeqCst);
                    Ok::<(), Failure>(())
                }
            };
            let mut taken = 0;
            let take = |()| {
                taken += 1;
                if taken < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let count = NonZeroUsize::new(workers).unwrap();
            assert_eq!(in_order(u64::MAX, count, job, take), Ok(()), "{workers} threads");
            assert_eq!(taken, 10);
            let most = 10 + AHEAD * workers as u64;
            let done = done.into_inner();
            assert!((10..=most).contains(&done), "{done} jobs by {workers} threads");
        }
    }

    #[test]
    fn the_first_failure_counts_and_all_before_it_is_taken() {
        for workers in [1, 2, 8, 100] {
            let expected: Vec<u64> = (0..20).map(|number| number * number).collect();
            assert_eq!(
                squares(workers, 20),
                (expected, Err(Failure::Job(20))),
                "{workers} threads"
            );
        }
    }
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_a_job_is_passed_on() {
        let job = || {
            |number| {
                assert_ne!(number, 20, "as planned");
                Ok::<u64, Failure>(number)
            }
        };
        let _ = in_order(50, NonZeroUsize::new(2).unwrap(), job, |_| ControlFlow::Continue(()));
    }
}
