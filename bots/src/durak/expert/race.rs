//! Trying moves in many worlds, those most often that may be the best.

use rules::Nature;
use search::{Clock, Determinise};

use crate::durak::search::playout::Trial;
use crate::durak::search::policy::PlayOutPolicy;
use crate::durak::search::position::Play;

/// Number of worlds between two looks for moves that cannot catch up.
const WORLDS_PER_LOOK: u32 = 64;

/// Standard errors that a move may be behind the leader and still catch up.
const ERRORS: f64 = 3.0;

/// End of a race.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// The place of the move that lost least; none if time was up before a world was played.
    pub best: Option<usize>,
    /// Number of worlds in which it was tried.
    pub worlds: u32,
    /// Number of games played out, of all moves.
    pub trials: u64,
    /// True if it stopped since time was up.
    pub was_cut: bool,
}

/// A race between some moves.
pub struct Race {
    /// The places of the moves that are tried still.
    running: Vec<usize>,
    /// Points of each move in all worlds together.
    points: Vec<i64>,
    /// For each pair of moves the sum of the squares of their differences in a world.
    squares: Vec<i64>,
    worlds: u32,
    trials: u64,
}

impl Race {
    /// A race between this number of moves.
    pub fn new(moves: usize) -> Race {
        Race {
            running: (0..moves).collect(),
            points: vec![0; moves],
            squares: vec![0; moves * moves],
            worlds: 0,
            trials: 0,
        }
    }

    /// Tries moves in worlds until one is left, there are as many worlds as these, or time is up.
    pub fn run(
        mut self,
        plays: &[Play],
        trial: &mut Trial<'_, impl PlayOutPolicy>,
        worlds: u32,
        nature: &mut Nature,
        clock: &mut dyn Clock,
    ) -> Finish {
        let mut in_world = vec![0; plays.len()];
        let mut was_cut = false;
        while self.running.len() > 1 && self.worlds < worlds {
            if clock.is_up() {
                was_cut = true;
                break;
            }
            let Some((position, world)) = trial.start.draw(nature) else { break };
            for place in &self.running {
                let mut next = position;
                next.play(plays[*place], &world);
                in_world[*place] = trial.play_out(next, &world) as i64;
            }
            self.count(&in_world);
            if self.worlds.is_multiple_of(WORLDS_PER_LOOK) {
                self.drop_beaten();
            }
        }
        let best = (self.worlds > 0).then(|| self.leader()).flatten();
        Finish { best, worlds: self.worlds, trials: self.trials, was_cut }
    }

    /// Counts what the running moves had in a world.
    fn count(&mut self, in_world: &[i64]) {
        let moves = self.points.len();
        self.worlds += 1;
        self.trials += self.running.len() as u64;
        for place in &self.running {
            let points = in_world[*place];
            self.points[*place] += points;
            for other in &self.running {
                let difference = points - in_world[*other];
                self.squares[place * moves + other] += difference * difference;
            }
        }
    }

    /// The move that has most, the first of equals.
    fn leader(&self) -> Option<usize> {
        self.running.iter().rev().copied().max_by_key(|place| self.points[*place])
    }

    /// Drops the moves that cannot catch up with the leader.
    fn drop_beaten(&mut self) {
        let Some(leader) = self.leader() else { return };
        let Race { running, points, squares, worlds, .. } = self;
        let (moves, worlds) = (points.len(), f64::from(*worlds));
        running.retain(|place| {
            let behind = (points[leader] - points[*place]) as f64;
            let square = squares[leader * moves + place] as f64;
            let variance = square - behind * behind / worlds;
            behind * behind <= ERRORS * ERRORS * variance || behind <= 0.0
        });
    }
}
