//! Trying every move in many worlds.

use rules::Nature;
use search::{Clock, Determinise};

use crate::tablic::classes::ClassMove;
use crate::tablic::expert::greed::Greed;
use crate::tablic::expert::value::Prospects;
use crate::tablic::expert::worlds::Known;

/// Number of worlds after which moves are first compared; next after twice as many, and so on.
const FIRST_LOOK: usize = 64;

/// Standard errors behind the best at which a move is given up.
const FAR_BEHIND: f32 = 3.0;

/// Playing the deal on.
#[derive(Debug)]
pub(super) struct Trials<'a> {
    /// Knowledge of the asked seat.
    pub known: &'a Known,
    /// Value of the end of the deal.
    pub prospects: Prospects,
    /// Moves of all seats.
    pub greed: &'a mut Greed,
}

/// Result of trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// The best move.
    pub best: ClassMove,
    /// The part of a win that it comes to on average.
    pub share: f32,
    /// Number of worlds in which it was tried.
    pub worlds: u32,
    /// True if trials stopped since time was up.
    pub was_cut: bool,
}

/// A move that is tried.
struct Candidate {
    mv: ClassMove,
    /// Result in each world, as a part of a win.
    shares: Vec<f32>,
}

impl Candidate {
    fn sum(&self) -> f64 {
        self.shares.iter().copied().map(f64::from).sum()
    }
}

impl Trials<'_> {
    /// The best of some moves, tried in at most `worlds` worlds; the first move where time was up in the
    /// first world, and `None` if there is no move.
    ///
    /// All moves are tried in the same worlds, so that luck with the cards counts for none of them.
    pub(super) fn best(
        &mut self,
        moves: &[ClassMove],
        worlds: u32,
        nature: &mut Nature,
        clock: &mut dyn Clock,
    ) -> Option<Found> {
        let seat = self.known.seat();
        let mut candidates: Vec<Candidate> =
            moves.iter().map(|mv| Candidate { mv: *mv, shares: Vec::new() }).collect();
        let (mut was_cut, mut next_look, mut done) = (false, FIRST_LOOK, 0);
        'worlds: for world in self.known.worlds(worlds, nature) {
            if done == next_look {
                next_look *= 2;
                give_up(&mut candidates);
                if candidates.len() == 1 {
                    break;
                }
            }
            for candidate in &mut candidates {
                // On a large table even one world takes long.
                if clock.is_up() {
                    was_cut = true;
                    break 'worlds;
                }
                let mut position = world;
                position.play(candidate.mv);
                position.play_out(self.greed);
                candidate.shares.push(self.prospects.share(position, seat));
            }
            done += 1;
        }
        // A world in which time was up counts for none.
        candidates.iter_mut().for_each(|candidate| candidate.shares.truncate(done));
        let best = leader(&candidates)?;
        let share = best.sum() / done.max(1) as f64;
        Some(Found { best: best.mv, share: share as f32, worlds: done as u32, was_cut })
    }
}

/// The candidate with the most; of several, the first, which greedy prefers.
fn leader(candidates: &[Candidate]) -> Option<&Candidate> {
    candidates.iter().reduce(|best, other| if other.sum() > best.sum() { other } else { best })
}

/// Gives up the moves that have fallen far behind.
fn give_up(candidates: &mut Vec<Candidate>) {
    let Some(best) = leader(candidates).map(|best| best.shares.clone()) else { return };
    let count = best.len() as f32;
    candidates.retain(|candidate| {
        let behind = || best.iter().zip(&candidate.shares).map(|(best, other)| best - other);
        let mean = behind().sum::<f32>() / count;
        let square = |one: f32| (one - mean) * (one - mean);
        let variance = behind().map(square).sum::<f32>() / count;
        mean <= FAR_BEHIND * (variance / count).sqrt()
    });
}
