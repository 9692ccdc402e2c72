//! Folders of bots: created for a game, a match or the file of one call, and removed with
//! everything in them.

use std::env;
use std::fs;
use std::io;
use std::mem;
use std::path::{self, Path, PathBuf};
use std::time::Duration;

use rand::TryRng;
use rand::rngs::SysRng;
use text::{printable, system_error};

use crate::file;
use crate::guard::{self, GuardLease};
use crate::removal::{LIMIT, remove, remove_within};

pub use crate::removal::RemovalError;

/// A folder that a bot may use as it likes; it is removed when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// A folder may be made before the guard of a run is posted, or by a command that posts none.
    _guard: Option<GuardLease>,
}

impl Scratch {
    /// Makes an empty folder that other users of the machine cannot look into, under any umask.
    pub fn new() -> io::Result<Scratch> {
        let mut number = [0; 8];
        SysRng.try_fill_bytes(&mut number).map_err(io::Error::other)?;
        let name = format!("arbiter-{:016x}", u64::from_ne_bytes(number));
        let path = path::absolute(env::temp_dir().join(name))?;
        let guard = GuardLease::of_this_program();
        // Before it is made: a process that dies in between leaves no folder. The number is too
        // long for the name to be that of another one.
        guard::folder_created(&path);
        let create = || file::private_folder().create(&path);
        // A bot may have closed the folder that all these lie in, where it is its user's own.
        let created = match create() {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                reopen(&path).and_then(|()| create())
            }
            created => created,
        };
        if let Err(error) = created {
            guard::removed(&path);
            let shown = printable(&path.to_string_lossy());
            return Err(io::Error::new(
                error.kind(),
                format!("`{shown}`: {}", system_error(error)),
            ));
        }
        let scratch = Scratch { path, _guard: guard };
        scratch.open_to_its_owner()?;
        Ok(scratch)
    }

    /// The folder, as an absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if it can still be used: its bot may have removed, closed or replaced it.
    pub fn is_usable(&self) -> bool {
        // The dot makes the lookup fail where the folder may not be entered.
        fs::symlink_metadata(&self.path).is_ok_and(|found| found.is_dir())
            && fs::metadata(self.path.join(".")).is_ok()
    }

    /// Removes the folder with all that is in it; links in it are not followed.
    ///
    /// # Errors
    ///
    /// [`RemovalError`], if something cannot be removed or ten seconds were not enough.
    pub fn remove(&mut self) -> Result<(), RemovalError> {
        self.remove_within(LIMIT)
    }

    /// Removes the folder within this time, for one that may hold more than a bot's.
    pub fn remove_within(&mut self, limit: Duration) -> Result<(), RemovalError> {
        // A dropped one no longer has a folder: if this went wrong, a second try would not go
        // better.
        let path = mem::take(&mut self.path);
        let removed = remove_within(&path, limit);
        guard::removed(&path);
        removed
    }

    /// Undoes a umask that takes rights from the owner.
    #[cfg(unix)]
    fn open_to_its_owner(&self) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&self.path, fs::Permissions::from_mode(0o700))
    }

    #[cfg(not(unix))]
    fn open_to_its_owner(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // No one is there to be told; code that wants to know calls `remove`.
            let _ = remove(&self.path);
            guard::removed(&self.path);
        }
    }
}

/// Gives the owner of the folder above a path its rights back.
#[cfg(unix)]
fn reopen(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let Some(above) = path.parent() else { return Err(io::ErrorKind::NotFound.into()) };
    let mode = fs::metadata(above)?.permissions().mode();
    fs::set_permissions(above, fs::Permissions::from_mode(mode | 0o700))
}

#[cfg(not(unix))]
fn reopen(_path: &Path) -> io::Result<()> {
    Ok(())
}
