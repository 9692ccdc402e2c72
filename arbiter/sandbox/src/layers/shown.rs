//! The part of the machine's files that is seen: whole folders and files, and the links on the way.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use text::printable;

/// Folders that programs need to run at all, where there are any.
pub(super) const SYSTEM: [&str; 11] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/snap",
];

/// Folders of which a bot has its own, or none.
const OWN: [&str; 3] = ["/proc", "/dev", "/sys"];

/// The most links followed from one path, as the kernel has it.
const LINKS: u32 = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ShownPlace {
    /// A link, with what it holds.
    Link { at: PathBuf, to: PathBuf },
    /// A folder or file with all that is in it; no link is on the way to it.
    Whole { at: PathBuf },
}

/// The part of `paths` and of the system's own folders that is seen: outer ones first, none twice
/// and none inside of another.
///
/// A path of which a part is missing, or out of this user's reach, shows nothing.
///
/// Fails at a path that a bot has its own of, or that would show everything.
pub(super) fn visible(paths: &[PathBuf]) -> Result<Vec<ShownPlace>, String> {
    let mut places = BTreeMap::new();
    for path in SYSTEM.iter().map(Path::new).chain(paths.iter().map(PathBuf::as_path)) {
        for place in trace(path)? {
            places.insert(place.at().to_owned(), place);
        }
    }
    let mut shown: Vec<ShownPlace> = Vec::new();
    // In this order, what is in a folder comes right after it.
    let mut whole: Option<PathBuf> = None;
    for (at, place) in places {
        if whole.as_ref().is_some_and(|whole| at.starts_with(whole)) {
            continue;
        }
        if matches!(place, ShownPlace::Whole { .. }) {
            whole = Some(at);
        }
        shown.push(place);
    }
    Ok(shown)
}

impl ShownPlace {
    pub(super) fn at(&self) -> &Path {
        match self {
            ShownPlace::Link { at, .. } | ShownPlace::Whole { at } => at,
        }
    }
}

/// Everything that must be there for a path to be found: the links on the way, and their targets. A
/// link at its end is not followed.
fn trace(path: &Path) -> Result<Vec<ShownPlace>, String> {
    let refuse = |why: &str| {
        let path = printable(&path.to_string_lossy());
        Err(format!("`{path}` cannot be shown to a bot: {why}"))
    };
    if !path.is_absolute() {
        return refuse("expected an absolute path");
    }
    let mut found = Vec::new();
    let mut at = PathBuf::from("/");
    let mut rest: VecDeque<OsString> = path.iter().map(OsString::from).collect();
    while let Some(part) = rest.pop_front() {
        if part == ".." {
            at.pop();
            continue;
        }
        // The root, which comes first, replaces what there is.
        at.push(&part);
        if let Some(own) = OWN.iter().find(|own| at.starts_with(own)) {
            return refuse(&format!("a bot has its own `{own}` or none"));
        }
        let Ok(metadata) = fs::symlink_metadata(&at) else { return Ok(found) };
        if !metadata.is_symlink() {
            continue;
        }
        let Ok(to) = fs::read_link(&at) else { return Ok(found) };
        found.push(ShownPlace::Link { at: at.clone(), to: to.clone() });
        if rest.is_empty() || found.len() > LINKS as usize {
            return Ok(found);
        }
        at.pop();
        to.iter().rev().for_each(|part| rest.push_front(part.to_owned()));
    }
    match at.as_os_str().to_str() {
        Some("/") => refuse("it would show all files of the machine"),
        Some("/tmp") => refuse("a bot has its own `/tmp`"),
        _ => {
            found.push(ShownPlace::Whole { at });
            Ok(found)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn below(folder: &Path, places: &[ShownPlace]) -> Vec<String> {
        let name = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
        let inside = places.iter().filter(|place| place.at().starts_with(folder));
        inside
            .map(|place| match place {
                ShownPlace::Link { at, to } => format!("{} -> {}", name(at), name(to)),
                ShownPlace::Whole { at } => name(at),
            })
            .collect()
    }

    #[test]
    fn links_are_kept_and_what_lies_inside_of_a_folder_is_not_said_twice() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let at = |name: &str| folder.join(name);
        fs::create_dir_all(at("real/bot/data")).unwrap();
        fs::create_dir_all(at("real/bots")).unwrap();
        fs::write(at("tool"), "").unwrap();
        symlink("real", at("relative")).unwrap();
        symlink(at("relative"), at("absolute")).unwrap();
        symlink("absolute/bot", at("last")).unwrap();
        symlink("circle", at("circle")).unwrap();
        let paths = [
            at("real/bot/data"),
            at("absolute/bot"),
            at("real/bot/../bots"),
            at("last"),
            at("tool"),
            at("gone/bot"),
            at("circle/bot"),
        ];
        let shown = visible(&paths).unwrap();
        let expected = [
            "absolute -> relative",
            "circle -> circle",
            "last -> absolute/bot",
            "real/bot",
            "real/bots",
            "relative -> real",
            "tool",
        ];
        assert_eq!(below(&folder, &shown), expected);
    }

    #[test]
    fn the_system_is_shown() {
        let shown = visible(&[]).unwrap();
        assert!(shown.contains(&ShownPlace::Whole { at: PathBuf::from("/usr") }), "{shown:?}");
    }

    #[test]
    fn what_a_bot_has_its_own_of_is_refused() {
        for path in ["/", "/tmp", "/proc/self/cwd", "/dev", "/sys/kernel", "/usr/../proc/1", "bot"]
        {
            let refused = visible(&[PathBuf::from(path)]).unwrap_err();
            assert!(refused.starts_with(&format!("`{path}` cannot be shown")), "{refused}");
        }
        let folder = tempfile::tempdir().unwrap();
        symlink("/proc/self", folder.path().join("hidden")).unwrap();
        assert!(visible(&[folder.path().join("hidden/root")]).is_err());
    }
}
