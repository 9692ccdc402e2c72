//! The terms for visitors, beside reading pages.

use std::sync::Arc;

use crate::report::html::layout::ExtraLink;
use crate::report::live::{Disclosed, StandardError};
use crate::report::now::Hands;
use crate::serve::handing_in::Desks;
use crate::serve::people::People;

/// The terms for visitors, beside reading pages.
#[derive(Debug, Clone)]
pub(super) struct ServeOptions {
    pub(super) hands: Hands,
    pub(super) people: Arc<People>,
    pub(super) submissions: Submissions,
    pub(super) desks: Arc<Desks>,
}

/// Participants of leagues can hand in bots over the page, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submissions {
    /// They can.
    Taken,
    /// They cannot.
    NotTaken,
}

/// The games that are being played.
const LIVE: ExtraLink = ExtraLink { href: "live/", title: "Being played now" };
/// That page, from the pages of a round.
pub(super) const LIVE_OF_LEAGUE: ExtraLink = ExtraLink { href: "../../live/", ..LIVE };
/// The page on which people play.
const PLAY: ExtraLink = ExtraLink { href: "play/", title: "Play" };

/// The page where participants hand in bots.
const HAND_IN: ExtraLink = ExtraLink { href: "hand-in/", title: "Hand in a bot" };

impl ServeOptions {
    /// The part of games that all visitors see. Standard error of bots is for participants where they hand in
    /// bots: the option of the command says so for all that is served, and no file in a league can say
    /// otherwise.
    pub(super) fn disclosed(&self) -> Disclosed {
        let errors = match self.submissions {
            Submissions::Taken => StandardError::Hidden,
            Submissions::NotTaken => StandardError::Shown,
        };
        Disclosed { hands: self.hands, errors }
    }

    /// The pages that a league has beside its own.
    pub(super) fn links_of_league(&self) -> &'static [ExtraLink] {
        match (self.people.taken().1, self.submissions) {
            (0, Submissions::NotTaken) => &[LIVE],
            (0, Submissions::Taken) => &[LIVE, HAND_IN],
            (_, Submissions::NotTaken) => &[LIVE, PLAY],
            (_, Submissions::Taken) => &[LIVE, PLAY, HAND_IN],
        }
    }

    /// The pages that a tournament has beside its own.
    pub(super) fn links_of_tournament(&self) -> &'static [ExtraLink] {
        match self.people.taken().1 {
            0 => &[LIVE],
            _ => &[LIVE, PLAY],
        }
    }
}
