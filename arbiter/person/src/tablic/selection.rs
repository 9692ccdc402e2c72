//! The cards of the table that a card is to take, chosen one by one.

use bots::tablic::capture::best_including;
use rules::tablic::capture::may_capture;
use rules::tablic::{Illegal, Move};
use rules::{Card, CardSet};

use crate::named_card::NamedCard;

/// A choice that can still become a capture: any other card is refused at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CaptureSelection {
    card: Card,
    table: CardSet,
    /// In the order in which they were chosen.
    chosen: Vec<Card>,
}

impl CaptureSelection {
    /// An empty choice for this card.
    pub(super) fn new(card: Card, table: CardSet) -> CaptureSelection {
        CaptureSelection { card, table, chosen: Vec::new() }
    }

    pub(super) fn card(&self) -> Card {
        self.card
    }

    pub(super) fn chosen(&self) -> CardSet {
        self.chosen.iter().copied().collect()
    }

    /// The cards of the table that are not chosen.
    pub(super) fn left(&self) -> CardSet {
        self.table - self.chosen()
    }

    /// Returns true if a capture holds more cards than are chosen.
    pub(super) fn can_grow(&self) -> bool {
        self.best().captured != self.chosen()
    }

    /// The best of all captures that hold the chosen cards, as greedy would choose it.
    pub(super) fn best(&self) -> Move {
        let chosen = self.chosen();
        let best = best_including(self.card.rank(), self.table, chosen);
        Move { card: self.card, captured: best.unwrap_or(chosen) }
    }

    /// The move that takes the chosen cards.
    pub(super) fn complete(&self) -> Result<Move, Illegal> {
        let (card, captured) = (self.card, self.chosen());
        match may_capture(card.rank(), captured) {
            true => Ok(Move { card, captured }),
            false => Err(Illegal::NoSplit { card, captured }),
        }
    }

    /// The cards that a name fits, of those that are left; or why there are none.
    pub(super) fn find(&self, named: NamedCard) -> Result<CardSet, String> {
        let found = named.among(self.left());
        match (found.is_empty(), named.among(self.chosen()).is_empty(), named.suit) {
            (false, _, _) => Ok(found),
            (true, false, Some(_)) => Err(format!("{named} is chosen already")),
            (true, false, None) => Err(format!("no other {named} is on the table")),
            (true, true, Some(_)) => Err(format!("{named} is not on the table")),
            (true, true, None) => Err(format!("no {named} is on the table")),
        }
    }

    /// Adds a card, or names the reason if no capture holds it with the others.
    pub(super) fn add(&mut self, card: Card) -> Result<(), String> {
        let captured = self.chosen() | CardSet::one(card);
        if best_including(self.card.rank(), self.table, captured).is_none() {
            let illegal = Illegal::NoSplit { card: self.card, captured };
            return Err(format!("{illegal}, no matter what else is taken"));
        }
        self.chosen.push(card);
        Ok(())
    }

    /// Takes the last card back, and returns true if there was one.
    pub(super) fn undo(&mut self) -> bool {
        self.chosen.pop().is_some()
    }
}
