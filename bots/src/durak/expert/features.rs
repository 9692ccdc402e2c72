//! Features of moves that a policy sees: small whole numbers.
//!
//! They come from what the seat can know: its hand, the table, how many cards others hold, and
//! the cards that it has not seen, as a seat knows them that remembers the discards.

use rules::durak::Deck;

use crate::durak::search::cards::{Cards, Place, is_trump, rank};
use crate::durak::search::position::{Phase, Play, Position, World};

/// Number of features that a card has whatever the hands, then by the hands, then those that all
/// cards have alike.
const COUNTS: [usize; 3] = [4, 7, CONTEXT];

/// Number of features that all cards have alike.
pub const CONTEXT: usize = 11;

/// Number of features.
pub const FEATURES: usize = COUNTS[0] + COUNTS[1] + COUNTS[2];

/// Name of each.
pub const NAMES: [&str; FEATURES] = [
    "height",
    "height_squared",
    "trump",
    "trump_height",
    "alike",
    "alike_height",
    "beaten_by",
    "unseen_alike",
    "unbeatable",
    "rank_on_table",
    "trumps_with",
    "constant",
    "hand_size",
    "other_hand_size",
    "table_size",
    "table_worth",
    "trumps",
    "can_be_thrown",
    "attack_height",
    "attack_trump",
    "talon",
    "hand_worth",
];

/// The number of stages of a game, by what is left of the talon.
pub const STAGES: usize = 4;

/// The parts of a fraction.
const WHOLE: i32 = 1 << 20;

/// The features of a card by the hands.
pub type ByHand = [i32; COUNTS[1]];

/// The features that all cards have alike.
pub type Context = [i32; CONTEXT];

/// Parts that the pack fixes.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Height of each card, from 0 to 12, the ace.
    heights: [i8; 64],
}

impl Shape {
    /// Number of features fixed by the pack.
    pub const FIXED: usize = COUNTS[0];

    /// The shape of this pack.
    pub fn new(deck: Deck) -> Shape {
        let lowest = deck.lowest() as i32;
        let height = |place: usize| {
            let above = i32::from(rank(place as Place)) - lowest;
            (above * 12 / (12 - lowest)).clamp(0, 12) as i8
        };
        Shape { heights: std::array::from_fn(height) }
    }

    /// The features of a card with any hands: its height, its square, a mark of
    /// trumps, and the height of a trump.
    pub fn fixed(&self, card: Place) -> [i32; Shape::FIXED] {
        let (height, trump) = (self.height(card), i32::from(is_trump(card)));
        [height, height * height / 12, 8 * trump, trump * height]
    }

    fn height(&self, card: Place) -> i32 {
        i32::from(self.heights[usize::from(card) % 64])
    }
}

/// The view of a seat in its turn.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// The stage of the game.
    pub stage: usize,
    hand: Cards,
    plain: Cards,
    table: Cards,
    unseen: Cards,
    /// A fraction: one by the number of unseen cards, in parts of [`WHOLE`], so that no card is
    /// divided for.
    of_unseen: i32,
    trumps: i32,
}

impl Scene {
    /// Makes the view of the seat whose turn it is.
    pub fn new(position: &Position, world: &World) -> Scene {
        let hand = position.hand();
        let mut unseen = world.rest(position.drawn);
        for held in position.hands {
            unseen = unseen.and(held);
        }
        let unseen = unseen.without(hand);
        let stage = match position.left(world) {
            0 => 0,
            1..=4 => 1,
            5..=12 => 2,
            _ => 3,
        };
        Scene {
            stage,
            hand,
            plain: hand.plain(),
            table: position.table,
            unseen,
            of_unseen: WHOLE / (unseen.len() as i32).max(1) + 1,
            trumps: hand.trumps().len() as i32,
        }
    }

    /// The features of a card by the hands: how many plain cards of its rank the hand has beside, the
    /// same by its height, which part of the unseen cards beats it, how many unseen cards have its
    /// rank, whether none beats it, whether its rank lies on the table, and for a trump how many the
    /// hand has.
    #[inline]
    pub fn card(&self, card: Place, shape: &Shape) -> ByHand {
        let of_rank = Cards::one(card);
        let height = shape.height(card);
        let alike = self.plain.of_ranks(of_rank).without(of_rank).len() as i32;
        let beating = self.unseen.beating(card).len() as i32;
        let unseen = self.unseen.of_ranks(of_rank).len() as i32;
        let trump = i32::from(is_trump(card));
        [
            4 * alike,
            alike * height,
            16 * beating * self.of_unseen / WHOLE,
            4 * unseen,
            if beating == 0 { 8 } else { 0 },
            if self.table.of_ranks(of_rank).is_empty() { 0 } else { 8 },
            2 * trump * self.trumps,
        ]
    }

    /// The features that all cards have alike: a constant, the sizes of the own hand, of that of the
    /// seat on the other side of the attack, and of the table, what lies on it, the own trumps, how
    /// many cards can still be thrown, height and suit of the card to be beaten, what is left of the
    /// talon, and how good the hand is in the mean.
    pub fn context(&self, position: &Position, world: &World, shape: &Shape) -> Context {
        let other = match position.turn == position.defender {
            true => position.attacker,
            false => position.defender,
        };
        let worth = |cards: Cards| -> i32 {
            cards.map(|card| shape.height(card) + 12 * i32::from(is_trump(card))).sum()
        };
        let own = self.hand.len() as i32;
        let attack = match position.phase {
            Phase::Defend => position.unbeaten.first(),
            _ => None,
        };
        [
            8,
            own.min(16),
            (position.hand_at(other).len() as i32).min(16),
            (self.table.len() as i32).min(16),
            (worth(self.table) / 4).min(24),
            2 * self.trumps,
            2 * i32::from(position.limit.saturating_sub(position.attacks)),
            attack.map_or(0, |attack| shape.height(attack)),
            attack.map_or(0, |attack| 8 * i32::from(is_trump(attack))),
            i32::from(position.left(world)).min(32) / 2,
            worth(self.hand) / own.max(1),
        ]
    }

    /// All features of a move with a card: what learning needs.
    pub fn features(
        &self,
        position: &Position,
        world: &World,
        shape: &Shape,
        play: Play,
    ) -> Option<[i32; FEATURES]> {
        let (Play::Card(card) | Play::Transfer(card)) = play else { return None };
        let mut features = [0; FEATURES];
        let fixed = shape.fixed(card);
        let by_hand = self.card(card, shape);
        let context = match position.phase {
            Phase::Lead => [0; CONTEXT],
            _ => self.context(position, world, shape),
        };
        let all = fixed.iter().chain(&by_hand).chain(&context);
        for (slot, feature) in features.iter_mut().zip(all) {
            *slot = *feature;
        }
        Some(features)
    }
}
