//! A move of Durak, and reasons why one is not legal.

use std::fmt;
use std::str::FromStr;

use crate::card::Card;
use crate::seat::Seat;
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

/// The rule that a move breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages tell the fields")]
pub enum Illegal {
    /// No seat is to move.
    #[error("no seat is to move")]
    NoTurn,
    /// It answers another question.
    #[error("`{found}` is no answer here: expected {expected}")]
    Elsewhere { found: Move, expected: &'static str },
    /// The card is not in the hand.
    #[error("{0} is not in the hand")]
    NotInHand(Card),
    /// The card does not beat the one that is to be beaten.
    #[error("{card} does not beat {attack}: expected a higher card of its suit or a trump")]
    DoesNotBeat { card: Card, attack: Card },
    /// The card beats no trump, since it is not a higher one.
    #[error("{card} does not beat the trump {attack}: expected a higher trump")]
    DoesNotBeatTrump { card: Card, attack: Card },
    /// No card of the same rank lies on the table.
    #[error("{0} cannot be thrown: expected a rank that lies on the table")]
    NotOnTable(Card),
    /// The game is played without transfers.
    #[error("`transfer` is off in this game: expected `beat CARD` or `take`")]
    TransferOff,
    /// A card has been beaten, so the attack stays where it is.
    #[error("an attack card has been beaten: expected `beat CARD` or `take`")]
    TooLateToTransfer,
    /// The attack cards have another rank.
    #[error("{card} cannot pass on {attack}: expected a card of its rank")]
    OtherRank { card: Card, attack: Card },
    /// The next seat could not be attacked with this number of cards.
    #[error("seat {next} can be attacked with {limit} cards at most, not with {attacks}")]
    TooManyToTransfer { next: Seat, limit: usize, attacks: usize },
}
