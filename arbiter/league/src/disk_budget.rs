//! Disk space that the bots of a league take, and that must stay free.
//!
//! There is a bound for a built version, and one for all older versions of a bot together: the oldest ones go first.
//! So the folder of a league holds at most 4 GiB for each bot. Removed versions are not needed again: logs
//! keep their answers.

use std::fs;
use std::io;
use std::path::Path;

use bytesize::ByteSize;
use text::failure::Failure;
use text::system_error;

use crate::folder::{LeagueFolder, is_copied};
use crate::state::{League, Membership};

/// Most files, folders and links of a built version.
const MOST_ENTRIES: u64 = 100_000;
/// Largest total of all older versions of a bot, in bytes.
const OLDER_BYTES: u64 = 2 << 30;
/// Most older versions of a bot.
const OLDER: usize = 10;

/// Checks the size of a built version of a bot against this number of bytes.
pub(crate) fn check_room(bot: &str, built: &Path, most: u64) -> Result<(), Failure> {
    match counted(built, most) {
        Ok(FolderSize::Bytes(_)) => Ok(()),
        Ok(FolderSize::TooManyBytes) => {
            let most = ByteSize(most).display().iec();
            Err(Failure::Usage(format!("bot `{bot}`: the build output is larger than {most}")))
        }
        Ok(FolderSize::TooManyFiles) => Err(Failure::Usage(format!(
            "bot `{bot}`: the build produced more than {MOST_ENTRIES} files"
        ))),
        Err(error) => {
            let said = system_error(error);
            Err(Failure::Ours(format!("bot `{bot}`: cannot read the build output: {said}")))
        }
    }
}

/// Removes the oldest versions of a bot beyond the number and size that are kept. Those that play in an open round or
/// stage stay.
pub(crate) fn remove_oldest(folder: &LeagueFolder, league: &League, name: &str) {
    let plays = |version| {
        league.open_round().is_some_and(|it| it.line.bots.contains(version))
            || league.open_stage().is_some_and(|it| it.line.bots.contains(version))
    };
    let older = league.members().iter().rev().filter(|member| {
        let entry = &member.entry;
        entry.bot.bot == name
            && member.membership == Membership::Replaced
            && is_copied(&entry.command)
    });
    let (mut kept, mut left) = (0, OLDER_BYTES);
    for member in older {
        let version = &member.entry.bot;
        let copy = folder.path().join(LeagueFolder::bot(version));
        if plays(version) || fs::symlink_metadata(&copy).is_err() {
            continue;
        }
        match counted(&copy, left) {
            Ok(FolderSize::Bytes(bytes)) if kept < OLDER => (kept, left) = (kept + 1, left - bytes),
            // It may be readable the next time.
            Err(_) => kept += 1,
            // Any rest is removed the next time.
            _ => drop(fs::remove_dir_all(&copy)),
        }
    }
}

/// Returns the size of a folder in bytes; none if it cannot be read, or has very many files.
pub fn size(folder: &Path) -> Option<u64> {
    match counted(folder, u64::MAX) {
        Ok(FolderSize::Bytes(bytes)) => Some(bytes),
        _ => None,
    }
}

#[derive(Debug, PartialEq, Eq)]
enum FolderSize {
    Bytes(u64),
    TooManyBytes,
    TooManyFiles,
}

/// Counts a folder up to this number of bytes, without following links.
fn counted(folder: &Path, most: u64) -> io::Result<FolderSize> {
    let (mut bytes, mut entries) = (0_u64, 0_u64);
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let found = entry.metadata()?;
            entries += 1;
            if entries > MOST_ENTRIES {
                return Ok(FolderSize::TooManyFiles);
            }
            if found.is_dir() {
                folders.push(entry.path());
            } else if found.is_file() {
                bytes = bytes.saturating_add(found.len());
            }
            if bytes > most {
                return Ok(FolderSize::TooManyBytes);
            }
        }
    }
    Ok(FolderSize::Bytes(bytes))
}

/// Returns the free space on the disk of a folder in bytes, where the system tells.
#[cfg(unix)]
pub fn free(folder: &Path) -> io::Result<Option<u64>> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(Some(disk.f_bavail.saturating_mul(disk.f_frsize)))
}

/// Returns nothing: other systems do not tell the free space.
#[cfg(not(unix))]
pub fn free(_folder: &Path) -> io::Result<Option<u64>> {
    Ok(None)
}

/// Returns true if the disk of a league has at least this number of bytes left for submissions.
pub(crate) fn has_disk(folder: &LeagueFolder, least: u64) -> io::Result<bool> {
    Ok(free(folder.path())?.is_none_or(|free| free >= least))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_not_followed_and_bounds_hold() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path(".git")).expect("it is ours");
        fs::write(path(".git/a"), [0; 70]).expect("it is ours");
        fs::write(path("b"), [0; 30]).expect("it is ours");
        #[cfg(unix)]
        std::os::unix::fs::symlink("/", path("link")).expect("a link");
        assert_eq!(counted(folder.path(), 100).expect("it is ours"), FolderSize::Bytes(100));
        assert_eq!(counted(folder.path(), 99).expect("it is ours"), FolderSize::TooManyBytes);
        check_room("anna", folder.path(), crate::quotas::MOST_BYTES).expect("it is small");
    }
}
