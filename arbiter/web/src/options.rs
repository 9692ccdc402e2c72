//! The terms for visitors, beside reading pages.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::handing_in::SubmissionQueues;
use crate::people::People;
use crate::reviewing::Reviewing;
use report::growing::{Disclosed, Reviews, StandardError};
use report::html::layout::ExtraLink;
use report::now::Hands;

/// The terms for visitors, beside reading pages.
#[derive(Debug, Clone)]
pub(super) struct ServeOptions {
    pub(super) hands: Hands,
    pub(super) people: Arc<People>,
    pub(super) submissions: Submissions,
    pub(super) queues: Arc<SubmissionQueues>,
    /// Makes reviews of games, if visitors can ask for them.
    pub(super) reviewing: Option<Arc<Reviewing>>,
}

/// The terms under which a log is read.
#[derive(Debug, Clone)]
pub(super) struct ReadTerms {
    pub(super) disclosed: Disclosed,
    pub(super) reviewing: Option<Arc<Reviewing>>,
    /// The address of reviews of one's own moves, for participants of a league.
    pub(super) own_reviews: Option<String>,
}

impl ReadTerms {
    /// The reviews that pages offer.
    pub(super) fn reviews(&self) -> Reviews {
        match self.reviewing {
            Some(_) => Reviews::Asked { own: self.own_reviews.clone() },
            None => Reviews::Never,
        }
    }
}

/// Visitors can ask for reviews of games, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameReviews {
    /// They can.
    Made,
    /// They cannot.
    NotMade,
}

/// Participants of leagues can hand in bots over the page, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submissions {
    /// They can.
    Taken {
        /// The most bots that are built and checked at once, of all leagues together.
        at_once: NonZeroUsize,
    },
    /// They cannot.
    NotTaken,
}

/// The games that are being played.
const LIVE: ExtraLink = ExtraLink { href: "live/", title: "Live games" };
/// That page, from the pages of a round.
pub(super) const LIVE_OF_LEAGUE: ExtraLink = ExtraLink { href: "../../live/", ..LIVE };
/// The page on which people play.
const PLAY: ExtraLink = ExtraLink { href: "play/", title: "Play" };

/// The page where participants hand in bots.
const HAND_IN: ExtraLink = ExtraLink { href: "hand-in/", title: "Submit a bot" };

impl ServeOptions {
    /// The part of games that all visitors see. Standard error of bots is for participants where they hand in
    /// bots: the option of the command says so for all that is served, and no file in a league can say
    /// otherwise.
    pub(super) fn disclosed(&self) -> Disclosed {
        let errors = match self.submissions {
            Submissions::Taken { .. } => StandardError::Hidden,
            Submissions::NotTaken => StandardError::Shown,
        };
        Disclosed { hands: self.hands, errors }
    }

    /// The terms for a log that is served by itself.
    pub(super) fn read_terms(&self) -> ReadTerms {
        let (disclosed, reviewing) = (self.disclosed(), self.reviewing.clone());
        ReadTerms { disclosed, reviewing, own_reviews: None }
    }

    /// The terms for a round of a league.
    pub(super) fn read_terms_of_round(&self, round: u64) -> ReadTerms {
        let own_reviews = match self.submissions {
            Submissions::Taken { .. } => Some(format!("../../hand-in/review/{round}/")),
            Submissions::NotTaken => None,
        };
        ReadTerms { own_reviews, ..self.read_terms() }
    }

    /// The pages that a league has beside its own.
    pub(super) fn links_of_league(&self) -> &'static [ExtraLink] {
        match (self.people.taken().1, self.submissions) {
            (0, Submissions::NotTaken) => &[LIVE],
            (0, Submissions::Taken { .. }) => &[LIVE, HAND_IN],
            (_, Submissions::NotTaken) => &[LIVE, PLAY],
            (_, Submissions::Taken { .. }) => &[LIVE, PLAY, HAND_IN],
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
