//! The search path for programs of tests.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// `PATH`, with the folder of Python itself in front where another program would only look for it:
/// the one of pyenv takes a tenth of a second for each start, and tests start thousands.
pub fn search_path() -> &'static OsStr {
    static SEARCH_PATH: OnceLock<OsString> = OnceLock::new();
    SEARCH_PATH.get_or_init(|| {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = env::split_paths(&path).collect();
        let first = folders.iter().find(|folder| folder.join("python3").is_file());
        match python() {
            Some(python) if first.is_some_and(|first| *first != python) => {
                let folders = [python].into_iter().chain(folders);
                env::join_paths(folders).expect("they were in such a list")
            }
            _ => path,
        }
    })
}

/// The folder in which Python says that it is.
fn python() -> Option<PathBuf> {
    let script = "import sys; sys.stdout.write(sys.executable)";
    let output = Command::new("python3").args(["-c", script]).output().ok()?;
    let folder = Path::new(OsStr::from_bytes(&output.stdout)).parent()?;
    folder.join("python3").is_file().then(|| folder.to_owned())
}
