//! `arbiter export`: logs as tables for machine learning.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use text::{printable, system_error};

use crate::commands::asked_log::{file_of, whole};
use crate::disputes::logged_game::failure;
use conditions::failure::Failure;
use contest::tournament::folder;
use record::Games;
use review::export::{self, Features, Format, Log, Stopped};

/// The options of `arbiter export`.
#[derive(Debug)]
pub(crate) struct ExportRequest {
    pub logs: Vec<PathBuf>,
    pub features: Features,
    pub format: Format,
    /// A new file to write to; standard output, if there is none.
    pub file: Option<PathBuf>,
}

/// Writes the table. If that fails, no file is left behind.
pub(crate) fn run(request: &ExportRequest, out: &mut dyn Write) -> Result<(), Failure> {
    // A tournament that was extended has a log for each of its parts, and a league one for each round.
    let paths: Vec<PathBuf> = request.logs.iter().flat_map(|path| whole(path)).collect();
    let mut logs = paths.iter().map(|path| opened(path)).collect::<Result<Vec<Log>, _>>()?;
    request.features.check(&logs).map_err(Failure::usage)?;
    let ExportRequest { features, format, .. } = request;
    let wrong = |stopped, output: &dyn Fn(io::Error) -> Failure| match stopped {
        Stopped::Output(error) => output(error),
        Stopped::Log(place, error) => failure(&paths[place], error),
    };
    let Some(path) = &request.file else {
        return export::write(&mut logs, features, *format, out)
            .map_err(|stopped| wrong(stopped, &Failure::Output));
    };
    let mut file = BufWriter::new(create(path)?);
    let done = export::write(&mut logs, features, *format, &mut file);
    let done = done.and_then(|()| Ok(file.flush()?));
    done.map_err(|stopped| {
        // A partial table would be taken for a whole one.
        let _ = fs::remove_file(path);
        wrong(stopped, &|error| {
            Failure::Ours(format!(
                "cannot write to `{}`: {}",
                folder::shown(path),
                system_error(error)
            ))
        })
    })
}

fn opened(path: &Path) -> Result<Log, Failure> {
    let log = file_of(path);
    let games = Games::open(&log).map_err(|error| failure(path, error))?;
    Ok(Log { name: printable(&path.display().to_string()), games })
}

fn create(path: &Path) -> Result<File, Failure> {
    let created = OpenOptions::new().write(true).create_new(true).open(path);
    created.map_err(|error| {
        Failure::Usage(format!(
            "cannot write to a new file `{}`: {}",
            folder::shown(path),
            system_error(error)
        ))
    })
}
