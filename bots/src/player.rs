//! What a player is: typed where it thinks, text where it is asked.

use std::marker::PhantomData;

use rules::{Game, Request};

use crate::failure::Failure;

/// Somebody who plays one game.
///
/// A player may remember things between requests, but must not need them: each request holds all
/// that its seat knows, and a program may be started afresh for every one.
pub trait Player<G: Game> {
    /// The move it makes when asked this.
    ///
    /// # Errors
    ///
    /// [`NoMove`] where the request leaves it nothing to play.
    fn choose(&mut self, request: &Request<G>) -> Result<G::Move, NoMove>;
}

/// A player found nothing to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("found no move in this request")]
pub struct NoMove;

/// A player behind text, whatever it plays.
pub trait Answers {
    /// The text of the move that answers the text of a request.
    ///
    /// # Errors
    ///
    /// What is wrong with the request, or that the player found no move.
    fn answer(&mut self, request: &str) -> Result<String, Failure>;
}

/// Puts a player of the game `G` behind text.
pub fn playing<G: Game>(player: impl Player<G> + 'static) -> Box<dyn Answers> {
    Box::new(Reading { player, game: PhantomData })
}

/// A player, and the game that its requests are read as.
struct Reading<G, P> {
    player: P,
    game: PhantomData<G>,
}

impl<G: Game, P: Player<G>> Answers for Reading<G, P> {
    fn answer(&mut self, request: &str) -> Result<String, Failure> {
        let request: Request<G> = request.parse()?;
        Ok(self.player.choose(&request)?.to_string())
    }
}
