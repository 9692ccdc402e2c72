//! The way to a file through symbolic links, one by one.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The most links to follow on the way to a file, as many as the system follows.
pub(super) const MOST_LINKS: usize = 40;

/// A file or folder, and the links on the way to it. No link is in the middle of these paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Walk {
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

impl Walk {
    /// The way along an absolute path; none if it is not one, or leads nowhere.
    pub(super) fn to(path: &Path) -> Option<Walk> {
        if !path.is_absolute() {
            return None;
        }
        let mut walk = Walk { end: PathBuf::from("/"), ..Walk::default() };
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
        if let Some(walk) = Walk::to(folder) {
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
    fn links_are_found_at_the_end_and_in_the_middle() {
        let folder = TempDir::new().expect("a folder");
        let top = folder.path().canonicalize().expect("a folder");
        fs::create_dir_all(top.join("real/inner")).expect("a folder");
        fs::write(top.join("real/inner/file"), "").expect("a file");
        symlink("real/../real", top.join("short")).expect("a link");
        symlink(top.join("short/inner/file"), top.join("one")).expect("a link");
        symlink("./one", top.join("two")).expect("a link");
        let walk = Walk::to(&top.join("real/../two")).expect("a way");
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
            assert_eq!(Walk::to(&path(name)), None, "{name}");
        }
        assert_eq!(Walk::to(Path::new("relative")), None);
        for number in 0..50 {
            symlink(format!("{}", number + 1), path(&number.to_string())).expect("a link");
        }
        fs::write(path("50"), "").expect("a file");
        assert_eq!(Walk::to(&path("0")), None);
        assert!(Walk::to(&path("10")).is_some());
    }
}
