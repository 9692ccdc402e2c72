//! Files and folders that a bot finds empty, although a folder above them is shown to it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::entries;
use super::places::is_of_files;

/// What has been found so far. All paths have no link in their middle.
pub(super) struct Masks<'a> {
    /// What the bot sees besides the folders of the system.
    pub(super) paths: &'a [PathBuf],
    /// What is the bot's own, and is never empty.
    pub(super) own: &'a [PathBuf],
    pub(super) masked: BTreeSet<PathBuf>,
}

impl Masks<'_> {
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

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

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
            let mut masks = Masks { paths: &paths, own: &own, masked: BTreeSet::new() };
            masks.add(&top.join(path), 16);
            let names = masks.masked.iter().filter_map(|path| path.strip_prefix(&top).ok());
            names.map(|name| name.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(masked("sent"), ["sent/other", "sent/plan"]);
        assert_eq!(masked("sent/mine/log"), ["sent/mine/log"]);
        assert!(masked("sent/mine").is_empty());
        assert!(masked("elsewhere").is_empty());
        let mut masks = Masks { paths: &[], own: &own, masked: BTreeSet::new() };
        for path in ["/opt/log", "/etc/seed", "/dev/log", "/home/me/log"] {
            masks.add(Path::new(path), 16);
        }
        let all: Vec<_> = masks.masked.iter().filter_map(|path| path.to_str()).collect();
        assert_eq!(all, ["/etc/seed", "/opt/log"]);
    }
}
