//! `arbiter league backup`, `restore` and `certificates`: what an organiser keeps of a league.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use bytesize::ByteSize;

use contest::tournament::folder::shown;
use league::backup::{self as backups, BackupError, BackupSize};
use league::folder::LeagueFolder;
use report::Certificates;
use sandbox::unfinished;
use text::failure::Failure;
use text::terminal::say;
use text::{counted, system_error};

/// Stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// Writes a league into a file, or to standard output, also while it is played.
pub(crate) fn backup(path: &Path, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let told = |name: &str, size: BackupSize| {
        let files = counted(size.files, "file", "files");
        format!("{name}: {files}, {}", ByteSize(size.bytes).display().iec())
    };
    if file != Path::new(STANDARD_OUTPUT) {
        let size = backups::write(&folder, file)?;
        return Ok(writeln!(out, "{}", told(&shown(file), size))?);
    }
    if io::stdout().is_terminal() {
        let problem =
            "a terminal cannot take a backup: redirect standard output, or name a new file";
        return Err(Failure::Usage(problem.to_owned()));
    }
    let size = backups::pack(&folder, out, "standard output").map_err(|problem| match problem {
        BackupError::Unwritten(_, error) if error.kind() == ErrorKind::BrokenPipe => {
            Failure::Output(error).or_undone()
        }
        other => other.into(),
    })?;
    say(told("standard output", size));
    Ok(())
}

/// Makes a league of a backup, in a new folder.
pub(crate) fn restore(file: &Path, path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let league = backups::restore(file, path)?;
    let games = counted(league.games(), "game", "games");
    let rounds = counted(league.rounds().len(), "round", "rounds");
    Ok(writeln!(out, "{}: {games} in {rounds}, head {}", shown(path), league.head())?)
}

/// Writes the certificates of all bots that play into a new file.
pub(crate) fn certificates(path: &Path, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let Certificates { text, number } = report::certificates(&folder)?;
    let written = unfinished::write_new_for_all(file, text.as_bytes());
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::Usage(format!("`{}` already exists", shown(file))),
        _ => Failure::Ours(format!("cannot write `{}`: {}", shown(file), system_error(error))),
    })?;
    let number = counted(number, "certificate", "certificates");
    Ok(writeln!(out, "{}: {number}", shown(file))?)
}
