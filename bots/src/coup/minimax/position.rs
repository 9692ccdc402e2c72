//! Positions as one side knows them, and what is yet to come in a turn.

use rules::coup::{Action, Character, Counts};

use crate::coup::minimax::belief::{Out, Weights};
use crate::coup::minimax::holding::Holding;

/// A position as the side that searches knows it.
///
/// Every other holding has a weight. Weights are not made to sum to 1 again on the way, so that
/// what is left of them says how likely the line is, and values of branches can be added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// Its own cards.
    pub own: Holding,
    /// The lost cards of both sides.
    pub lost: Counts,
    /// Its own coins and those of the other side.
    pub coins: [u32; 2],
    /// Joint probability of each holding of the other side and all that has happened.
    pub hands: Weights,
}

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The side that searches.
    Own,
    /// The other.
    Other,
}

impl Side {
    /// The other side of the table.
    pub fn opposite(self) -> Side {
        match self {
            Side::Own => Side::Other,
            Side::Other => Side::Own,
        }
    }
}

/// A turn with its action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// The side on turn.
    pub actor: Side,
    /// Its action.
    pub action: Action,
}

/// A coming step of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A side gives up a card.
    Lose(Side),
    /// A side draws a card for this one, which it has shown.
    Replace(Side, Character),
    /// The turn ends, and the action is done.
    Done,
    /// The turn ends, and the action was blocked.
    Blocked,
    /// The turn ends, and the action is undone, as if it had not been begun.
    Undone,
}

impl Position {
    /// Probability of the line that led here.
    pub fn weight(&self) -> f64 {
        self.hands.iter().sum()
    }

    /// The holdings that the other side may have, with their weights.
    pub fn held(&self) -> impl Iterator<Item = (Holding, &f64)> {
        Holding::all().zip(&self.hands).filter(|(_, weight)| **weight > 0.0)
    }

    /// The cards that are neither in the deck nor in the other hand.
    pub fn out(&self) -> Out {
        Out { own: self.own.cards().iter().copied().collect(), lost: self.lost }
    }

    /// Replaces its own cards.
    pub fn holding(&self, own: Holding) -> Position {
        Position { own, ..*self }
    }

    /// Replaces the weights.
    pub fn with(&self, hands: Weights) -> Position {
        Position { hands, ..*self }
    }

    /// The position where the other side has this card, and that where it has not.
    pub fn split(&self, card: Character) -> (Position, Position) {
        let (mut there, mut missing) = (*self, *self);
        for holding in Holding::all() {
            let gone = if holding.contains(card) { &mut missing } else { &mut there };
            gone.hands[holding.index()] = 0.0;
        }
        (there, missing)
    }

    /// The position after an action was paid.
    pub fn paid(&self, turn: Turn) -> Position {
        let mut after = *self;
        let purse = match turn.actor {
            Side::Own => &mut after.coins[0],
            Side::Other => &mut after.coins[1],
        };
        *purse = purse.saturating_sub(turn.action.cost());
        after
    }
}

/// Steps after a challenge to an action whose claim is true.
pub fn proven(turn: Turn, claim: Character) -> Vec<Step> {
    let challenger = turn.actor.opposite();
    // An ambassador shown for an exchange stays in the hand.
    let replaced = turn.action != Action::Exchange;
    let deadly = matches!(turn.action, Action::Assassinate(_));
    let mut steps = Vec::with_capacity(4);
    steps.extend(replaced.then_some(Step::Replace(turn.actor, claim)));
    steps.push(Step::Lose(challenger));
    steps.extend(deadly.then_some(Step::Lose(challenger)));
    steps.push(Step::Done);
    steps
}

/// Steps after a challenge to a false block: the card that was claimed, and what was blocked.
pub fn fallen(turn: Turn) -> &'static [Step] {
    match (turn.action, turn.actor) {
        (Action::Assassinate(_), Side::Own) => {
            &[Step::Lose(Side::Other), Step::Lose(Side::Other), Step::Done]
        }
        (Action::Assassinate(_), Side::Other) => {
            &[Step::Lose(Side::Own), Step::Lose(Side::Own), Step::Done]
        }
        (_, Side::Own) => &[Step::Lose(Side::Other), Step::Done],
        (_, Side::Other) => &[Step::Lose(Side::Own), Step::Done],
    }
}
