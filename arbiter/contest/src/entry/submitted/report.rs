//! The report on a submission: a file next to its folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use text::{printable, system_error};
use thiserror::Error;

use super::SubmissionStatus;
use crate::tournament::folder::shown;

/// Ending of a report's name, after the name of the folder.
pub const ENDING: &str = ".report.txt";

/// A report that could not be written; one line.
#[derive(Debug, Error)]
#[error("warning: the report `{file}` cannot be written: {}", system_error(source))]
pub struct Unwritten {
    file: String,
    source: io::Error,
}

/// Writes the report on a submission, in place of an earlier one: its check, if there was one, and the result.
/// Returns the name of the file.
///
/// # Errors
///
/// Fails if it cannot be written; then an earlier one may remain.
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

/// Replaces anything with this name by a new file: a link is not followed, and nothing that lies there is
/// opened.
fn put(file: &Path, text: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut new = readable(tempfile::Builder::new().prefix(".new-")).tempfile_in(folder)?;
    new.write_all(text)?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// Lets others read the file as far as the umask allows; the library would create it for the user only.
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

/// Returns the file for the report on a folder, which lies beside it.
fn beside(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(ENDING);
    folder.with_file_name(name)
}
