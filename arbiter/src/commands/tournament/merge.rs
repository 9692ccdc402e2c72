//! Merging the shards of a tournament.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::output::tournament::tell_result;
use crate::tournament::merge::{NotMerged, merge as merged};

/// Merges shards into a new folder, and tells the standings.
///
/// # Errors
///
/// As the exit codes say.
pub fn merge(folders: &[PathBuf], into: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let (state, standings) = merged(folders, into).map_err(|error| match error {
        NotMerged::Machine(_) => Failure::Ours(error.to_string()),
        NotMerged::Log { .. } => Failure::Verification(error.to_string()),
        _ => Failure::Usage(error.to_string()),
    })?;
    Ok(tell_result(out, &state, &standings, into)?)
}
