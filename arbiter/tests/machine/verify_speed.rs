//! Time and memory of verification, which are printed; the results are asserted.
//!
//! `cargo test --release -p arbiter --test machine verify_speed -- --ignored --nocapture`

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io};

use bot::manifest::ProgramMode;
use contest::playing::{Player, Reply};
use record::verify::{VerifyOptions, verify};
use rules::{Answer, Dialect, GameKind, Measurements, Prompt, Seed};
use sandbox::{Limits, PonderPermission};
use series::header::CommittedSeed;
use series::{FORMAT, GrantsLine, Header, PlayerKind, PlayerLine, SuspectGames};

use crate::played;

const GAMES: u64 = 10_000;

/// A built-in player that is no program.
pub(crate) struct Within(pub(crate) Box<dyn bots::player::AnyGamePlayer>);

impl Player for Within {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt, _: Option<Duration>) -> Reply {
        let Prompt::Request(request) = prompt else { unreachable!("it speaks the native dialect") };
        let answer = self.0.answer(request).expect("a legal move");
        let measured = Measurements { ms: 0.75, cpu_ms: Some(0.5), ..Measurements::default() };
        Reply { answer: Answer::Output(answer.into_bytes()), measured }
    }
}

/// Writes the log of a match between `greedy` and another built-in bot, on the second seat called
/// `other`.
fn write(path: &Path, kind: &GameKind, other: &str) {
    let seed = CommittedSeed(Seed([3; 32]));
    let player = |name: &str| PlayerLine {
        name: name.to_owned(),
        command: name.to_owned(),
        files: Vec::new(),
        dialect: Dialect::Native,
        mode: ProgramMode::PerMove,
        limits: Limits::DEFAULT,
        granted: GrantsLine::default(),
    };
    let header = Header {
        rules: None,
        format: FORMAT,
        version: "0.1.0".to_owned(),
        game: kind.name().to_owned(),
        options: kind.check_options("seats=2").expect("two seats"),
        games: GAMES,
        players: vec![player("greedy"), player("other")],
        tournament: None,
        retries: 0,
        suspect_games: SuspectGames::Count,
        isolation: None,
        ponder: PonderPermission::Never,
        answering: PlayerKind::Programs,
        commitment: seed.commitment(),
        entropy: Vec::new(),
    };
    let mut players = ["greedy", other]
        .map(|name| Within(bots::programs::player(kind, name, &[]).expect("a player")));
    played::write(path, header, &seed, &mut players);
}

#[test]
#[ignore = "two minutes; it is for reading what it prints"]
fn speed_and_memory() {
    let _turn = crate::turn();
    let folder = tempfile::TempDir::new().expect("a folder");
    for (kind, other) in GameKind::ALL.iter().flat_map(|it| [(it, "random"), (it, "greedy")]) {
        let path = folder.path().join(format!("{kind}-{other}"));
        write(&path, kind, other);
        let before = played::most_memory();
        let mut rates: Vec<f64> = (0..3)
            .map(|_| {
                let begun = Instant::now();
                assert_eq!(
                    verify(&path, VerifyOptions::QUIET).expect("it is in order").games,
                    GAMES
                );
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
            played::most_memory()
        );
        if let Some((before, after)) = before.zip(played::most_memory()) {
            let grown = (after - before) << 10;
            assert!(grown < size / 2, "a log of {size} bytes took {grown} bytes of memory");
        }
    }
}
