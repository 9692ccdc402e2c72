//! What a program needs besides its own file, by the folder that it lies in.

use std::path::{Path, PathBuf};

use super::places::Places;

/// What belongs to a program by the folder that it lies in.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    /// All that is installed together, whole: its libraries are there.
    Whole(PathBuf),
    /// These folders of a place that holds more.
    Folders(Vec<PathBuf>),
}

/// The prefix of the programs in a folder; none if they need nothing from it.
pub(super) fn prefix_of(folder: &Path, places: &Places) -> Option<Prefix> {
    let parent = folder.parent()?;
    let is_parent = |name: &str| parent.file_name().is_some_and(|found| found == name);
    match folder.file_name()?.to_str()? {
        // Those of pyenv, rbenv, nodenv and asdf only choose among what lies beside them.
        "shims" if !places.is_wide(parent) => Some(Prefix::Whole(parent.to_path_buf())),
        "bin" | "sbin" if is_parent(".local") => {
            let folders = [folder.to_path_buf(), parent.join("lib")];
            Some(Prefix::Folders(folders.into_iter().filter(|folder| folder.is_dir()).collect()))
        }
        "bin" | "sbin" if is_parent(".cargo") || places.is_wide(parent) => None,
        "bin" | "sbin" if parent.join("lib").is_dir() || parent.join(ENVIRONMENT).is_file() => {
            Some(Prefix::Whole(parent.to_path_buf()))
        }
        _ => None,
    }
}

/// The file that makes a folder a virtual environment of Python.
pub(super) const ENVIRONMENT: &str = "pyvenv.cfg";
