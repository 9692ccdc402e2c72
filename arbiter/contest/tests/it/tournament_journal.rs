//! The log of a tournament, with games that end out of turn.

use std::fs;
use std::path::{Path, PathBuf};

use contest::playing::series_runner::ContestState;
use contest::tournament::folder::{Entrants, TournamentFolder};
use contest::tournament::journal::Journal;
use record::GameReader;
use rules::GameRecord;
use series::Series;
use series::progress::Progress;
use tempfile::TempDir;

/// A tournament that was played: its games, and what it is.
fn played() -> (Series, Vec<GameRecord>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut log =
        GameReader::open(&root.join("../../examples/tournaments/coup/games.jsonl")).unwrap();
    let mut games = Vec::new();
    while let Some(next) = log.next_game().unwrap() {
        games.push(*next.game);
    }
    (log.series().clone(), games)
}

/// The folder of a tournament as if its games were being played.
struct Bench {
    temporary: TempDir,
    series: Series,
    games: Vec<GameRecord>,
}

impl Bench {
    fn new() -> Bench {
        let (series, games) = played();
        Bench { temporary: tempfile::tempdir().unwrap(), series, games }
    }

    fn path(&self) -> PathBuf {
        self.temporary.path().join("cup")
    }

    fn entrants(&self) -> Entrants {
        Entrants::new(&self.series.header().players, Vec::new())
    }

    /// Opens it, and gives how many games are in its log.
    fn open(&self) -> (TournamentFolder, Journal, Progress) {
        let folder = match TournamentFolder::open(&self.path()) {
            Ok(folder) => folder,
            Err(_) => {
                TournamentFolder::create(&self.path(), "no plan", &self.entrants(), None).unwrap()
            }
        };
        let mut state = ContestState::of_tournament(self.series.clone());
        let journal = Journal::open(&folder, &mut state).unwrap();
        (folder, journal, state.games.progress)
    }

    /// A game ends; what has its turn goes into the log.
    fn end(&self, number: usize, journal: &mut Journal, progress: &mut Progress) {
        journal.take(vec![self.games[number].clone()], progress).unwrap();
        while let Some(attempts) = journal.commit(progress).unwrap() {
            for game in &attempts {
                progress.add(&self.series, game);
            }
        }
    }

    fn ahead(&self) -> usize {
        let text = fs::read_to_string(self.path().join("ahead.jsonl"));
        text.map_or(0, |text| text.lines().count())
    }
}

#[test]
fn games_ahead_of_their_turn_outlive_a_crash_and_count_once() {
    let bench = Bench::new();
    let (folder, mut journal, mut progress) = bench.open();
    for number in [0, 2, 4, 3, 6] {
        bench.end(number, &mut journal, &mut progress);
    }
    assert_eq!((progress.played(), journal.waiting()), (1, 4));
    // A crash: nothing is closed, and the last line of the second file is cut off.
    drop((journal, folder));
    let ahead = bench.path().join("ahead.jsonl");
    let text = fs::read_to_string(&ahead).unwrap();
    fs::write(&ahead, &text[..text.len() - 9]).unwrap();
    let (_folder, mut journal, mut progress) = bench.open();
    assert_eq!((progress.played(), journal.waiting()), (1, 3), "all but the one that was cut off");
    assert!(journal.has(4) && !journal.has(6));
    for number in [6, 1, 5] {
        bench.end(number, &mut journal, &mut progress);
    }
    assert_eq!((progress.played(), journal.waiting()), (7, 0));
    assert_eq!(bench.ahead(), 0, "nothing is left to wait");
}

/// It was thrown away only at a moment at which nothing waited, which may never come.
#[test]
fn the_second_file_does_not_grow_with_the_log() {
    let bench = Bench::new();
    let (_folder, mut journal, mut progress) = bench.open();
    let mut longest = 0;
    bench.end(1, &mut journal, &mut progress);
    // Two at once: whenever one gets its turn, another one has ended before its own.
    let pairs = bench.games.len() / 2;
    for pair in 0..pairs - 1 {
        bench.end(2 * pair + 3, &mut journal, &mut progress);
        bench.end(2 * pair, &mut journal, &mut progress);
        assert_eq!(journal.waiting(), 1);
        longest = longest.max(bench.ahead());
    }
    assert!(longest < pairs, "{longest} lines");
    bench.end(2 * pairs - 2, &mut journal, &mut progress);
    assert_eq!(progress.played(), bench.games.len() as u64);
    assert_eq!(bench.ahead(), 0);
}
