//! Limits on where the files of a bot may lead.
//!
//! The author of a bot chooses its links, its first lines, its virtual environments and its manifest, and
//! may do so to reach what belongs to others. So a path that comes from there is followed only as a
//! [`AllowedPath`], and only a [`AllowedPaths`] makes one.
//!
//! Whether a path may be followed is decided step by step, each before anything is looked at there
//! ([`AllowedPaths::allows`]): no answer tells what lies out of reach, not even whether anything does.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use super::places::{MOST_LINKS, ResolvedPath, Step, WideFolders, is_of_files, steps};
use crate::interpreter::{DEEPEST, first_line};

/// Places where the files of one bot may lead.
#[derive(Debug, Clone, Default)]
pub struct AllowedPaths {
    /// The folder of a bot that is one. Other bots have a command that their user typed, which may lead
    /// anywhere.
    own: Option<PathBuf>,
    /// The folder as its user typed it, perhaps through links, which are no matter.
    typed: PathBuf,
    /// Places that it may lead to besides the folders of the system, unless they are hidden.
    open: Vec<PathBuf>,
    /// Places that its user has granted.
    granted: Vec<PathBuf>,
    /// Places that nothing else may lead to.
    hidden: Vec<PathBuf>,
    /// The folders of the system are out of reach.
    without_system: bool,
}

/// The way to a file that a bot may see. Only [`AllowedPaths::resolve`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedPath(ResolvedPath);

impl AllowedPaths {
    /// The reach of what the manifest in this folder asks to read: the folder, and what was granted.
    pub fn of_grants(folder: &Path, granted: &[PathBuf]) -> AllowedPaths {
        let granted = granted.iter().filter_map(|path| ResolvedPath::resolve(path));
        let granted =
            granted.flat_map(|walk| walk.all().map(Path::to_path_buf).collect::<Vec<_>>());
        // A folder that is not there holds nothing.
        let own = ResolvedPath::resolve(folder).map_or_else(|| folder.to_owned(), |walk| walk.end);
        let (own, typed) = (Some(own), folder.to_owned());
        AllowedPaths {
            own,
            typed,
            granted: granted.collect(),
            without_system: true,
            ..AllowedPaths::default()
        }
    }

    /// The same without what is hidden.
    pub(super) fn without(self, hidden: Vec<PathBuf>) -> AllowedPaths {
        AllowedPaths { hidden, ..self }
    }

    /// The same with the folders of the system and what else is open to every bot.
    pub(super) fn with_open(self, open: Vec<PathBuf>) -> AllowedPaths {
        AllowedPaths { open, without_system: false, ..self }
    }

    /// All but these, which have no link in their middle.
    pub(super) fn all_but(hidden: Vec<PathBuf>) -> AllowedPaths {
        AllowedPaths { hidden, ..AllowedPaths::default() }
    }

    /// Returns true if something may be looked for at this path: it and all that links on the way lead to are within
    /// reach. What is out of reach is not looked at.
    pub fn allows(&self, path: &Path) -> bool {
        if self.own.is_none() {
            return true;
        }
        let (mut at, mut ahead) = self.beginning(path);
        let mut links = 0;
        let mut is_missing = false;
        while let Some(step) = ahead.pop_front() {
            match step {
                Step::Root => at = PathBuf::from("/"),
                Step::Up => drop(at.pop()),
                Step::Down(name) => {
                    at.push(name);
                    // Nothing need be looked at on the way to a place within reach.
                    if is_missing || !self.shows(&at) {
                        if !is_missing && !self.lies_above(&at) {
                            return false;
                        }
                        continue;
                    }
                    let Ok(found) = fs::symlink_metadata(&at) else {
                        is_missing = true;
                        continue;
                    };
                    if !found.is_symlink() {
                        continue;
                    }
                    links += 1;
                    let Some(target) = fs::read_link(&at).ok().filter(|_| links <= MOST_LINKS)
                    else {
                        is_missing = true;
                        continue;
                    };
                    at.pop();
                    for step in steps(&target).collect::<Vec<_>>().into_iter().rev() {
                        ahead.push_front(step);
                    }
                }
            }
        }
        self.shows(&at)
    }

    /// The same for a path that a manifest gives for a program: the settings of the system hold none, and only links
    /// lead through them.
    pub fn allows_program(&self, path: &Path) -> bool {
        let mut typed = PathBuf::from("/");
        for step in steps(path) {
            match step {
                Step::Root => typed = PathBuf::from("/"),
                Step::Up => drop(typed.pop()),
                Step::Down(name) => typed.push(name),
            }
        }
        let is_setting = self.own.is_some() && typed.starts_with("/etc");
        let is_granted = || self.granted.iter().any(|it| typed.starts_with(it));
        self.allows(path) && (!is_setting || is_granted())
    }

