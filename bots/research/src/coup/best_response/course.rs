//! Wins of a fixed response: the games of all hands at once, a turn after the other.
//!
//! Neither side looks further back than the situation and its own hand, so games that have come to the
//! same situation go on in the same way, and are put together. This is the code that tables are trained by
//! ([`node`](crate::coup::node)), with its numbers of 32 bits; [`Search`](super::Search) has its own.

use std::collections::BTreeMap;

use bots::coup::expert::situation::{NextStep, Situation, TurnSide};

use crate::coup::best_response::{Bounds, Limits, Response};
use crate::coup::block::{Block, ZERO};
use crate::coup::deck::{Decks, Start};
use crate::coup::node::{Node, Outcome, STRATEGY, Source, Turned};
use crate::coup::store::{Layout, Table, place};

/// The games of a fixed response against a table.
pub struct Course<'a, T> {
    table: &'a T,
    response: &'a Response<'a>,
    decks: &'a Decks,
    limits: Limits,
}

/// Position of some of the games.
struct Place {
    situation: Situation,
    /// The responder's side.
    side: TurnSide,
    /// Number of games, of one.
    weight: f64,
    /// Share of them for each pair of hands.
    joint: Block,
}

/// The places of a turn, in the order of its stages.
type Places = BTreeMap<(u8, u64, usize), Place>;

/// No values: only what can follow is asked for.
struct Nothing;

impl Source for Nothing {
    fn values(&self, _: &Situation, _: Turned) -> Option<&[f32]> {
        None
    }
}

impl<'a, T: Table> Course<'a, T> {
    /// The games of a response against a table.
    pub fn new(
        table: &'a T,
        response: &'a Response<'a>,
        decks: &'a Decks,
        limits: Limits,
    ) -> Course<'a, T> {
        Course { table, response, decks, limits }
    }

    /// Wins of the responder that begins on this side.
    pub fn wins(&self, start: &Start, side: TurnSide) -> Bounds {
        let mut node = Node::new();
        let mut strategy = vec![0.0; STRATEGY];
        let mut outcomes: Vec<(Outcome, f32)> = Vec::new();
        let (mut won, mut open) = (0.0, 0.0);
        let mut places = Places::new();
        let joint = start.joint();
        add(&mut places, Place { situation: *start.situation(), side, weight: 1.0, joint });
        for _ in 0..self.limits.turns {
            let mut later = Places::new();
            while let Some((_, place)) = places.pop_first() {
                let Place { situation, side, weight, joint } = place;
                if weight < self.limits.weight {
                    open += weight;
                    continue;
                }
                self.fill(&situation, side, &mut strategy);
                node.look(&situation, &joint, self.decks, 1.0, &Nothing);
                node.outcomes(&strategy, &mut outcomes);
                let total: f64 = outcomes.iter().map(|(_, chance)| f64::from(*chance)).sum();
                for &(outcome, chance) in outcomes.iter().filter(|(_, chance)| *chance > 0.0) {
                    let weight = weight * f64::from(chance) / total;
                    let winner = match node.next(outcome) {
                        NextStep::Won(winner) => Some(winner),
                        // The side whose turn it is now makes a coup.
                        NextStep::Coup(_) => Some(TurnSide::Other),
                        NextStep::Same(_) | NextStep::Turned(_) => None,
                    };
                    if let Some(winner) = winner {
                        won += if winner == side { weight } else { 0.0 };
                        continue;
                    }
                    match node.child(outcome, &strategy, self.decks) {
                        None => open += weight,
                        Some((situation, Turned::No, joint)) => {
                            add(&mut places, Place { situation, side, weight, joint });
                        }
                        Some((situation, Turned::Yes, joint)) => {
                            let side = side.opposite();
                            add(&mut later, Place { situation, side, weight, joint });
                        }
                    }
                }
            }
            places = later;
        }
        open += places.values().map(|place| place.weight).sum::<f64>();
        Bounds { low: won, high: won + open }
    }

    /// The mean over both sides, as a deal is played in both seats.
    pub fn wins_on_both_sides(&self, start: &Start) -> Bounds {
        (self.wins(start, TurnSide::Actor) + self.wins(start, TurnSide::Other)) * 0.5
    }

    /// The chances of the side that decides.
    fn fill(&self, situation: &Situation, side: TurnSide, strategy: &mut [f32]) {
        if situation.stage.decides() != side {
            self.table.strategy(situation, strategy);
            return;
        }
        let layout = Layout::new(situation);
        strategy[..layout.strategy()].fill(0.0);
        for hand in 0..situation.hands() {
            let chances = (self.response)(situation, side, hand);
            for (choice, chance) in chances.iter().enumerate().take(situation.options(hand)) {
                strategy[place(situation, &layout, choice, hand)] = *chance as f32;
            }
        }
    }
}

/// Puts games to those that are in the same place.
fn add(places: &mut Places, new: Place) {
    let key = (new.situation.stage as u8, new.situation.key(), new.side.index());
    let place = places.entry(key).or_insert(Place { weight: 0.0, joint: ZERO, ..new });
    let weight = place.weight + new.weight;
    let [old_share, new_share] = [place.weight, new.weight].map(|part| (part / weight) as f32);
    for (chance, new) in place.joint.iter_mut().zip(&new.joint) {
        *chance = *chance * old_share + new * new_share;
    }
    place.weight = weight;
}
