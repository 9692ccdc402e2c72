//! `arbiter report` writes over a former report, and nothing else.

use std::fs;
use std::path::Path;

use tests::bench::Bench;

use super::tools::{examples, files, read, run, succeed};

/// A former report is replaced as a whole; nothing else is ever written over.
#[test]
fn only_a_former_report_is_replaced() {
    let bench = Bench::new();
    let folder = bench.path("report");
    let several = ["tournaments/coup", "matches/durak.jsonl"].map(examples);
    bench.succeed([Path::new("report"), &several[0], &several[1], Path::new("-o"), &folder]);
    succeed(&bench, &examples("matches/durak.jsonl"), &folder);
    // Paths need not be absolute, and what a killed run left goes too.
    let left = folder.join(".new-left");
    fs::create_dir(&left).expect("the folder is ours");
    fs::copy(folder.join("arbiter-report.txt"), left.join("arbiter-report.txt")).expect("a copy");
    succeed(&bench, &examples("matches/durak.jsonl"), Path::new("report"));
    let fresh = bench.path("fresh");
    fs::create_dir(&fresh).expect("an empty folder");
    succeed(&bench, &examples("matches/durak.jsonl"), &fresh);
    assert_eq!(files(&folder), files(&fresh), "nothing is left of the former report");

    fs::write(folder.join("mine.txt"), "mine").expect("the folder is ours");
    let before = files(&folder);
    let refused = run(&bench, &examples("tournaments/coup"), &folder);
    refused.assert_refused(2, &["contains `mine.txt`, which is not part of the report"]);
    assert_eq!(files(&folder), before);

    for (name, file) in [("other", "index.html"), ("home", "notes.txt")] {
        let other = bench.path(name);
        fs::create_dir(&other).expect("a folder");
        fs::write(other.join(file), "mine").expect("the folder is ours");
        run(&bench, &examples("tournaments/coup"), &other).assert_refused(2, &["is not empty"]);
        assert_eq!(files(&other), [file]);
        assert_eq!(read(other.join(file)), "mine");
    }
    let refused = run(&bench, &bench.path("nowhere"), &bench.path("new"));
    refused.assert_refused(2, &["no log or folder"]);
    assert!(!bench.path("new").exists());
}

/// The name of a folder in which a report is made may be taken by another file, too.
#[test]
fn a_folder_is_not_removed_for_its_name() {
    let bench = Bench::new();
    let log = examples("matches/durak.jsonl");
    let (photos, report) = (bench.path("photos"), bench.path("report"));
    fs::create_dir_all(photos.join(".new-photos")).expect("a folder");
    succeed(&bench, &log, &report);
    fs::create_dir(report.join(".new-photos")).expect("the folder is ours");
    for folder in [&photos, &report] {
        fs::write(folder.join(".new-photos/a.jpg"), "mine").expect("the folder is ours");
    }
    run(&bench, &log, &photos).assert_refused(2, &["is not empty"]);
    assert_eq!(files(&photos), [".new-photos/a.jpg"]);
    let before = files(&report);
    run(&bench, &log, &report)
        .assert_refused(2, &["contains `.new-photos`, which is not part of the report"]);
    assert_eq!(files(&report), before);
}

/// A link in the place of a folder of ours is no such folder.
#[cfg(unix)]
#[test]
fn targets_of_links_are_left_alone() {
    let bench = Bench::new();
    let log = examples("matches/durak.jsonl");
    let (mine, report) = (bench.path("mine"), bench.path("report"));
    for folder in [&mine, &report] {
        succeed(&bench, &log, folder);
    }
    let before = files(&mine);
    std::os::unix::fs::symlink(&mine, report.join(".new-link")).expect("a link");
    run(&bench, &log, &report)
        .assert_refused(2, &["contains `.new-link`, which is not part of the report"]);
    fs::remove_file(report.join(".new-link")).expect("the folder is ours");
    // In the place of an entry only the link itself goes.
    fs::remove_dir_all(report.join("data")).expect("the folder is ours");
    std::os::unix::fs::symlink(mine.join("data"), report.join("data")).expect("a link");
    succeed(&bench, &log, &report);
    assert!(!report.join("data").is_symlink());
    assert_eq!((files(&mine), files(&report)), (before.clone(), before));
}
