//! A move of Tablić.

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, Rank};
use crate::card_set::CardSet;
use crate::tablic::capture::values;
use crate::text::NotText;

/// One card of the hand and the cards of the table that it captures, possibly none.
///
/// Written as the cards, the played one first. The canonical order is by the played card, then by
/// the captured set.
///
/// ```
/// use rules::tablic::Move;
///
/// let mv: Move = "7s 4d 3h".parse()?;
/// assert_eq!(mv.to_string(), "7S 3H 4D");
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The card that is played.
    pub card: Card,
    /// The cards of the table that it takes.
    pub captured: CardSet,
}

impl Move {
    /// The move that lays a card down.
    pub fn lay_down(card: Card) -> Move {
        Move { card, captured: CardSet::EMPTY }
    }

    /// All cards that the move brings to the pile: none if it lays one down.
    pub fn gained(self) -> CardSet {
        if self.captured.is_empty() {
            CardSet::EMPTY
        } else {
            self.captured | CardSet::one(self.card)
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.card.fmt(f)?;
        self.captured.iter().try_for_each(|card| f.write_str(card.after_blank()))
    }
}

impl FromStr for Move {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let trimmed = text.trim_ascii();
        let (card, captured) =
            trimmed.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((trimmed, ""));
        Ok(Move { card: card.parse()?, captured: captured.parse()? })
    }
}

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
