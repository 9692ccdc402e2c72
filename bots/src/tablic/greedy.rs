//! The player that takes what is worth most now.

use rules::tablic::{Move, Tablic};
use rules::{CardSet, Rank, Request};

use crate::player::{NoMove, Part, Player};
use crate::tablic::capture::Captures;
use crate::tablic::class::hide_suit;
use crate::tablic::worth::Worth;

/// Plays the move of the greatest [`Worth`], with the suit of its card drawn from the equivalent
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

    fn reads(&self) -> &'static [Part] {
        &[]
    }
}

/// The legal move of the greatest [`Worth`] with a card of this hand on this table; none if the
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
    moves.max_by_key(|mv| Worth::new(*mv, table))
}
