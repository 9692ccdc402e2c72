//! Playing a game to its end where nothing is searched.

use crate::durak::search::endgame::Endgame;
use crate::durak::search::outcome::{Value, WON, points};
use crate::durak::search::policy::{MOST_MOVES, PlayOutPolicy, Policy};
use crate::durak::search::position::{Phase, Position, World};
use crate::durak::search::start::Start;

/// A game between two seats is searched from where they hold so few cards together.
const FEW_CARDS: u32 = 8;

/// Number of positions that this search may visit; where more are needed, the policy plays on.
const FEW_POSITIONS: u64 = 200;

/// Playing games out.
#[derive(Debug)]
pub struct Trial<'a, P> {
    /// Knowledge of the asked seat.
    pub start: &'a Start,
    /// Policy of all seats.
    pub policy: &'a P,
    /// Policy beyond the horizon of a search of an end.
    pub beyond: &'a Policy,
    /// Search of the ends of games.
    pub endgame: &'a mut Endgame,
}

impl<P: PlayOutPolicy> Trial<'_, P> {
    /// Value of a position for the asked seat: by the policy, and by perfect play once two seats
    /// are left with few cards.
    pub fn play_out(&mut self, position: Position, world: &World) -> u64 {
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
        self.endgame.value(at, world, seat, self.beyond, FEW_POSITIONS)
    }
}
