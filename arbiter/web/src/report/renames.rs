//! Renaming several files, all of them or none.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What was renamed so far, and can be undone.
#[derive(Debug, Default)]
pub(super) struct Renames {
    /// Each with the path that it had and the one that it has.
    done: Vec<(PathBuf, PathBuf)>,
}

/// Whether everything has its former path again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undone {
    /// All of it has.
    All,
    /// Something could not be renamed back.
    NotAll,
}

impl Renames {
    /// Renames a file or a folder, if it is there; a link itself, not what it leads to.
    pub(super) fn add(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        match fs::symlink_metadata(from) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => other?,
        };
        fs::rename(from, to)?;
        self.done.push((from.to_owned(), to.to_owned()));
        Ok(())
    }

    /// Gives everything its former path again, the last one first.
    pub(super) fn undo(self) -> Undone {
        let back = self.done.iter().rev().map(|(from, to)| fs::rename(to, from));
        // All are tried, even if one fails.
        match back.filter(Result::is_err).count() {
            0 => Undone::All,
            _ => Undone::NotAll,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_renamed_before_a_failure_goes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("old"), "old").expect("the folder is ours");
        fs::write(path("new"), "new").expect("the folder is ours");
        fs::create_dir(path("full")).expect("the folder is ours");
        let mut renames = Renames::default();
        renames.add(&path("missing"), &path("aside")).expect("what is not there is left out");
        renames.add(&path("old"), &path("aside")).expect("it is there");
        renames.add(&path("new"), &path("old")).expect("it is there");
        renames.add(&path("full"), &path("aside")).expect_err("no folder takes a file's place");
        assert_eq!(renames.undo(), Undone::All);
        assert_eq!(fs::read_to_string(path("old")).expect("a text"), "old");
        assert_eq!(fs::read_to_string(path("new")).expect("a text"), "new");
        assert!(!path("aside").exists() && path("full").is_dir());
    }
}
