//! Play in trials: by learned weights, from what seats can know alone.

use rules::durak::{Options, Transfer};

use crate::durak::expert::weights::{self, Weights};
use crate::durak::expert::weights::{ByHand, CONTEXT, CardHeights, FEATURES, STAGES, TurnView};
use crate::durak::search::cards::{Cards, Place};
use crate::durak::search::policy::PlayoutPolicy;
use crate::durak::search::position::{GameSetup, Play, Position, PositionPhase};

/// The kinds of moves with a card, each with weights of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveKind {
    Lead,
    Beat,
    Transfer,
    Throw,
    /// To throw to a seat that takes.
    Load,
}

impl MoveKind {
    pub fn classify(play: Play, position: &Position) -> MoveKind {
        match (play, position.phase) {
            (Play::Transfer(_), _) => MoveKind::Transfer,
            (_, PositionPhase::Lead) => MoveKind::Lead,
            (_, PositionPhase::Defend) => MoveKind::Beat,
            (_, PositionPhase::Throw) => MoveKind::Throw,
            _ => MoveKind::Load,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            MoveKind::Lead => "lead",
            MoveKind::Beat => "beat",
            MoveKind::Transfer => "transfer",
            MoveKind::Throw => "throw",
            MoveKind::Load => "load",
        }
    }
}

#[derive(Debug, Clone)]
pub struct HabitPolicy {
    shape: CardHeights,
    weights: Weights,
    /// For each kind and, in it, each stage.
    rows: Vec<WeightRow>,
}

/// The weights for one kind of moves at one stage, as they are added up fastest.
#[derive(Debug, Clone)]
struct WeightRow {
    /// Weight of each card with any hands.
    fixed: [i32; 64],
    by_hand: ByHand,
    context: [i32; CONTEXT],
}

impl HabitPolicy {
    pub fn learned(options: &Options) -> HabitPolicy {
        let weights = match (options.seats(), options.transfer) {
            (2, Transfer::Off) => &weights::TWO,
            (2, Transfer::On) => &weights::TWO_TRANSFER,
            (_, Transfer::Off) => &weights::MORE,
            (_, Transfer::On) => &weights::MORE_TRANSFER,
        };
        HabitPolicy::new(weights, options)
    }

    pub fn new(weights: &Weights, options: &Options) -> HabitPolicy {
        let shape = CardHeights::new(options.deck());
        let row = |weights: &[i16; FEATURES]| {
            let weight = |index: usize| i32::from(weights[index]);
            let first = |place| dot(&std::array::from_fn(weight), &shape.fixed(place as Place));
            WeightRow {
                fixed: std::array::from_fn(first),
                by_hand: std::array::from_fn(|index| weight(CardHeights::FIXED + index)),
                context: std::array::from_fn(|index| weight(FEATURES - CONTEXT + index)),
            }
        };
        let rows = weights.iter().flatten().map(row).collect();
        HabitPolicy { shape, weights: *weights, rows }
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    fn row(&self, kind: MoveKind, stage: usize) -> &WeightRow {
        &self.rows[kind as usize * STAGES + stage]
    }

    /// The first card with the highest score, if that is more than `most`; `base` is what all cards
    /// have alike.
    fn best(
        &self,
        row: &WeightRow,
        base: i32,
        most: i32,
        scene: &TurnView,
        cards: Cards,
    ) -> Option<(i32, Place)> {
        let mut best = None;
        let mut most = most;
        for card in cards {
            let by_hand = dot(&row.by_hand, &scene.card(card, &self.shape));
            let score = base + row.fixed[usize::from(card) % 64] + by_hand;
            if score > most {
                most = score;
                best = Some((score, card));
            }
        }
        best
    }
}

impl PlayoutPolicy for HabitPolicy {
    fn choose(&self, position: &Position, world: &GameSetup) -> Play {
        let choices = position.choices(world);
        if world.idle >> position.turn & 1 == 1 {
            return match position.phase {
                PositionPhase::Lead => choices.cards.lowest().map_or(Play::Pass, Play::Card),
                _ => Play::Pass,
            };
        }
        let kind = match position.phase {
            PositionPhase::Lead => MoveKind::Lead,
            PositionPhase::Defend => MoveKind::Beat,
            PositionPhase::Throw => MoveKind::Throw,
            PositionPhase::Load => MoveKind::Load,
            PositionPhase::Over(_) => return Play::Pass,
        };
        if choices.cards.is_empty() && choices.transfers.is_empty() {
            return Play::Pass;
        }
        let scene = TurnView::new(position, world);
        if kind == MoveKind::Lead {
            let row = self.row(kind, scene.stage);
            let best = self.best(row, 0, i32::MIN, &scene, choices.cards);
            return best.map_or(Play::Pass, |(_, card)| Play::Card(card));
        }
        let context = scene.context(position, world, &self.shape);
        let (mut most, mut chosen) = (0, Play::Pass);
        let row = self.row(kind, scene.stage);
        let base = dot(&row.context, &context);
        if let Some((score, card)) = self.best(row, base, most, &scene, choices.cards) {
            (most, chosen) = (score, Play::Card(card));
        }
        if !choices.transfers.is_empty() {
            let row = self.row(MoveKind::Transfer, scene.stage);
            let base = dot(&row.context, &context);
            let best = self.best(row, base, most, &scene, choices.transfers);
            chosen = best.map_or(chosen, |(_, card)| Play::Transfer(card));
        }
        chosen
    }
}

#[inline]
fn dot<const COUNT: usize>(weights: &[i32; COUNT], features: &[i32; COUNT]) -> i32 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}
