//! Lines of a log in batches: read and checked in turn, and derived on several threads.

use std::io::BufRead;
use std::num::NonZeroUsize;
use std::thread;
use std::vec;

use rules::GameRecord;
use rules::replay::{Discrepancy, check_without_rules, replay};

use crate::checked_log::Lines;
use crate::fold::Fold;
use crate::{BadLine, Line, LogReader, RawLine, ReadLine};

/// The most lines that each thread gets at a time.
const LINES: usize = 64;

/// The number of bytes read at a time, unless a single line has more.
const BYTES: usize = 4 << 20;

/// Parallelism and progress of a verification.
#[derive(Clone, Copy)]
pub struct VerifyJob<'a> {
    /// The number of games derived at once; the result does not depend on it.
    pub jobs: NonZeroUsize,
    /// Receives the number of bytes read so far, now and then.
    pub read: &'a dyn Fn(u64),
}

impl VerifyJob<'_> {
    /// One game at a time, without reports.
    pub const QUIET: VerifyJob<'static> = VerifyJob { jobs: NonZeroUsize::MIN, read: &|_| {} };
}

/// A line, and the result of deriving its game; `Ok` if there is none, or none that the log could have.
type Derived = (ReadLine, Result<(), Discrepancy>);

/// A line with its number, if it could be read.
type Numbered = (usize, Result<Derived, BadLine>);

/// The lines of a log, derived in batches.
pub(super) struct DerivedLines<'a, R> {
    reader: LogReader<R>,
    work: VerifyJob<'a>,
    /// The lines that are derived already.
    ready: vec::IntoIter<Numbered>,
    /// The end of the log or the bad line that follows them, once it is known.
    end: Option<Result<(), BadLine>>,
    /// The number of the line given last.
    number: usize,
}

impl<'a, R: BufRead> DerivedLines<'a, R> {
    pub(super) fn new(reader: LogReader<R>, work: VerifyJob<'a>) -> Self {
        DerivedLines { reader, work, ready: Vec::new().into_iter(), end: None, number: 0 }
    }
}

impl<R: BufRead> Lines for DerivedLines<'_, R> {
    type With = Result<(), Discrepancy>;

    fn next(&mut self, before: Option<&Fold>) -> Result<Option<Derived>, BadLine> {
        loop {
            if let Some((number, derived)) = self.ready.next() {
                self.number = number;
                return derived.map(Some);
            }
            if let Some(end) = self.end.take() {
                self.number = self.reader.number();
                return end.map(|()| None);
            }
            let batch = match before {
                // The first line alone says what the others are to be derived from.
                None => Batch::first(&mut self.reader),
                Some(_) => Batch::read(&mut self.reader, self.work.jobs),
            };
            let (lines, end) = batch.derived(before, self.work.jobs);
            (self.ready, self.end) = (lines.into_iter(), end);
            (self.work.read)(self.reader.bytes());
        }
    }

    fn number(&self) -> usize {
        self.number
    }
}

/// Lines in their place, unchanged, and what follows them.
struct Batch {
    lines: Vec<RawLine>,
    /// The reason why there are no more: the end of the log, or a bad line; nothing if there may be more.
    end: Option<Result<(), BadLine>>,
}

impl Batch {
    /// The first line.
    fn first(reader: &mut LogReader<impl BufRead>) -> Batch {
        Batch::read_up_to(reader, 1)
    }

    fn read(reader: &mut LogReader<impl BufRead>, jobs: NonZeroUsize) -> Batch {
        Batch::read_up_to(reader, LINES.saturating_mul(jobs.get()))
    }

    fn read_up_to(reader: &mut LogReader<impl BufRead>, most: usize) -> Batch {
        let mut lines = Vec::new();
        let mut bytes = 0;
        while lines.len() < most && bytes < BYTES {
            match reader.next_raw() {
                Ok(Some(raw)) => {
                    bytes += raw.length();
                    lines.push(raw);
                }
                Ok(None) => return Batch { lines, end: Some(Ok(())) },
                Err(bad) => return Batch { lines, end: Some(Err(bad)) },
            }
        }
        Batch { lines, end: None }
    }

    /// The lines in order, and the reason why there are no more.
    fn derived(
        self,
        before: Option<&Fold>,
        jobs: NonZeroUsize,
    ) -> (Vec<Numbered>, Option<Result<(), BadLine>>) {
        let each = self.lines.len().div_ceil(jobs.get()).max(1);
        if each >= self.lines.len() {
            return (self.lines.iter().map(|raw| derived(raw, before)).collect(), self.end);
        }
        let lines = thread::scope(|scope| {
            let share = |lines| {
                let own = move || lines_derived(lines, before);
                (lines, thread::Builder::new().spawn_scoped(scope, own))
            };
            let shares: Vec<_> = self.lines.chunks(each).map(share).collect();
            let joined = shares.into_iter().flat_map(|(lines, thread)| {
                // If there is no thread to be had, or it broke down, this one does its work.
                let done = thread.ok().and_then(|thread| thread.join().ok());
                done.unwrap_or_else(|| lines_derived(lines, before))
            });
            joined.collect()
        });
        (lines, self.end)
    }
}

fn lines_derived(lines: &[RawLine], before: Option<&Fold>) -> Vec<Numbered> {
    lines.iter().map(|raw| derived(raw, before)).collect()
}

fn derived(raw: &RawLine, before: Option<&Fold>) -> Numbered {
    let derived = raw.parse().map(|line| {
        let replayed = match (&line, before) {
            (Line::Game(game), Some(fold)) => replayed(game, fold),
            _ => Ok(()),
        };
        (ReadLine { number: raw.number(), line, digest: raw.digest() }, replayed)
    });
    (raw.number(), derived)
}

/// Derives a game again.
pub(super) fn replayed(game: &GameRecord, fold: &Fold) -> Result<(), Discrepancy> {
    // A game beyond the last one has no seats; that it has no place is found afterwards. A shard has
    // some of all games, so their numbers go beyond how many it has.
    match game.game < fold.series().schedule().games() {
        true if fold.series().kind().is_absent() => {
            check_without_rules(&fold.series().setup(game, fold.dealing()), game)
        }
        true => replay(fold.series().setup(game, fold.dealing()), game, |_| {}),
        false => Ok(()),
    }
}
