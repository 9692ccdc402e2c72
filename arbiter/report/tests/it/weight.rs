//! The weight of the viewer with a game: all that a browser loads before it shows one.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use record::stderr_texts::StderrVisibility;
use report::ReportExtras;
use tempfile::TempDir;

/// The most bytes of the viewer with an average game.
const MOST: usize = 150_000;
/// The most bytes of the viewer without a game.
const MOST_OF_PAGE: usize = 115_000;
/// The most bytes that a server sends for it, with the long games of Durak that are stored in one file.
const MOST_SENT: usize = 70_000;

/// A report of an example, and the number of its games.
fn report(folder: &TempDir, name: &str) -> (PathBuf, usize) {
    let log =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/matches/{name}.jsonl"));
    let report = folder.path().join(name);
    let content = ReportExtras { review: None, errors: StderrVisibility::Hidden };
    let written = report::write(&[log], &report, content).unwrap();
    (report, written.games.try_into().unwrap())
}

/// The page of the viewer and the styles and scripts in it.
fn viewer(report: &Path) -> Vec<Vec<u8>> {
    let page = fs::read_to_string(report.join("game.html")).unwrap();
    let addresses = ["href=\"", "src=\""].into_iter().flat_map(|it| page.split(it).skip(1));
    let addresses = addresses.filter_map(|rest| rest.split('"').next());
    let files = addresses.filter(|it| it.ends_with(".css") || it.ends_with(".js"));
    let mut all: Vec<_> = files.map(|file| fs::read(report.join(file)).unwrap()).collect();
    assert!(all.len() > 10, "{page}");
    all.push(page.clone().into_bytes());
    all
}

fn compressed(bytes: &[u8]) -> usize {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap().len()
}

#[test]
fn the_viewer_with_a_game_stays_light() {
    let folder = TempDir::new().unwrap();
    for name in ["coup", "durak", "tablic-2-seats", "tablic-3-seats"] {
        let (report, games) = report(&folder, name);
        let page: usize = viewer(&report).iter().map(Vec::len).sum();
        let game = fs::read(report.join("data/games-0.js")).unwrap().len() / games;
        println!("{name}: {page} bytes and {game} of a game");
        assert!(page + game <= MOST, "{name}: {page} bytes and {game} of a game");
    }
}

#[test]
fn little_is_sent_for_the_viewer_with_a_long_game() {
    let folder = TempDir::new().unwrap();
    let (report, _) = report(&folder, "durak");
    let files = viewer(&report);
    let whole: usize = files.iter().map(Vec::len).sum();
    assert!(whole <= MOST_OF_PAGE, "{whole} bytes without a game");
    let page: usize = files.iter().map(|file| compressed(file)).sum();
    let games = compressed(&fs::read(report.join("data/games-0.js")).unwrap());
    println!("{page} bytes and {games} of games");
    assert!(page + games <= MOST_SENT, "{page} bytes and {games} of games");
}
