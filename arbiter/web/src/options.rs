//! The terms for visitors, beside reading pages.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::people::PlayService;
use crate::reviewing::ReviewService;
use crate::submissions::state::SubmissionQueues;
use league::replay_request::RoundMarks;
use record::stderr_texts::StderrVisibility;
use report::game_line::{HandVisibility, ReviewAvailability};
use report::growing_report::Disclosure;
use report::html::layout::ExtraLink;

/// The terms for visitors, beside reading pages.
#[derive(Debug, Clone)]
pub(super) struct ServeOptions {
    pub(super) hands: HandVisibility,
    pub(super) errors: StderrVisibility,
    pub(super) people: Arc<PlayService>,
    pub(super) submissions: Option<NonZeroUsize>,
    pub(super) queues: Arc<SubmissionQueues>,
    /// Makes reviews of games, if visitors can ask for them.
    pub(super) reviewing: Option<Arc<ReviewService>>,
}

/// The terms under which a log is read.
#[derive(Debug, Clone)]
pub(super) struct ReportOptions {
    pub(super) disclosed: Disclosure,
    pub(super) reviewing: Option<Arc<ReviewService>>,
    /// The address of reviews of one's own moves, for participants of a league.
    pub(super) own_reviews: Option<String>,
    /// The marks at the games of a round of a league.
    pub(super) marks: RoundMarks,
}

impl ReportOptions {
    pub(super) fn reviews(&self) -> ReviewAvailability {
        match self.reviewing {
            Some(_) => ReviewAvailability::Asked { own: self.own_reviews.clone() },
            None => ReviewAvailability::Never,
        }
    }
}

const LIVE: ExtraLink = ExtraLink { href: "live/", title: "Live games" };
/// That page, from the pages of a round.
pub(super) const LIVE_OF_LEAGUE: ExtraLink = ExtraLink { href: "../../live/", ..LIVE };
/// The log for everybody, and its check.
const LOG: ExtraLink = ExtraLink { href: "log.html", title: "Log and proof" };
const PLAY: ExtraLink = ExtraLink { href: "play/", title: "Play" };

/// The page where participants hand in bots.
const HAND_IN: ExtraLink = ExtraLink { href: "hand-in/", title: "Submit a bot" };

impl ServeOptions {
    /// The part of games that all visitors see.
    pub(super) fn disclosed(&self) -> Disclosure {
        Disclosure { hands: self.hands, errors: self.errors }
    }

    pub(super) fn read_terms(&self) -> ReportOptions {
        let (disclosed, reviewing) = (self.disclosed(), self.reviewing.clone());
        ReportOptions { disclosed, reviewing, own_reviews: None, marks: RoundMarks::default() }
    }

    pub(super) fn read_terms_of_round(&self, round: u64, marks: RoundMarks) -> ReportOptions {
        let own_reviews = self.submissions.map(|_| format!("../../hand-in/review/{round}/"));
        ReportOptions { own_reviews, marks, ..self.read_terms() }
    }

    /// The pages that a league has beside its own.
    pub(super) fn links_of_league(&self) -> &'static [ExtraLink] {
        match (self.people.occupancy().1, self.submissions) {
            (0, None) => &[LIVE, LOG],
            (0, Some(_)) => &[LIVE, HAND_IN, LOG],
            (_, None) => &[LIVE, PLAY, LOG],
            (_, Some(_)) => &[LIVE, PLAY, HAND_IN, LOG],
        }
    }

    /// The pages that a tournament has beside its own.
    pub(super) fn links_of_tournament(&self) -> &'static [ExtraLink] {
        match self.people.occupancy().1 {
            0 => &[LIVE],
            _ => &[LIVE, PLAY],
        }
    }
}
