//! A build that is kept apart like a bot, in a copy of its folder.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use text::terminal::say;

use super::copied_folder::CopiedFolder;
use super::{BuildError, Builder, LIMITS, judged};
use crate::grants::real;
use crate::manifest::BotFolder;
use crate::sandboxed::SandboxedBot;
use sandbox::{Limits, Program, ViewRules};

impl Builder<'_> {
    /// Builds in a copy of the folder, and takes over what was built.
    pub(super) fn build_isolated(
        &self,
        folder: &BotFolder,
        name: &str,
        words: &[String],
        kept: Vec<PathBuf>,
    ) -> Result<Duration, BuildError> {
        let builder = self.supervisor.owner_of_bots_files();
        let not_copied: Vec<PathBuf> = self.folders.iter().chain(&kept).cloned().collect();
        let copied = CopiedFolder::copy(&folder.path, &not_copied, builder)?;
        let built = self.build_copy(&copied, folder, name, words, kept).and_then(|time| {
            copied.take_over()?;
            Ok(time)
        });
        if let Err(left) = copied.close() {
            say(format!("warning: {left}"));
        }
        built
    }

    fn build_copy(
        &self,
        copied: &CopiedFolder,
        folder: &BotFolder,
        name: &str,
        words: &[String],
        kept: Vec<PathBuf>,
    ) -> Result<Duration, BuildError> {
        let build_folder = &copied.build_folder;
        let (variables, folders) = toolchain();
        let mut granted = self.grants.readable(name);
        granted.extend(folders);
        let sight = ViewRules {
            folder: Some(folder.path.clone()),
            granted,
            devices: self.grants.devices(name),
            hidden: self.folders.iter().chain(&kept).cloned().collect(),
            masked: kept,
            network: self.grants.network(name),
        };
        let at = self.supervisor.finds(build_folder);
        let words: Vec<String> = words.iter().map(|word| moved(word, &folder.path, at)).collect();
        let reach = self.reach(at, name);
        let program = Program::resolve_within(&words, &self.search.from(at), &reach)
            .map_err(BuildError::refused)?;
        let program = program.with_variables(variables);
        let limits = Limits { time: self.time, ..LIMITS };
        let observed =
            self.supervisor.run_build(build_folder, &program, &sight, limits, self.wanted);
        // Of the copy itself it misses nothing.
        let mut sight = sight;
        sight.hidden.push(build_folder.copy.clone());
        let outlook = self.supervisor.visibility(&program, &sight);
        let sandboxed = SandboxedBot::of_build(name, folder, &program, outlook);
        judged(observed, &limits, |stderr, cause| sandboxed.missed(stderr, Some(cause)))
    }
}

/// A word of a command that lies in a folder, as it is found where the folder is found.
fn moved(word: &str, folder: &Path, to: &Path) -> String {
    let moved = Path::new(word).strip_prefix(folder).map(|rest| to.join(rest));
    moved.ok().and_then(|path| path.to_str().map(str::to_owned)).unwrap_or_else(|| word.to_owned())
}

/// Variables of the environment that steer compilers and build tools.
const BUILD_VARIABLES: [&str; 23] = [
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

/// Variables for the places of compilers and build tools, and their usual folder in the home folder, if
/// there is one.
const PLACES: [(&str, Option<&str>); 4] = [
    ("GOROOT", None),
    ("JAVA_HOME", None),
    ("PYENV_ROOT", Some(".pyenv")),
    ("RUSTUP_HOME", Some(".rustup")),
];

/// Where the compilers and build tools of the user are, and what they are told, in variables besides those that every
/// program has; nothing that could be a secret.
fn toolchain() -> (Vec<(OsString, OsString)>, Vec<PathBuf>) {
    let home = env::var_os("HOME").map(PathBuf::from);
    let told = BUILD_VARIABLES.into_iter().filter_map(|name| Some((name, env::var_os(name)?)));
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
    (variables, places.into_iter().map(|(_, folder)| folder).collect())
}

fn holds(folder: &Path, home: Option<&Path>) -> bool {
    home.is_some_and(|home| real(home).starts_with(real(folder)))
}
