//! Backups that are killed, and backups to standard output.

use std::collections::BTreeSet;
use std::fs;

use rustix::process::Signal;
use tests::bench::Bench;
use tests::league::league;
use tests::running::wait_until;

/// Names of what is not complete, or was not when a program was killed.
fn hidden(bench: &Bench) -> BTreeSet<String> {
    let entries = fs::read_dir(bench.folder()).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".new-") || name.starts_with(".backup")).collect()
}

/// Runs a command, and kills it when it has begun to write.
fn kill_at_work(bench: &Bench, line: &str) {
    let before = hidden(bench);
    let mut run = bench.start(line);
    let mut has_ended = false;
    wait_until("something is written", || {
        has_ended = run.has_ended();
        has_ended || hidden(bench).difference(&before).next().is_some()
    });
    if !has_ended {
        run.signal(Signal::KILL);
        run.wait();
    }
}

/// Noise, which takes a while to be packed and unpacked.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn a_killed_backup_or_restore_leaves_nothing_after_the_next_one() {
    let bench = league(&["random"]);
    for name in 0..20 {
        bench.write(&format!("class/noise-{name}"), noise(1 << 20));
    }
    let backup = "league backup class one.tar.gz";
    for _ in 0..5 {
        kill_at_work(&bench, backup);
        assert!(hidden(&bench).len() <= 1, "{:?}", hidden(&bench));
        // Only one that was quicker than the kill.
        if bench.path("one.tar.gz").exists() {
            bench.ok("league restore one.tar.gz whole");
            fs::remove_dir_all(bench.path("whole")).expect("ours");
            fs::remove_file(bench.path("one.tar.gz")).expect("ours");
        }
    }
    bench.ok(backup);
    assert_eq!(hidden(&bench), BTreeSet::new());
    fs::create_dir(bench.path("empty")).expect("ours");
    for to in ["new", "empty"] {
        let restore = format!("league restore one.tar.gz {to}");
        let is_league = || bench.line(&format!("league status {to}")).code == Some(0);
        for _ in 0..5 {
            kill_at_work(&bench, &restore);
            if is_league() {
                assert!(bench.path(to).join("noise-19").exists(), "half a league");
                break;
            }
            let entries = fs::read_dir(bench.path(to)).map_or(0, Iterator::count);
            assert_eq!(entries, 0, "{to} has a part of a league");
        }
        if !is_league() {
            bench.ok(&restore);
        }
        assert!(is_league());
    }
    bench.ok("league restore one.tar.gz last");
    assert_eq!(hidden(&bench), BTreeSet::new());
}

#[test]
fn a_backup_goes_to_standard_output() {
    let bench = league(&["random"]);
    let file = fs::File::create(bench.path("piped.tar.gz")).expect("ours");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let (reader, closed) = std::io::pipe().expect("a pipe");
    drop(reader);
    for (output, code, says) in [
        (file.into(), 0, "standard output: "),
        (full.into(), 1, "error: cannot write standard output: "),
        (std::process::Stdio::from(closed), 1, ""),
    ] {
        let mut command = bench.arbiter(["league", "backup", "class", "-"]);
        let ended = command.stdout(output).output().expect("it runs");
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(code), "{told}");
        assert!(told.starts_with(says) && told.is_empty() == says.is_empty(), "{told}");
    }
    assert!(!bench.path("-").exists());
    bench.ok("league restore piped.tar.gz again");
}
