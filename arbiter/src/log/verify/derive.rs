//! Some lines of a log at a time: read and checked one after the other, and derived on several
//! threads.

use std::io::BufRead;
use std::num::NonZeroUsize;
use std::thread;

use rules::replay::{Discrepancy, replay};
use rules::{Digest, Seed};

use crate::log::{BadLine, Line, LogReader, RawLine};
use crate::series::Series;

/// How many lines each thread gets at a time, at most.
const LINES: usize = 64;

/// How many bytes are read at a time, unless a single line has more.
const BYTES: usize = 4 << 20;

/// What a game is derived from, beside what its own line holds.
#[derive(Clone, Copy)]
pub(super) struct Grounds<'a> {
    pub(super) series: &'a Series,
    pub(super) dealing: Option<&'a Seed>,
}

/// Lines that stand where they were written, unchanged, and what came after them.
pub(super) struct Batch {
    lines: Vec<RawLine>,
    /// Why there are no more: the end of the log, or a bad line; nothing where there may be.
    end: Option<Result<(), BadLine>>,
}

/// A line, and what came of deriving the game in it.
pub(super) struct Derived {
    pub(super) number: usize,
    pub(super) digest: Digest,
    pub(super) line: Result<Line, BadLine>,
    /// It is fine where there is no game, or none that the log could have.
    pub(super) replayed: Result<(), Discrepancy>,
}

impl Batch {
    /// The first line.
    pub(super) fn first(reader: &mut LogReader<impl BufRead>) -> Batch {
        Batch::read_up_to(reader, 1)
    }

    /// As many lines as so many threads are given at a time.
    pub(super) fn read(reader: &mut LogReader<impl BufRead>, jobs: NonZeroUsize) -> Batch {
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

    /// What the lines hold, in order, and what came after them.
    pub(super) fn derived(
        self,
        grounds: Option<Grounds<'_>>,
        jobs: NonZeroUsize,
    ) -> (Vec<Derived>, Option<Result<(), BadLine>>) {
        let each = self.lines.len().div_ceil(jobs.get()).max(1);
        if each >= self.lines.len() {
            return (self.lines.iter().map(|raw| derived(raw, grounds)).collect(), self.end);
        }
        let lines = thread::scope(|scope| {
            let share = |lines| {
                let own = move || lines_derived(lines, grounds);
                (lines, thread::Builder::new().spawn_scoped(scope, own))
            };
            let shares: Vec<_> = self.lines.chunks(each).map(share).collect();
            let joined = shares.into_iter().flat_map(|(lines, thread)| {
                // Where there is no thread to be had, or it broke down, this one does its work.
                let done = thread.ok().and_then(|thread| thread.join().ok());
                done.unwrap_or_else(|| lines_derived(lines, grounds))
            });
            joined.collect()
        });
        (lines, self.end)
    }
}

fn lines_derived(lines: &[RawLine], grounds: Option<Grounds<'_>>) -> Vec<Derived> {
    lines.iter().map(|raw| derived(raw, grounds)).collect()
}

fn derived(raw: &RawLine, grounds: Option<Grounds<'_>>) -> Derived {
    let line = raw.parse();
    let replayed = line.as_ref().map_or(Ok(()), |line| replayed(line, grounds));
    Derived { number: raw.number(), digest: raw.digest(), line, replayed }
}

/// Derives the game in a line again, if there is one.
pub(super) fn replayed(line: &Line, grounds: Option<Grounds<'_>>) -> Result<(), Discrepancy> {
    match (line, grounds) {
        // A game beyond the last one has no seats; that it has no place is found afterwards.
        (Line::Game(game), Some(Grounds { series, dealing }))
            if game.game < series.header().games =>
        {
            replay(series.setup(game, dealing), game, |_| {})
        }
        _ => Ok(()),
    }
}
