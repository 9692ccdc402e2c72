//! Reasons why a move is not legal.

use crate::card::Card;
use crate::durak::moves::Move;
use crate::seat::Seat;

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
