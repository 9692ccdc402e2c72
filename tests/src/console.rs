//! The console blocks of documents, run by trycmd in a folder.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::binaries;
use crate::search_path::search_path;

/// The program under test.
pub fn arbiter() -> PathBuf {
    binaries::program(&binaries::folder(), "arbiter")
}

/// The contents of a document's fenced blocks of one kind.
pub fn blocks<'a>(document: &'a str, kind: &str) -> Vec<&'a str> {
    let opening = format!("```{kind}\n");
    let blocks = document.split(&opening).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

/// Runs the console blocks of pages in a folder, without programs that only look for Python.
pub fn run_blocks<'a>(pages: impl IntoIterator<Item = &'a Path>, folder: &Path) {
    let place = TempDir::new().unwrap();
    let cases = trycmd::TestCases::new();
    cases.register_bin("arbiter", arbiter());
    cases.env("XDG_STATE_HOME", place.path().to_str().unwrap());
    cases.env("PATH", search_path().to_str().unwrap());
    for page in pages {
        // trycmd runs a page in the folder of the same name that ends with `in`.
        let link = place.path().join(page.display().to_string().replace('/', "-"));
        symlink(page, &link).unwrap();
        symlink(folder, link.with_extension("in")).unwrap();
        cases.case(link);
    }
    cases.run();
}
