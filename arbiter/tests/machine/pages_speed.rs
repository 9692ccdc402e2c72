//! The time for a report of 10,000 games, and its memory, which does not grow with their number.
//!
//! `cargo test --release -p arbiter --test machine pages_speed -- --ignored --nocapture` prints figures.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io, slice};

use contest::playing::{Player, Reply};
use record::stderr_texts::StderrVisibility;
use record::verify::{VerifyOptions, verify};
use record::{Line, LogReader};
use report::ReportExtras;
use rules::{Answer, Measurements, Prompt, Seed};
use series::Header;
use series::header::CommittedSeed;

use crate::played;

const SEED: Seed = Seed([7; 32]);

/// Answers with legal moves, one after another of the list, and says something each time.
#[derive(Debug, Default)]
struct Any(usize);

impl Player for Any {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt, _: Option<Duration>) -> Reply {
        let Prompt::Request(request) = prompt else {
            unreachable!("no bot here speaks the classic dialect")
        };
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let lines: Vec<&str> = request.lines().collect();
        let legal = lines.iter().rposition(|line| line.starts_with("legal ")).expect("moves");
        let moves = &lines[legal + 1..lines.len() - 1];
        let chosen = moves[(self.0 >> 33) % moves.len()];
        let stderr =
            format!("{} moves, {chosen} is as good as any\n", moves.len()).into_bytes().into();
        let ms = 1.0 + (self.0 >> 40) as f64 / 65536.0;
        let measured = Measurements { ms, cpu_ms: Some(1.0), stderr, ..Measurements::default() };
        Reply { answer: Answer::Output(chosen.into()), measured }
    }
}

/// The header of an example, with so many games.
fn header(example: &str, games: u64) -> Header {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/matches");
    let log = record::open(&examples.join(format!("{example}.jsonl"))).unwrap();
    let first = LogReader::new(log).next_line().unwrap().map(|read| read.line);
    let Some(Line::Header(header)) = first else { panic!("a log begins with a header") };
    Header { games, commitment: CommittedSeed(SEED).commitment(), ..*header }
}

/// Plays a match in this process, and gives its log.
fn play(folder: &Path, example: &str, games: u64) -> PathBuf {
    let path = folder.join(format!("{example}-{games}.jsonl"));
    let header = header(example, games);
    let mut bots: Vec<Any> = (0..header.players.len()).map(Any).collect();
    played::write(&path, header, &CommittedSeed(SEED), &mut bots);
    path
}

/// Writes a report of a number of games, and gives the most memory that the process has had, in KiB.
fn report(example: &str, games: u64) -> Option<u64> {
    let folder = tempfile::tempdir().unwrap();
    let log = play(folder.path(), example, games);
    let content = ReportExtras { review: None, errors: StderrVisibility::Shown };
    let begun = Instant::now();
    let written =
        report::write(slice::from_ref(&log), &folder.path().join("report"), content).unwrap();
    let took = begun.elapsed();
    assert_eq!((written.games, written.unfinished), (games, 0));
    let size = fs::metadata(&log).unwrap().len() >> 10;
    let begun = Instant::now();
    verify(&log, VerifyOptions::QUIET).unwrap();
    let verified = begun.elapsed();
    println!("{games} games of {example}, a log of {size} KiB: {took:?}, of which a replay takes");
    println!("  {verified:?}; at most {:?} KiB of memory so far", played::most_memory());
    assert!(took < Duration::from_secs(60), "{took:?}");
    played::most_memory()
}

#[test]
fn memory_does_not_grow_with_the_number_of_games() {
    let _turn = crate::turn();
    let few = report("coup", 300);
    let many = report("coup", 3000);
    assert!(many <= few.map(|few| few + (8 << 10)), "memory grows: {few:?} to {many:?} KiB");
}

#[test]
#[ignore = "a slow log to make: cargo test --release -p arbiter --test machine pages_speed -- --ignored"]
fn ten_thousand_games_in_less_than_a_minute() {
    let _turn = crate::turn();
    report("coup", 10_000);
    report("tablic-2-seats", 1000);
    report("durak", 1000);
}
