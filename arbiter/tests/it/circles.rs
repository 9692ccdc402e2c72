//! Files of a crate do not use each other in a circle: what two of them need lies below both.
//!
//! The test prints the circles that it has found: `cargo test -p arbiter circle -- --nocapture`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::Sources;

/// The circles that are natural: the crate, the modules of the circle, and the reason.
const NATURAL: [(&str, &[&str], &str); 0] = [];

/// Crates that still have circles.
const LEFT: &[&str] = &[];

#[test]
fn no_files_of_a_crate_use_each_other_in_a_circle() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut found = BTreeSet::new();
    for folder in crates(top) {
        let name = folder.strip_prefix(top).expect("a crate in it").to_string_lossy().into_owned();
        for circle in Sources::read(&folder.join("src")).circles() {
            let circle: Vec<&str> =
                circle.iter().map(|it| if it.is_empty() { "(root)" } else { it }).collect();
            println!("{name}: {}", circle.join(" "));
            found.insert((name.clone(), circle.join(" ")));
        }
    }
    let natural: BTreeSet<(String, String)> =
        NATURAL.iter().map(|(name, modules, _)| ((*name).to_owned(), modules.join(" "))).collect();
    let is_left = |(name, _): &&(String, String)| LEFT.contains(&name.as_str());
    let new: Vec<_> = found.difference(&natural).filter(|it| !is_left(it)).collect();
    assert!(new.is_empty(), "files that use each other in a circle: {new:#?}");
    let gone: Vec<_> = natural.difference(&found).collect();
    assert!(
        gone.is_empty(),
        "circles that are gone from the sources, but not from the list: {gone:#?}"
    );
    for name in LEFT {
        assert!(found.iter().any(|(of, _)| of == name), "{name} has no circle any more");
    }
}

/// The folders of all crates.
fn crates(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let is_searched = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.is_dir() && !name.starts_with('.') && name != "target" && name != "src"
    };
    let mut crates: Vec<PathBuf> =
        entries.filter(is_searched).flat_map(|path| crates(&path)).collect();
    if folder.join("Cargo.toml").exists() && folder.join("src").is_dir() {
        crates.push(folder.to_owned());
    }
    crates
}
