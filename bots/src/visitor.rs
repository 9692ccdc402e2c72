//! Something done with the players of a game, whichever it is.

use rules::GameKind;

use crate::options::BadOption;
use crate::player::Players;

/// Something to be done with the players of a game, whichever it is.
pub trait PlayersVisitor {
    /// Result of the visit.
    type Output;

    /// Does it with the players of this game.
    fn visit<G: Players>(self) -> Self::Output;
}

/// Does something with the players of this game.
pub fn visit<V: PlayersVisitor>(kind: &GameKind, visitor: V) -> Result<V::Output, NoPlayers> {
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

/// A game has no built-in players.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no built-in player plays {0}")]
pub struct NoPlayers(pub GameKind);

impl From<NoPlayers> for BadOption {
    fn from(none: NoPlayers) -> BadOption {
        BadOption::Wrong(none.to_string())
    }
}
