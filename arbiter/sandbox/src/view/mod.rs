//! Files that a bot sees: those that its program needs, and those that it was given.
//!
//! The folders of the system are not among them. Every bot sees those, and whatever shows a [`FileView`]
//! adds them. All else is told from the command:
//!
//! - **Its files**: the program, and every argument that is a file; for a bot that is no folder also
//!   an argument that is a folder. To each belong the symbolic links on the way to it, the
//!   interpreter that its first line names, and the program that `#!/usr/bin/env` is to find.
//! - **What its programs need**: one in `bin` or `sbin` needs the folder above, if that has a `lib`;
//!   one in `shims` needs the folder above; one of a virtual environment needs the Python that the
//!   environment was made from. A home folder is never shown for that, nor `~/.local` or `~/.cargo`.
//! - **`PATH`**: its folders in the same way, since a script may call any program by its name; and
//!   the interpreters of the usual languages where links in them lead.
//! - **A bot that the referee's own program is**: that program alone, wherever it is installed.
//! - **What lies beside its files**: a bot that is a folder sees that folder whole, and no file
//!   outside that its manifest only names. Any other sees the entries of the folder of each file
//!   that its command names by a path, as they are at the start; without those that begin with a dot.
//! - **What its user has granted**, whole; a program that the command names by the same path with what it needs.
//!
//! **What wins.** The bot's own folder, a program and files that its user typed, and what is
//! granted are shown even if they are hidden. Against all else, what is hidden wins: no entry and no
//! folder of `PATH` is shown that is hidden or holds something hidden. What a program needs is then
//! shown in parts, without what is hidden. The files of another bot in the bot's own folder, in one that
//! is granted or in one of the system are shown with it: keeping them elsewhere is for the user. The
//! log, the plan and the seed of this run are there, but empty.
//!
//! **What a bot's own files lead to** (links, first lines, virtual environments, and the command of its
//! manifest) adds nothing to what a bot that is a folder sees: `allowed_paths.rs` has the rule, for what is shown as
//! well as for what may be started and digested. What the typed command of any other bot leads to is
//! shown as above, unless it is hidden.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::Program;
use super::interpreter::first_line;
use super::isolation::FileView;
use super::launchers::{PYTHONS, interpreters};
use super::program::{ProgramNameKind, SearchPath, is_executable};
use crate::file;

mod allowed_paths;
mod places;
#[cfg(all(test, unix))]
mod tests;
mod visibility;

use self::places::{ResolvedPath, real_names};
pub use allowed_paths::{AllowedPath, AllowedPaths};
use allowed_paths::{ENVIRONMENT, prefix_of};
use places::{MOST_ENTRIES, MaskCollector, WideFolders, entries, is_of_system};
pub use visibility::{PathVisibility, Visibility};

/// The most programs that are looked at on behalf of one bot.
const MOST_PROGRAMS: usize = 256;

/// The most folders in depth that hidden files are taken out of what a program needs.
const DEEPEST: usize = 16;

/// The most that the description of a virtual environment may hold, in bytes.
const LONGEST: u64 = 64 << 10;

/// Files that a bot may see besides what its program needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ViewRules {
    /// The folder of a bot that is one, which it sees whole.
    pub folder: Option<PathBuf>,
    /// Files and folders that its user has granted, which it sees whole.
    pub granted: Vec<PathBuf>,
    /// Devices that its user has granted.
    pub devices: Vec<PathBuf>,
    /// Files and folders that it must not see, nor any entry of a folder that holds them.
    pub hidden: Vec<PathBuf>,
    /// The hidden ones that are empty for it if they lie in a folder that it sees.
    pub masked: Vec<PathBuf>,
    /// True if it may use the network.
    pub network: bool,
}

/// The view of a bot's programs: everything that its command needs, by the rules above, and its sight.
///
/// `path` has the folders of `PATH`.
pub(super) fn view(program: &Program, view_rules: &ViewRules, path: &[PathBuf]) -> FileView {
    view_among(WideFolders::of_this_process(), program, view_rules, path)
}

