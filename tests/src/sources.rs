//! Paths of the shipped sources, for tests that read them.

use std::fs;
use std::path::{Path, PathBuf};

/// The `src` folders of the program's crates and of the bots', which have nothing else in common.
///
/// # Panics
///
/// Panics if the crates cannot be listed.
pub fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = fs::read_dir(root.join("arbiter")).expect("a folder of crates");
    let crates = crates.map(|entry| entry.expect("a crate").path().join("src"));
    let mut folders: Vec<PathBuf> = crates.filter(|folder| folder.is_dir()).collect();
    folders.extend(
        ["arbiter/src", "bots/src", "bots/search/src", "bots/simulation/src"]
            .map(|path| root.join(path)),
    );
    folders.sort();
    folders
}
