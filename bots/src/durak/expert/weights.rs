//! Features of moves that a policy sees, small whole numbers, and their weights, as
//! `bots/research/src/bin/durak-train.rs` has learned them.
//!
//! It printed each table as a line, which `cargo fmt` lays out. The games had all packs, that of 36
//! cards most often, and from 3 to 6 seats in the tables for more than two. Learning goes by the
//! clock, so it does not come to the same numbers again, but to habits that are as strong.
//!
//! They come from what the seat can know: its hand, the table, how many cards others hold, and
//! the cards that it has not seen, as a seat knows them that remembers the discards.

use rules::durak::Deck;

use crate::durak::search::cards::{Cards, Place, is_trump, rank};
use crate::durak::search::position::{GameSetup, Play, Position, PositionPhase};

pub const KINDS: usize = 5;

/// Weight of each feature of a move, by the kind of the move and the stage of the game.
pub type Weights = [[[i16; FEATURES]; STAGES]; KINDS];

/// Two seats without transfers.
pub static TWO: Weights = [
    [
        [-25, -90, -343, -194, -8, 47, -312, -150, 152, 0, -125, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-164, -194, -310, -157, 37, -21, -122, -68, -5, 0, -282, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-217, -202, -375, -77, 73, -26, 96, -62, -18, 0, -386, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-102, -139, -241, -59, 109, 21, 130, -69, -19, 0, -193, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
        [
            37, -2, -50, -44, -130, 1, 202, -430, 0, 40, 27, 172, 50, 117, 168, 84, 81, 40, 85,
            -16, 0, 251,
        ],
        [
            30, 9, -113, -42, -69, -20, 238, -242, -4, 37, -95, 53, -8, 5, 112, -53, 84, 22, 5,
            -172, 86, 140,
        ],
        [
            32, -1, -146, -87, -28, -27, 281, -154, -94, 51, -101, 50, 2, 0, 160, -42, 45, 15,
            -121, -145, 37, 54,
        ],
        [
            2, -22, -104, -149, -9, 0, 275, -86, -109, 15, -88, 43, -14, 27, 79, -51, 28, 29, -37,
            -139, 56, 33,
        ],
    ],
    [
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
        [
            -8, -44, -147, -89, 23, -48, -181, -74, -12, 166, -43, 166, 65, 77, 121, 151, 65, 100,
            0, 0, 0, 145,
        ],
        [
            55, 52, -150, -35, -11, -12, 45, -50, 44, 56, -130, 56, 49, 49, 43, 30, 65, 59, 0, 0,
            24, 75,
        ],
        [
            -26, -65, -179, -32, -13, -41, 240, -3, -58, 37, -206, 37, 13, 34, 55, -79, -79, 30, 0,
            0, -3, -12,
        ],
        [
            -5, -19, -135, -65, -50, -60, 186, 4, -24, 18, -207, 18, 23, -26, 23, -45, -48, 16, 0,
            0, 64, -22,
        ],
    ],
    [
        [
            -19, -36, -195, -154, -40, -30, 127, -2, -73, 16, -199, 16, -50, 25, 47, 91, -44, 19,
            0, 0, 0, 30,
        ],
        [19, 27, -229, -132, 24, 18, 50, 9, -49, 18, -198, 18, 41, 11, 10, 2, 2, 21, 0, 0, 17, 7],
        [
            -105, -143, -172, -119, 32, -2, 85, -20, -3, 10, -171, 10, 22, 7, -4, -24, -40, 13, 0,
            0, -10, -16,
        ],
        [
            -32, -26, -51, -24, -6, 2, -15, -22, -12, -26, -37, -26, -24, -17, -32, -25, -46, -22,
            0, 0, -28, -36,
        ],
    ],
];

pub static TWO_TRANSFER: Weights = [
    [
        [-9, -31, -383, -95, 64, 32, -92, -280, 17, 0, -327, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-81, -146, -242, -101, 25, -5, -45, -112, -10, 0, -242, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-74, -108, -252, -110, 91, -60, 23, -113, -12, 0, -229, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-37, -54, -151, -132, 89, -5, 72, -84, -31, 0, -127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
        [
            34, -20, -45, -42, -86, -2, 133, -274, 1, 11, 28, 79, 28, 82, 42, 17, 69, 35, 50, -73,
            0, 148,
        ],
        [
            27, -9, -106, -49, -47, -28, 166, -147, -21, 43, -102, 52, -7, 30, 82, -7, 74, 38, 5,
            -1, 121, 111,
        ],
        [
            29, -7, -115, -80, -6, -5, 173, -93, -46, 60, -84, 27, -11, -11, 121, -23, 32, -10,
            -46, -69, 26, 53,
        ],
        [
            2, -14, -67, -93, 21, 25, 134, -11, -74, 63, -56, 16, -21, 28, 35, -52, 20, -7, -33,
            -63, 38, 38,
        ],
    ],
    [
        [
            47, 11, -75, -88, -43, -52, 22, 89, -7, 118, -143, 118, 24, 119, 221, 189, 0, 4, 47,
            49, 0, 93,
        ],
        [
            -12, -36, -251, -142, -67, -94, 106, 59, -47, 60, -226, 60, 96, 54, 62, 21, 17, 58,
            -12, 21, -40, 25,
        ],
        [
            13, -17, -218, -155, 29, 28, 136, -4, -10, 44, -177, 44, 43, 30, 50, -10, -1, 39, 13,
            15, 5, 27,
        ],
        [
            -25, -60, -112, -143, -20, -65, 126, 49, -78, 33, -121, 33, 29, 21, 28, -60, -8, 37,
            -25, -45, 39, 10,
        ],
    ],
    [
        [
            -4, -16, -74, -106, 21, -32, -178, -53, -19, 153, -26, 153, 71, 70, 116, 135, 44, 96,
            0, 0, 0, 123,
        ],
        [0, -3, -41, -92, 11, 17, -115, 37, -54, 62, -8, 62, 50, 44, 69, 60, 56, 55, 0, 0, 29, 75],
        [
            -36, -45, -101, -72, -11, -28, 217, -15, -11, 25, -99, 25, 23, 21, 48, -51, -54, 15, 0,
            0, 2, -22,
        ],
        [
            -2, -13, -129, -134, 8, 6, 122, 10, -40, 15, -101, 15, 23, -7, -15, -38, -19, 21, 0, 0,
            34, -12,
        ],
    ],
    [
        [
            -8, -19, -175, -148, 9, -23, 57, -81, 5, 45, -153, 45, -2, 18, 14, 38, -14, 12, 0, 0,
            0, 26,
        ],
        [-9, -8, -122, -148, 13, 5, 73, 19, -78, 11, -111, 11, -5, 20, 9, 24, -1, 17, 0, 0, -1, 17],
        [-63, -60, -165, -96, 64, 54, 68, -4, 10, 2, -147, 2, 1, 25, -46, -42, 11, 39, 0, 0, -1, 5],
        [-4, -8, -121, -119, 63, 62, 80, -2, -42, 9, -92, 9, 3, -7, 33, 23, -26, -18, 0, 0, 30, 7],
    ],
];

/// More seats without transfers.
pub static MORE: Weights = [
    [
        [-108, -39, -259, -116, 28, -58, -110, -83, 180, 0, -210, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-88, -92, -133, -69, 78, -23, 130, -56, -15, 0, -128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-58, -71, -139, -58, 53, -72, 102, -59, 1, 0, -120, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-49, -38, -89, -59, 18, -30, 102, 22, -14, 0, -65, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
        [36, 11, -96, -52, 19, -33, 191, -136, 6, 60, -94, 70, 9, 72, 82, 32, 27, 10, 7, 8, 0, 124],
        [
            23, 14, -85, -21, 43, 23, 86, -100, 3, 86, -68, 6, -11, 4, 69, 41, 55, -40, -8, -2,
            -15, 72,
        ],
        [
            49, 55, -60, -27, 33, 44, 49, -88, -2, 74, -54, -1, 3, 11, -12, -62, 31, 7, -42, -42,
            16, 25,
        ],
        [26, 44, -45, -49, 0, -8, 44, 23, -36, -9, -36, 4, 2, 9, -10, -40, 21, 9, 20, -66, -4, 17],
    ],
    [
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
        [
            -8, -26, -125, -136, -7, -28, -13, 15, 133, 48, -41, 48, 10, -32, 7, 8, 43, 12, 0, 0,
            0, 75,
        ],
        [
            -3, -10, -122, -101, -12, -4, 99, 4, -20, 13, -110, 13, 12, 5, 9, 13, -19, 15, 0, 0,
            -8, 3,
        ],
        [23, 12, -140, -79, 45, 27, 109, -8, -38, 2, -111, 2, 27, 10, -4, -11, -8, 5, 0, 0, 7, -3],
        [25, 22, -69, -35, -22, -20, 51, 19, -19, 3, -66, 3, 3, -1, 8, 3, -15, 0, 0, 0, 2, -9],
    ],
    [
        [
            -21, -22, -211, -108, 0, -31, 85, -5, 0, 35, -169, 35, 1, 20, -8, 28, -21, 28, 0, 0, 0,
            37,
        ],
        [11, 7, -131, -88, -6, -16, 76, 14, -22, 12, -133, 12, 7, 12, 5, 9, -22, 17, 0, 0, 21, 4],
        [
            -21, -41, -166, -68, 23, 20, 92, 12, -15, 13, -140, 13, 26, 11, 13, 14, -19, 10, 0, 0,
            -12, -13,
        ],
        [
            -39, -45, -49, -24, -4, -12, 21, 7, 34, -4, -37, -4, 1, -8, -23, -48, -8, 4, 0, 0, -8,
            -10,
        ],
    ],
];

pub static MORE_TRANSFER: Weights = [
    [
        [-96, -26, -292, -96, 49, -56, -111, -163, 171, 0, -226, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-75, -93, -170, -73, 110, -20, 133, -104, -15, 0, -163, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-79, -99, -163, -64, 65, -74, 118, -68, 1, 0, -139, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-61, -38, -120, -68, 34, -28, 148, -6, -14, 0, -86, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
        [
            38, 12, -106, -39, 15, -23, 160, -165, 24, 51, -107, 62, -3, 93, 82, 13, 32, -19, -18,
            9, 0, 146,
        ],
        [
            30, 23, -93, -19, 52, 31, 100, -132, 18, 113, -78, 4, -15, 7, 93, 54, 47, -49, 0, -27,
            -16, 73,
        ],
        [
            59, 65, -57, -22, 32, 40, 35, -109, -6, 118, -60, 2, 8, 13, -7, -68, 35, 8, -51, -78,
            31, 30,
        ],
        [
            0, 26, -58, -61, -1, -26, 18, -20, -55, 10, -46, -26, -29, -15, -24, -47, 3, -24, 11,
            -67, -34, -8,
        ],
    ],
    [
        [27, 18, -52, -47, 6, -3, 90, 62, -29, 54, -67, 54, 44, 48, 64, 65, 15, 44, 27, 6, 0, 42],
        [12, 3, -31, -31, -7, -7, 20, 29, -5, 19, -25, 19, 19, 10, 18, 24, 21, 19, 12, 3, 2, 23],
        [2, -16, -31, -45, 4, 14, 50, 22, -8, 28, -31, 28, 24, 23, 28, -3, 2, 28, 2, -2, 25, 16],
        [5, -1, -27, -18, 10, -13, 36, 9, 16, 17, -31, 17, 16, 22, 17, 17, 7, 17, 5, 19, 17, 17],
    ],
    [
        [
            -18, -38, -130, -141, 5, -33, -37, 2, 164, 61, -28, 61, 17, -29, 0, -8, 61, 32, 0, 0,
            0, 94,
        ],
        [
            15, -8, -125, -71, -27, -6, 122, -4, -19, 19, -123, 19, 23, 2, 17, 13, -22, 19, 0, 0,
            -26, 5,
        ],
        [48, 39, -177, -103, 33, 26, 103, -2, -40, 2, -141, 2, 35, 23, 1, -10, -1, 2, 0, 0, 7, -1],
        [36, 29, -83, -48, -6, -1, 62, 15, -33, 5, -89, 5, 10, -3, 6, -3, -16, 2, 0, 0, 3, -14],
    ],
    [
        [
            -13, -3, -252, -143, 9, -30, 92, -40, 27, 43, -198, 43, 6, 17, -10, 32, -11, 29, 0, 0,
            0, 45,
        ],
        [
            1, -10, -174, -103, 7, -10, 101, 39, -22, 13, -167, 13, 4, 21, 0, 13, -13, 26, 0, 0,
            21, 18,
        ],
        [
            -5, -29, -214, -95, 33, 23, 102, 29, -15, 17, -184, 17, 20, 17, 9, 15, -16, 19, 0, 0,
            -11, -2,
        ],
        [-29, -44, -96, -88, 30, 11, 51, 14, 33, 9, -88, 9, 16, 10, -21, -35, 10, 22, 0, 0, -3, 8],
    ],
];

/// Number of features that a card has whatever the hands, then by the hands, then those that all
/// cards have alike.
const COUNTS: [usize; 3] = [4, 7, CONTEXT];

/// Number of features that all cards have alike.
pub const CONTEXT: usize = 11;

pub const FEATURES: usize = COUNTS[0] + COUNTS[1] + COUNTS[2];

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

pub type ByHand = [i32; COUNTS[1]];

/// Parts that the pack fixes.
#[derive(Debug, Clone)]
pub struct CardHeights {
    /// Height of each card, from 0 to 12, the ace.
    heights: [i8; 64],
}

impl CardHeights {
    pub const FIXED: usize = COUNTS[0];

    pub fn new(deck: Deck) -> CardHeights {
        let lowest = deck.lowest() as i32;
        let height = |place: usize| {
            let above = i32::from(rank(place as Place)) - lowest;
            (above * 12 / (12 - lowest)).clamp(0, 12) as i8
        };
        CardHeights { heights: std::array::from_fn(height) }
    }

    /// The features of a card with any hands: its height, its square, a mark of
    /// trumps, and the height of a trump.
    pub fn fixed(&self, card: Place) -> [i32; CardHeights::FIXED] {
        let (height, trump) = (self.height(card), i32::from(is_trump(card)));
        [height, height * height / 12, 8 * trump, trump * height]
    }

    fn height(&self, card: Place) -> i32 {
        i32::from(self.heights[usize::from(card) % 64])
    }
}

/// The view of a seat in its turn.
#[derive(Debug, Clone, Copy)]
pub struct TurnView {
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

impl TurnView {
    /// Makes the view of the seat whose turn it is.
    pub fn new(position: &Position, world: &GameSetup) -> TurnView {
        let hand = position.hand();
        let mut unseen = world.talon_after(position.drawn);
        for held in position.hands {
            unseen = unseen.and(held);
        }
        let unseen = unseen.without(hand);
        let stage = match position.talon_left(world) {
            0 => 0,
            1..=4 => 1,
            5..=12 => 2,
            _ => 3,
        };
        TurnView {
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
    pub fn card(&self, card: Place, shape: &CardHeights) -> ByHand {
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
    pub fn context(
        &self,
        position: &Position,
        world: &GameSetup,
        shape: &CardHeights,
    ) -> [i32; CONTEXT] {
        let other = match position.turn == position.defender {
            true => position.attacker,
            false => position.defender,
        };
        let worth = |cards: Cards| -> i32 {
            cards.map(|card| shape.height(card) + 12 * i32::from(is_trump(card))).sum()
        };
        let own = self.hand.len() as i32;
        let attack = match position.phase {
            PositionPhase::Defend => position.unbeaten.first(),
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
            i32::from(position.talon_left(world)).min(32) / 2,
            worth(self.hand) / own.max(1),
        ]
    }

    /// All features of a move with a card: what learning needs.
    pub fn features(
        &self,
        position: &Position,
        world: &GameSetup,
        shape: &CardHeights,
        play: Play,
    ) -> Option<[i32; FEATURES]> {
        let (Play::Card(card) | Play::Transfer(card)) = play else { return None };
        let mut features = [0; FEATURES];
        let fixed = shape.fixed(card);
        let by_hand = self.card(card, shape);
        let context = match position.phase {
            PositionPhase::Lead => [0; CONTEXT],
            _ => self.context(position, world, shape),
        };
        let all = fixed.iter().chain(&by_hand).chain(&context);
        for (slot, feature) in features.iter_mut().zip(all) {
            *slot = *feature;
        }
        Some(features)
    }
}
