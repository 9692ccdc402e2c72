//! What visitors may see and do beside reading pages.

use std::sync::Arc;

use crate::report::html::layout::Door;
use crate::report::now::Hands;
use crate::serve::people::People;

/// What visitors may see and do beside reading pages.
#[derive(Debug, Clone)]
pub(super) struct Offer {
    /// Whose hands they see of games that are being played.
    pub(super) hands: Hands,
    /// Where they play against bots.
    pub(super) people: Arc<People>,
}

/// The games that are being played.
const LIVE: Door = Door { way: "live/", title: "Being played now" };
/// The same from the pages of a round.
pub(super) const LIVE_OF_LEAGUE: Door = Door { way: "../../live/", ..LIVE };
/// Where people play.
const PLAY: Door = Door { way: "play/", title: "Play" };

impl Offer {
    /// The pages that a source has beside its own.
    pub(super) fn doors(&self) -> &'static [Door] {
        match self.people.taken() {
            (_, 0) => &[LIVE],
            _ => &[LIVE, PLAY],
        }
    }
}
