//! Merging the shards in the folder of a plan into one tournament.
//!
//! Without blocks, the merged log is written under another name until it is whole. With blocks, it
//! grows by a block at a time, and the next block depends on it.

use std::path::Path;
use std::{fs, io, iter};

use record::checked_log::{CheckedGame, CheckedLog, LogError, LogRange, check_place};
use record::stderr_texts::{PrivateTextReader, PrivateTextWriter};
use record::verify::{VerifyOptions, verify_each};
use record::{self, GameReader, Line, LineError, LogFileError, LogProblem, LogReader, LogWriter};
use rules::GameRecord;
use series::game_status::GameStatus;
use series::header::CommittedSeed;
use series::schedule::Block;
use series::{End, Header, PlayerLine, PriorDecisions, Series, SeriesState};
use standings::Standings;
use text::system_error;
use thiserror::Error;

use crate::playing::series_runner;
use crate::playing::series_runner::ContestState;
use crate::tournament::folder::{self, TournamentFolder};
use crate::tournament::plan::{Plan, Sharding};
use crate::tournament::read::{self, ReadError};
use crate::tournament::sharded::end_of_block;
use crate::tournament::sharded::survey::{PieceStatus, planned_players, survey, tournament_state};

/// Name of the merged log until it is complete.
const UNFINISHED: &str = ".new-games.jsonl";

#[derive(Debug)]
pub enum MergeResult {
    /// Everything is merged.
    Over(Box<ContestState>, Box<Standings>),
    /// Some pieces are missing or not in order.
    Obstacles(Vec<PieceStatus>),
}

/// Reason why shards cannot be merged; one line.
#[derive(Debug, Error)]
pub enum MergeError {
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    #[error("`{folder}`: {problem}")]
    Shard { folder: String, problem: String },
    #[error("the merged log (safe to delete and rebuild): {0}")]
    Log(#[from] LogFileError),
    #[error("the merged log {0}")]
    NotOver(&'static str),
    #[error("cannot write the merged tournament: {}", system_error(.0))]
    Machine(#[from] io::Error),
}

#[derive(Clone, Copy)]
pub struct Merger<'a> {
    /// The locked folder of the plan.
    pub folder: &'a TournamentFolder,
    /// The plan of the whole.
    pub plan: &'a Plan,
    pub sharding: Sharding,
    pub seed: &'a CommittedSeed,
    /// Extent of the work to derive games again, if wanted. If later games depend on them, they always are derived.
    pub work: Option<VerifyOptions<'a>>,
}

impl Merger<'_> {
    /// Merges all pieces that are complete.
    ///
    /// # Errors
    ///
    /// [`MergeError`]; earlier merged games stay.
    pub fn merge(self) -> Result<MergeResult, MergeError> {
        let path = self.folder.path();
        if let Some(state) = merged_state(path)? {
            return self.conclude(state);
        }
        let players = planned_players(path, self.plan)?;
        let pieces_of = |block| survey(path, self.plan, &players, self.sharding.pieces(block));
        let mut blocks = self.sharding.blocks(self.plan.settings().schedule.deals);
        let Some(first) = blocks.next() else {
            return Err(MergeError::NotOver("has no deals"));
        };
        let pieces = pieces_of(first);
        let Some(of_first) = pieces.first().filter(|_| !obstructed(&pieces)) else {
            return Ok(MergeResult::Obstacles(pieces));
        };
        let series = self.series(&players, of_first)?;
        let (mut log, mut state, is_over) = self.open(&series)?;
        if is_over {
            return self.conclude(state);
        }
        let mut surveyed = Some(pieces);
        for block in iter::once(first).chain(blocks) {
            let of_first = surveyed.take();
            let Some(next) = state.games.progress.next() else { break };
            if end_of_block(&series, block).is_some_and(|end| end <= next.game) {
                continue;
            }
            let pieces = of_first.unwrap_or_else(|| pieces_of(block));
            if obstructed(&pieces) {
                log.sync()?;
                return Ok(MergeResult::Obstacles(pieces));
            }
            self.merge_block(block, &pieces, &mut state, &mut log)?;
        }
        if state.games.progress.is_void() {
            return Err(MergeError::NotOver("stops at a game that stayed void after all replays"));
        }
        if !state.games.progress.is_over() {
            return Err(MergeError::NotOver("is missing games: no shard has the next one"));
        }
        log.append(&Line::End(End {
            games: state.games.progress.played(),
            points: state.games.totals.points(),
            seed: Some(self.seed.clone()),
        }))?;
        log.sync()?;
        if self.sharding.block_deals.is_none() {
            log.rename(&folder::games(path))?;
        }
        self.conclude(state)
    }

    /// Merges the games before the first piece that is not complete, of a tournament without blocks that cannot be
    /// played any further. The merged log has no end. Returns the number of pieces that are in it.
    ///
    /// # Errors
    ///
    /// [`MergeError`]; a later call goes on.
    pub fn merge_so_far(self) -> Result<usize, MergeError> {
        let path = self.folder.path();
        let players = planned_players(path, self.plan)?;
        let mut pieces = survey(path, self.plan, &players, self.sharding.pieces(None));
        let whole = pieces.iter().take_while(|piece| piece.obstacle().is_none()).count();
        pieces.truncate(whole);
        let Some(first) = pieces.first() else { return Ok(0) };
        let series = self.series(&players, first)?;
        let (mut log, mut state, is_over) = self.open(&series)?;
        if !is_over {
            self.merge_block(None, &pieces, &mut state, &mut log)?;
            log.rename(&folder::games(path))?;
        }
        Ok(whole)
    }

    /// Returns the merged series, of which this piece has the version and the isolation.
    fn series(self, players: &[PlayerLine], piece: &PieceStatus) -> Result<Series, MergeError> {
        let Header { version, isolation, .. } = read::series(&piece.path)?.header().clone();
        let players = players.to_vec();
        let header = Header { players, version, isolation, ..self.plan.header(&[]) };
        Ok(Series::new(header).map_err(io::Error::other)?)
    }

    fn conclude(self, state: ContestState) -> Result<MergeResult, MergeError> {
        let standings = state.standings();
        self.folder.write_standings(&standings)?;
        Ok(MergeResult::Over(Box::new(state), Box::new(standings)))
    }

    /// Opens or creates the merged log. Returns it with its state, and true if it has its end.
    fn open(self, series: &Series) -> Result<(LogWriter, ContestState, bool), MergeError> {
        let games = folder::games(self.folder.path());
        if has_header(&games) {
            let (log, (state, is_over)) =
                LogWriter::resume(&games, |lines| read_so_far(lines, series))?;
            return Ok((log, state, is_over));
        }
        let path = match self.sharding.block_deals {
            // The log of a merger that was killed at its beginning is written anew.
            Some(_) => games,
            None => self.folder.path().join(UNFINISHED),
        };
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            Ok(()) | Err(_) => {}
        }
        let mut log = LogWriter::create(&path)?;
        log.append(&Line::Header(Box::new(series.header().clone())))?;
        Ok((log, ContestState::of_tournament(series.clone()), false))
    }

