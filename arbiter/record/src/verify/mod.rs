//! Verification of a log: everything in it is derived again and compared.

use std::io::BufRead;
use std::num::NonZeroUsize;
use std::path::Path;
use std::{thread, vec};

use rules::replay::{Discrepancy, check_without_rules, replay};
use rules::{Digest, GameRecord};
use series::game_status::{GameStatus, Totals};
use series::header::CommittedSeed;
use series::{Series, SeriesState};

use crate::checked_log::{CheckedLog, LineSource, LogError, LogRange, LogState};
use crate::{
    LastLineSource, Line, LineError, LogFileError, LogLine, LogProblem, LogReader, RawLine,
    revealed_seed,
};

/// A log in which everything follows from its inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Verification {
    pub series: Series,
    /// The number of games that count.
    pub games: u64,
    pub totals: Totals,
    /// The digest of the last line, which stands for the whole log.
    pub head: Digest,
    /// True if that line is the end: in every log that no other log continues.
    pub has_end: bool,
    /// The names of the bots that were out of the tournament in the end.
    pub out: Vec<String>,
}

/// Verifies a log from its first line to its last.
pub fn verify(path: &Path, work: VerifyOptions<'_>) -> Result<Verification, LogFileError> {
    verify_each(crate::open(path)?, LogRange::Whole, work, &mut |_, _, _| Ok(()))
}

/// Verifies a log from any source.
pub fn verify_from(source: impl LastLineSource) -> Result<Verification, LogFileError> {
    verify_each(source, LogRange::Whole, VerifyOptions::QUIET, &mut |_, _, _| Ok(()))
}

/// Verifies a log from any source, with each game that is in order passed to `each`, a further check.
pub fn verify_each(
    mut source: impl LastLineSource,
    extent: LogRange,
    work: VerifyOptions<'_>,
    each: &mut dyn FnMut(&Series, &GameRecord, GameStatus) -> Result<(), String>,
) -> Result<Verification, LogFileError> {
    let seed = match &extent {
        LogRange::Continued(seed) | LogRange::Apart(seed) => Some(seed.clone()),
        LogRange::Whole | LogRange::SoFar | LogRange::Growing => revealed_seed(&mut source)?,
    };
    let seed = seed.as_ref();
    let is_apart = matches!(extent, LogRange::Apart(_));
    let lines = RecomputingReader::new(LogReader::new(source), work);
    let mut log = CheckedLog::begin(lines, extent, seed)
        .map_err(|broken| log_problem(broken, |first| LogState::begin(first, seed).map(drop)))?;
    loop {
        let next = log.next_game(|_, _, replayed| replayed.map_err(|it| it.to_string()));
        match next {
            Ok(Some(next)) => each(log.fold().series(), &next.game, next.status)
                .map_err(|problem| LogProblem::game(next.line, &next.game, problem))?,
            Ok(None) => break,
            Err(broken) => {
                let mut fold = log.into_fold();
                return Err(log_problem(broken, |line| retaken(&mut fold, line)).into());
            }
        }
    }
    // The end of a shard has no seed.
    let revealed = if is_apart { None } else { seed };
    Ok(verified(log.into_fold(), revealed)?)
}

/// The result for a log that was read to its end.
fn verified(fold: LogState, seed: Option<&CommittedSeed>) -> Result<Verification, LogProblem> {
    // Chance was derived from what was found at the end before anything was read.
    if fold.end.as_ref().is_some_and(|end| end.seed.as_ref() != seed) {
        let problem = "was not the last line when the seed was looked for";
        return Err(LogProblem::line(fold.number, problem));
    }
    let (head, has_end) = (fold.head, fold.end.is_some());
    let SeriesState { series, progress, totals } = fold.state;
    let players = series.header().players.iter().enumerate();
    let out = players.filter(|(place, _)| progress.out_after(*place).is_some());
    let out = out.map(|(_, player)| player.name.clone()).collect();
    Ok(Verification { games: progress.played(), totals, series, head, has_end, out })
}

/// The problem with a log; `take` finds the problem in a line that was changed.
fn log_problem(
    broken: LogError,
    take: impl FnOnce(LogLine) -> Result<(), LogProblem>,
) -> LogProblem {
    let (number, line) = match broken {
        LogError::Line { line, bad: LineError::Changed { line: Some(changed), .. } } => {
            (line, *changed)
        }
        other => return other.into(),
    };
    let game = match &line {
        Line::Game(game) => Some(game.game),
        Line::Header(_) | Line::End(_) => None,
    };
    match take(LogLine { number, line, digest: Digest::default() }) {
        Err(wrong) => LogProblem {
            problem: format!("{} (the line was modified)", wrong.problem),
            ..wrong
        },
        Ok(()) => LogProblem {
            line: number,
            game,
            problem: "was modified in a part that does not follow from the inputs: names, digests, times or \
                      standard error"
                .to_owned(),
        },
    }
}

/// Takes a line that was not derived again yet.
fn retaken(fold: &mut LogState, line: LogLine) -> Result<(), LogProblem> {
    fold.take(line, |fold, game| replayed(game, fold).map_err(|it| it.to_string())).map(drop)
}

/// The most lines that each thread gets at a time.
const LINES: usize = 64;