    /// The place at which the way along a path begins, and its steps from there.
    fn beginning(&self, path: &Path) -> (PathBuf, VecDeque<Step>) {
        let inner = self.own.as_ref().zip(path.strip_prefix(&self.typed).ok());
        match inner {
            Some((own, inner)) => (own.clone(), steps(inner).collect()),
            None => (PathBuf::from("/"), steps(path).collect()),
        }
    }

    /// Returns true if what lies at a place without links may be seen.
    fn shows(&self, place: &Path) -> bool {
        let is_in = |folders: &[PathBuf]| folders.iter().any(|it| place.starts_with(it));
        let Some(own) = &self.own else { return !is_in(&self.hidden) };
        if place.starts_with(own) || is_in(&self.granted) {
            return true;
        }
        let is_open = is_of_files(place) && !self.without_system || is_in(&self.open);
        is_open && !is_in(&self.hidden)
    }

    /// Returns true for a folder that is on the way to something within reach.
    fn lies_above(&self, place: &Path) -> bool {
        let within = self.own.iter().chain(&self.granted).chain(&self.open);
        within.into_iter().any(|it| it.starts_with(place))
    }

    /// The way to a file or folder, if it and every link on the way are within reach.
    pub fn resolve(&self, path: &Path) -> Option<AllowedPath> {
        if !self.allows(path) {
            return None;
        }
        let own = self.own.as_ref().zip(path.strip_prefix(&self.typed).ok());
        let walk = match own {
            Some((own, inner)) => ResolvedPath::resolve(&own.join(inner))?,
            None => ResolvedPath::resolve(path)?,
        };
        let is_within = walk.all().all(|place| self.shows(place));
        is_within.then_some(AllowedPath(walk))
    }

    /// The program that a script is started with, where it is one, and the interpreter of that one, if it
    /// is a script as well. What cannot be read has none: starting it tells.
    ///
    /// # Errors
    ///
    /// The first of them that is out of reach; it is not looked at.
    pub fn interpreters(&self, program: AllowedPath) -> Result<Vec<PathBuf>, PathBuf> {
        let mut found: Vec<PathBuf> = Vec::new();
        let mut at = Some(program);
        while let Some(script) = at.take().filter(|_| found.len() < DEEPEST) {
            let Some(line) = first_line(&script.0.end) else { break };
            if !self.allows(&line.interpreter) {
                return Err(line.interpreter);
            }
            at = self.resolve(&line.interpreter);
            found.push(line.interpreter);
        }
        Ok(found)
    }

    pub(super) fn hides(&self, path: &Path) -> bool {
        self.hidden.iter().any(|hidden| path.starts_with(hidden))
    }

    pub(super) fn hides_in(&self, folder: &Path) -> bool {
        self.hidden.iter().any(|hidden| hidden.starts_with(folder))
    }

    pub(super) fn hidden(&self) -> &[PathBuf] {
        &self.hidden
    }
}

impl AllowedPath {
    pub(super) fn walk(&self) -> &ResolvedPath {
        &self.0
    }
}

/// The folders that belong to the programs in a folder: all that is installed together, with its libraries, or some folders
/// of a place that holds more; none if they need nothing from it.
pub(super) fn prefix_of(folder: &Path, places: &WideFolders) -> Option<Vec<PathBuf>> {
    let parent = folder.parent()?;
    let is_parent = |name: &str| parent.file_name().is_some_and(|found| found == name);
    match folder.file_name()?.to_str()? {
        // The shims of pyenv, rbenv, nodenv and asdf only choose among what lies beside them.
        "shims" if !places.is_wide(parent) => Some(vec![parent.to_path_buf()]),
        "bin" | "sbin" if is_parent(".local") => {
            let folders = [folder.to_path_buf(), parent.join("lib")];
            Some(folders.into_iter().filter(|folder| folder.is_dir()).collect())
        }
        "bin" | "sbin" if is_parent(".cargo") || places.is_wide(parent) => None,
        "bin" | "sbin" if parent.join("lib").is_dir() || parent.join(ENVIRONMENT).is_file() => {
            Some(vec![parent.to_path_buf()])
        }
        _ => None,
    }
}

