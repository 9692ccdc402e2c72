//! `arbiter league backup`, `restore` and `certificates`: what an organiser keeps of a league.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use bytesize::ByteSize;

use conditions::failure::Failure;
use contest::tournament::folder::shown;
use league::backup as backups;
use league::folder::LeagueFolder;
use report::Certificates;
use text::{counted, system_error};

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

/// Writes the certificates of all bots that play into a new file.
pub(crate) fn certificates(path: &Path, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let Certificates { text, number } = report::certificates(&folder)?;
    let written = File::create_new(file).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Failure::Usage(format!("`{}` exists, expected a new path", shown(file)))
        }
        _ => Failure::Ours(format!("`{}` cannot be written: {}", shown(file), system_error(error))),
    })?;
    let number = counted(number, "certificate", "certificates");
    Ok(writeln!(out, "{}: {number}", shown(file))?)
}
