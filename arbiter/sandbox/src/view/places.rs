//! Places on a machine: the way to a file through symbolic links, one by one; folders that hold more than one program's files, and what a bot finds empty in a folder shown.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::{env, fs};

/// The folders that every bot sees, or that the machine itself makes: nothing of them is listed.
const OF_SYSTEM: &[&str] =
    &["usr", "bin", "sbin", "etc", "opt", "nix", "snap", "proc", "sys", "dev"];

/// Folders that many things lie in.
const SHARED: &[&str] = &["/", "/home", "/media", "/mnt", "/root", "/run", "/srv", "/tmp", "/var"];

/// Folders whose subfolders are homes.
const OF_HOMES: &[&str] = &["/home", "/Users", "/var/home"];

/// Files that lie in a home folder and in no other.
const IN_HOMES: &[&str] = &[".bashrc", ".bash_history", ".gnupg", ".profile", ".ssh", ".zshrc"];

/// The most entries of a folder that are shown one by one.
pub(super) const MOST_ENTRIES: usize = 256;

/// The folders of this machine and this user that are too wide to be shown whole.
#[derive(Debug, Clone, Default)]
pub(super) struct WideFolders {
    pub(super) home: Option<PathBuf>,
    pub(super) temporary: Option<PathBuf>,
    pub(super) current: Option<PathBuf>,
}

impl WideFolders {
    pub(super) fn of_this_process() -> WideFolders {
        let real = |path: PathBuf| path.canonicalize().ok().filter(|path| path.is_absolute());
        WideFolders {
            home: env::var_os("HOME").and_then(|home| real(PathBuf::from(home))),
            temporary: real(env::temp_dir()),
            current: env::current_dir().ok().and_then(real),
        }
    }

    /// Returns true if a folder holds far more than what belongs together: a home folder, one that holds
    /// it, `/` or `/tmp`.
    pub(super) fn is_wide(&self, folder: &Path) -> bool {
        SHARED.iter().any(|shared| folder == Path::new(shared))
            || self.home.as_ref().is_some_and(|home| home.starts_with(folder))
            || self.temporary.as_deref() == Some(folder)
            || folder
                .parent()
                .is_some_and(|parent| OF_HOMES.iter().any(|homes| parent == Path::new(homes)))
            || IN_HOMES.iter().any(|name| folder.join(name).symlink_metadata().is_ok())
    }

    /// Returns true if a folder is or holds the current one.
    pub(super) fn holds_current(&self, folder: &Path) -> bool {
        self.current.as_ref().is_some_and(|current| current.starts_with(folder))
    }
}

/// Returns true if a path lies in a folder of files that every bot sees.
pub(super) fn is_of_files(path: &Path) -> bool {
    is_of_system(path) && !["/proc", "/sys", "/dev"].iter().any(|own| path.starts_with(own))
}

/// Returns true if a path lies in a folder that every bot sees, or in `/proc`, `/sys` or `/dev`.
pub(super) fn is_of_system(path: &Path) -> bool {
    let first = path.iter().nth(1).and_then(|name| name.to_str());
    first.is_some_and(|name| OF_SYSTEM.contains(&name) || name.starts_with("lib"))
}

/// Everything found so far. All paths have no link in their middle.
pub(super) struct MaskCollector<'a> {
    /// Paths that the bot sees besides the folders of the system.
    pub(super) paths: &'a [PathBuf],
    /// The bot's own paths, which are never empty.
    pub(super) own: &'a [PathBuf],
    pub(super) masked: BTreeSet<PathBuf>,
}

impl MaskCollector<'_> {
    /// Has a file or folder be empty, if the bot sees it: all of it, or its entries but for the bot's
    /// own, so many folders deep. It need not be there yet.
    pub(super) fn add(&mut self, path: &Path, depth: usize) {
        let is_seen = is_of_files(path) || self.paths.iter().any(|shown| path.starts_with(shown));
        if !is_seen || self.own.iter().any(|own| own == path) {
            return;
        }
        if !self.own.iter().any(|own| own.starts_with(path)) {
            self.masked.insert(path.to_path_buf());
        } else if let Some(depth) = depth.checked_sub(1) {
            for entry in entries(path).unwrap_or_default() {
                self.add(&entry, depth);
            }
        }
    }
}

/// The entries of a folder; none if there are more than can be shown one by one.
pub(super) fn entries(folder: &Path) -> Option<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).ok()?;
    let entries: Vec<PathBuf> =
        entries.take(MOST_ENTRIES + 1).filter_map(|entry| Some(entry.ok()?.path())).collect();
    (entries.len() <= MOST_ENTRIES).then_some(entries)
}

/// The most links to follow on the way to a file, as many as the system follows.
pub(super) const MOST_LINKS: usize = 40;

/// A file or folder, and the links on the way to it. No link is in the middle of these paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ResolvedPath {
    /// The links, in the order of the way.
    pub(super) links: Vec<PathBuf>,
    /// The links that stand for the file itself, rather than for a folder on the way.
    pub(super) names: Vec<PathBuf>,
    pub(super) end: PathBuf,
}

pub(super) enum Step {
    Root,
    Up,
    Down(OsString),
}

