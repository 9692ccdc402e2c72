//! The digest of a folder that is handed in, and its copy.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use bot::copying::{FolderBounds, copy, digest, stamp};
use tempfile::TempDir;

/// A change.
type Change = (&'static str, fn(&Path));

const BOUNDS: FolderBounds = FolderBounds { entries: 10, bytes: 1_000 };

fn write(folder: &Path, name: &str, content: &str) {
    fs::write(folder.join(name), content).expect("it is ours");
}

/// A folder with a file, a folder with two files, and a link.
fn folder_of_files() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    write(path, "bot.toml", "name");
    fs::create_dir(path.join("data")).expect("it is ours");
    write(path, "data/one", "1");
    write(path, "data/two", "2");
    symlink("data/one", path.join("link")).expect("a link");
    folder
}

#[test]
fn each_change_of_a_folder_is_another_digest() {
    let changes: [Change; 7] = [
        ("a content", |path| write(path, "data/one", "3")),
        ("a name", |path| {
            fs::rename(path.join("data/one"), path.join("data/three")).expect("ours")
        }),
        ("a place", |path| fs::rename(path.join("data/one"), path.join("one")).expect("ours")),
        ("the rights", |path| {
            let rights = Permissions::from_mode(0o755);
            fs::set_permissions(path.join("bot.toml"), rights).expect("ours");
        }),
        ("a target", |path| {
            fs::remove_file(path.join("link")).expect("ours");
            symlink("data/two", path.join("link")).expect("a link");
        }),
        ("a kind", |path| {
            fs::remove_file(path.join("link")).expect("ours");
            write(path, "link", "data/one");
        }),
        ("a folder", |path| fs::create_dir(path.join("empty")).expect("ours")),
    ];
    let before = digest(folder_of_files().path(), BOUNDS).expect("it can be read");
    // As docs/reference/leagues.md has it.
    let expected = "56766ee8466fcd78d16f6f705bf60f2d9a9efc87388a63b7f907a498251500e8";
    assert_eq!(before.to_string(), expected);
    for (what, change) in changes {
        let folder = folder_of_files();
        let stamped = stamp(folder.path(), BOUNDS).expect("it can be read");
        assert_eq!(digest(folder.path(), BOUNDS).expect("it can be read"), before, "{what}");
        change(folder.path());
        assert_ne!(digest(folder.path(), BOUNDS).expect("it can be read"), before, "{what}");
        assert_ne!(stamp(folder.path(), BOUNDS).expect("it can be read"), stamped, "{what}");
    }
    let folder = folder_of_files();
    fs::create_dir(folder.path().join(".git")).expect("ours");
    write(folder.path(), ".git/config", "not a part of the bot");
    write(folder.path(), "data/one", "1");
    assert_eq!(digest(folder.path(), BOUNDS).expect("it can be read"), before, "written again");
}

#[test]
fn a_copy_has_the_digest_of_its_folder() {
    let (folder, place) = (folder_of_files(), TempDir::new().expect("a folder"));
    let copied = place.path().join("copy");
    copy(folder.path(), &copied, BOUNDS).expect("it can be copied");
    let digest = |path: &Path| digest(path, BOUNDS).expect("it can be read");
    assert_eq!(digest(&copied), digest(folder.path()));
}

#[test]
fn a_folder_has_bounds() {
    let folder = folder_of_files();
    let place = TempDir::new().expect("a folder");
    let problems = |entries, bytes| {
        let bounds = FolderBounds { entries, bytes };
        let copied = copy(folder.path(), &place.path().join("copy"), bounds);
        let _ = fs::remove_dir_all(place.path().join("copy"));
        let told = digest(folder.path(), bounds).map(drop).map_err(|error| error.to_string());
        assert_eq!(copied.map(drop).map_err(|error| error.to_string()), told);
        told
    };
    assert_eq!(problems(5, 6), Ok(()));
    let many = problems(4, 6).expect_err("too many");
    assert!(many.contains("has more than 4 files: keep only the bot"), "{many}");
    let large = problems(5, 5).expect_err("too large");
    assert!(large.contains("is larger than 5 B: keep only the bot"), "{large}");
    let inside = copy(folder.path(), &folder.path().join("data/copy"), BOUNDS);
    let inside = inside.expect_err("it would be in itself").to_string();
    let told = "contains the folder to which bots are copied: move the bot to its own folder";
    assert!(inside.ends_with(told));
}
