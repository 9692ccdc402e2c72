//! Conclusions about hands from the claims and challenges of a game.

use crate::coup::hand::{Character, Hand};
use crate::coup::moves::Move;
use crate::seat::Seat;

/// The claims that are still open, as everyone hears them.
#[derive(Default)]
pub(super) struct Claims {
    /// The last claim that was made.
    last: Option<(Seat, Character)>,
    /// The claim that was challenged and is neither proven nor given up yet.
    challenged: Option<(Seat, Character)>,
    /// The card that was shown last.
    shown: Option<Character>,
}

/// The cards that a move shows its seat to hold or to lack.
pub(super) enum Hint {
    /// Nothing.
    None,
    /// It holds this card.
    Holds(Character),
    /// It gives up this card. Where it had claimed another one and was challenged, it does not hold that.
    GivesUp {
        /// The card.
        card: Character,
        /// The claim that was false.
        lacks: Option<Character>,
    },
    /// It keeps these cards.
    Keeps(Hand),
}

impl Claims {
    /// Follows a move, and returns its hint.
    pub(super) fn after(&mut self, seat: Seat, mv: Move) -> Hint {
        match mv {
            Move::Act(action) => self.last = action.claim().map(|claim| (seat, claim)),
            Move::Block(character) => self.last = Some((seat, character)),
            Move::Challenge => self.challenged = self.last.take(),
            Move::Show(character) => {
                self.challenged = None;
                self.shown = Some(character);
                return Hint::Holds(character);
            }
            Move::Lose(card) => {
                let claim = self.challenged.take().filter(|(claimant, _)| *claimant == seat);
                return Hint::GivesUp { card, lacks: claim.map(|(_, claim)| claim) };
            }
            Move::Keep(cards) => return Hint::Keeps(cards),
            Move::Pass | Move::End => {}
        }
        Hint::None
    }

    /// Takes the card that was shown last. Returns it if one card is drawn, which replaces it.
    pub(super) fn replaced_by(&mut self, drawn: usize) -> Option<Character> {
        match (drawn, self.shown.take()) {
            (1, shown) => shown,
            _ => None,
        }
    }
}