impl ResolvedPath {
    /// The way along an absolute path; none if it is not one, or leads nowhere.
    pub(super) fn resolve(path: &Path) -> Option<ResolvedPath> {
        if !path.is_absolute() {
            return None;
        }
        let mut walk = ResolvedPath { end: PathBuf::from("/"), ..ResolvedPath::default() };
        let mut ahead: VecDeque<Step> = steps(path).collect();
        while let Some(step) = ahead.pop_front() {
            match step {
                Step::Root => walk.end = PathBuf::from("/"),
                Step::Up => drop(walk.end.pop()),
                Step::Down(name) => {
                    let next = walk.end.join(name);
                    if !fs::symlink_metadata(&next).ok()?.is_symlink() {
                        walk.end = next;
                        continue;
                    }
                    let target = fs::read_link(&next).ok()?;
                    if ahead.is_empty() {
                        walk.names.push(next.clone());
                    }
                    walk.links.push(next);
                    if walk.links.len() > MOST_LINKS {
                        return None;
                    }
                    for step in steps(&target).collect::<Vec<_>>().into_iter().rev() {
                        ahead.push_front(step);
                    }
                }
            }
        }
        Some(walk)
    }

    /// The places of the file: the links that stand for it, and the file.
    pub(super) fn places(&self) -> impl Iterator<Item = &Path> {
        self.names.iter().chain([&self.end]).map(PathBuf::as_path)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Path> {
        self.links.iter().chain([&self.end]).map(PathBuf::as_path)
    }
}

/// Every name that a path has without links in its middle, also of a file that is not there yet.
pub(super) fn real_names(path: &Path) -> Vec<PathBuf> {
    for folder in path.ancestors() {
        if let Some(walk) = ResolvedPath::resolve(folder) {
            return match path.strip_prefix(folder) {
                Ok(rest) if !rest.as_os_str().is_empty() => vec![walk.end.join(rest)],
                _ => walk.places().map(Path::to_path_buf).collect(),
            };
        }
    }
    vec![path.to_path_buf()]
}

pub(super) fn steps(path: &Path) -> impl Iterator<Item = Step> {
    path.components().filter_map(|part| match part {
        Component::RootDir => Some(Step::Root),
        Component::ParentDir => Some(Step::Up),
        Component::Normal(name) => Some(Step::Down(name.to_owned())),
        Component::CurDir | Component::Prefix(_) => None,
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn what_is_seen_is_masked_without_what_is_the_bots_own() {
        let folder = TempDir::new().expect("a folder");
        let top = folder.path().canonicalize().expect("a folder");
        for name in ["sent/mine/data", "sent/other"] {
            fs::create_dir_all(top.join(name)).expect("a folder");
        }
        fs::write(top.join("sent/plan"), "").expect("a file");
        let paths = [top.join("sent")];
        let own = [top.join("sent/mine")];
        let masked = |path: &str| {
            let mut masks = MaskCollector { paths: &paths, own: &own, masked: BTreeSet::new() };
            masks.add(&top.join(path), 16);
            let names = masks.masked.iter().filter_map(|path| path.strip_prefix(&top).ok());
            names.map(|name| name.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(masked("sent"), ["sent/other", "sent/plan"]);
        assert_eq!(masked("sent/mine/log"), ["sent/mine/log"]);
        assert!(masked("sent/mine").is_empty());
        assert!(masked("elsewhere").is_empty());
        let mut masks = MaskCollector { paths: &[], own: &own, masked: BTreeSet::new() };
        for path in ["/opt/log", "/etc/seed", "/dev/log", "/home/me/log"] {
            masks.add(Path::new(path), 16);
        }
        let all: Vec<_> = masks.masked.iter().filter_map(|path| path.to_str()).collect();
        assert_eq!(all, ["/etc/seed", "/opt/log"]);
    }

    #[test]
    fn links_are_found_at_the_end_and_in_the_middle() {
        let folder = TempDir::new().expect("a folder");
        let top = folder.path().canonicalize().expect("a folder");
        fs::create_dir_all(top.join("real/inner")).expect("a folder");
        fs::write(top.join("real/inner/file"), "").expect("a file");
        symlink("real/../real", top.join("short")).expect("a link");
        symlink(top.join("short/inner/file"), top.join("one")).expect("a link");
        symlink("./one", top.join("two")).expect("a link");
        let walk = ResolvedPath::resolve(&top.join("real/../two")).expect("a way");
        assert_eq!(walk.links, ["two", "one", "short"].map(|name| top.join(name)));
        assert_eq!(walk.names, ["two", "one"].map(|name| top.join(name)));
        assert_eq!(walk.end, top.join("real/inner/file"));
        let names = real_names(&top.join("short/inner/new/log"));
        assert_eq!(names, [top.join("real/inner/new/log")]);
        assert_eq!(real_names(&top.join("two")).len(), 3);
    }

    #[test]
    fn a_way_that_leads_nowhere_is_none() {
        let folder = TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        symlink("loop", path("loop")).expect("a link");
        symlink("nowhere", path("lost")).expect("a link");
        for name in ["loop", "lost", "missing", "loop/x"] {
            assert_eq!(ResolvedPath::resolve(&path(name)), None, "{name}");
        }
        assert_eq!(ResolvedPath::resolve(Path::new("relative")), None);
        for number in 0..50 {
            symlink(format!("{}", number + 1), path(&number.to_string())).expect("a link");
        }
        fs::write(path("50"), "").expect("a file");
        assert_eq!(ResolvedPath::resolve(&path("0")), None);
        assert!(ResolvedPath::resolve(&path("10")).is_some());
    }
}
