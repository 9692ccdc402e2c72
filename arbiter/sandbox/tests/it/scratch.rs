//! Scratch folders are removed, whatever was left in them, and nothing beside them.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use sandbox::scratch::Scratch;
use tempfile::TempDir;

/// A ceiling that no removal here comes near, and the promise to those that do.
const CEILING: Duration = Duration::from_secs(15);

/// Removes a scratch folder, and sees to it that it is gone.
fn remove(mut scratch: Scratch, what: &str) {
    let path = scratch.path().to_owned();
    let begun = Instant::now();
    let removed = scratch.remove();
    assert!(removed.is_ok(), "{what}: {removed:?}");
    assert!(begun.elapsed() < CEILING, "{what}: {:?}", begun.elapsed());
    assert!(fs::symlink_metadata(&path).is_err(), "{what}");
}

fn shell(folder: &Path, script: &str) {
    let done = Command::new("/bin/sh").args(["-c", script]).current_dir(folder).status();
    assert!(done.expect("a shell starts").success(), "{script}");
}

#[test]
fn it_is_empty_private_and_goes_when_it_is_dropped() {
    let scratch = Scratch::new().expect("a folder");
    let path = scratch.path().to_owned();
    assert!(path.is_absolute());
    let mode = fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o7777, 0o700);
    assert_eq!(fs::read_dir(&path).expect("it may be read").count(), 0);
    drop(scratch);
    assert!(!path.exists());
}

#[test]
fn whatever_is_in_it_goes() {
    let zoo = [
        ("folders that may not be touched", "mkdir -p a/b/c d; touch a/b/f a/b/c/g d/f
            chmod 0 a/b/c; chmod 400 a/b; chmod 0 a d"),
        ("itself closed", "mkdir a; touch a/f f; chmod 0 ."),
        ("itself not writable", "touch f; chmod 500 ."),
        ("fifos", "mkfifo a; mkdir b; mkfifo b/c; chmod 0 a b"),
        ("odd names", "mkdir -- '-rf' ' ' '*' '...' '\\'; touch -- '-rf/-i' \"$(printf 'a\\nb')\"
            touch \"$(printf '\\377\\376')\" \"$(printf 'x%.0s' $(seq 255))\"; mkdir '.arbiter-moved-0'
            touch .arbiter-moved-1; mkdir -p .arbiter-moved-2/.arbiter-moved-0/f/g .arbiter-moved-3/f"),
        ("many names of one file", "touch a; mkdir b; for i in $(seq 100); do ln a b/$i; done"),
        ("nothing", ":"),
        ("folders in folders in folders", "for a in 1 2 3 4 5 6; do for b in 1 2 3 4 5; do
            for c in 1 2 3; do mkdir -p $a/$b/$c; touch $a/f $a/$b/f $a/$b/$c/f; done; done; done"),
        ("a sparse file", "dd if=/dev/zero of=a bs=1 count=1 seek=60000000 2>/dev/null"),
    ];
    for (what, script) in zoo {
        let scratch = Scratch::new().expect("a folder");
        shell(scratch.path(), script);
        remove(scratch, what);
    }
}

#[test]
fn sockets_go() {
    let scratch = Scratch::new().expect("a folder");
    let _socket = UnixListener::bind(scratch.path().join("socket")).expect("a socket");
    remove(scratch, "a socket");
}

#[test]
fn links_are_not_followed() {
    let outside = TempDir::new().expect("a folder");
    fs::write(outside.path().join("precious"), "7S").expect("it is ours");
    fs::create_dir(outside.path().join("folder")).expect("it is ours");
    let before = fs::metadata(outside.path()).expect("it is there").permissions();
    let scratch = Scratch::new().expect("a folder");
    let path = scratch.path().to_owned();
    fs::create_dir(path.join("a")).expect("it is ours");
    for link in ["link", "a/link"] {
        symlink(outside.path(), path.join(link)).expect("it is ours");
        symlink(outside.path().join("precious"), path.join(format!("{link}-file"))).expect("ours");
        symlink("nowhere", path.join(format!("{link}-broken"))).expect("it is ours");
        symlink(".", path.join(format!("{link}-self"))).expect("it is ours");
    }
    remove(scratch, "links");
    // In the place of the folder itself, too.
    for script in ["ln -s \"$0\" \"$1\"", "touch \"$1\"", ":"] {
        let scratch = Scratch::new().expect("a folder");
        fs::remove_dir(scratch.path()).expect("it is ours");
        let made = Command::new("/bin/sh")
            .args(["-c", script])
            .args([outside.path(), scratch.path()])
            .status();
        assert!(made.expect("a shell starts").success());
        remove(scratch, script);
    }
    assert_eq!(fs::metadata(outside.path()).expect("it is there").permissions(), before);
    assert_eq!(fs::read_dir(outside.path()).expect("it is there").count(), 2);
    assert_eq!(fs::read(outside.path().join("precious")).expect("it is there"), b"7S");
}
