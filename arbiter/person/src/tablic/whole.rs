//! A whole move in one line, and several cards to take in one.
//!
//! If a line can be read in two ways and only one of them can be played, that one is meant; if both
//! can, the person is asked again. A line that cannot be played chooses nothing.

use std::io;

use rules::Card;
use rules::tablic::Move;

use crate::named::NamedCard;
use crate::screen::Screen;
use crate::tablic::selection::Selection;
use crate::tablic::{Choice, Chosen, not_in_hand};

/// The reading of a line of several cards once the card to play is known.
pub(super) enum Added {
    /// Cards, added to those that were chosen.
    Cards(Selection),
    /// The whole move: the line began with the card to play.
    Move(Move),
}

impl Choice<'_> {
    /// The move in a line: the card to play, and all cards that it takes.
    pub(super) fn whole(
        &mut self,
        readings: &[Vec<NamedCard>],
        screen: &mut Screen<'_>,
    ) -> io::Result<Chosen<Move>> {
        let mut moves = Vec::new();
        let mut refusal = None;
        for reading in readings {
            let Some((named, taken)) = reading.split_first() else { continue };
            let card = match self.card_to_play(*named, taken, screen)? {
                Ok(Chosen::This(card)) => card,
                Ok(Chosen::Again) => return Ok(Chosen::Again),
                Ok(Chosen::Quit) => return Ok(Chosen::Quit),
                Err(why) => {
                    refusal.get_or_insert(why);
                    continue;
                }
            };
            match self.takes(Selection::new(card, self.request.view.table), taken) {
                Ok(selection) => moves.extend(selection.complete()),
                Err(why) => {
                    refusal.get_or_insert(why);
                }
            }
        }
        match one_of(moves, refusal) {
            Ok(mv) => return Ok(Chosen::This(mv)),
            Err(why) => screen.refuse(&why)?,
        }
        Ok(Chosen::Again)
    }

    /// The card of the hand that begins a whole move, if it is there. The person is asked for its suit only
    /// if the rest can be played.
    fn card_to_play(
        &mut self,
        named: NamedCard,
        taken: &[NamedCard],
        screen: &mut Screen<'_>,
    ) -> io::Result<Result<Chosen<Card>, String>> {
        let meant = named.among(self.request.view.hand);
        let Some(any) = meant.first() else { return Ok(Err(not_in_hand(named))) };
        // All cards of a rank take the same.
        if let Err(why) = self.takes(Selection::new(any, self.request.view.table), taken) {
            return Ok(Err(why));
        }
        self.one_of(named, screen).map(Ok)
    }

    /// The selection with the cards of a line.
    pub(super) fn added(
        &mut self,
        selection: &Selection,
        readings: &[Vec<NamedCard>],
    ) -> Result<Added, String> {
        let card = selection.card();
        let is_whole = |reading: &&Vec<NamedCard>| {
            reading
                .first()
                .is_some_and(|first| first.rank == card.rank() && first.suit == Some(card.suit()))
        };
        if let Some(whole) = readings.iter().find(is_whole) {
            let anew = Selection::new(card, self.request.view.table);
            let selection = self.takes(anew, &whole[1..])?;
            return selection.complete().map(Added::Move).map_err(|illegal| illegal.to_string());
        }
        let mut added = Vec::new();
        let mut refusal = None;
        for reading in readings {
            let mut selection = selection.clone();
            match self.add_all(&mut selection, reading) {
                Ok(()) => added.push(selection),
                Err(why) => {
                    refusal.get_or_insert(why);
                }
            }
        }
        one_of(added, refusal).map(Added::Cards)
    }

    /// A selection with these cards, which must be a capture.
    fn takes(
        &mut self,
        mut selection: Selection,
        taken: &[NamedCard],
    ) -> Result<Selection, String> {
        self.add_all(&mut selection, taken)?;
        selection.complete().map(|_| selection).map_err(|illegal| illegal.to_string())
    }

    /// Adds cards to a selection, those with their suits first: they leave no choice.
    fn add_all(&mut self, selection: &mut Selection, cards: &[NamedCard]) -> Result<(), String> {
        let with_suit = cards.iter().filter(|named| named.suit.is_some());
        let without = cards.iter().filter(|named| named.suit.is_none());
        with_suit.chain(without).try_for_each(|named| self.add(selection, *named))
    }

    /// Adds a card of the table to a selection, or names the reason why it cannot.
    pub(super) fn add(
        &mut self,
        selection: &mut Selection,
        named: NamedCard,
    ) -> Result<(), String> {
        let found = selection.find(named)?;
        self.draw(found).map_or(Ok(()), |card| selection.add(card))
    }
}

/// The only one of some, or the reason why there is none.
fn one_of<T: PartialEq>(mut found: Vec<T>, refusal: Option<String>) -> Result<T, String> {
    found.dedup();
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(_), false) => {
            Err("that can be read in two ways: put commas between the cards".to_owned())
        }
        (None, _) => Err(refusal.unwrap_or_else(|| "expected cards".to_owned())),
    }
}
