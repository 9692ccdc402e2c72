//! Trying every move in many worlds.

use rules::Nature;

use crate::durak::minimax::endgame::{DRAW, Endgame, WIN};
use crate::durak::minimax::policy::Policy;
use crate::durak::minimax::position::{Phase, Play, Position, World};
use crate::durak::minimax::start::Start;
use crate::search::Clock;

/// How moves are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// In how many worlds.
    pub worlds: u32,
    /// Up to how many cards two seats may hold to be searched to the end.
    pub cards: u32,
    /// How many positions that search may visit.
    pub nodes: u64,
}

/// What trials found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// What each move has in all worlds together; a game that is won counts [`WON`].
    pub points: Vec<u64>,
    /// In how many worlds every move was tried.
    pub worlds: u32,
    /// Whether time was up before all.
    pub was_cut: bool,
}

/// What a game counts that is not lost: the least number that all shares of a loss divide.
pub const WON: u64 = 60;

/// After so many moves a game that goes round in circles is given up as a draw.
const MOST_MOVES: u32 = 600;

/// Tries every move in the same worlds.
pub fn try_all(
    start: &Start,
    plays: &[Play],
    effort: &Effort,
    policy: &Policy,
    endgame: &mut Endgame,
    nature: &mut Nature,
    clock: &mut dyn Clock,
) -> Tally {
    let mut tally = Tally { points: vec![0; plays.len()], worlds: 0, was_cut: false };
    let hero = start.position.turn;
    let mut in_world = vec![0; plays.len()];
    while tally.worlds < effort.worlds {
        let (position, world) = start.draw(nature);
        for (points, play) in in_world.iter_mut().zip(plays) {
            if clock.is_up() {
                tally.was_cut = true;
                return tally;
            }
            let mut next = position;
            next.play(*play, &world);
            *points = play_out(next, &world, hero, effort, policy, endgame);
        }
        tally.worlds += 1;
        for (points, more) in tally.points.iter_mut().zip(&in_world) {
            *points += more;
        }
    }
    tally
}

/// What a position comes to for a seat: by the policy, and from where two seats are left with few
/// cards by perfect play.
fn play_out(
    position: Position,
    world: &World,
    hero: u8,
    effort: &Effort,
    policy: &Policy,
    endgame: &mut Endgame,
) -> u64 {
    let mut at = position;
    for _ in 0..MOST_MOVES {
        if let Phase::Over(losers) = at.phase {
            return points(losers, hero);
        }
        if at.phase == Phase::Lead && at.left(world) == 0 {
            if !at.is_in(hero) {
                return WON;
            }
            let held: u32 = at.hands.iter().map(|hand| hand.len()).sum();
            if at.players.count_ones() == 2 && held <= effort.cards {
                if let Some(value) = endgame.value(&at, world, hero, policy, effort.nodes) {
                    return match value {
                        WIN => WON,
                        DRAW => WON / 2,
                        _ => 0,
                    };
                }
            }
        }
        at.play(policy.choose(&at, world), world);
    }
    points(at.players, hero)
}

/// What a seat has where these share a loss.
fn points(losers: u8, hero: u8) -> u64 {
    if losers >> hero & 1 == 0 {
        return WON;
    }
    WON - WON / u64::from(losers.count_ones().max(1))
}
