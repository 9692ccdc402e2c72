//! `arbiter league backup` and `restore`: a league as one file.

use std::io::Write;
use std::path::Path;

use bytesize::ByteSize;

use conditions::failure::Failure;
use contest::league::backup as backups;
use contest::league::folder::LeagueFolder;
use contest::tournament::folder::shown;
use text::counted;

/// Writes a league into a file, also while it is played.
pub(crate) fn backup(path: &Path, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let size = backups::write(&folder, file)?;
    let files = counted(size.files, "file", "files");
    let bytes = ByteSize(size.bytes).display().iec();
    Ok(writeln!(out, "{}: {files}, {bytes}", shown(file))?)
}

/// Makes a league of a backup, in a new folder.
pub(crate) fn restore(file: &Path, path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let (_, league) = backups::restore(file, path)?;
    let games = counted(league.games(), "game", "games");
    let rounds = counted(league.rounds().len(), "round", "rounds");
    Ok(writeln!(out, "{}: {games} in {rounds}, head {}", shown(path), league.head())?)
}
