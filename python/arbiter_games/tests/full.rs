//! The package as Python sees it: its own tests, and its types.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tests::installed::python_with_packages;
use tests::missing;
use tests::own_games;

use tests::bench::Bench;

/// The package with its module and its tests in a folder of its own, and Python to run it.
struct Package {
    bench: Bench,
    python: PathBuf,
}

impl Package {
    /// None if there is no Python with this module, after saying so.
    fn copied(needs: &str) -> Option<Package> {
        let bench = Bench::new();
        let python = python_with_packages(&bench)?;
        let package = Package { bench, python };
        if !package.run(&["-c", &format!("import {needs}")], None).status.success() {
            missing::tell(&format!("no {needs} in the Python with packages for tests"));
            return None;
        }
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in ["arbiter_games", "tests"] {
            let to = package.bench.folder().join(folder);
            fs::create_dir(&to).expect("a folder");
            for entry in fs::read_dir(source.join(folder)).expect("a folder of the package") {
                let path = entry.expect("an entry").path();
                let is_text = path.extension().is_some_and(|it| it != "so");
                if path.is_file() && is_text {
                    fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a copy");
                }
            }
        }
        let module = package.bench.folder().join("arbiter_games/_core.abi3.so");
        // What Cargo makes for a test lies there.
        fs::copy(programs().join("deps/lib_core.so"), module).expect("the module as it was built");
        Some(package)
    }

    fn run(&self, arguments: &[&str], game: Option<PathBuf>) -> Output {
        let mut command = Command::new(&self.python);
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        command
            .args(arguments)
            .current_dir(self.bench.folder())
            .env("PYTHONPATH", self.bench.folder())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("ARBITER", programs().join("arbiter"))
            .env("ARBITER_EXAMPLES", examples)
            .envs(game.map(|game| ("ARBITER_GAME", game)));
        command.output().expect("Python starts")
    }

    fn assert_passes(&self, arguments: &[&str], game: Option<PathBuf>) {
        let ended = self.run(arguments, game);
        let said = [ended.stdout, ended.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
        assert!(ended.status.success(), "{}", said.concat());
    }
}

/// The folder of what was built.
fn programs() -> PathBuf {
    let own = env::current_exe().expect("the path of this test");
    own.ancestors().nth(2).expect("a folder of what was built").to_owned()
}

#[test]
fn the_package_passes_its_own_tests() {
    let Some(package) = Package::copied("pytest, pandas, pettingzoo, gymnasium, pyspiel, pyarrow")
    else {
        return;
    };
    // A custom game, as a module.
    let module = own_games::leduc(&package.bench, "c");
    package.assert_passes(&["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"], module);
}

#[test]
fn the_package_has_types() {
    let Some(package) = Package::copied("mypy, pandas, gymnasium") else { return };
    package.assert_passes(&["-m", "mypy", "--strict", "arbiter_games"], None);
}
