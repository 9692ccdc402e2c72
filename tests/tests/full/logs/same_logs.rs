//! Everything that reads a log accepts and refuses the same logs, and says the same of them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use contest::playing::series_runner::ContestState;
use contest::tournament;
use contest::tournament::folder::TournamentFolder;
use contest::tournament::journal::{Journal, ResumeError};
use contest::tournament::sharded::merging::{MergeResult, Merger};
use contest::tournament::sharded::survey;
use contest::tournament::sharded::survey::{PieceProgress, PieceStatus};
use contest::tournament::{plan_file, read};
use record::stderr_texts::StderrVisibility;
use record::verify::{VerifyOptions, verify};
use record::{GameReader, Line};
use report::ReportExtras;
use review::OpenedLog;
use review::export::{self, FeatureSet, TableFormat};
use tempfile::TempDir;
use tests::bench::Bench;
use tests::forging::forged;
use tests::{chain, real};

mod edits;
use edits::{CASES, Edit, Expected};

/// Something that reads a log to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// The verification of a log, wherever it lies.
    Verify,
    /// The verification of a tournament, with its plan and its standings.
    VerifyTournament,
    /// Commands that show and compare games.
    Games,
    /// The export of a table of games.
    Export,
    State,
    /// A continued tournament.
    Journal,
    Report,
    /// The merge of shards into one tournament.
    Merge,
}

/// A log that is in order, with the folder that it lies in.
struct Original {
    what: &'static str,
    /// The folder with a log of the usual name, and all that must be beside it.
    folder: PathBuf,
    /// The folder of the plan, where it is a shard.
    whole: Option<PathBuf>,
    readers: &'static [Reader],
}

impl Original {
    fn is_match(&self) -> bool {
        !self.readers.contains(&Reader::VerifyTournament)
    }
}

const SHARD: &[Reader] = &[
    Reader::Verify,
    Reader::Games,
    Reader::Export,
    Reader::State,
    Reader::Journal,
    Reader::Report,
    Reader::VerifyTournament,
    Reader::Merge,
];

#[test]
fn of_a_match() {
    let bench = Bench::new();
    let folder = bench.path("match");
    fs::create_dir(&folder).expect("it is ours");
    fs::write(log_in(&folder), real::log()).expect("it is ours");
    // Continuing a tournament needs a plan, but does not read it.
    fs::write(folder.join("plan.toml"), "none").expect("it is ours");
    check(&Original { what: "match", folder, whole: None, readers: &SHARD[..6] });
}

#[test]
fn of_a_tournament() {
    let bench = Bench::new();
    let folder = play(&bench, "cup", &["--deals", "2"]);
    check(&Original { what: "tournament", folder, whole: None, readers: &SHARD[..7] });
}

#[test]
fn of_a_shard() {
    let bench = Bench::new();
    let words = ["tournament", "plan", "cup", "--game=coup", "--deals", "4", "--shards", "2"];
    let bots = ["--seed", tests::tournament::SEED, "--quiet", "random", "greedy"];
    bench.succeed([&words[..], &bots].concat());
    for shard in ["0", "1"] {
        bench.succeed(["tournament", "run-shard", "cup", "--shard", shard, "--quiet"]);
    }
    let (folder, whole) = (bench.path("cup/shards/1"), Some(bench.path("cup")));
    check(&Original { what: "shard", folder, whole, readers: SHARD });
}

fn play(bench: &Bench, folder: &str, words: &[&str]) -> PathBuf {
    let head = ["tournament", "--game=coup", "--quiet", "--seed", tests::tournament::SEED];
    bench.succeed([&head[..], &["--dir", folder], words, &["random", "greedy"]].concat());
    bench.path(folder)
}

fn log_in(folder: &Path) -> PathBuf {
    folder.join("games.jsonl")
}

