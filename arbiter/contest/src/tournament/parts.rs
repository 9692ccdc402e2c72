//! The parts of a tournament: the first one, and its extensions.
//!
//! A part is the folder of a tournament, with a plan and a log of its own. Extensions lie
//! in the folder of the first, as `extension-1`, `extension-2` and so on, and each names the head
//! of the log before it. Older files never change.

use std::ffi::OsStr;
use std::path::{Path, PathBuf, absolute};

use crate::tournament::folder;

/// Name of the folder of an extension, before its number from 1.
const EXTENSION: &str = "extension-";

/// The folders of the parts of a tournament, in order; there is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    first: PathBuf,
    extensions: Vec<PathBuf>,
}

impl Parts {
    /// Finds all parts of the tournament in this folder; for an extension, the parts up to it.
    pub fn find(path: &Path) -> Parts {
        match extended_by(path) {
            Some((first, number)) => {
                let extensions = (1..=number).map(|number| extension(&first, number)).collect();
                Parts { first, extensions }
            }
            None => {
                let extensions = (1..).map(|number| extension(path, number));
                let extensions = extensions.take_while(|path| folder::holds_plan(path)).collect();
                Parts { first: path.to_owned(), extensions }
            }
        }
    }

    /// Finds all parts of the tournament to which this folder belongs, including later ones.
    pub fn whole(path: &Path) -> Parts {
        Parts::find(Parts::find(path).first())
    }

    /// Does the same as [`find`](Parts::find), but only up to the last part of which something was played. After
    /// a crash the last extension may have a plan and no log yet.
    pub fn begun(path: &Path) -> Parts {
        let mut parts = Parts::find(path);
        parts.extensions.retain(|part| folder::games(part).exists());
        parts
    }

    /// Returns the parts before the one in this folder, in order; none for the first part.
    pub fn before(path: &Path) -> Vec<PathBuf> {
        extended_by(path).map_or(Vec::new(), |_| {
            let mut parts = Parts::find(path).all();
            parts.pop();
            parts
        })
    }

    /// Returns true if there is a part after the one in this folder.
    pub fn has_later(path: &Path) -> bool {
        let later = match extended_by(path) {
            Some((first, number)) => extension(&first, number + 1),
            None => extension(path, 1),
        };
        folder::holds_plan(&later)
    }

    /// Returns the first part.
    pub fn first(&self) -> &Path {
        &self.first
    }

    /// Returns the last part.
    pub fn last(&self) -> &Path {
        self.extensions.last().unwrap_or(&self.first)
    }

    /// Returns all parts, in order.
    pub fn all(&self) -> Vec<PathBuf> {
        [&self.first].into_iter().chain(&self.extensions).cloned().collect()
    }

    /// Returns the folder for the next part.
    pub fn next(&self) -> PathBuf {
        extension(&self.first, self.extensions.len() + 1)
    }
}

fn extension(first: &Path, number: usize) -> PathBuf {
    first.join(format!("{EXTENSION}{number}"))
}

/// Returns the first part that this folder extends, and the number of the extension.
fn extended_by(path: &Path) -> Option<(PathBuf, usize)> {
    let whole = absolute(path).ok()?;
    let number = whole.file_name().and_then(OsStr::to_str)?.strip_prefix(EXTENSION)?;
    let number: usize = number.parse().ok().filter(|number| *number > 0)?;
    let first = match path.parent().filter(|_| path.file_name() == whole.file_name()) {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => whole.parent()?.to_owned(),
    };
    let is_own = (1..=number).all(|number| folder::holds_plan(&extension(&first, number)));
    (is_own && folder::holds_plan(&first)).then_some((first, number))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn an_extension_has_the_parts_before_it() {
        let folder = TempDir::new().expect("a folder");
        let cup = folder.path().join("cup");
        for part in ["", "extension-1", "extension-2", "extension-4"] {
            fs::create_dir_all(cup.join(part)).expect("it is ours");
            fs::write(cup.join(part).join("plan.toml"), "").expect("it is ours");
        }
        let names = |path: &Path| -> Vec<String> {
            let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
            Parts::find(path).all().iter().map(name).collect()
        };
        assert_eq!(names(&cup), ["cup", "extension-1", "extension-2"]);
        assert_eq!(names(&cup.join("extension-1")), ["cup", "extension-1"]);
        assert_eq!(names(&cup.join("extension-4")), ["extension-4"], "it extends nothing");
        assert_eq!(Parts::find(&cup).next(), cup.join("extension-3"));
        assert_eq!(Parts::before(&cup), [] as [PathBuf; 0]);
        assert_eq!(Parts::before(&cup.join("extension-1")), [cup]);
    }
}
