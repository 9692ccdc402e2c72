//! Reasons why a move is not legal.

use crate::coup::debt::Debt;
use crate::coup::hand::{Character, Hand};
use crate::coup::moves::{Action, Move};
use crate::seat::Seat;

/// The rule that a move breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages tell the fields")]
pub enum Illegal {
    /// No seat is to move.
    #[error("no seat is to move")]
    NoTurn,
    /// It answers another question.
    #[error("`{found}` is no answer here: expected {}", expected(*.asked))]
    Elsewhere { found: Move, asked: Debt },
    /// A seat that is rich must coup.
    #[error("with {0} coins the only action is coup")]
    MustCoup(u32),
    /// The action costs more than there is.
    #[error("`{action}` costs {}, but there are {coins} coins", action.cost())]
    TooDear { action: Action, coins: u32 },
    /// The action is not aimed at the other seat.
    #[error("`{action}` is aimed at a wrong seat: expected {expected}")]
    WrongTarget { action: Action, expected: Seat },
    /// The action is not aimed at another seat that is still in.
    #[error("`{0}` is aimed at a wrong seat: expected another seat that holds a card")]
    NoTarget(Action),
    /// Another seat is the target, and only a target blocks this action.
    #[error("`{0}` is aimed at another seat, which alone can block it")]
    NotItsTarget(Action),
    /// There is nothing to steal.
    #[error("seat {0} has no coin to steal")]
    EmptyPurse(Seat),
    /// The action rests on no claim.
    #[error("`{0}` claims no card that could be challenged")]
    NoClaim(Action),
    /// The character does not block the action.
    #[error("{character} does not block `{action}`")]
    NoBlock { character: Character, action: Action },
    /// The card is not in the hand.
    #[error("{0} is not in the hand")]
    NotHeld(Character),
    /// Another card was challenged.
    #[error("{found} was not challenged: expected {challenged}")]
    NotChallenged { found: Character, challenged: Character },
    /// The challenged card is there and must be shown.
    #[error("the challenged {0} is in the hand: expected `show {0}`")]
    MustShow(Character),
    /// The number of cards is wrong.
    #[error("expected {expected} cards to keep, found {}", found.len())]
    WrongNumber { expected: usize, found: Hand },
    /// Not all of these cards are there.
    #[error("not all in the hand: {0}")]
    NotAllHeld(Hand),
}

/// Name of the move that settles a debt.
fn expected(debt: Debt) -> &'static str {
    match debt {
        Debt::Act(_) => "an action",
        Debt::Answer(_) => "an answer to the action",
        Debt::Block(_) => "a block, or an answer that lets the action happen",
        Debt::Accept(..) => "`pass` or `challenge`",
        Debt::Prove(..) => "the challenged card or the loss of another",
        Debt::Keep(_) => "`keep CARDS`",
        Debt::Lose(_) => "`lose CARD`",
        Debt::End(_) => "`end`",
        Debt::Deal(_) | Debt::Replace(..) | Debt::Draw(_) | Debt::Pay(_) => "nothing",
        Debt::Stand(..) | Debt::Doubt(_) | Debt::Effect(_) => "nothing",
    }
}