/// Asks all readers of a log about all that can be done to it.
fn check(original: &Original) {
    let log = fs::read_to_string(log_in(&original.folder)).expect("a log");
    let mut failures = Vec::new();
    for &(what, expected, edit) in CASES {
        let edited = edited(&log, edit);
        assert!(edited != log || expected == Expected::Accepted, "{what}: nothing was changed");
        for &reader in original.readers {
            let found = ask(reader, original, &edited);
            let case = format!("{}, {what}, {reader:?}", original.what);
            match (found, expected.problem(reader)) {
                (Ok(()), None) => {}
                (Ok(()), Some(problem)) => failures.push(format!("{case}: accepted, {problem}")),
                (Err(found), None) => failures.push(format!("{case}: rejected: {found}")),
                (Err(found), Some(problem)) if found.contains(problem) => {}
                (Err(found), Some(problem)) => {
                    failures.push(format!("{case}: `{found}`, expected `{problem}`"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn edited(log: &str, edit: Edit) -> String {
    let changes = match edit {
        Edit::Text(edit) => return edit(log),
        Edit::Lines(changes) => changes,
    };
    let written = |line| {
        let line: Line = serde_json::from_value(line).expect("every line is one of a log");
        let text = serde_json::to_string(&line).expect("a line has a text");
        text.strip_suffix('}').unwrap_or(&text).to_owned()
    };
    let contents: Vec<String> = forged(log, changes).into_iter().map(written).collect();
    chain::chain(&contents)
}

/// A reader's verdict on an edited log.
fn ask(reader: Reader, original: &Original, log: &str) -> Result<(), String> {
    let temporary = TempDir::new().expect("a temporary folder");
    let folder = temporary.path().join("edited");
    fs::create_dir(&folder).expect("it is ours");
    for file in ["plan.toml", "entrants.json", "standings.json"] {
        let _ = fs::copy(original.folder.join(file), folder.join(file));
    }
    let path = log_in(&folder);
    fs::write(&path, log).expect("it is ours");
    match reader {
        Reader::Verify => without_value(verify(&path, VerifyOptions::QUIET)),
        Reader::VerifyTournament => {
            without_value(tournament::verify::verify(&folder, VerifyOptions::QUIET))
        }
        Reader::Games => without_value(all_games(&path)),
        Reader::Export => without_value(exported(&path)),
        Reader::State if original.is_match() => without_value(read::part(&folder)),
        Reader::State => without_value(survey::tournament_state(&folder)),
        Reader::Journal => gone_on(original, &folder),
        Reader::Report => {
            let source = if original.is_match() { path } else { folder };
            let content = ReportExtras { review: None, errors: StderrVisibility::Shown };
            without_value(report::write(&[source], &temporary.path().join("pages"), content))
        }
        Reader::Merge => merged(original.whole.as_ref().expect("a plan"), &folder),
    }
}

/// Merges the shards of a plan, with this folder in the place of the second one.
fn merged(whole: &Path, second: &Path) -> Result<(), String> {
    let temporary = TempDir::new().expect("a temporary folder");
    let path = temporary.path();
    fs::create_dir_all(path.join("shards")).expect("it is ours");
    for file in ["plan.toml", "entrants.json"] {
        fs::copy(whole.join(file), path.join(file)).expect("it is ours");
    }
    symlink(whole.join("shards/0"), path.join("shards/0")).expect("it is ours");
    symlink(second, path.join("shards/1")).expect("it is ours");
    let folder = TournamentFolder::open(path).expect("nobody else uses it");
    let plan = read::plan(path, plan_file::ReadPurpose::Looks).expect("it is in order");
    let sharding = plan.settings().sharding.expect("it is in shards");
    let seed = plan.settings().seed.known_seed().expect("it is in the plan");
    let merging = Merger { folder: &folder, plan: &plan, sharding, seed, work: None };
    match merging.merge() {
        Ok(MergeResult::Over(..)) => Ok(()),
        // A log that lacks only its end belongs to a shard that goes on.
        Ok(MergeResult::Obstacles(pieces)) => match pieces.iter().find(|it| !has_all_games(it)) {
            None => Ok(()),
            Some(piece) => Err(piece.obstacle().expect("it is in the way")),
        },
        Err(error) => Err(error.to_string()),
    }
}

fn has_all_games(piece: &PieceStatus) -> bool {
    piece.obstacle().is_none()
        || matches!(piece.stage, PieceProgress::Begun { played, .. } if played == piece.games)
}

fn without_value<T, E: std::fmt::Display>(result: Result<T, E>) -> Result<(), String> {
    result.map(drop).map_err(|error| error.to_string())
}

fn all_games(path: &Path) -> Result<(), record::LogFileError> {
    let mut games = GameReader::open(path)?;
    while games.next_game()?.is_some() {}
    Ok(())
}

fn exported(path: &Path) -> Result<(), String> {
    let games = GameReader::open(path).map_err(|error| error.to_string())?;
    let mut logs = [OpenedLog { name: "log".to_owned(), path: path.to_owned(), games }];
    without_value(export::write(
        &mut logs,
        &FeatureSet::Moves(Vec::new()),
        TableFormat::Csv,
        &mut std::io::sink(),
    ))
}

/// Goes on with a tournament; that it is over is as good.
fn gone_on(original: &Original, folder: &Path) -> Result<(), String> {
    let games = GameReader::open(&log_in(&original.folder)).expect("it is in order");
    let mut state = ContestState::of_tournament(games.series().clone());
    let folder = TournamentFolder::open(folder).expect("nobody else uses it");
    match Journal::open(&folder, &mut state) {
        Ok(_) | Err(ResumeError::Over) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}
