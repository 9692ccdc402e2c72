//! Long logs, of matches that are played in the process of the test, and what they cost to read.

use std::fs;
use std::path::Path;

use arbiter::log::{Line, LogWriter};
use arbiter::playing::game::{GameSetup, play_game};
use arbiter::playing::player::Player;
use arbiter::series::committed_seed::CommittedSeed;
use arbiter::series::progress::Progress;
use arbiter::series::totals::Totals;
use arbiter::series::{End, Header, Series};
use rules::PerSeat;

/// Plays the match of a header, which commits to this seed, and writes its log; `players` are in
/// the order of the header.
pub(crate) fn write(
    path: &Path,
    header: Header,
    seed: &CommittedSeed,
    players: &mut [impl Player],
) {
    let series = Series::new(header).expect("a header");
    let mut log = LogWriter::create(path).expect("a new file");
    log.append(&Line::Header(Box::new(series.header().clone()))).expect("room");
    let (mut progress, mut totals) = (Progress::new(&series), Totals::new(&series));
    while let Some(place) = progress.next() {
        let setup = GameSetup::new(&series, place);
        let mut seated: Vec<&mut dyn Player> =
            players.iter_mut().map(|player| player as _).collect();
        let turns = place.game % seated.len() as u64;
        seated.rotate_left(turns as usize);
        let mut seated = PerSeat::from(seated);
        let dealing = series.dealing(seed);
        let game = play_game(&series, &setup, &dealing, &mut seated, &mut |_| {}).expect("a game");
        totals.add(&game, &series);
        progress.add(&series, &game);
        log.append(&Line::Game(Box::new(game))).expect("room");
    }
    let (games, points) = (progress.played(), totals.points());
    log.append(&Line::End(End { games, points, seed: Some(seed.clone()) })).expect("room");
}

/// The most memory that this process ever had, in KiB, where the system tells.
pub(crate) fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
