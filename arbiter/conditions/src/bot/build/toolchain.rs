//! The variables of its user that a build gets which is kept apart: where compilers are, and what they are
//! told; nothing that could be a secret.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::bot::grants::real;

/// What compilers and build tools are told.
const TOLD: [&str; 23] = [
    "AR",
    "AS",
    "CC",
    "CFLAGS",
    "CPATH",
    "CPP",
    "CPPFLAGS",
    "CXX",
    "CXXFLAGS",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "GOFLAGS",
    "GOTOOLCHAIN",
    "LD",
    "LDFLAGS",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "MAKEFLAGS",
    "PKG_CONFIG_PATH",
    "PYENV_VERSION",
    "RUSTFLAGS",
    "RUSTUP_TOOLCHAIN",
    "SOURCE_DATE_EPOCH",
];

/// Where they are, and the folder in the home folder where they are if nothing is said.
const PLACES: [(&str, Option<&str>); 4] = [
    ("GOROOT", None),
    ("JAVA_HOME", None),
    ("PYENV_ROOT", Some(".pyenv")),
    ("RUSTUP_HOME", Some(".rustup")),
];

/// The compilers and build tools of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Toolchain {
    /// The variables of a build, besides those that every program has.
    pub(super) variables: Vec<(OsString, OsString)>,
    /// The folders that it sees.
    pub(super) folders: Vec<PathBuf>,
}

impl Toolchain {
    /// That of this process.
    pub(super) fn of_this_process() -> Toolchain {
        let home = env::var_os("HOME").map(PathBuf::from);
        let told = TOLD.into_iter().filter_map(|name| Some((name, env::var_os(name)?)));
        let places = PLACES.into_iter().filter_map(|(name, usual)| {
            let said = env::var_os(name).map(PathBuf::from);
            let folder = said.or_else(|| Some(home.as_deref()?.join(usual?)))?;
            let is_folder = folder.is_absolute() && folder.is_dir();
            // One that holds the home folder would show too much.
            (is_folder && !holds(&folder, home.as_deref())).then_some((name, folder))
        });
        let places: Vec<(&str, PathBuf)> = places.collect();
        let named = places.iter().map(|(name, folder)| (*name, folder.clone().into_os_string()));
        let variables = told.chain(named).map(|(name, value)| (name.into(), value)).collect();
        Toolchain { variables, folders: places.into_iter().map(|(_, folder)| folder).collect() }
    }
}

fn holds(folder: &Path, home: Option<&Path>) -> bool {
    home.is_some_and(|home| real(home).starts_with(real(folder)))
}