fn view_among(
    places: WideFolders,
    program: &Program,
    view_rules: &ViewRules,
    path: &[PathBuf],
) -> FileView {
    let hidden = view_rules.hidden.iter().flat_map(|path| real_names(path)).collect();
    let folder = view_rules.folder.as_deref().and_then(ResolvedPath::resolve);
    let path = path.iter().filter(|folder| folder.is_absolute()).cloned().collect();
    let own = folder.as_ref().map(|walk| walk.end.clone());
    let mut scan = ViewCollector::new(places, AllowedPaths::all_but(hidden), own, path);
    if let Some(walk) = folder {
        scan.show_all(&walk);
    }
    scan.command(program, view_rules);
    scan.folders_of_path();
    for granted in view_rules.granted.iter().filter_map(|path| ResolvedPath::resolve(path)) {
        scan.show_all(&granted);
    }
    if view_rules.network
        && let Some(walk) = ResolvedPath::resolve(Path::new("/etc/resolv.conf"))
    {
        scan.show_all(&walk);
    }
    let own = own_places(program, view_rules);
    let paths = scan.outermost();
    let mut masks = MaskCollector { paths: &paths, own: &own, masked: BTreeSet::new() };
    for path in view_rules.masked.iter().flat_map(|path| real_names(path)) {
        masks.add(&path, DEEPEST);
    }
    let masked = masks.masked.into_iter().collect();
    FileView { masked, paths, devices: view_rules.devices.clone(), network: view_rules.network }
}

impl AllowedPaths {
    /// The reach of a bot in this folder: its folder, the folders of the system, what was granted, and what every
    /// bot finds on `PATH`; without what is hidden.
    pub fn of_folder(
        folder: &Path,
        (granted, hidden): (&[PathBuf], &[PathBuf]),
        search: &SearchPath,
    ) -> AllowedPaths {
        let path = search.path.iter().filter(|folder| folder.is_absolute()).cloned().collect();
        let hidden = hidden.iter().flat_map(|path| real_names(path)).collect();
        AllowedPaths::among(WideFolders::of_this_process(), folder, granted, path).without(hidden)
    }

    fn among(
        places: WideFolders,
        folder: &Path,
        granted: &[PathBuf],
        path: Vec<PathBuf>,
    ) -> AllowedPaths {
        let mut scan = ViewCollector::new(places, AllowedPaths::default(), None, path);
        scan.folders_of_path();
        AllowedPaths::of_grants(folder, granted).with_open(scan.outermost())
    }
}

/// Paths that a bot sees even if they lie in something hidden.
fn own_places(program: &Program, view_rules: &ViewRules) -> Vec<PathBuf> {
    let named = view_rules.folder.iter().chain(&view_rules.granted).map(PathBuf::as_path);
    // The manifest of a folder may name anything.
    let typed = Some(program).filter(|_| view_rules.folder.is_none());
    let typed = typed.into_iter().flat_map(|program| {
        let arguments = program.arguments().iter().map(Path::new).filter(|path| path.is_file());
        [program.path()].into_iter().chain(arguments)
    });
    named.chain(typed).flat_map(real_names).collect()
}

/// For whom a program is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PathCertainty {
    /// The command needs it.
    Certain,
    /// A script may call it.
    Possible,
}

/// Everything found so far. All paths have no link in their middle.
struct ViewCollector {
    places: WideFolders,
    /// Reach of first lines and virtual environments.
    allowed_paths: AllowedPaths,
    /// The folder of a bot that is one.
    folder: Option<PathBuf>,
    /// The folders of `PATH`, as they are there.
    path: Vec<PathBuf>,
    /// The programs that have been looked at.
    seen: BTreeSet<PathBuf>,
    shown: BTreeSet<PathBuf>,
}

impl ViewCollector {
    fn new(
        places: WideFolders,
        allowed_paths: AllowedPaths,
        folder: Option<PathBuf>,
        path: Vec<PathBuf>,
    ) -> ViewCollector {
        let (seen, shown) = (BTreeSet::new(), BTreeSet::new());
        ViewCollector { places, allowed_paths, folder, path, seen, shown }
    }

    fn command(&mut self, program: &Program, view_rules: &ViewRules) {
        if self.folder.is_some() {
            match program.named_by() {
                ProgramNameKind::ByName => self.led(program.path(), PathCertainty::Certain),
                ProgramNameKind::AsPart => {
                    if let Some(lead) = self.allowed_paths.resolve(program.path()) {
                        self.show_all(lead.walk());
                    }
                }
                ProgramNameKind::ByPath
                    if view_rules.granted.iter().any(|path| path == program.path()) =>
                {
                    if let Some(walk) = ResolvedPath::resolve(program.path()) {
                        self.program(program.path(), &walk, PathCertainty::Certain);
                    }
                }
                // A path in its manifest leads to what every bot sees, or to nothing.
                ProgramNameKind::ByPath => {}
            }
            return;
        }
        if let Some(walk) = ResolvedPath::resolve(program.path()) {
            match program.named_by() {
                ProgramNameKind::AsPart => self.show_all(&walk),
                _ => self.program(program.path(), &walk, PathCertainty::Certain),
            }
        }
        if program.named_by() == ProgramNameKind::ByPath {
            self.show_siblings(program.path());
        }
        for path in program.arguments().iter().flat_map(|word| named_by(word)) {
            self.argument(&path);
        }
    }

