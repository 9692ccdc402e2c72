//! People among those who play.

use crate::log::PlayerLine;
use crate::person::is_person;

/// What those who play are called, one of them.
pub(super) fn called(players: &[PlayerLine]) -> &'static str {
    if players.iter().any(is_person) { "player" } else { "bot" }
}