/// The number of bytes read at a time, unless a single line has more.
const BYTES: usize = 4 << 20;

/// Parallelism and progress of a verification.
#[derive(Clone, Copy)]
pub struct VerifyOptions<'a> {
    /// The number of games derived at once; the result does not depend on it.
    pub jobs: NonZeroUsize,
    /// Receives the number of bytes read so far, now and then.
    pub read: &'a dyn Fn(u64),
}

impl VerifyOptions<'_> {
    /// One game at a time, without reports.
    pub const QUIET: VerifyOptions<'static> =
        VerifyOptions { jobs: NonZeroUsize::MIN, read: &|_| {} };
}

/// The number of a line and, if it could be read, the line with the result of deriving its game: `Ok` if there is none,
/// or none that the log could have.
type DerivedLine = (usize, Result<(LogLine, Result<(), Discrepancy>), LineError>);

/// The lines of a log in batches: read and checked in turn, and derived on several threads.
struct RecomputingReader<'a, R> {
    reader: LogReader<R>,
    work: VerifyOptions<'a>,
    /// The lines that are derived already.
    ready: vec::IntoIter<DerivedLine>,
    /// The end of the log or the bad line that follows them, once it is known.
    end: Option<Result<(), LineError>>,
    /// The number of the line given last.
    number: usize,
}

impl<'a, R: BufRead> RecomputingReader<'a, R> {
    fn new(reader: LogReader<R>, work: VerifyOptions<'a>) -> Self {
        RecomputingReader { reader, work, ready: Vec::new().into_iter(), end: None, number: 0 }
    }
}

impl<R: BufRead> LineSource for RecomputingReader<'_, R> {
    type With = Result<(), Discrepancy>;

    fn next(
        &mut self,
        before: Option<&LogState>,
    ) -> Result<Option<(LogLine, Self::With)>, LineError> {
        loop {
            if let Some((number, derived)) = self.ready.next() {
                self.number = number;
                return derived.map(Some);
            }
            if let Some(end) = self.end.take() {
                self.number = self.reader.number();
                return end.map(|()| None);
            }
            let most = match before {
                // The first line alone says what the others are to be derived from.
                None => 1,
                Some(_) => LINES.saturating_mul(self.work.jobs.get()),
            };
            let (lines, end) = read_lines(&mut self.reader, most);
            self.ready = derived_in_parallel(&lines, before, self.work.jobs).into_iter();
            self.end = end;
            (self.work.read)(self.reader.bytes());
        }
    }

    fn number(&self) -> usize {
        self.number
    }
}

/// At most so many lines in their place, unchanged, and the reason why there are no more: the end of the log, or a bad
/// line; nothing if there may be more.
fn read_lines(
    reader: &mut LogReader<impl BufRead>,
    most: usize,
) -> (Vec<RawLine>, Option<Result<(), LineError>>) {
    let mut lines = Vec::new();
    let mut bytes = 0;
    while lines.len() < most && bytes < BYTES {
        match reader.next_raw() {
            Ok(Some(raw)) => {
                bytes += raw.length();
                lines.push(raw);
            }
            Ok(None) => return (lines, Some(Ok(()))),
            Err(bad) => return (lines, Some(Err(bad))),
        }
    }
    (lines, None)
}

/// The lines in order, derived on several threads.
fn derived_in_parallel(
    lines: &[RawLine],
    before: Option<&LogState>,
    jobs: NonZeroUsize,
) -> Vec<DerivedLine> {
    let each = lines.len().div_ceil(jobs.get()).max(1);
    if each >= lines.len() {
        return lines_derived(lines, before);
    }
    thread::scope(|scope| {
        let share = |lines| {
            let own = move || lines_derived(lines, before);
            (lines, thread::Builder::new().spawn_scoped(scope, own))
        };
        let shares: Vec<_> = lines.chunks(each).map(share).collect();
        let joined = shares.into_iter().flat_map(|(lines, thread)| {
            // If there is no thread to be had, or it broke down, this one does its work.
            let done = thread.ok().and_then(|thread| thread.join().ok());
            done.unwrap_or_else(|| lines_derived(lines, before))
        });
        joined.collect()
    })
}

fn lines_derived(lines: &[RawLine], before: Option<&LogState>) -> Vec<DerivedLine> {
    lines.iter().map(|raw| derived(raw, before)).collect()
}

fn derived(raw: &RawLine, before: Option<&LogState>) -> DerivedLine {
    let derived = raw.parse().map(|line| {
        let replayed = match (&line, before) {
            (Line::Game(game), Some(fold)) => replayed(game, fold),
            _ => Ok(()),
        };
        (LogLine { number: raw.number(), line, digest: raw.digest() }, replayed)
    });
    (raw.number(), derived)
}

fn replayed(game: &GameRecord, fold: &LogState) -> Result<(), Discrepancy> {
    // A game beyond the last one has no seats; that it has no place is found afterwards. A shard has
    // some of all games, so their numbers go beyond how many it has.
    match game.game < fold.series().schedule().games() {
        true if fold.series().kind().is_absent() => {
            check_without_rules(&fold.series().setup(game, fold.dealing.as_ref()), game)
        }
        true => replay(fold.series().setup(game, fold.dealing.as_ref()), game, |_| {}),
        false => Ok(()),
    }
}
