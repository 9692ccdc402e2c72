//! The site of documentation: it is built, all of its links lead somewhere, its search finds what people look for, and
//! its pages can be read.

mod browser;
mod hints;
mod links;
mod search;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use tests::bench::{Bench, run};
use tests::installed::{is_there, program_with_packages};
use tests::search_path::search_path;

/// A script of `docs`, which finds the programs under test and mdBook.
fn script(bench: &Bench, name: &str, mdbook: &Path) -> Command {
    let folders = [bench.program("arbiter"), mdbook.to_owned()];
    let folders = folders.iter().filter_map(|program| program.parent()).map(Path::to_owned);
    let path = env::join_paths(folders.chain(env::split_paths(search_path())));
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut command = bench.command(docs.join(name));
    command.env("PATH", path.expect("folders without a colon"));
    command
}

/// Builds the site, and gives its folder and the script that checks links; says so if a program is missing.
fn build(bench: &Bench) -> Option<(PathBuf, Command)> {
    let mdbook = program_with_packages(bench, "mdbook")?;
    if !is_there("python3") {
        return None;
    }
    let folder = bench.path("site");
    let built = run(script(bench, "build", &mdbook).arg(&folder)).without_error();
    let book = folder.join("book");
    assert_eq!(built.stdout.trim_end(), book.join("index.html").display().to_string());
    Some((book, script(bench, "check-links", &mdbook)))
}
