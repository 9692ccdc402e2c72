//! Verification of a log: everything in it is derived again and compared.

use std::path::Path;

use rules::{Digest, GameRecord};

use crate::checked_log::{CheckedLog, LogError, LogRange};
use crate::fold::Fold;
use crate::{BadLine, BadLog, LastLine, Line, LogProblem, LogReader, ReadLine, revealed_seed};
use series::committed_seed::CommittedSeed;
use series::game_status::GameStatus;
use series::totals::Totals;
use series::{Series, SeriesState};

mod derive;

pub use derive::VerifyJob;

use derive::{DerivedLines, replayed};

/// A log in which everything follows from its inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The games that its header describes.
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
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify(path: &Path, work: VerifyJob<'_>) -> Result<Verified, BadLog> {
    verify_each(crate::open(path)?, LogRange::Whole, work, &mut |_, _, _| Ok(()))
}

/// Verifies a log from any source.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify_from(source: impl LastLine) -> Result<Verified, BadLog> {
    verify_each(source, LogRange::Whole, VerifyJob::QUIET, &mut |_, _, _| Ok(()))
}

/// A further check of every game that is in order.
pub type GameCheck<'a> = dyn FnMut(&Series, &GameRecord, GameStatus) -> Result<(), String> + 'a;

/// Verifies a log from any source, with each game that is in order passed to `each`.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify_each(
    mut source: impl LastLine,
    extent: LogRange,
    work: VerifyJob<'_>,
    each: &mut GameCheck<'_>,
) -> Result<Verified, BadLog> {
    let seed = match &extent {
        LogRange::Continued(seed) | LogRange::Apart(seed) => Some(seed.clone()),
        LogRange::Whole | LogRange::SoFar | LogRange::Growing => revealed_seed(&mut source)?,
    };
    let seed = seed.as_ref();
    let is_apart = matches!(extent, LogRange::Apart(_));
    let lines = DerivedLines::new(LogReader::new(source), work);
    let mut log = CheckedLog::begin(lines, extent, seed)
        .map_err(|broken| found(broken, |first| Fold::begin(first, seed).map(drop)))?;
    loop {
        let next = log.next_game(|_, _, replayed| replayed.map_err(|it| it.to_string()));
        match next {
            Ok(Some(next)) => each(log.fold().series(), &next.game, next.status)
                .map_err(|problem| LogProblem::game(next.line, &next.game, problem))?,
            Ok(None) => break,
            Err(broken) => {
                let mut fold = log.into_fold();
                return Err(found(broken, |line| retaken(&mut fold, line)).into());
            }
        }
    }
    // The end of a shard has no seed.
    let revealed = if is_apart { None } else { seed };
    Ok(verified(log.into_fold(), revealed)?)
}

/// The result for a log that was read to its end.
fn verified(fold: Fold, seed: Option<&CommittedSeed>) -> Result<Verified, LogProblem> {
    // Chance was derived from what was found at the end before anything was read.
    if fold.end().is_some_and(|end| end.seed.as_ref() != seed) {
        let problem = "was not the last line when the seed was looked for";
        return Err(LogProblem::line(fold.number(), problem));
    }
    let (head, has_end) = (fold.head(), fold.end().is_some());
    let SeriesState { series, progress, totals } = fold.into_state();
    let players = series.header().players.iter().enumerate();
    let out = players.filter(|(place, _)| progress.out_after(*place).is_some());
    let out = out.map(|(_, player)| player.name.clone()).collect();
    Ok(Verified { games: progress.played(), totals, series, head, has_end, out })
}

/// The problem with a log; `take` finds the problem in a line that was changed.
fn found(broken: LogError, take: impl FnOnce(ReadLine) -> Result<(), LogProblem>) -> LogProblem {
    let (number, line) = match broken {
        LogError::Line { line, bad: BadLine::Changed { line: Some(changed), .. } } => {
            (line, *changed)
        }
        other => return other.into(),
    };
    let game = match &line {
        Line::Game(game) => Some(game.game),
        Line::Header(_) | Line::End(_) => None,
    };
    match take(ReadLine { number, line, digest: Digest::default() }) {
        Err(wrong) => LogProblem {
            problem: format!("{} (the line was modified)", wrong.problem),
            ..wrong
        },
        Ok(()) => LogProblem {
            line: number,
            game,
            problem: "was modified in something that does not follow from the inputs: names, digests, times or \
                      standard error"
                .to_owned(),
        },
    }
}

/// Takes a line that was not derived again yet.
fn retaken(fold: &mut Fold, line: ReadLine) -> Result<(), LogProblem> {
    fold.take(line, |fold, game| replayed(game, fold).map_err(|it| it.to_string())).map(drop)
}
