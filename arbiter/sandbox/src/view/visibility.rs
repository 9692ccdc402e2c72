//! The outlook of a bot on the machine, told without starting it: to explain what it missed.

use std::env;
use std::path::{Path, PathBuf};

use super::places::{ResolvedPath, is_of_system, real_names};
use super::{ViewRules, view};
use crate::Program;
use crate::isolation::Layer;

/// Parts of the machine that a bot finds, and parts that it does not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visibility {
    /// Paths that it sees besides the folders of the system; none if it sees all that its user does.
    shown: Option<Vec<PathBuf>>,
    /// Paths that it must not see.
    hidden: Vec<PathBuf>,
    /// Paths in a folder that it sees, which are empty for it if this machine can do that.
    masked: Vec<PathBuf>,
    /// True if this machine can.
    can_mask: bool,
    /// True if the network is closed to it.
    pub is_offline: bool,
    /// True if calls to the kernel are refused to it.
    pub is_filtered: bool,
    /// True if it runs as nobody though its user is root.
    is_nobody: bool,
}

/// The way a bot finds a file or folder that its user names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathVisibility {
    /// Like its user: it is there for both or for none, or it is kept from every bot on purpose.
    Alike,
    /// It is there for its user, and not for the bot.
    NotShown,
    /// It is shown, but the user that the bot runs as may not read it.
    NotReadable,
}

impl Visibility {
    /// The outlook of a program with this sight, if these layers are on.
    pub(crate) fn new(program: &Program, view_rules: &ViewRules, on: &[Layer]) -> Visibility {
        let has = |layers: &[Layer]| layers.iter().any(|layer| on.contains(layer));
        let seen = has(&[Layer::Files, Layer::Landlock]).then(|| {
            let path = env::var_os("PATH").unwrap_or_default();
            view(program, view_rules, &env::split_paths(&path).collect::<Vec<_>>())
        });
        let (shown, masked) = match seen {
            Some(view) => (Some(view.paths), view.masked),
            None => (None, Vec::new()),
        };
        Visibility {
            shown,
            masked,
            can_mask: has(&[Layer::Files]),
            hidden: view_rules.hidden.iter().flat_map(|path| real_names(path)).collect(),
            is_offline: !view_rules.network && has(&[Layer::Network, Layer::Seccomp]),
            is_filtered: has(&[Layer::Seccomp]),
            is_nobody: has(&[Layer::User]) && is_root(),
        }
    }

    /// Returns true if files are kept from it at all.
    pub fn is_confined(&self) -> bool {
        self.shown.is_some()
    }

    /// Returns true if anything is empty for it.
    pub fn masks_any(&self) -> bool {
        self.can_mask && !self.masked.is_empty()
    }

    /// Paths that it sees though it must not, since this machine cannot make them empty.
    pub fn exposed(&self) -> &[PathBuf] {
        if self.can_mask { &[] } else { &self.masked }
    }

    /// Tells how it finds an absolute path.
    pub fn finds(&self, path: &Path) -> PathVisibility {
        let (Some(shown), Some(walk)) = (&self.shown, ResolvedPath::resolve(path)) else {
            return PathVisibility::Alike;
        };
        let is_kept = |kept: &PathBuf| walk.end.starts_with(kept) || kept.starts_with(&walk.end);
        let shows = |place: &Path| shown.iter().find(|shown| place.starts_with(shown));
        if self.hidden.iter().any(is_kept) {
            PathVisibility::Alike
        } else if !walk.all().all(|place| is_of_system(place) || shows(place).is_some()) {
            PathVisibility::NotShown
        } else if self.is_nobody
            && !is_of_system(&walk.end)
            && !others_may_read(&walk.end, shows(&walk.end))
        {
            PathVisibility::NotReadable
        } else {
            PathVisibility::Alike
        }
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

/// Returns true if everyone may read what is at a path, and enter the folders on the way from what is shown.
#[cfg(unix)]
fn others_may_read(path: &Path, shown: Option<&PathBuf>) -> bool {
    use std::os::unix::fs::MetadataExt;
    let above = path.ancestors().skip(1);
    let above = above.take_while(|folder| shown.is_none_or(|shown| folder.starts_with(shown)));
    let allows = |path: &Path, right| path.metadata().is_ok_and(|it| it.mode() & right == right);
    allows(path, 0o004) && above.into_iter().all(|folder| allows(folder, 0o001))
}

#[cfg(not(unix))]
fn others_may_read(_path: &Path, _shown: Option<&PathBuf>) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn what_is_there_and_not_shown_is_told_apart_from_what_is_not_there() {
        let folder = TempDir::new().expect("a folder");
        let top = folder.path().canonicalize().expect("a folder");
        fs::create_dir_all(top.join("bot/data")).expect("a folder");
        fs::write(top.join("bot/data/secret"), "").expect("a file");
        fs::write(top.join("model"), "").expect("a file");
        fs::write(top.join("log"), "").expect("a file");
        symlink(top.join("model"), top.join("bot/link")).expect("a link");
        let visibility = Visibility {
            shown: Some(vec![top.join("bot")]),
            hidden: vec![top.join("log")],
            is_nobody: true,
            ..Visibility::default()
        };
        let finds = |name: &str| visibility.finds(&top.join(name));
        assert_eq!(finds("model"), PathVisibility::NotShown);
        assert_eq!(finds("bot/link"), PathVisibility::NotShown);
        assert_eq!(finds("log"), PathVisibility::Alike);
        assert_eq!(finds("nothing"), PathVisibility::Alike);
        assert_eq!(visibility.finds(Path::new("/usr/bin")), PathVisibility::Alike);
        assert_eq!(visibility.finds(Path::new("relative")), PathVisibility::Alike);
        assert_eq!(finds("bot/data/secret"), PathVisibility::Alike);
        fs::set_permissions(top.join("bot/data"), fs::Permissions::from_mode(0o700))
            .expect("rights");
        assert_eq!(finds("bot/data/secret"), PathVisibility::NotReadable);
        let free = Visibility::default();
        assert_eq!(free.finds(&top.join("model")), PathVisibility::Alike);
    }
}
