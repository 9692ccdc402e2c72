//! Reading a tournament as far as its logs go. Readers change nothing and need no lock.

use std::path::{Path, PathBuf};

use record::checked_log::{CheckedLog, LogError, LogRange};
use record::stderr_texts::StderrVisibility;
use record::{self, LogFile, LogProblem, LogReader};
use rules::{Digest, GameRecord, Outcome};
use series::game_status::{GameStatus, broken_rules, ended_rules};
use series::{Series, SeriesState};
use standings::Tally;
use text::failure::Failure;
use text::shell::word;
use text::system_error;
use thiserror::Error;

use crate::playing::series_runner;
use crate::playing::series_runner::ContestState;
use crate::tournament::folder::{self, Entrants, TournamentFolderError};
use crate::tournament::plan::{Plan, Sharding};
use crate::tournament::plan_file::{self, ReadPurpose};
use crate::tournament::{copies, sharded};

/// Reason why a tournament cannot be read; one line.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error(transparent)]
    Folder(#[from] TournamentFolderError),
    #[error("its plan: {0}")]
    Plan(#[from] Failure),
    #[error("its log: {0}")]
    Log(#[from] LogProblem),
    #[error("cannot open its log: {}", system_error(.0))]
    Closed(#[from] std::io::Error),
    #[error("cannot read its entrants.json: {}", system_error(.0))]
    Entrants(String),
    #[error("nothing has been played yet")]
    NotBegun,
    #[error("`{0}`: {1}")]
    Shard(String, Box<ReadError>),
    #[error("its shards are not merged yet: run `arbiter tournament merge {0}`")]
    NotMerged(String),
}

impl From<LogError> for ReadError {
    fn from(broken: LogError) -> ReadError {
        match broken.is_empty() {
            true => ReadError::NotBegun,
            false => ReadError::Log(broken.into()),
        }
    }
}

/// The log of one part of a tournament, as far as it goes.
#[derive(Debug)]
pub struct PartLog {
    pub games: SeriesState,
    /// Digest of its last whole line.
    pub head: Digest,
    /// Number of the first deal without a game.
    pub next_deal: u64,
    /// True if its last line exists, which reveals the seed.
    pub has_end: bool,
    /// The game at which it had to stop, in words, if it had to.
    pub stops: Option<String>,
}

/// Reads the plan of the tournament in a folder.
pub fn plan(path: &Path, reader: ReadPurpose) -> Result<Plan, ReadError> {
    let text = folder::read_plan(path)?;
    let find = |name: &str, rules| ::games::opened_copy(&path.join(folder::PLAN), name, rules);
    Ok(plan_file::read_beside(&text, reader, &find)?)
}

/// Reads the plan of a tournament that goes on in a folder, and opens its bots, or their copies.
pub fn resumed_plan(path: &Path) -> Result<Plan, ReadError> {
    let plan = plan(path, ReadPurpose::Looks)?;
    Ok(copies::opened(plan, path)?)
}

/// Reads the list of bots of the tournament in a folder.
pub fn entrants(path: &Path) -> Result<Entrants, ReadError> {
    let text = folder::read_entrants(path)?;
    let listed = text.ok_or_else(|| "it is missing".to_owned()).and_then(|text| {
        serde_json::from_str(&text).map_err(|error: serde_json::Error| error.to_string())
    });
    listed.map_err(ReadError::Entrants)
}

/// Returns the plan of the tournament in a folder, if it is spread over shards that are not all merged yet.
pub fn in_shards(path: &Path) -> Result<Option<(Plan, Sharding)>, ReadError> {
    let whole = plan(path, ReadPurpose::Looks)?;
    let Some(sharding) = whole.settings().sharding else { return Ok(None) };
    let is_merged = match record::open(&folder::games(path)) {
        Ok(mut log) => record::revealed_seed(&mut log)?.is_some(),
        Err(_) => false,
    };
    Ok((!is_merged).then_some((whole, sharding)))
}

/// Returns the state of one part of a tournament, without other parts in its standings.
pub fn part(path: &Path) -> Result<ContestState, ReadError> {
    let PartLog { games, .. } = read_log(path, &mut |_, _| Ok(()))?;
    let tally = series_runner::tally(&[], &games.series);
    Ok(ContestState::of_part(games, tally))
}

/// Returns the tally of the parts in these folders, ready for the games of a later part.
pub fn tally(later: &Series, before: &[PathBuf]) -> Result<Tally, ReadError> {
    let earlier = before.iter().map(|path| series(path)).collect::<Result<Vec<_>, _>>()?;
    let mut tally = series_runner::tally(&earlier, later);
    for path in before {
        read_log(path, &mut |series, game| series_runner::add(&mut tally, series, game))?;
    }
    Ok(tally)
}

/// Takes a game that counts; it may fail.
type Each<'a> = dyn FnMut(&Series, &GameRecord) -> Result<(), String> + 'a;

/// Reads the log of one part, and passes each game that counts to `each`.
pub fn read_log(path: &Path, each: &mut Each<'_>) -> Result<PartLog, ReadError> {
    let mut log = open_log(path)?;
    let mut next_deal = log.fold().series().seating(0).deal;
    let mut stops = None;
    while let Some(next) = log.next_game(|_, _, ()| Ok(()))? {
        next_deal = next.game.deal + 1;
        if next.status == GameStatus::Counts {
            each(log.fold().series(), &next.game)
                .map_err(|problem| LogProblem::game(next.line, &next.game, problem))?;
        }
        if next.status == GameStatus::Stops {
            stops = Some(stopped(log.fold().series(), &next.game));
        }
    }
    let fold = log.into_fold();
    let (head, has_end) = (fold.head, fold.end.is_some());
    Ok(PartLog { games: fold.state, head, next_deal, has_end, stops })
}

/// Says at which game a tournament had to stop, and why.
fn stopped(series: &Series, game: &GameRecord) -> String {
    let (kind, number) = (series.kind(), game.game);
    if let Some(fault) = broken_rules(game) {
        return format!("the rules of {kind} failed at game {number}: {fault}");
    }
    match (ended_rules(game), &game.result) {
        (Some(why), _) => {
            format!("the machine repeatedly ended the rules of {kind} at game {number}: {why}")
        }
        (None, Outcome::Void { reason }) => {
            format!("game {number} stayed void after all replays: {reason}")
        }
        (None, _) => format!("it stops at game {number}"),
    }
}

/// Returns the series that the header of a part's log describes.
pub fn series(path: &Path) -> Result<Series, ReadError> {
    Ok(open_log(path)?.fold().series().clone())
}

/// Opens the log of a part, and reads its header.
pub fn open_log(path: &Path) -> Result<CheckedLog<LogReader<LogFile>>, ReadError> {
    let lines = LogReader::new(opened(path)?);
    let lines = lines.with_stderr(&folder::games(path), StderrVisibility::Shown);
    Ok(CheckedLog::begin(lines, LogRange::SoFar, None)?)
}

pub fn opened(path: &Path) -> Result<LogFile, ReadError> {
    match record::open(&folder::games(path)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(match sharded::has_shards(path) {
                true => ReadError::NotMerged(word(path)),
                false => ReadError::NotBegun,
            })
        }
        other => Ok(other?),
    }
}
