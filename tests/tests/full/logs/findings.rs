//! Findings of the fuzz targets, and the inputs that they begin with, as ordinary tests.
//!
//! A finding is a file in `tests/fuzz/findings/TARGET/`, which stays there when it is mended.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

#[path = "../../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "for the fuzz targets this file is a library")]
mod fuzz;

/// All files in a folder of the project; none if there is no folder.
fn files(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let read = |path: PathBuf| {
        let content = fs::read(&path).expect("a readable file");
        (path, content)
    };
    // A command of the documents may have left a review beside a log.
    let is_review = |path: &Path| path.extension().is_some_and(|ending| ending == "review");
    paths.filter(|path| path.is_file() && !is_review(path)).map(read).collect()
}

#[test]
fn every_target_takes_its_findings() {
    for (name, target) in fuzz::TARGETS {
        for (path, content) in files(&format!("tests/fuzz/findings/{name}")) {
            println!("{}", path.display());
            target(&content);
        }
    }
}

/// Every target takes the examples, whole and cut off, and the first byte after the cut changed.
#[test]
fn every_target_takes_the_examples_and_parts_of_them() {
    let examples = [files("examples/requests/tablic"), files("examples/matches")].concat();
    assert!(examples.len() > 3, "the examples are not where they were");
    for (name, target) in fuzz::TARGETS {
        for (path, content) in &examples {
            println!("{name}: {}", path.display());
            target(content);
            // A game takes longer than a file, and its moves follow from the first bytes.
            let parts = if name == "game" { 1 } else { 2 };
            for part in 0..parts {
                let cut = content.len() * part / 2;
                target(&content[..cut]);
                let mut changed = content.clone();
                changed[cut] ^= 1;
                target(&changed);
            }
        }
    }
}
