//! The sample requests in `examples/requests` are up to date.
//!
//! `cargo test -p bots programs::requests -- --ignored` writes them anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use rules::coup::Coup;
use rules::durak::Durak;
use rules::tablic::Tablic;
use rules::{Game, GameKind};

use crate::samples::{self, coup, durak};

type Samples = Vec<(&'static str, String)>;

/// The samples of every game, by the folder that they are kept in.
fn games() -> [(&'static str, Samples); 4] {
    [
        (Tablic::NAME, samples::all()),
        (Coup::NAME, coup::all()),
        ("coup-court", coup::court()),
        (Durak::NAME, durak::all()),
    ]
}

/// The folder that these sample requests are kept in.
fn folder(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "examples", "requests", name].iter().collect()
}

#[test]
fn every_game_has_samples() {
    let names = games().map(|(name, _)| name);
    assert!(GameKind::ALL.iter().all(|kind| names.contains(&kind.name())), "{names:?}");
}

#[test]
fn the_samples_are_what_the_referee_writes_today() {
    for (game, samples) in games() {
        for (name, request) in &samples {
            let kept = fs::read_to_string(folder(game).join(name)).unwrap_or_default();
            let advice = "the head of this test says what to do";
            assert!(kept == *request, "{game}/{name} is out of date; {advice}");
        }
        let kept = fs::read_dir(folder(game)).expect("the folder of samples").count();
        assert_eq!(kept, samples.len(), "there is a file that no sample is kept in");
    }
}

#[test]
fn no_request_is_a_sample_twice() {
    for (_, samples) in games() {
        let requests: BTreeSet<&String> = samples.iter().map(|(_, request)| request).collect();
        assert_eq!(requests.len(), samples.len());
    }
}

#[test]
fn the_samples_show_what_they_are_named_after() {
    let samples = samples::all();
    let sample = |name| {
        let (_, request) = samples.iter().find(|(found, _)| *found == name).unwrap();
        move |line: &str| request.lines().any(|found| found == line)
    };
    assert!(sample("first-move.txt")("move 0"));
    assert!(sample("empty-table.txt")("table"));
    assert!(sample("cut-list.txt")("legal 1000 more"));
    assert!(sample("4-seats.txt")("game tablic seats=4"));
    assert!(sample("48-seats.txt")("game tablic seats=48"));
    assert!(sample("seat-out.txt")("out 2 timeout"));
    assert!(sample("last-move.txt")("talon 0") && sample("last-move.txt")("hands 0 1"));
    assert!(sample("3-seats-seat-2.txt")("game tablic seats=3"));
    let lines = |(_, request): &(&str, String)| {
        let count = request.lines().find_map(|line| line.strip_prefix("history "));
        count.and_then(|count| count.parse::<usize>().ok())
    };
    let longest = samples.iter().max_by_key(|sample| lines(sample)).unwrap();
    assert_eq!(longest.0, "longest-history.txt");
}

#[test]
#[ignore = "writes the files that the other test compares with"]
fn write_the_samples() {
    for (game, samples) in games() {
        fs::create_dir_all(folder(game)).unwrap();
        for (name, request) in samples {
            fs::write(folder(game).join(name), request).unwrap();
        }
    }
}
