//! The report on a submission: a file next to its folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use text::{printable, system_error};
use thiserror::Error;

use super::SubmissionStatus;
use crate::tournament::folder::shown;

/// What the name of a report has after that of the folder.
pub const ENDING: &str = ".report.txt";

/// A report that could not be written; one line.
#[derive(Debug, Error)]
#[error("warning: the report `{file}` cannot be written: {}", system_error(source))]
pub struct Unwritten {
    file: String,
    source: io::Error,
}

/// Writes the report on a submission in the place of a former one: its check, if there was one,
/// and what became of it. Gives the name of the file.
///
/// # Errors
///
/// Fails if it cannot be written; then a former one may be left.
pub fn write(
    folder: &Path,
    checked: Option<&[u8]>,
    status: &SubmissionStatus,
) -> Result<String, Unwritten> {
    let file = beside(folder);
    let mut text = match checked {
        Some(report) => report.to_vec(),
        None => format!("{}\n", shown(folder)).into_bytes(),
    };
    let status = match status {
        Ok(name) => format!("\nentered as {name}\n"),
        Err(why) => format!("\nrefused: {}\n", printable(why)),
    };
    text.extend_from_slice(status.as_bytes());
    match put(&file, &text) {
        Ok(()) => Ok(shown(&file)),
        Err(source) => Err(Unwritten { file: shown(&file), source }),
    }
}

/// Puts a new file in the place of anything with this name: a link is not followed, and nothing
/// that lies there is opened.
fn put(file: &Path, text: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut new = readable(tempfile::Builder::new().prefix(".new-")).tempfile_in(folder)?;
    new.write_all(text)?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// For everyone whom the user lets read new files; the library would create it for the user only.
#[cfg(unix)]
fn readable<'a, 'b>(
    builder: &'a mut tempfile::Builder<'b, 'static>,
) -> &'a mut tempfile::Builder<'b, 'static> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn readable<'a, 'b>(
    builder: &'a mut tempfile::Builder<'b, 'static>,
) -> &'a mut tempfile::Builder<'b, 'static> {
    builder
}

/// The file for the report on a folder: beside it, with its name.
fn beside(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(ENDING);
    folder.with_file_name(name)
}
