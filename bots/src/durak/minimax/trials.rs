//! Trying every move in many worlds.

use rules::Nature;

use crate::durak::search::endgame::Endgame;
use crate::durak::search::outcome::{Value, WON, points};
use crate::durak::search::playout::MOST_MOVES;
use crate::durak::search::policy::Policy;
use crate::durak::search::position::{Phase, Play, Position, World};
use crate::durak::search::start::Start;
use crate::search::{Clock, Determinise};

/// A game between two seats is searched from where they hold so few cards together.
const FEW_CARDS: u32 = 8;

/// How many positions that search may visit; where more are needed, the policy plays on.
const FEW_POSITIONS: u64 = 200;

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

/// What plays a trial on.
#[derive(Debug)]
pub struct Trials<'a> {
    /// What the asked seat knows.
    pub start: &'a Start,
    /// How all seats play.
    pub policy: &'a Policy,
    /// What searches the ends of games.
    pub endgame: &'a mut Endgame,
}

impl Trials<'_> {
    /// Tries every move in the same worlds.
    pub fn run(
        &mut self,
        plays: &[Play],
        worlds: u32,
        nature: &mut Nature,
        clock: &mut dyn Clock,
    ) -> Tally {
        let mut tally = Tally { points: vec![0; plays.len()], worlds: 0, was_cut: false };
        let mut in_world = vec![0; plays.len()];
        let start = self.start;
        for (position, world) in start.worlds(worlds, nature) {
            for (points, play) in in_world.iter_mut().zip(plays) {
                if clock.is_up() {
                    tally.was_cut = true;
                    return tally;
                }
                let mut next = position;
                next.play(*play, &world);
                *points = self.play_out(next, &world);
            }
            tally.worlds += 1;
            for (points, more) in tally.points.iter_mut().zip(&in_world) {
                *points += more;
            }
        }
        tally
    }

    /// What a position comes to for the asked seat: by the policy, and from where two seats are left
    /// with few cards by perfect play.
    fn play_out(&mut self, position: Position, world: &World) -> u64 {
        let seat = self.start.position.turn;
        let mut at = position;
        for _ in 0..MOST_MOVES {
            if let Phase::Over(losers) = at.phase {
                return points(losers, seat);
            }
            if at.phase == Phase::Lead && at.left(world) == 0 {
                if !at.is_in(seat) {
                    return WON;
                }
                if let Some(value) = self.searched(&at, world) {
                    return value.points();
                }
            }
            at.play(self.policy.choose(&at, world), world);
        }
        points(at.players, seat)
    }

    fn searched(&mut self, at: &Position, world: &World) -> Option<Value> {
        let held: u32 = at.hands.iter().map(|hand| hand.len()).sum();
        if at.players.count_ones() != 2 || held > FEW_CARDS {
            return None;
        }
        let seat = self.start.position.turn;
        self.endgame.value(at, world, seat, self.policy, FEW_POSITIONS)
    }
}
