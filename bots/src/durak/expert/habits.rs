//! How seats play in trials: by learned weights, from what they can know alone.

use rules::durak::{Options, Transfer};

use crate::durak::expert::features::{CONTEXT, Context, FEATURES, STAGES, Scene, Shape};
use crate::durak::expert::weights;
use crate::durak::search::cards::Place;
use crate::durak::search::position::{Phase, Play, Position, World};

/// The kinds of moves with a card, each with weights of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// To lead.
    Lead,
    /// To beat.
    Beat,
    /// To pass the attack on.
    Transfer,
    /// To throw in.
    Throw,
    /// To throw to a seat that takes.
    Load,
}

/// How many kinds of moves there are.
pub const KINDS: usize = 5;

/// What each feature of a move weighs, by the kind of the move and the stage of the game.
pub type Weights = [[[i16; FEATURES]; STAGES]; KINDS];

/// A policy for one set of options.
#[derive(Debug, Clone)]
pub struct Habits {
    shape: Shape,
    weights: Weights,
    /// For each kind, stage and card what it weighs whatever the hands.
    fixed: Vec<[i32; 64]>,
}

impl Habits {
    /// The learned policy for these options.
    pub fn learned(options: &Options) -> Habits {
        let weights = match (options.seats(), options.transfer) {
            (2, Transfer::Off) => &weights::TWO,
            (2, Transfer::On) => &weights::TWO_TRANSFER,
            (_, Transfer::Off) => &weights::MORE,
            (_, Transfer::On) => &weights::MORE_TRANSFER,
        };
        Habits::new(weights, options)
    }

    /// A policy of these weights.
    pub fn new(weights: &Weights, options: &Options) -> Habits {
        let shape = Shape::new(options.deck());
        let of_stage = |weights: &[i16; FEATURES]| {
            std::array::from_fn(|place| dot(weights, &shape.fixed(place as Place)))
        };
        let fixed = weights.iter().flatten().map(of_stage).collect();
        Habits { shape, weights: *weights, fixed }
    }

    /// Its weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What the seat plays whose turn it is.
    pub fn choose(&self, position: &Position, world: &World) -> Play {
        let choices = position.choices(world);
        if world.idle >> position.turn & 1 == 1 {
            return match position.phase {
                Phase::Lead => choices.cards.lowest().map_or(Play::Pass, Play::Card),
                _ => Play::Pass,
            };
        }
        let kind = match position.phase {
            Phase::Lead => Kind::Lead,
            Phase::Defend => Kind::Beat,
            Phase::Throw => Kind::Throw,
            Phase::Load => Kind::Load,
            Phase::Over(_) => return Play::Pass,
        };
        if choices.cards.is_empty() && choices.transfers.is_empty() {
            return Play::Pass;
        }
        let scene = Scene::new(position, world, &self.shape);
        let context = if kind == Kind::Lead {
            None
        } else {
            Some(scene.context(position, world, &self.shape))
        };
        let mut best = if kind == Kind::Lead { (i32::MIN, Play::Pass) } else { (0, Play::Pass) };
        if !choices.cards.is_empty() {
            let base = self.in_context(kind, &scene, context.as_ref());
            for card in choices.cards {
                let score = base + self.score(kind, &scene, card);
                if score > best.0 {
                    best = (score, Play::Card(card));
                }
            }
        }
        if !choices.transfers.is_empty() {
            let base = self.in_context(Kind::Transfer, &scene, context.as_ref());
            for card in choices.transfers {
                let score = base + self.score(Kind::Transfer, &scene, card);
                if score > best.0 {
                    best = (score, Play::Transfer(card));
                }
            }
        }
        best.1
    }

    /// What all cards have alike that are played in this way.
    fn in_context(&self, kind: Kind, scene: &Scene, context: Option<&Context>) -> i32 {
        let weights = &self.weights[kind as usize][scene.stage];
        context.map_or(0, |context| dot(&weights[FEATURES - CONTEXT..], context))
    }

    /// What is said for a card beside that.
    fn score(&self, kind: Kind, scene: &Scene, card: Place) -> i32 {
        let fixed = self.fixed[kind as usize * STAGES + scene.stage][usize::from(card) % 64];
        let weights = &self.weights[kind as usize][scene.stage];
        fixed + dot(&weights[Shape::FIXED..], &scene.card(card, &self.shape))
    }
}

fn dot(weights: &[i16], features: &[i32]) -> i32 {
    weights.iter().zip(features).map(|(weight, feature)| i32::from(*weight) * feature).sum()
}
