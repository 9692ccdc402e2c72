//! `arbiter export`: logs as tables for machine learning.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use text::{printable, system_error};

use crate::commands::log_target::{file_of, whole};
use crate::disputes::logged_game::failure;
use contest::tournament::folder;
use record::Games;
use review::export::{self, ExportError, ExportedLog, Features, TableFormat};
use sandbox::{file, unfinished};
use text::failure::Failure;

/// The options of `arbiter export`.
#[derive(Debug)]
pub(crate) struct ExportRequest {
    pub logs: Vec<PathBuf>,
    pub features: Features,
    pub format: TableFormat,
    /// A new file to write to; standard output, if there is none.
    pub file: Option<PathBuf>,
}

/// Writes the table. If that fails, no file is left behind.
pub(crate) fn run(request: &ExportRequest, out: &mut dyn Write) -> Result<(), Failure> {
    // A tournament that was extended has a log for each of its parts, and a league one for each round.
    let paths: Vec<PathBuf> = request.logs.iter().flat_map(|path| whole(path)).collect();
    let mut logs =
        paths.iter().map(|path| opened(path)).collect::<Result<Vec<ExportedLog>, _>>()?;
    request.features.check(&logs).map_err(Failure::usage)?;
    let ExportRequest { features, format, .. } = request;
    let wrong = |stopped, output: &dyn Fn(io::Error) -> Failure| match stopped {
        ExportError::Output(error) => output(error),
        ExportError::Log(place, error) => failure(&paths[place], error),
    };
    let Some(path) = &request.file else {
        return export::write(&mut logs, features, *format, out)
            .map_err(|stopped| wrong(stopped, &Failure::Output));
    };
    // A partial table would be taken for a whole one.
    let mut table = BufWriter::new(create(path)?);
    let done = export::write(&mut logs, features, *format, &mut table);
    let done = done.and_then(|()| {
        let table = table.into_inner().map_err(io::IntoInnerError::into_error)?;
        table.persist_noclobber(path).map_err(|error| error.error)?;
        Ok(())
    });
    done.map_err(|stopped| {
        wrong(stopped, &|error| {
            Failure::Ours(format!(
                "cannot write to `{}`: {}",
                folder::shown(path),
                system_error(error)
            ))
        })
    })
}

fn opened(path: &Path) -> Result<ExportedLog, Failure> {
    let log = file_of(path);
    let games = Games::open(&log).map_err(|error| failure(path, error))?;
    Ok(ExportedLog { name: printable(&path.display().to_string()), games })
}

fn create(path: &Path) -> Result<unfinished::NewFile, Failure> {
    let created = unfinished::must_be_new(path)
        .and_then(|()| unfinished::file_for_all_in(file::folder_of(path)));
    created.map_err(|error| {
        Failure::Usage(format!(
            "cannot write to a new file `{}`: {}",
            folder::shown(path),
            system_error(error)
        ))
    })
}
