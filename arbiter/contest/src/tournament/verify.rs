//! Verification of a whole tournament: its log, its schedule, its standings, and the shards beside a merged log.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use record::checked_log::{CheckedGame, LogRange};
use record::verify::{Verification, VerifyOptions, verify_each};
use record::{self, GameReader, LogFileError, revealed_seed};
use rules::{Digest, GameRecord};
use sandbox::file::LONGEST_TEXT;
use serde::Deserialize;
use series::game_status::GameStatus;
use series::header::CommittedSeed;
use series::{GrantsLine, Header};
use standings::Standings;
use text::{printable, system_error};
use thiserror::Error;

use crate::playing::series_runner;
use crate::tournament::extend::PartLink;
use crate::tournament::folder::{self, Entrants, RefusedBot, TournamentFolders, shown};
use crate::tournament::plan::{Plan, SHARDS};
use crate::tournament::plan_file::ReadPurpose;
use crate::tournament::read::{self, ReadError};
use crate::tournament::sharded::has_shards;
use crate::tournament::sharded::merging::verify_shard;
use crate::tournament::sharded::survey::{
    PieceProgress, PieceStatus, all_pieces, planned_players, survey,
};

/// Reason why a tournament is not verified; one line.
#[derive(Debug, Error)]
pub enum TournamentVerifyError {
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    #[error("{0}")]
    Wrong(String),
}

impl From<LogFileError> for TournamentVerifyError {
    fn from(problem: LogFileError) -> TournamentVerifyError {
        TournamentVerifyError::Wrong(format!("its log: {problem}"))
    }
}

/// Says of a log that it has no end yet.
const NOT_OVER: &str = "unfinished: continue it with `arbiter tournament resume`";

/// Derives everything in the folder of a tournament again: the games, their number by the plan,
/// and the standings; and checks that each part continues from the one before. Returns the
/// verified parts in order.
pub fn verify(
    path: &Path,
    work: VerifyOptions<'_>,
) -> Result<Vec<Verification>, TournamentVerifyError> {
    let paths = TournamentFolders::find_begun(path).all();
    let extents = extents(&paths)?;
    let mut parts: Vec<VerifiedPart> = Vec::new();
    for (place, (path, extent)) in paths.iter().zip(extents).enumerate() {
        let series = read::series(path)?;
        let part = check_link(&parts, series.header())
            .and_then(|()| verify_part(path, &paths[..place], extent, work));
        parts.push(part.map_err(|error| match place {
            0 => error,
            _ => wrong_extension(path, &error.to_string()),
        })?);
    }
    Ok(parts.into_iter().map(|part| part.verified).collect())
}

/// Derives the games so far of a tournament that has not ended, of one part: everything but the cards, whose seed is
/// revealed at the end.
pub fn verify_so_far(
    path: &Path,
    work: VerifyOptions<'_>,
) -> Result<Verification, TournamentVerifyError> {
    match TournamentFolders::find_begun(path).all().as_slice() {
        [only] => Ok(verify_part(only, &[], LogRange::SoFar, work)?.verified),
        _ => Err(TournamentVerifyError::Wrong(NOT_OVER.to_owned())),
    }
}

struct VerifiedPart {
    verified: Verification,
    next_deal: u64,
}

impl VerifiedPart {
    fn link(&self) -> PartLink<'_> {
        let Verification { series, head, has_end, out, .. } = &self.verified;
        let (header, next_deal) = (series.header(), self.next_deal);
        PartLink { header, head: *head, next_deal, has_end: *has_end, out }
    }
}

/// Returns the extent of each part's log: the last one must go to its end, and an earlier one only
/// if no later one continues with its seed.
fn extents(paths: &[PathBuf]) -> Result<Vec<LogRange>, TournamentVerifyError> {
    let mut extents = Vec::new();
    let mut later: Option<CommittedSeed> = None;
    for path in paths.iter().rev() {
        let mut log = read::opened(path)?;
        let own = revealed_seed(&mut log).map_err(ReadError::from)?;
        extents.push(match &later {
            Some(seed) if own.is_none() && is_committed_to(path, seed)? => {
                LogRange::Continued(seed.clone())
            }
            _ => LogRange::Whole,
        });
        let is_last = extents.len() == 1;
        if is_last && paths.len() > 1 && own.is_none() {
            return Err(wrong_extension(path, NOT_OVER));
        }
        later = own.or(later);
    }
    extents.reverse();
    Ok(extents)
}

/// Returns true if the log of a part commits to this seed.
fn is_committed_to(path: &Path, seed: &CommittedSeed) -> Result<bool, TournamentVerifyError> {
    Ok(read::series(path)?.header().commitment == seed.commitment())
}

