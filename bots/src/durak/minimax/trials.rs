//! Trying every move in many worlds.

use rules::Nature;

use crate::durak::search::playout::PlayOutPolicy;
use crate::durak::search::position::Play;
use crate::durak::search::trial::Trial;
use crate::search::{Clock, Determinise};

/// What trials found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// What each move has in all worlds together.
    pub points: Vec<u64>,
    /// In how many worlds every move was tried.
    pub worlds: u32,
    /// Whether it stopped since time was up.
    pub was_cut: bool,
}

/// Tries every move in the same worlds.
pub fn tally(
    trial: &mut Trial<'_, impl PlayOutPolicy>,
    plays: &[Play],
    worlds: u32,
    nature: &mut Nature,
    clock: &mut dyn Clock,
) -> Tally {
    let mut tally = Tally { points: vec![0; plays.len()], worlds: 0, was_cut: false };
    let mut in_world = vec![0; plays.len()];
    let start = trial.start;
    for (position, world) in start.worlds(worlds, nature) {
        for (points, play) in in_world.iter_mut().zip(plays) {
            if clock.is_up() {
                tally.was_cut = true;
                return tally;
            }
            let mut next = position;
            next.play(*play, &world);
            *points = trial.play_out(next, &world);
        }
        tally.worlds += 1;
        for (points, more) in tally.points.iter_mut().zip(&in_world) {
            *points += more;
        }
    }
    tally
}
