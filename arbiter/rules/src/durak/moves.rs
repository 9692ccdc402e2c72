//! A move of Durak.

use std::fmt;
use std::str::FromStr;

use crate::card::Card;
use crate::text::NotText;

/// A decision of a seat. The canonical order is by variant, then by the order of
/// the pack.
///
/// ```
/// use rules::durak::Move;
///
/// let mv: Move = "Beat 7h".parse()?;
/// assert_eq!(mv.to_string(), "beat 7H");
/// assert!("beat".parse::<Move>().is_err());
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Move {
    /// The attacker opens a bout: `lead 6C`.
    Lead(Card),
    /// The defender beats the first attack card that is not beaten yet: `beat 7C`.
    Beat(Card),
    /// The defender passes the attack on to the next seat: `transfer 6S`.
    Transfer(Card),
    /// The defender will take up all cards: `take`.
    Take,
    /// A card is thrown in: `throw 6D`.
    Throw(Card),
    /// The seat throws in nothing: `done`.
    Done,
}

impl Move {
    /// The card that leaves the hand.
    pub fn card(self) -> Option<Card> {
        match self {
            Move::Lead(card) | Move::Beat(card) | Move::Transfer(card) | Move::Throw(card) => {
                Some(card)
            }
            Move::Take | Move::Done => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Lead(card) => write!(f, "lead {card}"),
            Move::Beat(card) => write!(f, "beat {card}"),
            Move::Transfer(card) => write!(f, "transfer {card}"),
            Move::Take => f.write_str("take"),
            Move::Throw(card) => write!(f, "throw {card}"),
            Move::Done => f.write_str("done"),
        }
    }
}

impl FromStr for Move {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let verb = words.first().map(|verb| verb.to_ascii_lowercase()).unwrap_or_default();
        match (verb.as_str(), words.get(1..).unwrap_or_default()) {
            ("lead", [card]) => card.parse().map(Move::Lead),
            ("beat", [card]) => card.parse().map(Move::Beat),
            ("transfer", [card]) => card.parse().map(Move::Transfer),
            ("take", []) => Ok(Move::Take),
            ("throw", [card]) => card.parse().map(Move::Throw),
            ("done", []) => Ok(Move::Done),
            ("lead" | "beat" | "transfer" | "throw", _) => {
                Err(NotText::new(format!("`{verb} CARD`"), text))
            }
            _ => Err(NotText::new("a move of durak", text)),
        }
    }
}