fn verify_part(
    path: &Path,
    before: &[PathBuf],
    extent: LogRange,
    work: VerifyOptions<'_>,
) -> Result<VerifiedPart, TournamentVerifyError> {
    let plan = read::plan(path, ReadPurpose::Looks)?;
    let mut tally = read::series(path).and_then(|series| read::tally(&series, before))?;
    let mut next_deal = plan.settings().schedule.first_deal;
    let source = read::opened(path)?;
    let verified = verify_each(source, extent, work, &mut |series, game, status| {
        next_deal = game.deal + 1;
        match status {
            GameStatus::Counts => series_runner::add(&mut tally, series, game),
            GameStatus::Again | GameStatus::GivenUp | GameStatus::Stops => Ok(()),
        }
    })?;
    check_header(path, &plan, verified.series.header())?;
    if verified.has_end {
        check_standings(path, &tally.standings())?;
        let checked = check_shards(path, &plan, work);
        checked.map_err(|error| TournamentVerifyError::Wrong(error.to_string()))?;
    }
    Ok(VerifiedPart { verified, next_deal })
}

/// Checks that a part continues from the last one before it, and fits all of them.
fn check_link(before: &[VerifiedPart], next: &Header) -> Result<(), TournamentVerifyError> {
    let extends = next.tournament.as_ref().and_then(|line| line.extends);
    let Some(last) = before.last() else {
        return match extends {
            None => Ok(()),
            Some(_) => Err(wrong_link("continues a log that is missing")),
        };
    };
    last.link().check(next).map_err(wrong_link)?;
    before.iter().try_for_each(|it| it.link().check_earlier(next)).map_err(wrong_link)
}

/// Checks that a log with this header belongs to the plan and the bots in the folder. Returns
/// the refused bots, which stand nowhere else.
pub fn check_header(
    path: &Path,
    plan: &Plan,
    logged: &Header,
) -> Result<Vec<RefusedBot>, TournamentVerifyError> {
    check_plan(plan, logged)?;
    check_entrants(path, logged)
}

/// Checks that the final standings of a tournament follow from its games.
pub fn check_standings(path: &Path, standings: &Standings) -> Result<(), TournamentVerifyError> {
    let follow = folder::written(standings).map_err(ReadError::from)?;
    let most = LONGEST_TEXT.max(follow.len() as u64);
    let written = folder::read_standings(path, most).map_err(ReadError::from)?;
    match written {
        None => {
            let problem = "standings missing: write them with `arbiter tournament resume`";
            Err(TournamentVerifyError::Wrong(problem.to_owned()))
        }
        Some(written) if written == follow => Ok(()),
        Some(written) => Err(TournamentVerifyError::Wrong(match format(&written) {
            Some(found) if found != Standings::FORMAT => format!(
                "its standings.json has format {found}, not {}: rewrite it with `arbiter \
                 tournament standings FOLDER --format json`",
                Standings::FORMAT
            ),
            _ => "its standings do not match its games".to_owned(),
        })),
    }
}

fn wrong_extension(path: &Path, problem: &str) -> TournamentVerifyError {
    TournamentVerifyError::Wrong(format!("`{}`, which extends it: {problem}", shown(path)))
}

fn wrong_link(problem: impl fmt::Display) -> TournamentVerifyError {
    TournamentVerifyError::Wrong(format!("its log {problem}"))
}

fn contradicted(what: &str) -> TournamentVerifyError {
    TournamentVerifyError::Wrong(format!("its log contradicts its plan: {what}"))
}

fn unlisted() -> TournamentVerifyError {
    TournamentVerifyError::Wrong("its entrants.json does not list the bots of its log".to_owned())
}

fn wrong_log(folder: &Path, problem: &LogFileError) -> TournamentVerifyError {
    TournamentVerifyError::Wrong(format!("`{}`: its log: {problem}", shown(folder)))
}

fn unlistable(error: io::Error) -> TournamentVerifyError {
    TournamentVerifyError::Wrong(format!("cannot list its shards: {}", system_error(&error)))
}

/// Returns the format of standings; none if they cannot be read.
fn format(standings: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct FormatField {
        #[serde(default = "first")]
        format: u64,
    }
    fn first() -> u64 {
        1
    }
    serde_json::from_str::<FormatField>(standings).ok().map(|read| read.format)
}

/// Checks that the list of bots matches the log, and returns the refused bots.
fn check_entrants(path: &Path, logged: &Header) -> Result<Vec<RefusedBot>, TournamentVerifyError> {
    let text = folder::read_entrants(path).map_err(ReadError::from)?;
    let text = text.ok_or_else(unlisted)?;
    let listed: Entrants = serde_json::from_str(&text).map_err(|_| unlisted())?;
    let follow = Entrants::new(&logged.players, listed.refused.clone());
    if follow == listed { Ok(listed.refused) } else { Err(unlisted()) }
}