/// The file that makes a folder a virtual environment of Python.
pub(super) const ENVIRONMENT: &str = "pyvenv.cfg";

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;
    use crate::SearchPath;

    /// A folder behind a link, such as a home on another disk, was out of its own reach.
    #[test]
    fn a_folder_may_lie_behind_a_link() {
        let folder = TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("disk/bot/lib")).expect("a folder");
        fs::write(path("disk/bot/lib/bot.sh"), "").expect("a file");
        fs::write(path("disk/other"), "").expect("a file");
        std::os::unix::fs::symlink("disk", path("home")).expect("a link");
        let search =
            SearchPath { folder: folder.path().to_owned(), built_in: None, path: Vec::new() };
        for typed in ["home/bot", "disk/bot"] {
            let allowed_paths = AllowedPaths::of_folder(&path(typed), (&[], &[]), &search);
            for found in ["home/bot/lib/bot.sh", "disk/bot/lib/bot.sh"] {
                let is_typed = found.starts_with(typed) || found.starts_with("disk");
                assert_eq!(
                    allowed_paths.resolve(&path(found)).is_some(),
                    is_typed,
                    "{typed}: {found}"
                );
            }
            assert_eq!(allowed_paths.resolve(&path(typed).join("../other")), None, "{typed}");
        }
    }

    /// Whether something was there used to decide what was refused, and how.
    #[test]
    fn what_is_out_of_reach_is_decided_by_its_path() {
        let folder = TempDir::new().expect("a folder");
        let top = folder.path().canonicalize().expect("a folder");
        fs::create_dir_all(top.join("own/inner")).expect("a folder");
        fs::create_dir_all(top.join("granted")).expect("a folder");
        for name in ["there", "own/inner/file", "own/file"] {
            fs::write(top.join(name), "").expect("a file");
        }
        let link = |target: &Path, name: &str| {
            std::os::unix::fs::symlink(target, top.join(name)).expect("a link");
        };
        for (target, name) in [
            ("../there", "own/there"),
            ("../gone", "own/gone"),
            ("inner/file", "own/in"),
            ("inner/gone", "own/lost"),
            ("there", "own/twice"),
            ("loop", "own/loop"),
            ("/bin/sh", "own/shell"),
            ("/proc/self/root/usr", "own/process"),
        ] {
            link(Path::new(target), name);
        }
        link(&top, "own/up");
        let search = SearchPath { folder: top.clone(), built_in: None, path: Vec::new() };
        let allowed_paths = |hidden: &[PathBuf]| {
            AllowedPaths::of_folder(&top.join("own"), (&[top.join("granted")], hidden), &search)
        };
        let all = allowed_paths(&[]);
        for (path, expected) in [
            ("own", true),
            ("own/file", true),
            ("own/none", true),
            ("own/inner/../file", true),
            ("own/none/../file", true),
            ("own/../own/file", true),
            ("own/in", true),
            ("own/lost", true),
            ("own/loop", true),
            ("own/shell", true),
            ("granted/none", true),
            ("own/../granted/none", true),
            ("there", false),
            ("gone", false),
            ("own/../there", false),
            ("own/../gone", false),
            ("own/../there/../own/file", false),
            ("own/../gone/../own/file", false),
            ("own/none/../../there", false),
            ("own/there", false),
            ("own/gone", false),
            ("own/there/x", false),
            ("own/gone/x", false),
            ("own/twice", false),
            ("own/process", false),
            ("own/up/there", false),
            ("own/up/gone", false),
            ("own/up/own/file", true),
        ] {
            assert_eq!(all.allows(&top.join(path)), expected, "{path}");
        }
        for (path, expected) in [
            ("/usr/bin/env", true),
            ("/usr/bin/no-such-program", true),
            ("/usr/../etc/passwd", true),
            ("/proc/1/exe", false),
            ("/proc/self/root/usr", false),
            ("/dev/null", false),
            ("/", false),
        ] {
            assert_eq!(all.allows(Path::new(path)), expected, "{path}");
        }
        for path in ["/etc/passwd", "/usr/../etc/passwd", "/etc/nothing"] {
            assert!(!all.allows_program(Path::new(path)), "{path}");
        }
        // What is hidden from all bots may lie in a folder of the system.
        let hidden = allowed_paths(&[PathBuf::from("/usr/bin"), top.clone()]);
        assert!(!hidden.allows(Path::new("/usr/bin/env")));
        assert!(hidden.allows(&top.join("own/file")) && hidden.allows(&top.join("granted/x")));
    }

    #[test]
    fn interpreters_of_interpreters_are_found() {
        let folder = TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let interpreters = |name| {
            let allowed_paths = AllowedPaths::default();
            allowed_paths.interpreters(allowed_paths.resolve(&path(name)).expect("it is there"))
        };
        fs::write(path("own"), "#!/bin/sh -e\n").expect("a file");
        fs::write(path("bot"), format!("#!{}\n", path("own").display())).expect("a file");
        assert_eq!(interpreters("bot"), Ok(vec![path("own"), "/bin/sh".into()]));
        fs::write(path("loop"), format!("#!{}", path("loop").display())).expect("a file");
        assert_eq!(interpreters("loop").map(|found| found.len()), Ok(DEEPEST));
        fs::write(path("lost"), "#!/nowhere/at/all\n").expect("a file");
        assert_eq!(interpreters("lost"), Ok(vec!["/nowhere/at/all".into()]));
    }
}
