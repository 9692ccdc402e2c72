//! Worlds that a seat cannot tell from the real one.

use crate::coup::event::Event;
use crate::coup::game::Coup;
use crate::coup::hand::Hand;
use crate::coup::knowledge::possible_hands;
use crate::coup::options::Options;
use crate::coup::view::View;
use crate::game::Resample;
use crate::nature::Nature;
use crate::seat::Seat;

impl Resample for Coup {
    /// Draws the other seat's hand as likely as it is, by what the history tells.
    ///
    /// The view tells everything else. The order of that hand is no one's business but its owner's,
    /// and so any will do.
    fn resample(
        _options: &Options,
        seat: Seat,
        view: &View,
        history: &[Event],
        nature: &mut Nature,
    ) -> Option<Self> {
        let other = draw(&possible_hands(seat, history), nature)?;
        let hands = view.coins.map(|owner, _| if owner == seat { view.hand } else { other });
        Coup::imagine(view, &hands)
    }
}

/// One of the hands, as likely as it is.
fn draw(hands: &[(Hand, f64)], nature: &mut Nature) -> Option<Hand> {
    let bound = std::num::NonZeroU32::MAX;
    let mut point = f64::from(nature.below(bound)) / f64::from(bound.get());
    for (hand, chance) in hands {
        point -= chance;
        if point < 0.0 {
            return Some(*hand);
        }
    }
    hands.last().map(|(hand, _)| *hand)
}
