//! A responder: it learns to beat one table, which stays as it is.
//!
//! It learns by the same steps as the table did, with all hands at once, but that the table's side
//! always plays by the table, and that the other side learns what each of its choices is worth and
//! takes the best. What it finds is a lower bound of what can be won against the table.

use bots::coup::expert::situation::{Situation, TurnSide};

use crate::coup::block::{Block, ZERO};
use crate::coup::deck::{Decks, Start};
use crate::coup::node::{Node, Outcome, STRATEGY, Source, Turned};
use crate::coup::random::Random;
use crate::coup::store::{HEAD, Layout, Store, Table, best, place, shard_of};

const DEEPEST: u32 = 90;

/// Rate at which the responder tries something else.
const EXPLORATION: f32 = 0.1;

/// A responder that learns against a table.
#[derive(Debug)]
pub struct Responder<'a, T> {
    table: &'a T,
    /// Its values, and where the regrets of a training run are: what each choice is worth.
    store: Store,
    decks: &'a Decks,
    start: Start,
    /// Cost of a turn, as a share of a win.
    pub discount: f32,
    node: Node,
    outcomes: Vec<(Outcome, f32)>,
    strategy: Vec<f32>,
    random: Random,
    pub visits: u64,
}

/// The key of a situation in which the responder is on one side.
fn key_of(situation: &Situation, side: TurnSide) -> u64 {
    situation.key() << 1 | side.index() as u64
}

/// Results of the responder on this side.
struct Learnt<'a>(&'a Store, TurnSide);

impl Source for Learnt<'_> {
    fn values(&self, situation: &Situation, turned: Turned) -> Option<&[f32]> {
        let side = match turned {
            Turned::Yes => self.1.opposite(),
            Turned::No => self.1,
        };
        let record = self.0.get(key_of(situation, side));
        record.map(|record| Layout::new(situation).values(record))
    }
}

struct Place {
    situation: Situation,
    side: TurnSide,
    joint: Block,
    samples: u32,
    depth: u32,
}

impl<'a, T: Table> Responder<'a, T> {
    /// A responder that knows nothing yet, in games that begin here.
    pub fn new(
        table: &'a T,
        decks: &'a Decks,
        start: Start,
        discount: f32,
        seed: u64,
    ) -> Responder<'a, T> {
        Responder {
            table,
            store: Store::new(),
            decks,
            start,
            discount,
            node: Node::new(),
            outcomes: Vec::new(),
            strategy: vec![0.0; STRATEGY],
            random: Random::new(seed, u64::MAX),
            visits: 0,
        }
    }

    /// Number of situations that it knows.
    pub fn situations(&self) -> usize {
        self.store.records()
    }

    /// Learns from one tree for each seat, with this number of paths.
    pub fn learn(&mut self, samples: u32) {
        for side in [TurnSide::Actor, TurnSide::Other] {
            let (situation, joint) = (*self.start.situation(), self.start.joint());
            let mut waiting = vec![Place { situation, side, joint, samples, depth: 0 }];
            while let Some(place) = waiting.pop() {
                self.visit(&place);
                self.go_on(&place, &mut waiting);
            }
        }
    }

    fn visit(&mut self, place: &Place) {
        self.visits += 1;
        let Responder { node, store, decks, strategy, .. } = self;
        let situation = &place.situation;
        let source = Learnt(store, place.side);
        node.look(situation, &place.joint, decks, self.discount, &source);
        let layout = node.layout;
        let key = key_of(situation, place.side);
        let is_its_own = situation.stage.decides() == place.side;
        if !is_its_own {
            self.table.strategy(situation, strategy);
        }
        let record = store.shards[shard_of(key)].get_or_new(key, layout.len());
        let visits = record[0];
        record[0] += 1.0;
        let (values, rest) = record[HEAD..].split_at_mut(layout.shape.len());
        let (worths, weights) = rest.split_at_mut(layout.strategy());
        if is_its_own {
            strategy[..layout.strategy()].fill(0.0);
            for hand in 0..node.hands() {
                let options = node.options(hand);
                let chance = node.marginal[hand];
                // The weights of a hand are kept where its first choice has its own.
                let weight = &mut weights[node.place(0, hand)];
                if chance > 1e-9 {
                    let more = place.samples as f32 * (chance + 1e-3);
                    *weight = 0.98 * *weight + more;
                    let rate = more / *weight;
                    for choice in 0..options {
                        let at = node.place(choice, hand);
                        worths[at] += rate * (node.gains[at] / chance - worths[at]);
                    }
                }
                let best = best(options, |choice| worths[node.place(choice, hand)]);
                strategy[node.place(best, hand)] = 1.0;
            }
        }
        let mut block = ZERO;
        node.values(strategy, decks, &mut block);
        let rate = (1.0 / (1.0 + visits)).max(0.1);
        for (value, target) in values.iter_mut().zip(&block) {
            *value += rate * (target - *value);
        }
        // The paths go on with a slip now and then, so that no hand is ruled out.
        let slip = if is_its_own { 0.05 } else { 0.002 };
        for hand in 0..node.hands() {
            let options = node.options(hand);
            for choice in 0..options {
                let at = node.place(choice, hand);
                strategy[at] = (1.0 - slip) * strategy[at] + slip / options as f32;
            }
        }
    }

    fn go_on(&mut self, place: &Place, waiting: &mut Vec<Place>) {
        if place.depth >= DEEPEST {
            return;
        }
        self.node.outcomes(&self.strategy, &mut self.outcomes);
        let is_its_own = place.situation.stage.decides() == place.side;
        let exploration = if is_its_own { EXPLORATION } else { 0.01 };
        let possible = self.outcomes.iter().filter(|(_, chance)| *chance > 0.0).count();
        let total: f32 = self.outcomes.iter().map(|(_, chance)| chance).sum();
        let start = self.random.unit();
        let (mut passed, mut taken) = (0.0, 0);
        for &(outcome, chance) in &self.outcomes {
            if chance <= 0.0 {
                continue;
            }
            passed += (1.0 - exploration) * chance / total + exploration / possible as f32;
            let until = ((passed * place.samples as f32 + start) as u32).min(place.samples);
            let samples = until.saturating_sub(taken);
            taken = taken.max(until);
            if samples == 0 {
                continue;
            }
            let child = self.node.child(outcome, &self.strategy, self.decks);
            if let Some((situation, turned, joint)) = child {
                let side = match turned {
                    Turned::Yes => place.side.opposite(),
                    Turned::No => place.side,
                };
                waiting.push(Place { situation, side, joint, samples, depth: place.depth + 1 });
            }
        }
    }

    /// The values that it has learnt, where it is on this side.
    pub fn learnt(&self, side: TurnSide) -> impl Source {
        Learnt(&self.store, side)
    }

    /// The choice that it takes in a situation on this side with this hand.
    pub fn best(
        &self,
        situation: &Situation,
        side: TurnSide,
        hand: usize,
        options: usize,
    ) -> usize {
        let layout = Layout::new(situation);
        let known = self.store.get(key_of(situation, side));
        let record = known.or_else(|| self.store.get(key_of(&situation.forgotten(), side)));
        let Some(record) = record else { return 0 };
        let worths = layout.regrets(record);
        best(options, |choice| worths[place(situation, &layout, choice, hand)])
    }
}
