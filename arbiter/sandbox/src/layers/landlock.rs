//! The layer of Landlock: checks of the kernel, which need no right.
//!
//! It promises that a bot opens for writing, makes, renames and removes files in its scratch folder
//! and in a build folder only; that it reads and starts only what is shown; and, as far as the kernel
//! knows of them, that it makes no connections unless it may use the network, and signals only what
//! belongs to its keeper. So it repeats what other layers promise, and stands in for them where they
//! are missing.
//! It does not keep a bot from looking at the names and sizes of files, nor from changing the rights
//! and times of files that its user owns: a root of its own does.

use std::io;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd, PathFdError,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use text::system_error;

use super::user::is_wanting;

/// The latest rules that are known here. A kernel that knows fewer keeps those that it knows.
const KNOWN: ABI = ABI::V10;

/// The files that a bot may use.
pub(super) struct FileAccess<'a> {
    /// Files and folders that can be read and started, with all that is below them.
    pub(super) read: Vec<&'a Path>,
    /// Devices that can be written to.
    pub(super) devices: Vec<&'a Path>,
    /// The folders for all that a bot writes.
    pub(super) written: Vec<&'a Path>,
}

/// A bot's permission to make connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Connections {
    Free,
    None,
}

/// Puts this process and all that it starts under these rules.
///
/// Fails where the kernel has none of it, or refuses it.
pub(super) fn restrict(files: &FileAccess<'_>, connections: Connections) -> Result<(), String> {
    let status = rules(files, connections).and_then(|rules| Ok(rules.restrict_self()?));
    let status = status.map_err(|error| {
        let why = match error {
            LandlockError::Ruleset(error) => system_error(error),
            LandlockError::Opened(error) => system_error(error),
        };
        format!("cannot set up rules for files: {why}")
    })?;
    match (status.ruleset, status.landlock) {
        (RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced, _) => Ok(()),
        (_, LandlockStatus::NotEnabled) => {
            Err("this kernel was started without Landlock".to_owned())
        }
        (_, _) => Err("this kernel has no Landlock, which came with Linux 5.13".to_owned()),
    }
}

fn rules(
    files: &FileAccess<'_>,
    connections: Connections,
) -> Result<RulesetCreated, LandlockError> {
    let all = AccessFs::from_all(KNOWN);
    let read = AccessFs::Execute | AccessFs::ReadFile | AccessFs::ReadDir;
    let mut rules = Ruleset::default().handle_access(all)?.scope(Scope::from_all(KNOWN))?;
    if connections == Connections::None {
        rules = rules.handle_access(AccessNet::from_all(KNOWN))?;
    }
    let mut rules = rules.create()?;
    for path in &files.read {
        rules = allow(rules, path, read)?;
    }
    for device in &files.devices {
        let write = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
        rules = allow(rules, device, write | AccessFs::IoctlDev)?;
    }
    for folder in &files.written {
        rules = allow(rules, folder, all)?;
    }
    Ok(rules)
}

/// Why there are no rules.
enum LandlockError {
    Ruleset(RulesetError),
    /// The system has run out of what opening a path needs.
    Opened(io::Error),
}

impl From<RulesetError> for LandlockError {
    fn from(error: RulesetError) -> LandlockError {
        LandlockError::Ruleset(error)
    }
}

/// Adds what is allowed below a path; one that cannot be opened allows nothing.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, LandlockError> {
    let opened = match PathFd::new(path) {
        Ok(opened) => opened,
        Err(PathFdError::OpenCall { source, .. }) if is_wanting(&source) => {
            return Err(LandlockError::Opened(source));
        }
        Err(_) => return Ok(rules),
    };
    // A rule for a file takes only what there is to do with a file.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(KNOWN) };
    Ok(rules.add_rule(PathBeneath::new(opened, access))?)
}
