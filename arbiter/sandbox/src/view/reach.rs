//! Limits on where the files of a bot may lead.
//!
//! The author of a bot chooses its links, its first lines, its virtual environments and its manifest, and
//! may do so to reach what belongs to others. So a path that comes from there is followed only as a
//! [`Lead`], and only a [`Reach`] makes one.

use std::path::{Path, PathBuf};

use super::Survey;
use super::places::{Places, is_of_system};
use super::walk::Walk;
use crate::SearchPath;
use crate::interpreter::{DEEPEST, first_line};

/// Places where the files of one bot may lead.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    /// The folder of a bot that is one. Other bots have a command that their user typed, which may lead
    /// anywhere.
    own: Option<PathBuf>,
    /// The folder as its user typed it, perhaps through links, which are no matter.
    typed: PathBuf,
    /// Places that it may lead to besides the folders of the system.
    open: Vec<PathBuf>,
    /// Places that nothing may lead to.
    hidden: Vec<PathBuf>,
}

/// The way to a file that a bot may see. Only [`Reach::lead`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lead(Walk);

impl Reach {
    /// The reach of a bot in this folder: its folder, the folders of the system, what was granted,
    /// and what every bot finds on `PATH`.
    pub fn of_folder(folder: &Path, granted: &[PathBuf], search: &SearchPath) -> Reach {
        let path = search.path.iter().filter(|folder| folder.is_absolute()).cloned().collect();
        Reach::among(Places::of_this_process(), folder, granted, path)
    }

    pub(super) fn among(
        places: Places,
        folder: &Path,
        granted: &[PathBuf],
        path: Vec<PathBuf>,
    ) -> Reach {
        let mut survey = Survey::new(places, Reach::default(), None, path);
        survey.folders_of_path();
        let mut open = survey.outermost();
        for walk in granted.iter().filter_map(|path| Walk::to(path)) {
            open.extend(walk.all().map(Path::to_path_buf));
        }
        // A folder that is not there holds nothing.
        let own = Walk::to(folder).map_or_else(|| folder.to_owned(), |walk| walk.end);
        Reach { own: Some(own), typed: folder.to_owned(), open, hidden: Vec::new() }
    }

    /// All but these, which have no link in their middle.
    pub(super) fn all_but(hidden: Vec<PathBuf>) -> Reach {
        Reach { hidden, ..Reach::default() }
    }

    /// The way to a file or folder, if it and every link on the way are within reach.
    pub fn lead(&self, path: &Path) -> Option<Lead> {
        let own = self.own.as_ref().zip(path.strip_prefix(&self.typed).ok());
        let walk = match own {
            Some((own, inner)) => Walk::to(&own.join(inner))?,
            None => Walk::to(path)?,
        };
        let is_in =
            |place: &Path, folders: &[PathBuf]| folders.iter().any(|it| place.starts_with(it));
        let may_be_shown = |place: &Path| match &self.own {
            Some(own) if place.starts_with(own) => true,
            Some(_) => is_of_system(place) || is_in(place, &self.open),
            None => !is_in(place, &self.hidden),
        };
        let is_within = walk.all().all(may_be_shown);
        is_within.then_some(Lead(walk))
    }

    /// The program that a script is started with, where it is one, and the interpreter of that one, if it
    /// is a script as well. What cannot be read has none: starting it tells.
    ///
    /// # Errors
    ///
    /// The first of them that is there and out of reach; it is not opened.
    pub fn interpreters(&self, program: Lead) -> Result<Vec<PathBuf>, PathBuf> {
        let mut found: Vec<PathBuf> = Vec::new();
        let mut at = Some(program);
        while let Some(script) = at.take().filter(|_| found.len() < DEEPEST) {
            let Some(line) = first_line(&script.0.end) else { break };
            at = self.lead(&line.interpreter);
            if at.is_none() && Walk::to(&line.interpreter).is_some() {
                return Err(line.interpreter);
            }
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

impl Lead {
    pub(super) fn walk(&self) -> &Walk {
        &self.0
    }
}

/// Folders that belong to a program by the folder that it lies in.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    /// All that is installed together, whole: its libraries are there.
    Whole(PathBuf),
    /// These folders of a place that holds more.
    Folders(Vec<PathBuf>),
}

/// The prefix of the programs in a folder; none if they need nothing from it.
pub(super) fn prefix_of(folder: &Path, places: &Places) -> Option<Prefix> {
    let parent = folder.parent()?;
    let is_parent = |name: &str| parent.file_name().is_some_and(|found| found == name);
    match folder.file_name()?.to_str()? {
        // The shims of pyenv, rbenv, nodenv and asdf only choose among what lies beside them.
        "shims" if !places.is_wide(parent) => Some(Prefix::Whole(parent.to_path_buf())),
        "bin" | "sbin" if is_parent(".local") => {
            let folders = [folder.to_path_buf(), parent.join("lib")];
            Some(Prefix::Folders(folders.into_iter().filter(|folder| folder.is_dir()).collect()))
        }
        "bin" | "sbin" if is_parent(".cargo") || places.is_wide(parent) => None,
        "bin" | "sbin" if parent.join("lib").is_dir() || parent.join(ENVIRONMENT).is_file() => {
            Some(Prefix::Whole(parent.to_path_buf()))
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
            let reach = Reach::of_folder(&path(typed), &[], &search);
            for found in ["home/bot/lib/bot.sh", "disk/bot/lib/bot.sh"] {
                let is_typed = found.starts_with(typed) || found.starts_with("disk");
                assert_eq!(reach.lead(&path(found)).is_some(), is_typed, "{typed}: {found}");
            }
            assert_eq!(reach.lead(&path(typed).join("../other")), None, "{typed}");
        }
    }

    #[test]
    fn interpreters_of_interpreters_are_found() {
        let folder = TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let interpreters = |name| {
            let reach = Reach::default();
            reach.interpreters(reach.lead(&path(name)).expect("it is there"))
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
