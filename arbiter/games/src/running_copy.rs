//! The copy of a program's files that one instance of it runs on.
//!
//! It holds the files that the digest covers, and nothing else: no hidden file, no page, no code that an interpreter
//! has compiled before. So rules cannot depend on what no digest shows, and a change of the folder that they come
//! from is no change of a game that goes on.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rules::own::NoAnswer;
use sandbox::scratch::Scratch;
use sandbox::{Program, ResolveError, SearchPath, ViewRules};
use text::{printable, system_error};

use crate::contents::set_mode;
use crate::game_files::GameFiles;

/// The folder of the files in the scratch folder.
const FOLDER: &str = "game";

/// A copy that is removed when this is dropped.
pub(crate) struct RunningCopy {
    /// The program with paths of the copy.
    pub program: Program,
    pub sight: ViewRules,
    _scratch: Scratch,
}

impl RunningCopy {
    /// Writes a copy.
    ///
    /// # Errors
    ///
    /// Says why it cannot be written, which lies in the machine, or why the program cannot be started.
    pub(crate) fn write(files: &GameFiles) -> Result<RunningCopy, NoAnswer> {
        let unwritten =
            |error| NoAnswer::Machine(format!("cannot copy its files: {}", system_error(error)));
        let scratch = Scratch::new().map_err(unwritten)?;
        let folder = scratch.path().join(FOLDER);
        write_files(files, scratch.path(), &folder).map_err(unwritten)?;
        let search = SearchPath::of_this_process(None)
            .map_err(|error| NoAnswer::Machine(system_error(error)))?;
        let is_typed = files.folder().is_none();
        // The words of a command start from where it was typed, those of a manifest from its folder.
        let search = if is_typed { search } else { search.from(&folder) };
        let located = |word: &String| match files.holds(word) {
            true => folder.join(word).display().to_string(),
            false => word.clone(),
        };
        let words: Vec<String> = files.command().iter().map(located).collect();
        let program = Program::resolve(&words, &search).map_err(|error| NoAnswer::Rules(match error {
            ResolveError::NoExec { .. } => format!(
                "its program is copied to `{}`, where no program is started (mounted noexec): set TMPDIR to \
                 a folder elsewhere",
                printable(&std::env::temp_dir().display().to_string())
            ),
            // The path of the copy says nothing to its author.
            error => error.to_string().replace(&format!("{}/", folder.display()), ""),
        }))?;
        // An interpreter that its user has named by a path.
        let is_elsewhere = is_typed && !program.is_named() && !program.path().starts_with(&folder);
        let granted: Vec<PathBuf> =
            is_elsewhere.then(|| program.path().to_owned()).into_iter().collect();
        let sight = ViewRules { folder: Some(folder), granted, ..ViewRules::default() };
        Ok(RunningCopy { program, sight, _scratch: scratch })
    }
}

fn write_files(files: &GameFiles, top: &Path, folder: &Path) -> io::Result<()> {
    // Where root starts them, programs run as another user, whatever the umask of this process.
    if is_of_root(top)? {
        set_mode(top, 0o711)?;
    }
    make(folder)?;
    for (name, content) in files.contents() {
        let mut inner = folder.to_owned();
        let parts: Vec<&str> = name.split('/').collect();
        for part in &parts[..parts.len() - 1] {
            inner.push(part);
            if !inner.is_dir() {
                make(&inner)?;
            }
        }
        content.write_plainly(&folder.join(name))?;
    }
    Ok(())
}

fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)?;
    set_mode(folder, 0o755)
}

#[cfg(unix)]
fn is_of_root(folder: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata(folder)?.uid() == 0)
}

#[cfg(not(unix))]
fn is_of_root(_folder: &Path) -> io::Result<bool> {
    Ok(false)
}
