//! What all seats see alike of a view.

use crate::game::Game;
use crate::seat::Seat;

/// The lines of the view now that are the same for all seats, as text: all but those that
/// [`OWN_LINES`](Game::OWN_LINES) names. The suite tests that they are the same.
pub(crate) fn public_lines<G: Game>(game: &G, seat: Seat) -> String {
    let view = game.view(seat).to_string();
    let is_own = |line: &str| G::OWN_LINES.iter().any(|key| line.split(' ').next() == Some(key));
    let public = view.lines().filter(|line| !is_own(line));
    public.collect::<Vec<_>>().join("\n")
}
