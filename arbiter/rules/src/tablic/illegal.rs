//! The rules that a move of Tablić can break.

use crate::card::{Card, Rank};
use crate::card_set::CardSet;
use crate::tablic::points::values;

/// The rule that a move breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// No seat is to move.
    #[error("no seat is to move")]
    NoTurn,
    /// The played card is not in the hand.
    #[error("{0} is not in the hand")]
    NotInHand(Card),
    /// Some captured cards are not on the table.
    #[error("not on the table: {0}")]
    NotOnTable(CardSet),
    /// The captured cards cannot be split into groups that sum to a value of the played card.
    #[error("{card} cannot capture {captured}: no split into groups that each sum to {}", sums(*card))]
    NoSplit {
        /// The played card.
        card: Card,
        /// The set that it should capture.
        captured: CardSet,
    },
}

fn sums(card: Card) -> String {
    match card.rank() {
        Rank::Ace => "1 or 11".to_owned(),
        rank => values(rank)[0].to_string(),
    }
}
