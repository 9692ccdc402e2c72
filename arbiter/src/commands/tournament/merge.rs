//! Merging the shards of a tournament.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::commands::tournament::planned::PlannedShards;
use crate::output::tournament::tell_result;
use bot::sandboxed::SandboxedBots;
use contest::tournament::folder::{BadFolder, Folder, shown};
use contest::tournament::plan::Plan;
use contest::tournament::plan_file::Reader;
use contest::tournament::sharded::Sharding;
use contest::tournament::sharded::merging::{Merged, Merging, NotMerged};
use contest::tournament::sharded::survey::PieceStatus;
use record::verify::VerifyJob;
use series::committed_seed::CommittedSeed;
use text::counted;
use text::failure::Failure;
use text::terminal::say;

/// The options of `arbiter tournament merge`.
#[derive(Debug)]
pub(crate) struct MergeRequest {
    pub folder: PathBuf,
    /// True to derive every game again.
    pub verify: bool,
    /// The file with the seed, if it is in no plan.
    pub seed_file: Option<PathBuf>,
}

/// Merges the shards of a tournament, and shows the standings, or each obstacle on a line of its own.
pub(crate) fn merge(request: MergeRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let work =
        request.verify.then_some(VerifyJob { jobs: crate::commands::cores(), read: &|_| {} });
    let path = &*request.folder;
    let planned = PlannedShards::open(path, Reader::Looks)?;
    let seed = planned.seed(request.seed_file.as_deref())?;
    let (state, standings) = match merged(path, &planned.plan, planned.sharding, &seed, work)? {
        Merged::Over(state, standings) => (state, standings),
        Merged::Obstacles(pieces) => return Err(obstructed(&pieces)),
    };
    Ok(tell_result(out, &state, &standings, path, &SandboxedBots::default())?)
}

/// Merges the shards in the folder of a plan, as far as nothing is in the way.
pub(in crate::commands) fn merged(
    path: &Path,
    plan: &Plan,
    sharding: Sharding,
    seed: &CommittedSeed,
    work: Option<VerifyJob<'_>>,
) -> Result<Merged, Failure> {
    let folder = opened(path)?;
    let merging = Merging { folder: &folder, plan, sharding, seed, work };
    merging.merge().map_err(|error| not_merged(path, error))
}

/// Merges the games before the first shard that is not finished; returns the number of shards before it.
pub(in crate::commands) fn merged_so_far(
    path: &Path,
    plan: &Plan,
    sharding: Sharding,
    seed: &CommittedSeed,
    work: Option<VerifyJob<'_>>,
) -> Result<usize, Failure> {
    let folder = opened(path)?;
    let merging = Merging { folder: &folder, plan, sharding, seed, work };
    merging.merge_so_far().map_err(|error| not_merged(path, error))
}

fn opened(path: &Path) -> Result<Folder, Failure> {
    Folder::open(path).map_err(|error| match error {
        BadFolder::Locked(_) => Failure::Later(format!("{error}: try again later")),
        error => Failure::Usage(error.to_string()),
    })
}

fn not_merged(path: &Path, error: NotMerged) -> Failure {
    let problem = format!("`{}`: {error}", shown(path));
    match error {
        NotMerged::Machine(_) => Failure::Ours(problem),
        NotMerged::Unreadable(_) => Failure::Usage(problem),
        NotMerged::Shard { .. } | NotMerged::Log(_) | NotMerged::NotOver(_) => {
            Failure::Verification(problem)
        }
    }
}

/// Says which shards are in the way of merging: each on a line of its own, and the failure with the last one or
/// their number.
pub(in crate::commands) fn obstructed(pieces: &[PieceStatus]) -> Failure {
    let in_the_way = || pieces.iter().filter(|piece| piece.obstacle().is_some());
    let is_later = in_the_way().all(PieceStatus::is_unfinished);
    let obstacles = in_the_way().filter_map(PieceStatus::obstacle).collect();
    let problem = join_obstacles(obstacles);
    if is_later { Failure::Later(problem) } else { Failure::Usage(problem) }
}

/// Shows all obstacles but the last one, which is returned with their number.
fn join_obstacles(mut obstacles: Vec<String>) -> String {
    let number = obstacles.len();
    let last = obstacles.pop().unwrap_or_default();
    if number < 2 {
        return last;
    }
    for obstacle in obstacles.iter().chain([&last]) {
        say(obstacle);
    }
    format!("{} in the way of merging", counted(number, "shard is", "shards are"))
}
