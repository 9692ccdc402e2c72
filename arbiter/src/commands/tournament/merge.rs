//! Merging the shards of a tournament.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::commands::setup::AskedSeed;
use crate::commands::tournament::planned::Planned;
use crate::failure::Failure;
use crate::log::verify::Work;
use crate::output::tournament::tell_result;
use crate::text::counted;
use crate::text::notice::say;
use crate::tournament::folder::{BadFolder, Folder, shown};
use crate::tournament::merge as apart;
use crate::tournament::plan_file::Reader;
use crate::tournament::sharded::merging::{Merged, Merging, NotMerged};

/// What is merged.
#[derive(Debug)]
pub struct MergeRequest {
    /// The folder of a planned tournament, or those of all shards.
    pub folders: Vec<PathBuf>,
    /// A new folder, for shards that lie apart.
    pub into: Option<PathBuf>,
    /// Whether every game is derived again.
    pub verify: bool,
    /// The file with the seed, if it is in no plan.
    pub seed_file: Option<PathBuf>,
}

/// Merges the shards of a tournament, and tells the standings.
///
/// # Errors
///
/// As the exit codes say. Before that, each obstacle is told on a line of its own.
pub fn merge(request: MergeRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let work = request.verify.then_some(Work { jobs, read: &|_| {} });
    match (&request.into, &request.folders[..]) {
        (Some(into), folders) => apart_into(&request, folders, into, work, out),
        (None, [folder]) => in_place(&request, folder, work, out),
        (None, folders) => {
            let folders = folders.len();
            Err(Failure::Usage(format!(
                "{folders} folders, expected one of a planned tournament, or --into DIR"
            )))
        }
    }
}

fn apart_into(
    request: &MergeRequest,
    folders: &[PathBuf],
    into: &Path,
    work: Option<Work<'_>>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let given = request.seed_file.as_ref();
    let given = given.map(|file| AskedSeed::InFile(file.clone()).committed()).transpose()?;
    let merged = apart::merge(folders, into, given, work).map_err(|error| match error {
        apart::NotMerged::Obstacles(obstacles) => Failure::Usage(told(obstacles)),
        apart::NotMerged::Machine(_) => Failure::Ours(error.to_string()),
        apart::NotMerged::Log { .. } | apart::NotMerged::NotOver(_) => {
            Failure::Verification(error.to_string())
        }
        _ => Failure::Usage(error.to_string()),
    });
    let (state, standings) = merged?;
    Ok(tell_result(out, &state, &standings, into)?)
}

fn in_place(
    request: &MergeRequest,
    path: &Path,
    work: Option<Work<'_>>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let planned = Planned::open(path, Reader::Looks)?;
    let seed = planned.seed(request.seed_file.as_deref())?;
    let folder = Folder::open(path).map_err(|error| match error {
        BadFolder::Locked(_) => Failure::Later(format!("{error}, try again later")),
        error => Failure::Usage(error.to_string()),
    })?;
    let Planned { plan, sharding } = &planned;
    let merging = Merging { folder: &folder, plan, sharding: *sharding, seed: &seed, work };
    let merged = merging.merge().map_err(|error| {
        let problem = format!("`{}`: {error}", shown(path));
        match error {
            NotMerged::Machine(_) => Failure::Ours(problem),
            NotMerged::Unreadable(_) => Failure::Usage(problem),
            NotMerged::Shard { .. } | NotMerged::Log(_) | NotMerged::NotOver(_) => {
                Failure::Verification(problem)
            }
        }
    })?;
    match merged {
        Merged::Over(state, standings) => Ok(tell_result(out, &state, &standings, path)?),
        Merged::Obstacles(pieces) => {
            let in_the_way = || pieces.iter().filter(|piece| piece.obstacle().is_some());
            let is_later = in_the_way().all(|piece| piece.is_unfinished());
            let obstacles = in_the_way().filter_map(|piece| piece.obstacle()).collect();
            let problem = told(obstacles);
            Err(if is_later { Failure::Later(problem) } else { Failure::Usage(problem) })
        }
    }
}

/// Says all obstacles but for the last one, which is given back, with their number.
fn told(mut obstacles: Vec<String>) -> String {
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
