//! The scripts of all pages together.

use std::fs;
use std::path::Path;

/// The most lines of scripts that browsers run.
const LINES: usize = 4_500;

#[test]
fn scripts_stay_small() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let assets = ["src/assets", "../report/src/assets", "../../docs"];
    let files = assets.iter().flat_map(|it| fs::read_dir(folder.join(it)).expect("a folder"));
    let scripts = files.map(|it| it.expect("a file").path());
    let scripts = scripts.filter(|path| path.extension().is_some_and(|it| it == "js"));
    let lines = scripts.map(|path| fs::read_to_string(path).expect("a script").lines().count());
    let lines: usize = lines.sum();
    assert!(lines > 3_000 && lines <= LINES, "{lines} lines");
}
