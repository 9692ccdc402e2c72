//! Folders of a machine that hold more than one program's files.

use std::env;
use std::path::{Path, PathBuf};

/// The folders that every bot sees, or that the machine itself makes: nothing of them is listed.
const OF_SYSTEM: &[&str] =
    &["usr", "bin", "sbin", "etc", "opt", "nix", "snap", "proc", "sys", "dev"];

/// Folders that many things lie in.
const SHARED: &[&str] = &["/", "/home", "/media", "/mnt", "/root", "/run", "/srv", "/tmp", "/var"];

/// Folders whose subfolders are homes.
const OF_HOMES: &[&str] = &["/home", "/Users", "/var/home"];

/// What lies in a home folder and in no other.
const IN_HOMES: &[&str] = &[".bashrc", ".bash_history", ".gnupg", ".profile", ".ssh", ".zshrc"];

/// The folders of this machine and this user that are too wide to be shown whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    /// The home folder.
    pub(super) home: Option<PathBuf>,
    /// Where temporary files are.
    pub(super) temporary: Option<PathBuf>,
    /// The current folder.
    pub(super) current: Option<PathBuf>,
}

impl Places {
    pub(super) fn of_this_process() -> Places {
        let real = |path: PathBuf| path.canonicalize().ok().filter(|path| path.is_absolute());
        Places {
            home: env::var_os("HOME").and_then(|home| real(PathBuf::from(home))),
            temporary: real(env::temp_dir()),
            current: env::current_dir().ok().and_then(real),
        }
    }

    /// Returns true if a folder holds far more than what belongs together: a home folder, one that holds
    /// it, `/` or `/tmp`.
    pub(super) fn is_wide(&self, folder: &Path) -> bool {
        SHARED.iter().any(|shared| folder == Path::new(shared))
            || self.home.as_ref().is_some_and(|home| home.starts_with(folder))
            || self.temporary.as_deref() == Some(folder)
            || folder
                .parent()
                .is_some_and(|parent| OF_HOMES.iter().any(|homes| parent == Path::new(homes)))
            || IN_HOMES.iter().any(|name| folder.join(name).symlink_metadata().is_ok())
    }

    /// Returns true if a folder is or holds the current one.
    pub(super) fn holds_current(&self, folder: &Path) -> bool {
        self.current.as_ref().is_some_and(|current| current.starts_with(folder))
    }
}

/// Returns true if a path lies in a folder of files that every bot sees.
pub(super) fn is_of_files(path: &Path) -> bool {
    is_of_system(path) && !["/proc", "/sys", "/dev"].iter().any(|own| path.starts_with(own))
}

/// Returns true if a path lies in a folder that every bot sees, or in `/proc`, `/sys` or `/dev`.
pub(super) fn is_of_system(path: &Path) -> bool {
    let first = path.iter().nth(1).and_then(|name| name.to_str());
    first.is_some_and(|name| OF_SYSTEM.contains(&name) || name.starts_with("lib"))
}
