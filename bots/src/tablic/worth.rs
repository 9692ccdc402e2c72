//! What a move is worth at once: the total order of a greedy player.

use rules::tablic::Move;
use rules::tablic::points::{TEN_OF_DIAMONDS, TWO_OF_CLUBS, points, values};
use rules::{CardSet, Rank};

use crate::tablic::order::in_order;

/// What a move is worth at once, the greater the better.
///
/// The fields are compared from the first to the last. Two different moves from the same hand on
/// the same table are never worth the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worth {
    /// Whether the move is a tabla.
    pub tabla: bool,
    /// The points of all cards gained, without that of a tabla; minus those of a card laid down.
    pub points: i32,
    /// How many cards of the table it captures.
    pub captured: u32,
    /// 1 if the 10 of diamonds is gained, -1 if it is laid down.
    pub ten_of_diamonds: i32,
    /// The same for the 2 of clubs.
    pub two_of_clubs: i32,
    /// How many aces are gained; -1 if one is laid down.
    pub aces: i32,
    /// 14 minus the value of the played card as a number, the ace 1.
    pub lowness: u32,
    /// The played card, as a place [in order](in_order).
    pub card: u64,
    /// The captured cards, [in order](in_order).
    pub cards: u64,
}

/// The four aces.
const ACES: CardSet = CardSet::from_bits(0xf << (4 * Rank::Ace as u64));

/// The value of the king as a number, the highest there is.
const HIGHEST_VALUE: u32 = 14;

impl Worth {
    /// What a legal move on this table is worth.
    pub fn new(mv: Move, table: CardSet) -> Worth {
        let card = CardSet::one(mv.card);
        let (moved, sign) =
            if mv.captured.is_empty() { (card, -1) } else { (card | mv.captured, 1) };
        let signed = |count: u32| sign * count as i32;
        Worth {
            tabla: !table.is_empty() && mv.captured == table,
            points: signed(points(moved)),
            captured: mv.captured.len() as u32,
            ten_of_diamonds: signed(moved.contains(TEN_OF_DIAMONDS).into()),
            two_of_clubs: signed(moved.contains(TWO_OF_CLUBS).into()),
            aces: signed((moved & ACES).len() as u32),
            lowness: HIGHEST_VALUE - values(mv.card.rank())[0],
            card: in_order(card),
            cards: in_order(mv.captured),
        }
    }
}
