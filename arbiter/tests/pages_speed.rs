//! How long a report of 10,000 games takes, and that its memory does not grow with their number.
//!
//! `cargo test --release -p arbiter --test pages_speed -- --nocapture` prints figures.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::slice;
use std::time::{Duration, Instant};

use arbiter::committed_seed::CommittedSeed;
use arbiter::course::Course;
use arbiter::log::{self, End, Header, Line, LogReader, LogWriter};
use arbiter::pages;
use arbiter::player::{Player, Reply};
use arbiter::runner::{GameSetup, play_game};
use arbiter::series::Series;
use arbiter::totals::Totals;
use arbiter::verify::{Work, verify};
use rules::{Answer, Asked, Escaped, Measured, PerSeat, Seed};

const SEED: Seed = Seed([7; 32]);

/// Answers with legal moves, one after another of the list, and says something each time.
#[derive(Debug, Default)]
struct Any(usize);

impl Player for Any {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        let Asked::Request(request) = asked else { unreachable!("nobody speaks the old dialect") };
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let lines: Vec<&str> = request.lines().collect();
        let legal = lines.iter().rposition(|line| line.starts_with("legal ")).expect("moves");
        let moves = &lines[legal + 1..lines.len() - 1];
        let chosen = moves[(self.0 >> 33) % moves.len()];
        let stderr = Escaped(format!("{} moves, {chosen} is as good as any\n", moves.len()).into());
        let ms = 1.0 + (self.0 >> 40) as f64 / 65536.0;
        let measured = Measured { ms, cpu_ms: Some(1.0), stderr, ..Measured::default() };
        Reply { answer: Answer::Output(chosen.into()), measured }
    }
}

/// The header of an example, with so many games.
fn header(example: &str, games: u64) -> Header {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/matches");
    let log = log::open(&examples.join(format!("{example}.jsonl"))).unwrap();
    let first = LogReader::new(log).next_line().unwrap().map(|read| read.line);
    let Some(Line::Header(header)) = first else { panic!("a log begins with a header") };
    Header { games, commitment: CommittedSeed(SEED).commitment(), ..*header }
}

/// Plays a match in this process, and gives its log.
fn play(folder: &Path, example: &str, games: u64) -> PathBuf {
    let path = folder.join(format!("{example}-{games}.jsonl"));
    let header = header(example, games);
    let mut log = LogWriter::create(&path).unwrap();
    log.append(&Line::Header(Box::new(header.clone()))).unwrap();
    let series = Series::new(header).unwrap();
    let (mut course, mut totals) = (Course::new(&series), Totals::new(&series));
    let mut bots: Vec<Any> = (0..series.header().players.len()).map(Any).collect();
    while let Some(place) = course.next() {
        let setup = GameSetup::new(&series, place);
        let players: Vec<&mut dyn Player> = bots.iter_mut().map(|bot| bot as _).collect();
        let mut players = PerSeat::from(players);
        let game = play_game(&series, &setup, &SEED, &mut players, &mut |_| {}).unwrap();
        course.add(&series, &game);
        totals.add(&game, &series);
        log.append(&Line::Game(Box::new(game))).unwrap();
    }
    let games = course.played();
    log.append(&Line::End(End { games, points: totals.points(), seed: Some(CommittedSeed(SEED)) }))
        .unwrap();
    path
}

/// The most memory that this process has had, in KiB, where the system tells.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn ten_thousand_games_in_less_than_a_minute() {
    let folder = tempfile::tempdir().unwrap();
    let report = |example, games| {
        let log = play(folder.path(), example, games);
        let begun = Instant::now();
        let written = pages::write(slice::from_ref(&log), &folder.path().join("report")).unwrap();
        let took = begun.elapsed();
        assert_eq!((written.games, written.unfinished), (games, 0));
        let size = fs::metadata(&log).unwrap().len() >> 10;
        let begun = Instant::now();
        verify(&log, Work::QUIET).unwrap();
        let verified = begun.elapsed();
        println!(
            "{games} games of {example}, a log of {size} KiB: {took:?}, of which a replay takes"
        );
        println!("  {verified:?}; at most {:?} KiB of memory so far", peak());
        assert!(took < Duration::from_secs(60), "{took:?}");
        peak()
    };
    let few = report("coup", 1000);
    let many = report("coup", 10_000);
    assert!(many <= few.map(|few| few + (32 << 10)), "memory grows: {few:?} to {many:?} KiB");
    report("tablic-2-seats", 1000);
    report("durak", 1000);
}
