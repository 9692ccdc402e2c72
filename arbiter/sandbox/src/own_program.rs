//! The program that serves as a keeper and as a guard: this one, if it says so.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The program that calls [`serve`] when it is started with [`SUBCOMMAND`].
///
/// [`serve`]: crate::keeper::serve
/// [`SUBCOMMAND`]: crate::keeper::SUBCOMMAND
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says which program serves as a keeper, so that keepers can be had: it calls [`serve`] when it is
/// started with [`SUBCOMMAND`] alone. The first word on it counts.
///
/// [`serve`]: crate::keeper::serve
/// [`SUBCOMMAND`]: crate::keeper::SUBCOMMAND
pub fn announce(program: &Path) {
    let _ = PROGRAM.set(program.to_owned());
}

/// Returns true if keepers can be had.
pub(super) fn can_be_had() -> bool {
    PROGRAM.get().is_some()
}

/// The program that serves as a keeper, and as a guard, if there is one.
pub(super) fn program() -> Option<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path)
}
