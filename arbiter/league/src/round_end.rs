//! The end of a round: its line of the log, for one that was played and for one that is aborted.

use std::path::Path;

use text::counted;
use text::failure::Failure;
use text::terminal::say;

use crate::folder::{LeagueError, LeagueFolder};
use crate::index::{IndexError, LeagueIndex};
use crate::line::{AbortedRound, LeagueLine, RoundEndLine, RoundLine};
use crate::stage_request::BROKEN_OFF;
use crate::state::League;
use crate::{events, stage};
use contest::tournament::folder::shown;
use contest::tournament::plan_file::Reader;
use contest::tournament::read::{self, PartLog, Unreadable};

/// The fate of a round that is open when a stage is to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenRound {
    /// It is played to its end.
    Finished,
    /// It ends at once.
    BrokenOff,
}

/// A round that was open, after a look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundState {
    /// It is over.
    Over,
    /// `league run` plays it.
    Playing,
    /// Nothing plays it, and it stays open: it was not to be ended, is played in shards, or has all of its games.
    Unfinished,
}

/// Ends a round that nothing plays, if it is to end at once, and says so. Returns how it is then.
///
/// # Errors
///
/// Fails if a file cannot be read or written.
pub fn end_if_unplayed(
    folder: &LeagueFolder,
    number: u64,
    open: OpenRound,
) -> Result<RoundState, Failure> {
    let _held = match folder.hold() {
        Ok(held) => held,
        Err(LeagueError::Running(_)) => return Ok(RoundState::Playing),
        Err(problem) => return Err(problem.into()),
    };
    // The round may be over since the log was read.
    let league = folder.read()?;
    if league.open_round().is_none_or(|round| round.line.round != number) {
        return Ok(RoundState::Over);
    }
    let over = match open {
        OpenRound::Finished => None,
        OpenRound::BrokenOff => broken_off(folder, &league, BROKEN_OFF.to_owned())?,
    };
    let Some(over) = over else { return Ok(RoundState::Unfinished) };
    let games = counted(over.games, "game", "games");
    say(format!("warning: round {number} aborted after {games}: {BROKEN_OFF}"));
    end(folder, &over, &mut LeagueIndex::open(&league, folder)?)?;
    Ok(RoundState::Over)
}

/// Writes the end of a round into the log and counts its games; then tells what has happened by it.
///
/// # Errors
///
/// Fails if the log or the index cannot be read or written.
pub fn end(
    folder: &LeagueFolder,
    over: &RoundEndLine,
    index: &mut LeagueIndex,
) -> Result<League, Failure> {
    let before = events::order(&folder.read()?, index);
    let league =
        folder.append(|_| Ok::<_, Failure>(vec![LeagueLine::Over(Box::new(over.clone()))]))?;
    index.bring_up_to(&league)?;
    events::add_round(folder, &league, index, over, &before);
    Ok(league)
}

/// Returns the line for a finished round in the log of the league.
///
/// # Errors
///
/// Fails if the log of the round cannot be read.
pub fn ended(
    league: &League,
    line: &RoundLine,
    path: &Path,
    broken: Option<AbortedRound>,
) -> Result<RoundEndLine, Failure> {
    // The tables of a stage are played again after a round that was broken off.
    let (logged, results) = match line.stage.filter(|_| broken.is_none()) {
        Some(_) => stage::results(line, league.forfeits(line), path)
            .map_err(|error| unreadable(path, error))?,
        None => (so_far(path)?, Vec::new()),
    };
    let games = logged.as_ref().map_or(0, |log| log.games.progress.played());
    let head = logged.map(|log| log.head);
    Ok(RoundEndLine { round: line.round, games, head, broken, results })
}

/// Returns the end of the open round, aborted for this reason; none if it is played in shards, or has all of its games.
///
/// # Errors
///
/// Fails if its plan or its log cannot be read.
pub fn broken_off(
    folder: &LeagueFolder,
    league: &League,
    why: String,
) -> Result<Option<RoundEndLine>, Failure> {
    let Some(round) = league.open_round() else { return Ok(None) };
    let path = folder.round(round.line.round);
    let plan = read::plan(&path, Reader::Looks)
        .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(&path))))?;
    let has_end = so_far(&path)?.is_some_and(|log| log.has_end);
    if plan.settings().sharding.is_some() || has_end {
        return Ok(None);
    }
    let seed = &plan.settings().seed;
    let seed = seed.known().ok_or_else(|| seed.missing())?.clone();
    ended(league, &round.line, &path, Some(AbortedRound { why, seed })).map(Some)
}

/// Returns the games played of a round; none if it was not begun.
///
/// # Errors
///
/// Fails if its log cannot be read.
pub fn so_far(path: &Path) -> Result<Option<PartLog>, Failure> {
    match read::read_log(path, &mut |_, _| Ok(())) {
        Ok(log) => Ok(Some(log)),
        Err(Unreadable::NotBegun | Unreadable::NotMerged(_)) => Ok(None),
        Err(error) => Err(unreadable(path, error)),
    }
}

/// Returns the failure to read a round in this folder.
pub fn unreadable(path: &Path, error: Unreadable) -> Failure {
    Failure::from(IndexError::Unreadable(shown(path), error))
}