    /// Shows a program that something leads to, if it may be shown.
    fn led(&mut self, path: &Path, need: PathCertainty) {
        if let Some(lead) = self.allowed_paths.resolve(path) {
            self.program(path, lead.walk(), need);
        }
    }

    /// Shows a program at the end of this way, what it needs, and its interpreters.
    fn program(&mut self, path: &Path, walk: &ResolvedPath, need: PathCertainty) {
        if self.seen.len() >= MOST_PROGRAMS
            || !self.seen.insert(path.to_path_buf())
            || !is_executable(&walk.end)
        {
            return;
        }
        self.show_all(walk);
        let folders: BTreeSet<_> = walk.places().filter_map(Path::parent).collect();
        for folder in folders {
            self.prefix(folder, need);
        }
        self.first_line(&walk.end, need);
    }

    fn first_line(&mut self, script: &Path, need: PathCertainty) {
        let Some(line) = first_line(script) else { return };
        self.led(&line.interpreter, need);
        if let Some(found) = line.sought_by_env().and_then(|name| self.on_path(name)) {
            self.led(&found, need);
        }
    }

    /// Shows what the programs in a folder need; tells whether that is anything.
    fn prefix(&mut self, folder: &Path, need: PathCertainty) -> bool {
        if is_of_system(folder) {
            return true;
        }
        let Some(folders) = prefix_of(folder, &self.places) else { return false };
        if self.is_doubtful(folder) {
            return false;
        }
        // A project with a `bin` and a `lib` is more than its programs.
        if need == PathCertainty::Possible && folders.iter().any(|it| self.places.holds_current(it))
        {
            return false;
        }
        for folder in folders {
            if self.shown.contains(&folder) {
                continue;
            }
            match need {
                PathCertainty::Certain => self.show_in_parts(&folder, DEEPEST),
                PathCertainty::Possible
                    if self.allowed_paths.hides(&folder)
                        || self.allowed_paths.hides_in(&folder) =>
                {
                    return false;
                }
                PathCertainty::Possible => self.show(&folder),
            }
            self.environment(&folder, need);
        }
        true
    }

    /// Returns true if a folder that is a bot may have named this one to see what lies there.
    fn is_doubtful(&self, folder: &Path) -> bool {
        let is_own = |own: &PathBuf| folder.starts_with(own);
        let is_on_path = || {
            self.path
                .iter()
                .filter_map(|it| ResolvedPath::resolve(it))
                .any(|walk| walk.end == folder)
        };
        let has_interpreter = || interpreters().any(|name| is_executable(&folder.join(name)));
        self.folder.as_ref().is_some_and(|own| !is_own(own)) && !has_interpreter() && !is_on_path()
    }

    /// Shows what a virtual environment was made from.
    fn environment(&mut self, folder: &Path, need: PathCertainty) {
        let Ok(text) = file::text(&folder.join(ENVIRONMENT), LONGEST) else { return };
        let home = text.lines().filter_map(|line| line.split_once('='));
        let home = home.filter(|(key, _)| key.trim() == "home").map(|(_, value)| value.trim());
        let homes = home.map(PathBuf::from).chain([folder.join("bin")]);
        for home in homes.filter(|home| home.is_absolute()).take(2).collect::<Vec<_>>() {
            for name in PYTHONS {
                self.led(&home.join(name), need);
            }
        }
    }

    /// Shows what an argument names, and what lies beside it.
    fn argument(&mut self, path: &Path) {
        let Some(walk) = ResolvedPath::resolve(path) else { return };
        if walk.end.is_file() {
            self.show_all(&walk);
            for place in walk.places().filter_map(Path::parent) {
                self.prefix(place, PathCertainty::Certain);
            }
            self.first_line(&walk.end, PathCertainty::Certain);
            self.show_siblings(path);
        } else if walk.end.is_dir() && self.may_be_shown(&walk) {
            self.show_all(&walk);
        }
    }

    /// Shows the entries of the folders that a file lies in.
    fn show_siblings(&mut self, path: &Path) {
        let Some(walk) = ResolvedPath::resolve(path) else { return };
        let folders: BTreeSet<_> = walk.places().filter_map(Path::parent).collect();
        for folder in folders {
            if is_of_system(folder)
                || self.places.is_wide(folder)
                || prefix_of(folder, &self.places).is_some()
            {
                continue;
            }
            for entry in entries(folder).unwrap_or_default() {
                self.entry(&entry);
            }
        }
    }