    fn merge_block(
        self,
        block: Option<Block>,
        pieces: &[PieceStatus],
        state: &mut ContestState,
        log: &mut LogWriter,
    ) -> Result<(), MergeError> {
        let shard = |piece: &PieceStatus, problem: String| MergeError::Shard {
            folder: folder::shown(&piece.path),
            problem,
        };
        let derived = match (block, self.work) {
            (None, work) => work.map(|work| (self.seed, work)),
            (Some(block), work) => {
                // The merged games decide which bots play the next block, so all pieces of this block are verified
                // before anything is merged. The merged log may stop in the middle of the block, if a
                // merger was killed.
                let path = self.folder.path();
                let decided = match decision(path, self.plan, Some(block))? {
                    BlockReadiness::Goes(decided) => decided,
                    BlockReadiness::Open | BlockReadiness::Over => None,
                };
                for piece in pieces {
                    let found = read::series(&piece.path)?;
                    let line = found.header().tournament.as_ref();
                    if line.and_then(|line| line.decided.as_ref()) != decided.as_ref() {
                        let problem =
                            "was played on the basis of a different decision about earlier blocks";
                        let problem = LogProblem::line(1, problem);
                        return Err(shard(piece, wrong_log(problem.into())));
                    }
                    let work = work.unwrap_or(VerifyOptions::QUIET);
                    verify_shard(&piece.path, self.seed, work)
                        .map_err(|it| shard(piece, wrong_log(it)))?;
                }
                None
            }
        };
        for piece in pieces {
            if state.games.progress.next().is_none() {
                break;
            }
            join(&piece.path, derived, state, log).map_err(|problem| shard(piece, problem))?;
        }
        // Others depend on it, so it must outlive a loss of power.
        Ok(log.sync()?)
    }
}

/// Returns true if a log has its first line.
fn has_header(path: &Path) -> bool {
    let log = record::open(path).ok();
    log.is_some_and(|log| {
        matches!(LogReader::new(log).next_line(), Ok(Some(_)) | Err(LineError::Changed { .. }))
    })
}

fn obstructed(pieces: &[PieceStatus]) -> bool {
    pieces.iter().any(|piece| piece.obstacle().is_some())
}

fn out(games: &SeriesState) -> Vec<String> {
    let players = games.series.header().players.iter().enumerate();
    let out = players.filter(|(place, _)| games.progress.out_after(*place).is_some());
    out.map(|(_, player)| player.name.clone()).collect()
}

