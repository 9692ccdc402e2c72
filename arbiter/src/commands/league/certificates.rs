//! `arbiter league certificates`: a page for printing for each bot.

use std::fs;
use std::io::Write;
use std::path::Path;

use conditions::failure::Failure;
use contest::league::folder::LeagueFolder;
use contest::tournament::folder::shown;
use text::{counted, system_error};
use web::report::{Certificates, certificates as made};

/// Writes the certificates of all bots that play into a new file.
pub(crate) fn certificates(path: &Path, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let Certificates { text, number } = made(&folder)?;
    if fs::symlink_metadata(file).is_ok() {
        let problem = format!("`{}` exists, expected a new path", shown(file));
        return Err(Failure::Usage(problem));
    }
    fs::write(file, text).map_err(|error| {
        Failure::Ours(format!("`{}` cannot be written: {}", shown(file), system_error(error)))
    })?;
    let number = counted(number, "certificate", "certificates");
    Ok(writeln!(out, "{}: {number}", shown(file))?)
}