/// Checks that a log belongs to a plan, without looking at the programs of its bots.
fn check_plan(plan: &Plan, logged: &Header) -> Result<(), TournamentVerifyError> {
    let planned = plan.header(&[]);
    let bots = |same: bool| same.then_some(()).ok_or_else(|| contradicted("its bots"));
    bots(plan.entries().len() == logged.players.len())?;
    for (entry, player) in plan.entries().iter().zip(&logged.players) {
        let is_same = entry.name == player.name
            && entry.bot.command() == player.command
            && entry.bot.dialect() == player.dialect
            && entry.bot.mode() == player.mode
            && entry.limits.in_milliseconds() == player.limits
            && GrantsLine::for_bot(&entry.name, &plan.settings().conditions.isolation.grants)
                == player.granted;
        bots(is_same)?;
    }
    let tie_breaks = |header: &Header| Some(header.tournament.as_ref()?.tie_breaks.clone());
    let same = [
        (logged.game == planned.game && logged.options == planned.options, "its game"),
        (tie_breaks(logged) == tie_breaks(&planned), "its tie-breaks"),
        (logged.tournament == planned.tournament, "its schedule"),
        (logged.commitment == planned.commitment, "its seed"),
        (logged.entropy == planned.entropy, "its entropy"),
        (logged.retries == planned.retries, "its retries"),
        (logged.suspect_games == planned.suspect_games, "its suspect games"),
        (logged.ponder == planned.ponder, "whether bots may ponder"),
    ];
    match same.iter().find(|(same, _)| !same) {
        None => Ok(()),
        Some((_, what)) => Err(contradicted(what)),
    }
}

/// Derives the games of all shards in the folder of a tournament with a verified log, and compares them
/// with that log. Removed shards are not missed.
fn check_shards(
    path: &Path,
    plan: &Plan,
    work: VerifyOptions<'_>,
) -> Result<(), TournamentVerifyError> {
    if !has_shards(path) {
        return Ok(());
    }
    let pieces: Vec<_> =
        plan.settings().sharding.map_or(Vec::new(), |it| all_pieces(plan, it).collect());
    let known: Vec<OsString> = pieces
        .iter()
        .filter_map(|piece| piece.folder(path).file_name().map(OsString::from))
        .collect();
    for entry in fs::read_dir(path.join(SHARDS)).map_err(unlistable)? {
        let entry = entry.map_err(unlistable)?;
        if !known.contains(&entry.file_name()) {
            return Err(TournamentVerifyError::Wrong(format!(
                "`{}` is not a shard of this plan",
                shown(&entry.path())
            )));
        }
    }
    let mut source = read::opened(path)?;
    // Without its end the log has not been verified.
    let Some(seed) = revealed_seed(&mut source).map_err(ReadError::from)? else { return Ok(()) };
    let merged = games(path)?;
    let players = planned_players(path, plan)?;
    for PieceStatus { piece, path: folder, stage, games: count, .. } in
        survey(path, plan, &players, pieces.into_iter())
    {
        let wrong = |problem: String| {
            let (piece, folder, problem) = (piece.name(), shown(&folder), printable(&problem));
            TournamentVerifyError::Wrong(format!("{piece} in `{folder}` {problem}"))
        };
        match stage {
            PieceProgress::Missing => continue,
            PieceProgress::Wrong(problem) => return Err(wrong(problem)),
            PieceProgress::Begun { .. } => {
                return Err(wrong("has no end, but was merged".to_owned()));
            }
            PieceProgress::Over { .. } => {}
        }
        verify_shard(&folder, &seed, work).map_err(|problem| wrong_log(&folder, &problem))?;
        let own = games(&folder)?;
        let first = piece.first_game(plan).unwrap_or_default();
        for (place, digest) in merged.range((first, 0)..(first.saturating_add(count), 0)) {
            let game = place.0;
            match own.get(place) {
                Some(own) if own == digest => {}
                Some(_) => {
                    let problem = format!("has a game {game} that differs from the merged log");
                    return Err(wrong(problem));
                }
                None => return Err(wrong(format!("lacks game {game}, which was merged"))),
            }
        }
    }
    Ok(())
}

/// Returns digests of all games in the log of a folder, by their numbers and attempts.
fn games(path: &Path) -> Result<BTreeMap<(u64, u32), Digest>, TournamentVerifyError> {
    let in_order = |problem| wrong_log(path, &problem);
    let mut log = GameReader::open(&folder::games(path)).map_err(in_order)?;
    let mut found = BTreeMap::new();
    while let Some(CheckedGame { game, .. }) = log.next_game().map_err(in_order)? {
        found.insert((game.game, game.attempt), digest(&game).map_err(unlistable)?);
    }
    Ok(found)
}

fn digest(game: &GameRecord) -> io::Result<Digest> {
    Ok(Digest::hash(&serde_json::to_vec(game)?))
}
