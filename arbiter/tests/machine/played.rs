//! Long logs, of matches that are played in the process of the test, and what they cost to read.

use std::fs;
use std::path::Path;

use contest::playing::{GameSetup, Player, play_game};
use record::{Line, LogWriter};
use rules::PerSeat;
use series::header::CommittedSeed;
use series::{End, Header, Series, SeriesState};

/// Plays the games of a header, which commits to this seed, and writes their log; `players` are in
/// the order of the header.
pub(crate) fn write(
    path: &Path,
    header: Header,
    seed: &CommittedSeed,
    players: &mut [impl Player],
) {
    let mut state = SeriesState::new(Series::new(header).expect("a header"));
    let mut log = LogWriter::create(path).expect("a new file");
    log.append(&Line::Header(Box::new(state.series.header().clone()))).expect("room");
    let dealing = state.series.dealing(seed);
    while let Some(place) = state.progress.next() {
        let setup = GameSetup::new(&state.series, place);
        let mut seated: Vec<&mut dyn Player> =
            players.iter_mut().map(|player| player as _).collect();
        let turns = place.game % seated.len() as u64;
        seated.rotate_left(turns as usize);
        let mut seated = PerSeat::from(seated);
        let game =
            play_game(&state.series, &setup, &dealing, &mut seated, &mut |_| {}).expect("a game");
        state.add(&game);
        log.append(&Line::Game(Box::new(game))).expect("room");
    }
    let (games, points) = (state.progress.played(), state.totals.points());
    let seed = state.series.reveals_seed().then(|| seed.clone());
    log.append(&Line::End(End { games, points, seed })).expect("room");
}

/// The most memory that this process ever had, in KiB, where the system tells.
pub(crate) fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
