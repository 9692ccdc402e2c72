//! The games by their kind: those that are compiled in by their types, all others as text.

use std::marker::PhantomData;

use games::GameFiles;
use rules::wire::NotRequest;
use rules::{GameKind, GameRecord, PerSeat, Seat};

use crate::custom_game::CustomGame;
use crate::offered_moves::{MoveHint, OfferedMoves};
use crate::playable::PlayableText;
use crate::reveal::FinishedGame;
use series::Series;

/// A game as a person plays it.
pub(crate) fn playable(kind: &GameKind) -> Box<dyn PlayableText> {
    macro_rules! find {
        ($($game:ty),*) => {
            $(if *kind == GameKind::of::<$game>() {
                return Box::new(PhantomData::<$game>);
            })*
        };
    }
    rules::games!(find);
    let keys = GameFiles::for_game(kind).map(|files| files.view().clone()).unwrap_or_default();
    Box::new(CustomGame { keys })
}

/// The question of a request to one of these players, by seat.
pub fn offered(
    kind: &GameKind,
    request: &str,
    names: &PerSeat<String>,
) -> Result<OfferedMoves, NotRequest> {
    playable(kind).offered(request, names)
}

/// The move that the built-in `greedy` would play.
pub fn hint(kind: &GameKind, request: &str) -> Result<MoveHint, String> {
    playable(kind).hint(request)
}

/// The cards that were hidden from the person on a seat, in whole lines; nothing if none were.
pub fn revealed(series: &Series, game: &GameRecord, own: Seat) -> String {
    let lines = playable(series.kind()).revealed(&FinishedGame::new(series, game, own));
    match lines.is_empty() {
        true => String::new(),
        false => format!("\nall cards, now that the game is over\n{lines}"),
    }
}
