//! What visitors may see and do beside reading pages.

use std::sync::Arc;

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
