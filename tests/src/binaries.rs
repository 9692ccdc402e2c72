//! Paths of the programs under test.

use std::env;
use std::path::{Path, PathBuf};

/// The environment variable that names another folder of programs than the one they were built
/// in, as when the tests run as a user who cannot read that one.
pub const BINARIES_VARIABLE: &str = "ARBITER_TEST_BINARIES";

/// The folder that holds the programs of all packages: that above `deps`, where Cargo puts a test program.
pub fn folder() -> PathBuf {
    if let Some(folder) = env::var_os(BINARIES_VARIABLE) {
        return folder.into();
    }
    let own = env::current_exe().expect("a test program knows its path");
    own.parent().and_then(Path::parent).expect("it lies in a folder of a folder").to_owned()
}

/// The path of a program in that folder.
///
/// Cargo builds the programs of other packages only when all packages are tested.
pub fn program(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    assert!(path.is_file(), "{name} not built: run cargo build --workspace");
    path
}

/// The words by which Cargo runs the tests of this test program again, before the name of a test.
pub fn again() -> String {
    let own = env::current_exe().expect("a test program knows its path");
    let name = own.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let target = name.split('-').next().unwrap_or_default();
    format!("cargo test -p tests --test {target}")
}
