//! Paths of the programs under test.

use std::env;
use std::path::{Path, PathBuf};

/// The environment variable that names another folder of programs than the one they were built
/// in, as when the tests run as a user who cannot read that one.
pub const BINARIES_VARIABLE: &str = "ARBITER_TEST_BINARIES";

/// The folder that holds the programs of all packages.
///
/// `faulty` is the path of this package's own program, which Cargo tells integration tests
/// alone: `env!("CARGO_BIN_EXE_faulty")`. The others lie beside it.
pub fn folder(faulty: &str) -> PathBuf {
    match env::var_os(BINARIES_VARIABLE) {
        Some(folder) => folder.into(),
        None => Path::new(faulty).parent().unwrap_or(Path::new(".")).to_path_buf(),
    }
}

/// The path of a program in that folder.
///
/// Cargo builds the programs of other packages only when all packages are tested.
pub fn program(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    assert!(path.is_file(), "{name} not built: run cargo test --workspace");
    path
}