fn read_so_far(
    lines: &mut LogReader<impl io::BufRead>,
    series: &Series,
) -> Result<(ContestState, bool), LogFileError> {
    let wrong = |broken: LogError| LogFileError::Wrong(broken.into());
    let mut log = CheckedLog::begin(lines, LogRange::SoFar, None).map_err(wrong)?;
    if log.fold().header() != series.header() {
        let problem = "belongs to a different plan";
        return Err(LogFileError::Wrong(LogProblem::line(1, problem)));
    }
    let mut tally = series_runner::tally(&[], series);
    while let Some(next) = log.next_game(|_, _, ()| Ok(())).map_err(wrong)? {
        if next.status == GameStatus::Counts {
            series_runner::add(&mut tally, series, &next.game).map_err(|problem| {
                LogFileError::Wrong(LogProblem::game(next.line, &next.game, problem))
            })?;
        }
    }
    let fold = log.into_fold();
    let is_over = fold.end.is_some();
    Ok((ContestState::of_part(fold.state, tally), is_over))
}

/// Returns the state of a tournament whose merged log has its end; none otherwise.
fn merged_state(whole: &Path) -> Result<Option<ContestState>, MergeError> {
    match read::in_shards(whole)? {
        Some(_) => Ok(None),
        None => Ok(Some(tournament_state(whole)?)),
    }
}

/// Decisions of the blocks before one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockReadiness {
    /// Not all of them are merged yet.
    Open,
    /// The block is played, by the bots that are not out.
    Goes(Option<PriorDecisions>),
    /// The tournament is over before it.
    Over,
}

/// Returns the decisions of the blocks before this one, by the merged log so far.
pub fn decision(
    whole: &Path,
    plan: &Plan,
    block: Option<Block>,
) -> Result<BlockReadiness, ReadError> {
    let Some(block) = block.filter(|block| block.number > 0) else {
        return Ok(BlockReadiness::Goes(None));
    };
    let Some(schedule) = plan.schedule() else { return Ok(BlockReadiness::Open) };
    let start = block.number.saturating_mul(block.deals);
    let start = start.saturating_mul(schedule.games_per_deal());
    let mut log = match read::open_log(whole) {
        Err(ReadError::NotBegun | ReadError::NotMerged(_)) => return Ok(BlockReadiness::Open),
        other => other?,
    };
    loop {
        match log.fold().progress().next() {
            None => return Ok(BlockReadiness::Over),
            Some(next) if next.game >= start => break,
            Some(_) => {}
        }
        if log.next_game(|_, _, ()| Ok(()))?.is_none() {
            return Ok(BlockReadiness::Open);
        }
    }
    let after = log.fold().head;
    Ok(BlockReadiness::Goes(Some(PriorDecisions { after, out: out(&log.into_fold().state) })))
}

fn wrong_log(problem: LogFileError) -> String {
    format!("its log: {problem}")
}

/// Derives all games of a shard again.
pub(crate) fn verify_shard(
    path: &Path,
    seed: &CommittedSeed,
    work: VerifyOptions<'_>,
) -> Result<(), LogFileError> {
    let source = record::open(&folder::games(path))?;
    verify_each(source, LogRange::Apart(seed.clone()), work, &mut |_, _, _| Ok(())).map(drop)
}

/// Appends the games of the shard in this folder that come next in the whole. Games that the whole already has,
/// or skips, are left out. With a seed, every game and its cards must follow from the inputs in its log; otherwise the log
/// must be as it was written, with each game in its place.
fn join(
    path: &Path,
    derived: Option<(&CommittedSeed, VerifyOptions<'_>)>,
    state: &mut ContestState,
    log: &mut LogWriter,
) -> Result<(), String> {
    let mut failed = None;
    let shard = folder::games(path);
    let mut texts = PrivateTextReader::for_log(&shard);
    let mut written = PrivateTextWriter::for_log(log.path());
    let mut take = |game: &GameRecord| -> Result<(), String> {
        if state.games.progress.next().is_none_or(|next| game.game < next.game) {
            return Ok(());
        }
        check_place(game, &state.games)?;
        let mut whole = Box::new(game.clone());
        texts.fill(&mut whole);
        let line = Line::Game(whole);
        let appended = written.without_texts(&line).and_then(|line| log.append(&*line));
        appended.map_err(|error| {
            let problem = error.to_string();
            failed = Some(error);
            problem
        })?;
        state.add(game).map(drop)
    };
    let source = record::open(&shard).map_err(|it| wrong_log(it.into()))?;
    let joined = match derived {
        None => each_game(GameReader::new(source).map_err(wrong_log)?, &mut take),
        Some((seed, work)) => {
            let extent = LogRange::Apart(seed.clone());
            verify_each(source, extent, work, &mut |_, game, _| take(game)).map(drop)
        }
    };
    match failed {
        Some(error) => Err(format!("cannot write the merged log: {}", system_error(&error))),
        None => joined.map_err(wrong_log),
    }
}

fn each_game(
    mut games: GameReader,
    take: &mut dyn FnMut(&GameRecord) -> Result<(), String>,
) -> Result<(), LogFileError> {
    while let Some(CheckedGame { line, game, .. }) = games.next_game()? {
        take(&game).map_err(|problem| LogProblem::game(line, &game, problem))?;
    }
    Ok(())
}
