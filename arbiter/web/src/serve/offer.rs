//! What visitors may see and do beside reading pages.

use std::sync::Arc;

use crate::report::html::layout::Door;
use crate::report::live::{Disclosed, StandardError};
use crate::report::now::Hands;
use crate::serve::handing_in::Desks;
use crate::serve::people::People;

/// What visitors may see and do beside reading pages.
#[derive(Debug, Clone)]
pub(super) struct Offer {
    /// Whose hands they see before all games of a deal are over.
    pub(super) hands: Hands,
    /// Where they play against bots.
    pub(super) people: Arc<People>,
    /// Whether participants of leagues hand in bots.
    pub(super) submissions: Submissions,
    /// Where that is dealt with.
    pub(super) desks: Arc<Desks>,
}

/// Whether participants of leagues hand in bots over the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submissions {
    /// They do.
    Taken,
    /// They do not.
    NotTaken,
}

/// The games that are being played.
const LIVE: Door = Door { way: "live/", title: "Being played now" };
/// The same from the pages of a round.
pub(super) const LIVE_OF_LEAGUE: Door = Door { way: "../../live/", ..LIVE };
/// Where people play.
const PLAY: Door = Door { way: "play/", title: "Play" };

/// Where participants hand in bots.
const HAND_IN: Door = Door { way: "hand-in/", title: "Hand in a bot" };

impl Offer {
    /// What all see of games. What bots wrote to standard error is for participants, where they hand in bots: the
    /// option of the command says so for all that is served, and no file in a league can say otherwise.
    pub(super) fn disclosed(&self) -> Disclosed {
        let errors = match self.submissions {
            Submissions::Taken => StandardError::Hidden,
            Submissions::NotTaken => StandardError::Shown,
        };
        Disclosed { hands: self.hands, errors }
    }

    /// The pages that a league has beside its own.
    pub(super) fn doors_of_league(&self) -> &'static [Door] {
        match (self.people.taken().1, self.submissions) {
            (0, Submissions::NotTaken) => &[LIVE],
            (0, Submissions::Taken) => &[LIVE, HAND_IN],
            (_, Submissions::NotTaken) => &[LIVE, PLAY],
            (_, Submissions::Taken) => &[LIVE, PLAY, HAND_IN],
        }
    }

    /// The pages that a tournament has beside its own.
    pub(super) fn doors_of_tournament(&self) -> &'static [Door] {
        match self.people.taken().1 {
            0 => &[LIVE],
            _ => &[LIVE, PLAY],
        }
    }
}
