//! What `cargo install --path arbiter` puts on `PATH`: one program, whose bots have no names there.

use std::fs;
use std::path::Path;

#[test]
fn the_package_has_one_program() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("a manifest");
    let programs: Vec<&str> =
        manifest.split("[[bin]]\n").skip(1).filter_map(|bin| bin.lines().next()).collect();
    assert_eq!(
        programs,
        ["name = \"arbiter\""],
        "another program would be installed with `arbiter`"
    );
    assert!(!package.join("src/bin").exists(), "each file there is a program of its own");
    let program = Path::new(env!("CARGO_BIN_EXE_arbiter")).file_stem();
    assert_eq!(program.and_then(|name| name.to_str()), Some("arbiter"));
}
