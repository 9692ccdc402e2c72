//! A bot of `arbiter new` that grows, as its README says: by a second file, a file of data, and
//! packages that are installed in its folder. The changes in each language are in `growths.txt`.

use std::fs;

use tests::bench::{Bench, run};
use tests::installed::is_there;
use tests::missing;

const GROWTHS: &str = concat!("\n", include_str!("growths.txt"));

/// Lets a bot grow by the part of `growths.txt` with this name, and asserts that it plays what its second file says:
/// the last move of the sample.
fn grow(name: &str) {
    let part = GROWTHS.split("\n== ").find_map(|part| part.strip_prefix(&format!("{name}: ")));
    let (programs, changes) = part.expect("its growth").split_once('\n').expect("its changes");
    if !programs.split(' ').all(is_there) {
        return;
    }
    let bench = Bench::new();
    let language = name.split(' ').next().expect("a word");
    bench.succeed(["new", "my-bot", "--language", language]);
    let folder = bench.path("my-bot");
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("a text");
    let mut site = "gone".to_owned();
    if name == "python with packages" {
        // However it is installed, a package is a file in the environment.
        let environment = folder.join(".venv");
        let mut venv = bench.command("python3");
        if run(venv.args(["-m", "venv", "--without-pip"]).arg(&environment)).code != Some(0) {
            return missing::tell("python3 makes no virtual environment");
        }
        let place = "import sysconfig; print(sysconfig.get_paths()['purelib'])";
        let python = environment.join("bin/python3");
        site = run(bench.command(python).args(["-c", place])).stdout.trim_end().to_owned();
    }
    let readme = read("README.md").split_whitespace().collect::<Vec<_>>().join(" ");
    for change in changes.trim_end().split("\n-- ") {
        let (head, text) = change.split_once('\n').unwrap_or((change, ""));
        match head.trim_start_matches("-- ").split_once(' ').expect("what it is") {
            ("told", told) => assert!(readme.contains(told), "`{told}` is not in {readme}"),
            ("file", file) => {
                let path = folder.join(file.replace("SITE", &site));
                fs::create_dir_all(path.parent().expect("a folder")).expect("it is ours");
                fs::write(path, format!("{text}\n")).expect("a file");
            }
            ("edit", edit) => {
                let (file, edit) = edit.split_once(": ").expect("a file");
                let edit = edit.replace("\\n", "\n");
                let (old, new) = edit.split_once(" => ").expect("an edit");
                let before = read(file);
                assert_eq!(before.matches(old).count(), 1, "`{old}` in {file}");
                fs::write(folder.join(file), before.replace(old, new)).expect("a file");
            }
            other => unreachable!("{other:?} in growths.txt"),
        }
    }
    fs::write(folder.join("weights.txt"), "7\n").expect("a file");
    // From the build on, and in a scratch folder. No bot is too slow.
    let ended = bench.line("check --game tablic --games 0 --time-limit 60s ./my-bot");
    let first = ended.stdout.lines().find(|line| line.contains(" tablic first-move "));
    assert!(first.is_some_and(|first| first.ends_with("  KD 2D JH")), "{name}: {ended:?}");
}

/// A test of each growth.
macro_rules! growths {
    ($($test:ident: $name:literal;)*) => {
        $(#[test] fn $test() { grow($name) })*
    };
}

growths! {
    python: "python";
    python_with_packages: "python with packages";
    node: "node";
    node_with_packages: "node with packages";
    ruby: "ruby";
    ruby_with_packages: "ruby with packages";
    perl: "perl";
    lua: "lua";
    shell: "shell";
    c: "c";
    c_with_data: "c with data";
    cpp: "cpp";
    go: "go";
    java: "java";
    rust: "rust";
}
