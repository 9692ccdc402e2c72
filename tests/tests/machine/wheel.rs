//! The wheel of the program: `pip install` gives the command `arbiter` alone, which plays.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tests::bench::{Bench, Ended, run};
use tests::installed::{bench_with, empty_environment};
use tests::texts::assert_says;

/// Checks the list of files in a wheel, as installers may.
const CHECK: &str = "import base64, csv, hashlib, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
names = wheel.namelist()
record = [name for name in names if name.endswith('/RECORD')][0]
rows = list(csv.reader(wheel.read(record).decode().splitlines()))
assert [row[0] for row in rows] == names, rows
for name, digest, length in rows[:-1]:
    content = wheel.read(name)
    made = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip('=')
    assert (digest, int(length)) == ('sha256=' + made, len(content)), name
assert rows[-1] == [record, '', ''], rows
print('fine')
";

/// Runs the script that makes wheels.
fn script(bench: &Bench, words: &[&str]) -> Ended {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist/wheel.py");
    run(bench.command("python3").arg(script).args(words))
}

/// Makes a wheel in a new folder, and returns its path.
fn wheel(bench: &Bench, folder: &str, words: &[&str]) -> PathBuf {
    fs::create_dir(bench.path(folder)).expect("a folder");
    let made = script(bench, &[words, &[folder]].concat()).with_code(0);
    bench.path(made.stdout.trim_end())
}

/// Makes the same wheel twice, whose list of files must be right.
fn checked_wheel(bench: &Bench, words: &[&str]) -> PathBuf {
    let [one, other] = ["one", "other"].map(|folder| wheel(bench, folder, words));
    assert!(fs::read(&one).expect("a wheel") == fs::read(other).expect("a wheel"));
    let checked = run(bench.command("python3").args(["-c", CHECK]).arg(&one));
    assert_eq!(checked.stdout, "fine\n", "{checked:?}");
    one
}

#[test]
fn pip_installs_arbiter_alone_and_it_plays() {
    let bench = Bench::new();
    let Some(programs) = empty_environment(&bench) else { return };
    let program = bench.copy(&bench.program("arbiter"), "arbiter");
    // Symbols for a debugger take longer to pack than all else; without `strip`, they stay.
    let _ =
        bench.command("strip").arg(program).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let platform = "import re, sysconfig; print(re.sub('[-.]', '_', sysconfig.get_platform()))";
    let platform = run(bench.command("python3").args(["-c", platform])).stdout;
    let words = ["--level", "1", "arbiter", platform.trim_end(), "0.1.0"];
    let wheel = checked_wheel(&bench, &words);

    let entries = || {
        let entries = fs::read_dir(&programs).expect("a folder").flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names
    };
    let before = entries();
    let pip = ["install", "--quiet", "--disable-pip-version-check", "--no-index"];
    run(bench.command(programs.join("pip")).args(pip).arg(&wheel)).with_code(0);
    let added: Vec<_> = entries().into_iter().filter(|name| !before.contains(name)).collect();
    assert_eq!(added, ["arbiter"]);

    let arbiter = programs.join("arbiter");
    for words in [
        &["match", "--game", "tablic", "--quiet", "--log", "log", "random", "greedy"][..],
        &["verify", "log"],
        &["new", "my-bot", "--language", "python"],
        &["check", "--game", "tablic", "--games", "1", "--time-limit", "60s", "./my-bot"],
        &["report", "log", "-o", "look"],
    ] {
        let ended = run(bench.command(&arbiter).args(words));
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:?}");
    }
    assert!(bench.path("look/index.html").is_file());
    let shown = run(bench.command(programs.join("pip")).args(["show", "arbiter-referee"]));
    assert!(shown.stdout.contains("\nSummary: A referee for card games played by bots.\n"));
}

#[test]
fn the_package_for_training_is_a_wheel() {
    let bench = Bench::new();
    let Some(programs) = empty_environment(&bench) else { return };
    bench.write("lib_core.so", "a module");
    let words = ["--package", "arbiter-games", "lib_core.so", "linux_any", "0.1.0"];
    let wheel = checked_wheel(&bench, &words);
    assert!(wheel.ends_with("arbiter_games-0.1.0-cp310-abi3-linux_any.whl"), "{wheel:?}");
    // What it says of itself is the manifest of the package.
    let told = "import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
print('arbiter_games/_core.abi3.so' in wheel.namelist(), 'arbiter_games/_observing.py' in wheel.namelist())
print(wheel.read('arbiter_games-0.1.0.dist-info/METADATA').decode())";
    let told = run(bench.command(programs.join("python")).args(["-c", told]).arg(&wheel)).stdout;
    assert_says(&told, &["True True", "Requires-Dist: numpy>=1.24", "Requires-Python: >=3.10"]);
}

#[test]
fn a_version_before_a_release_is_spelt_as_in_python() {
    let Some(bench) = bench_with("python3") else { return };
    bench.write("arbiter", "a program");
    for (version, spelt) in [("1.2.3-rc.4", "1.2.3rc4"), ("1.2.3", "1.2.3")] {
        let wheel = wheel(&bench, spelt, &["--level", "1", "arbiter", "any", version]);
        let name = format!("arbiter_referee-{spelt}-py3-none-any.whl");
        assert!(wheel.ends_with(&name), "{wheel:?}");
    }
    for (tag, version, problem) in [
        (
            "win_amd64",
            "1.2",
            "`1.2` is not a wheel version, expected one such as 1.0.0 or 1.0.0-rc.1",
        ),
        ("win amd64", "1.2.3", "`win amd64` is not a platform tag, expected one such as win_amd64"),
    ] {
        let ended = script(&bench, &["arbiter", tag, version, "one"]);
        assert_eq!((ended.code, ended.stderr.trim_end()), (Some(1), problem), "{ended:?}");
    }
}
