//! The player that takes what is worth most now.

use rules::tablic::capture::{TEN_OF_DIAMONDS, TWO_OF_CLUBS, points, values};
use rules::tablic::{Move, Tablic};
use rules::{CardSet, Rank, Request};

use crate::player::{NoMove, Player, RequestPart};
use crate::tablic::capture::{Captures, in_order};
use crate::tablic::classes::hide_suit;

/// Plays the move of the greatest [`MoveWorth`], with the suit of its card drawn from the equivalent
/// cards of the hand.
///
/// It finds its captures itself, since a request may list only some of the legal moves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Greedy;

impl Player<Tablic> for Greedy {
    fn choose(&mut self, request: &Request<Tablic>) -> Result<Move, NoMove> {
        let hand = request.view.hand;
        let best = best_move(hand, request.view.table).ok_or(NoMove)?;
        Ok(hide_suit(best, hand, &mut request.heading.seed.nature()))
    }

    fn reads(&self) -> &'static [RequestPart] {
        &[]
    }
}

/// The legal move of the greatest [`MoveWorth`] with a card of this hand on this table; none if the
/// hand is empty.
///
/// ```
/// use bots::tablic::best_move;
///
/// let best = best_move("7S QC".parse()?, "3H 4D QD".parse()?);
/// assert_eq!(best, Some("QC QD".parse()?), "two points go before two cards");
/// # Ok::<(), rules::NotText>(())
/// ```
pub fn best_move(hand: CardSet, table: CardSet) -> Option<Move> {
    let captures = Captures::find(table);
    let mut last: Option<(Rank, CardSet)> = None;
    let moves = hand.iter().map(|card| {
        let captured = match last {
            Some((rank, captured)) if rank == card.rank() => captured,
            _ => captures.best(card.rank()),
        };
        last = Some((card.rank(), captured));
        Move { card, captured }
    });
    moves.max_by_key(|mv| MoveWorth::new(*mv, table))
}

/// Immediate worth of a move, the greater the better.
///
/// The fields are compared from the first to the last. Two different moves from the same hand on
/// the same table are never worth the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveWorth {
    pub tabla: bool,
    /// The points of all cards gained, without a tabla; minus the points of a card laid down.
    pub points: i32,
    pub captured: u32,
    /// 1 if the 10 of diamonds is gained, -1 if it is laid down.
    pub ten_of_diamonds: i32,
    /// 1 if the 2 of clubs is gained, -1 if it is laid down.
    pub two_of_clubs: i32,
    /// Number of aces gained; -1 if one is laid down.
    pub aces: i32,
    /// 14 minus the value of the played card as a number, the ace 1.
    pub lowness: u32,
    /// The played card, as a place [in order](in_order).
    pub card: u64,
    /// The captured cards, [in order](in_order).
    pub cards: u64,
}

const ACES: CardSet = CardSet::from_bits(0xf << (4 * Rank::Ace as u64));

/// The value of the king as a number, the highest there is.
const HIGHEST_VALUE: u32 = 14;

impl MoveWorth {
    pub fn new(mv: Move, table: CardSet) -> MoveWorth {
        let card = CardSet::single(mv.card);
        let (moved, sign) =
            if mv.captured.is_empty() { (card, -1) } else { (card | mv.captured, 1) };
        let signed = |count: u32| sign * count as i32;
        MoveWorth {
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
