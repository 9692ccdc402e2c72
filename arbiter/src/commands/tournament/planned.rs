//! The folder of a planned tournament, for the commands on its shards.

use std::env;
use std::fs;
use std::path::{Path, PathBuf, absolute};

use text::system_error;

use contest::setup::AskedSeed;
use contest::tournament::folder::shown;
use contest::tournament::plan::Plan;
use contest::tournament::plan_file::Reader;
use contest::tournament::read;
use contest::tournament::sharded::Sharding;
use series::committed_seed::CommittedSeed;
use text::failure::Failure;

pub(super) struct PlannedShards {
    /// The plan of the whole tournament.
    pub(super) plan: Plan,
    pub(super) sharding: Sharding,
}

impl PlannedShards {
    pub(super) fn open(path: &Path, reader: Reader) -> Result<PlannedShards, Failure> {
        let plan = read::plan(path, reader).map_err(|error| match error {
            read::Unreadable::Folder(error) => Failure::Usage(error.to_string()),
            error => Failure::Usage(format!("`{}`: {error}", shown(path))),
        })?;
        match plan.settings().sharding {
            Some(sharding) => Ok(PlannedShards { plan, sharding }),
            None => Err(Failure::Usage(format!(
                "`{}` is not sharded: use a folder made by `arbiter tournament plan`",
                shown(path)
            ))),
        }
    }

    /// Its seed, from the plan or this file.
    pub(super) fn seed(&self, file: Option<&Path>) -> Result<CommittedSeed, Failure> {
        let given = file.map(|file| AskedSeed::InFile(file.to_owned()).committed()).transpose()?;
        self.plan.settings().seed.or_given(given)
    }
}

/// Changes the current folder to the parent of `folder`, where paths of bots start. The folder and the other
/// paths of the command line become absolute if needed.
pub(super) fn stand_beside<'a>(
    folder: &mut PathBuf,
    others: impl IntoIterator<Item = &'a mut PathBuf>,
) -> Result<(), Failure> {
    let bad = |error| Failure::Usage(format!("`{}`: {}", shown(folder), system_error(error)));
    let whole = absolute(&*folder).map_err(bad)?;
    let Some(beside) = whole.parent() else {
        return Err(Failure::Usage(format!("`{}` has no parent folder", shown(folder))));
    };
    let is_here = |beside: &Path| {
        let here = env::current_dir().and_then(fs::canonicalize).ok();
        here.is_some() && here == fs::canonicalize(beside).ok()
    };
    if is_here(beside) {
        return Ok(());
    }
    for other in others {
        *other = absolute(&*other).map_err(bad)?;
    }
    env::set_current_dir(beside).map_err(bad)?;
    *folder = whole;
    Ok(())
}
