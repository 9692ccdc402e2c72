//! `arbiter league take-round`: ends a round that was played in shards.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::commands::league::rounds::{end, ended};
use crate::commands::tournament::{TournamentOutput, merged, merged_so_far, obstructed, seed_of};
use contest::tournament::folder::shown;
use contest::tournament::plan::Plan;
use contest::tournament::plan_file::Reader;
use contest::tournament::read;
use contest::tournament::sharded::Sharding;
use contest::tournament::sharded::merging::Merged;
use contest::tournament::sharded::survey::Stage;
use contest::tournament::verify;
use league::folder::LeagueFolder;
use league::index::LeagueIndex;
use league::line::{AbortedRound, RoundEndLine, RoundLine};
use league::output;
use record::verify::VerifyJob;
use standings::output as report;
use text::counted;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

/// The options of `arbiter league take-round`.
#[derive(Debug)]
pub(crate) struct TakeRoundRequest {
    pub folder: PathBuf,
    /// The treatment of shards that are not finished.
    pub missing: UnfinishedShards,
    pub shown: TournamentOutput,
}

/// The treatment of a round with shards that are not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnfinishedShards {
    /// The round stays open.
    Awaited,
    /// The round is broken off, with the games before the first such shard.
    GivenUp,
}

/// Merges the shards of the open round, derives all of its games, and writes the end of the round into the log of the
/// league. If the last round is over, nothing is left to do.
pub(crate) fn take_round(request: TakeRoundRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(&request.folder)?;
    let _held = folder.hold()?;
    let mut league = folder.read()?;
    let mut index = LeagueIndex::open(&league, &folder)?;
    let (over, told) = match league.rounds().last() {
        None => {
            return Err(Failure::Usage(format!(
                "no announced round: plan one with `arbiter league plan-round {} --shards N`",
                word(folder.path())
            )));
        }
        Some(round) => match &round.over {
            Some(over) => (over.clone(), format!("round {} is already finished", over.round)),
            None => {
                let line = round.line.clone();
                let (over, told) = taken(&folder, &line, request.missing)?;
                league = end(&folder, &over, &mut index)?;
                (over, told)
            }
        },
    };
    let standings = league.active_in(&index.standings());
    match request.shown {
        TournamentOutput::Nothing => {}
        TournamentOutput::Progress => {
            say(told);
            write!(out, "{}", report::text(&standings))?;
        }
        TournamentOutput::Json => {
            output::write_over(&over, out)?;
            output::write_standings(&standings, out)?;
        }
    }
    Ok(())
}

/// Merges the shards of an open round; returns its end, and a line about it.
fn taken(
    folder: &LeagueFolder,
    line: &RoundLine,
    missing: UnfinishedShards,
) -> Result<(RoundEndLine, String), Failure> {
    let path = folder.round(line.round);
    let plan = read::plan(&path, Reader::Looks)
        .map_err(|error| Failure::Usage(format!("`{}`: {error}", shown(&path))))?;
    let Some(sharding) = plan.settings().sharding else {
        return Err(Failure::Usage(format!(
            "round {} is not sharded: play it with `arbiter league run {}`",
            line.round,
            word(folder.path())
        )));
    };
    let work = VerifyJob { jobs: crate::commands::cores(), read: &|_| {} };
    // A merged log that was there before may be of a merger that has not derived its games.
    let was_merged = read::in_shards(&path).is_ok_and(|it| it.is_none());
    let merged = merged(&path, &plan, sharding, seed_of(&plan)?, Some(work))?;
    let broken = match merged {
        Merged::Over(..) if was_merged => {
            verify::verify(&path, work).map_err(|problem| {
                Failure::Verification(format!("`{}`: {problem}", shown(&path)))
            })?;
            None
        }
        Merged::Over(..) => None,
        Merged::Obstacles(pieces) if missing == UnfinishedShards::GivenUp => {
            let is_running = |stage: &Stage| matches!(stage, Stage::Begun { is_running: true, .. });
            if pieces.iter().any(|piece| is_running(&piece.stage)) {
                return Err(obstructed(&pieces));
            }
            Some(broken_off(&path, &plan, sharding, work)?)
        }
        Merged::Obstacles(pieces) => return Err(obstructed(&pieces)),
    };
    let over = ended(line, &path, broken)?;
    let (games, shards) =
        (counted(over.games, "game", "games"), counted(sharding.shards, "shard", "shards"));
    let told = match &over.broken {
        None => format!("round {} finished: {games} from {shards}", line.round),
        Some(AbortedRound { why, .. }) => {
            format!("warning: round {} aborted after {games}: {why}", line.round)
        }
    };
    Ok((over, told))
}

/// Merges the games before the first shard that is not finished.
fn broken_off(
    path: &Path,
    plan: &Plan,
    sharding: Sharding,
    work: VerifyJob<'_>,
) -> Result<AbortedRound, Failure> {
    let seed = seed_of(plan)?;
    let whole = merged_so_far(path, plan, sharding, seed, Some(work))?;
    let piece = sharding.piece(None, whole as u64);
    let why = format!("{} was not finished", piece.name());
    Ok(AbortedRound { why, seed: seed.clone() })
}
