//! How long verification takes, and how much memory. It prints, and asserts what does not depend on
//! the machine.
//!
//! `cargo test --release -p arbiter --test verify_speed -- --ignored --nocapture`

use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use arbiter::committed_seed::CommittedSeed;
use arbiter::course::Course;
use arbiter::log::{End, FORMAT, Header, LimitsLine, Line, LogWriter, PlayerLine, SuspectGames};
use arbiter::player::{Player, Reply};
use arbiter::process::Limits;
use arbiter::runner::{GameSetup, play_game};
use arbiter::series::Series;
use arbiter::totals::Totals;
use arbiter::verify::{Work, verify};
use rules::{Answer, Asked, Dialect, GameKind, Measured, PerSeat, Seed};

const GAMES: u64 = 10_000;

/// A built-in player that is no program.
struct Within(Box<dyn bots::player::Answers>);

impl Player for Within {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        let Asked::Request(request) = asked else { unreachable!("it speaks the native dialect") };
        let answer = self.0.answer(request).expect("a legal move");
        let measured = Measured { ms: 0.75, cpu_ms: Some(0.5), ..Measured::default() };
        Reply { answer: Answer::Output(answer.into_bytes()), measured }
    }
}

/// Writes the log of a match between `greedy` and another built-in bot, on the second seat called
/// `other`.
fn write(path: &Path, kind: GameKind, other: &str) {
    let seed = CommittedSeed(Seed([3; 32]));
    let player = |name: &str| PlayerLine {
        name: name.to_owned(),
        command: name.to_owned(),
        files: Vec::new(),
        dialect: Dialect::Native,
        limits: LimitsLine::from(Limits::DEFAULT),
    };
    let header = Header {
        format: FORMAT,
        version: "0.1.0".to_owned(),
        game: kind.name().to_owned(),
        options: kind.check_options("seats=2").expect("two seats"),
        games: GAMES,
        players: vec![player("greedy"), player("other")],
        tournament: None,
        retries: 0,
        suspect_games: SuspectGames::Count,
        commitment: seed.commitment(),
        entropy: Vec::new(),
    };
    let series = Series::new(header).expect("a header");
    let mut log = LogWriter::create(path).expect("a new file");
    log.append(&Line::Header(Box::new(series.header().clone()))).expect("room");
    let mut players = ["greedy", other]
        .map(|name| Within(bots::programs::player(kind, name, &[]).expect("a player")));
    let (mut course, mut totals) = (Course::new(&series), Totals::new(&series));
    while let Some(place) = course.next() {
        let setup = GameSetup::new(&series, place);
        let [one, other] = &mut players;
        let mut seated: Vec<&mut dyn Player> = vec![one, other];
        seated.rotate_left((place.game % 2) as usize);
        let mut seated = PerSeat::from(seated);
        let dealing = series.dealing(&seed);
        let game = play_game(&series, &setup, &dealing, &mut seated, &mut |_| {}).expect("a game");
        totals.add(&game, &series);
        course.add(&series, &game);
        log.append(&Line::Game(Box::new(game))).expect("room");
    }
    let end = End { games: GAMES, points: totals.points(), seed: Some(seed) };
    log.append(&Line::End(end)).expect("room");
}

/// The most memory that this process ever had, in KiB, where the system tells.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
#[ignore = "two minutes; it is for reading what it prints"]
fn speed_and_memory() {
    let folder = tempfile::TempDir::new().expect("a folder");
    for (kind, other) in GameKind::ALL.into_iter().flat_map(|it| [(it, "random"), (it, "greedy")]) {
        let path = folder.path().join(format!("{kind}-{other}"));
        write(&path, kind, other);
        let before = most_memory();
        let mut rates: Vec<f64> = (0..3)
            .map(|_| {
                let begun = Instant::now();
                assert_eq!(verify(&path, Work::QUIET).expect("it is in order").games, GAMES);
                GAMES as f64 / begun.elapsed().as_secs_f64()
            })
            .collect();
        rates.sort_by(f64::total_cmp);
        let size = fs::metadata(&path).expect("it is there").len();
        println!(
            "{kind}, greedy and {other}: {:.0} games a second (median of three), {} MB, memory \
             {before:?} to {:?} KiB",
            rates[1],
            size / 1_000_000,
            most_memory()
        );
        if let Some((before, after)) = before.zip(most_memory()) {
            let grown = (after - before) << 10;
            assert!(grown < size / 2, "a log of {size} bytes took {grown} bytes of memory");
        }
    }
}
