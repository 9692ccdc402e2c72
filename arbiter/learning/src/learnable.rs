//! The trait of games that can be learned from, and the way to the game of a name.

use bots::Players;
use bots::programs::NoPlayers;
use rules::{GameKind, Resample, Seat};

use crate::columns::Columns;

/// A game with observations and actions as numbers.
///
/// A change of a column or of an action that a trained model would notice is a new [`VERSION`](Learnable::VERSION).
pub trait Learnable: Players + Resample {
    /// The version of the columns and the actions.
    const VERSION: u32 = 0;

    /// The facts from public events that an observation has beside the view.
    type Memory: Clone + Send;

    /// The memory at the beginning of a game.
    fn memory(options: &Self::Options) -> Self::Memory;

    /// Remembers an event in the form that all seats see.
    fn remember(memory: &mut Self::Memory, event: &Self::Event);

    /// Writes the observation of a seat. The names of the columns depend on the options alone.
    fn observe(view: &Self::View, memory: &Self::Memory, seat: Seat, columns: &mut impl Columns);

    /// The names of all actions, in the order of their numbers. Seats are relative, as in
    /// [`Name`](crate::Name).
    fn actions(options: &Self::Options) -> Vec<String>;

    /// The number of a move among the actions; `place` is its place in the list of legal moves.
    fn action(game: &Self, seat: Seat, mv: &Self::Move, place: usize) -> usize;

    /// Writes what a move is and does, where actions alone do not say it.
    fn describe(game: &Self, mv: &Self::Move, columns: &mut impl Columns) {
        let _ = (game, mv, columns);
    }
}

/// Something to be done with a game that can be learned from.
pub(crate) trait LearnableVisitor {
    /// Result of the visit.
    type Output;

    /// Does it with this game.
    fn visit<G: Learnable>(self) -> Self::Output;
}

/// Does something with this game.
pub(crate) fn visit<V: LearnableVisitor>(
    kind: &GameKind,
    visitor: V,
) -> Result<V::Output, NoPlayers> {
    macro_rules! find {
        ($($game:ty),*) => {
            $(if *kind == GameKind::of::<$game>() {
                return Ok(visitor.visit::<$game>());
            })*
        };
    }
    rules::games!(find);
    Err(NoPlayers(kind.clone()))
}
