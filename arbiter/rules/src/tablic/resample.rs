//! Worlds that a seat cannot tell from the real one.

use crate::card_set::{CardSet, Dealt};
use crate::game::{Game, Resample};
use crate::seat::Seat;
use crate::seed::Nature;
use crate::tablic::event::{Deal, Event, Place};
use crate::tablic::game::{Options, Tablic};
use crate::tablic::view::View;

impl Resample for Tablic {
    /// Fills every hand that was dealt face down, and plays the history again with it.
    ///
    /// A hand holds what its seat played from it, which everyone saw; only what it still holds is
    /// drawn, from the cards that the seat has never seen.
    fn resample(
        options: &Options,
        _seat: Seat,
        view: &View,
        history: &[Event],
        nature: &mut Nature,
    ) -> Option<Self> {
        let shown =
            view.hand | history.iter().map(seen).fold(CardSet::EMPTY, |all, some| all | some);
        let mut unseen = CardSet::PACK - shown;
        let mut game = Tablic::new(options);
        let mut events = Vec::new();
        for (place, event) in history.iter().enumerate() {
            match *event {
                Event::Deal { to, cards } => {
                    let cards = match (cards, to) {
                        (Dealt::Unseen(count), Place::Hand(seat)) => {
                            let played = played_from(seat, &history[place + 1..]);
                            let held = usize::from(count).checked_sub(played.len())?;
                            played | nature.draw_many(&mut unseen, held)
                        }
                        _ => cards.seen(),
                    };
                    game.happen(&Deal { to, cards }, &mut events).ok()?;
                }
                Event::Move { mv, .. } => game.play(&mv, &mut events).ok()?,
                Event::Tabla(_) | Event::Rest { .. } | Event::Score { .. } => {}
            }
        }
        Some(game)
    }
}

fn seen(event: &Event) -> CardSet {
    match event {
        Event::Deal { cards, .. } => cards.seen(),
        Event::Move { mv, .. } => CardSet::one(mv.card) | mv.captured,
        Event::Tabla(_) | Event::Rest { .. } | Event::Score { .. } => CardSet::EMPTY,
    }
}

/// The cards that a seat plays until it is dealt the next hand.
fn played_from(seat: Seat, later: &[Event]) -> CardSet {
    later
        .iter()
        .take_while(
            |event| !matches!(event, Event::Deal { to: Place::Hand(to), .. } if *to == seat),
        )
        .filter_map(|event| match event {
            Event::Move { seat: mover, mv } if *mover == seat => Some(mv.card),
            _ => None,
        })
        .collect()
}
