//! The rules that a move of Coup can break.

use crate::coup::action::Action;
use crate::coup::character::Character;
use crate::coup::debt::Debt;
use crate::coup::hand::Hand;
use crate::coup::moves::Move;
use crate::seat::Seat;

/// The rule that a move breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// No seat is to move.
    #[error("no seat is to move")]
    NoTurn,
    /// It answers another question.
    #[error("`{found}` is no answer here: expected {}", expected(*.asked))]
    Elsewhere {
        /// The move.
        found: Move,
        /// What the seat is asked for.
        asked: Debt,
    },
    /// A seat that is rich must coup.
    #[error("with {0} coins the only action is coup")]
    MustCoup(u32),
    /// The action costs more than there is.
    #[error("`{action}` costs {}, but there are {coins} coins", action.cost())]
    TooDear {
        /// The action.
        action: Action,
        /// The coins of the seat.
        coins: u32,
    },
    /// The action is not aimed at the other seat.
    #[error("`{action}` is aimed at a wrong seat: expected {expected}")]
    WrongTarget {
        /// The action.
        action: Action,
        /// The seat that it can be aimed at.
        expected: Seat,
    },
    /// There is nothing to steal.
    #[error("seat {0} has no coin to steal")]
    EmptyPurse(Seat),
    /// The action rests on no claim.
    #[error("`{0}` claims no card that could be challenged")]
    NoClaim(Action),
    /// The character does not block the action.
    #[error("{character} does not block `{action}`")]
    NoBlock {
        /// The character.
        character: Character,
        /// The action.
        action: Action,
    },
    /// The card is not in the hand.
    #[error("{0} is not in the hand")]
    NotHeld(Character),
    /// Another card was challenged.
    #[error("{found} was not challenged: expected {challenged}")]
    NotChallenged {
        /// The card that is to be shown.
        found: Character,
        /// The card that was challenged.
        challenged: Character,
    },
    /// The challenged card is there and must be shown.
    #[error("the challenged {0} is in the hand: expected `show {0}`")]
    MustShow(Character),
    /// The number of cards is wrong.
    #[error("expected {expected} cards to keep, found {}", found.len())]
    WrongNumber {
        /// How many cards must be kept.
        expected: usize,
        /// The cards.
        found: Hand,
    },
    /// Not all of these cards are there.
    #[error("not all in the hand: {0}")]
    NotAllHeld(Hand),
}

/// What the seat that owes this is asked for.
fn expected(debt: Debt) -> &'static str {
    match debt {
        Debt::Act(_) => "an action",
        Debt::Answer(_) => "an answer to the action",
        Debt::Accept(..) => "`pass` or `challenge`",
        Debt::Prove(..) => "the challenged card or the loss of another",
        Debt::Keep(_) => "`keep CARDS`",
        Debt::Lose(_) => "`lose CARD`",
        Debt::End(_) => "`end`",
        Debt::Deal(_) | Debt::Replace(..) | Debt::Draw(_) | Debt::Pay(_) => "nothing",
    }
}