    /// Shows an entry of a folder, unless it is hidden or begins with a dot.
    fn entry(&mut self, path: &Path) {
        let begins_with_dot = path.file_name().is_none_or(begins_with_dot);
        let is_environment = path.join(ENVIRONMENT).is_file();
        let Some(walk) = ResolvedPath::resolve(path) else { return };
        if begins_with_dot && !is_environment || !self.may_be_shown(&walk) {
            return;
        }
        self.show_all(&walk);
        if is_environment {
            self.environment(&walk.end, PathCertainty::Possible);
        }
    }

    /// Shows the folders of `PATH`, and the interpreters that links in them lead to.
    fn folders_of_path(&mut self) {
        for folder in self.path.clone() {
            let Some(walk) = ResolvedPath::resolve(&folder).filter(|walk| walk.end.is_dir()) else {
                continue;
            };
            if self.may_be_on_path(&walk) {
                self.show_all(&walk);
                self.prefix(&walk.end, PathCertainty::Possible);
            }
        }
        for name in interpreters() {
            if let Some(found) = self.on_path(name)
                && found
                    .parent()
                    .and_then(ResolvedPath::resolve)
                    .is_some_and(|walk| self.may_be_on_path(&walk))
            {
                self.led(&found, PathCertainty::Possible);
            }
        }
    }

    fn may_be_on_path(&self, folder: &ResolvedPath) -> bool {
        self.places.current.as_ref() != Some(&folder.end) && self.may_be_shown(folder)
    }

    /// The program that a bare name stands for.
    fn on_path(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            return Some(PathBuf::from(name)).filter(|path| path.is_absolute());
        }
        self.path.iter().map(|folder| folder.join(name)).find(|path| is_executable(path))
    }

    /// Returns true if something may be shown that was not named.
    fn may_be_shown(&self, walk: &ResolvedPath) -> bool {
        let is_kept = walk.all().any(|place| self.allowed_paths.hides(place));
        let Ok(found) = fs::metadata(&walk.end) else { return false };
        let is_narrow =
            || !self.places.is_wide(&walk.end) && !self.allowed_paths.hides_in(&walk.end);
        !is_kept && (found.is_file() || found.is_dir() && is_narrow())
    }

    fn show_all(&mut self, walk: &ResolvedPath) {
        for place in walk.all() {
            self.show(place);
        }
    }

    fn show(&mut self, path: &Path) {
        if !is_of_system(path) && path.parent().is_some() {
            self.shown.insert(path.to_path_buf());
        }
    }

    /// Shows a folder without what is hidden in it: its entries one by one, where there is any.
    fn show_in_parts(&mut self, folder: &Path, depth: usize) {
        let hidden = self.allowed_paths.hidden();
        if !hidden.iter().any(|hidden| hidden != folder && hidden.starts_with(folder)) {
            self.show(folder);
            return;
        }
        let Some(depth) = depth.checked_sub(1) else { return };
        for entry in entries(folder).unwrap_or_default() {
            let Ok(found) = fs::symlink_metadata(&entry) else { continue };
            if self.allowed_paths.hidden().contains(&entry) {
                continue;
            }
            match self.allowed_paths.hides_in(&entry) && found.is_dir() {
                true => self.show_in_parts(&entry, depth),
                false => self.show(&entry),
            }
        }
    }

    /// The paths that were found, sorted, without those below others.
    fn outermost(self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = Vec::new();
        for path in self.shown {
            // Everything below a folder follows it at once, in the order of paths.
            if !paths.last().is_some_and(|last| path.starts_with(last)) {
                paths.push(path);
            }
        }
        paths
    }
}

/// The absolute paths that an argument names: itself, what stands behind `=` or the letter of an
/// option, or the parts of a list with `:`.
fn named_by(word: &OsStr) -> Vec<PathBuf> {
    let whole = PathBuf::from(word);
    let Some(text) = word.to_str().filter(|_| !whole.exists()) else { return absolute([whole]) };
    let value = match text.strip_prefix('-') {
        Some(option) => match option.split_once('=') {
            Some((_, value)) => value,
            None => option.get(1..).unwrap_or_default(),
        },
        None => text,
    };
    match Path::new(value).exists() {
        true => absolute([PathBuf::from(value)]),
        false => absolute(value.split(':').map(PathBuf::from)),
    }
}

fn absolute(paths: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    paths.into_iter().filter(|path| path.is_absolute()).take(MOST_ENTRIES).collect()
}

fn begins_with_dot(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}
