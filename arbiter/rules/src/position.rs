//! Positions that a request may be about, behind text.

use crate::answer::{BadReply, Refusal};
use crate::dialect::ClassicCall;
use crate::game::{Game, Listing, Request, Resample, Turn};
use crate::seed::Nature;
use crate::text::NotText;
use crate::wire::{NotRequest, PlainRequest};

/// A position that a request may be about, behind text.
pub(crate) struct Position {
    pub(crate) classic: Option<Box<dyn ClassicCall>>,
    pub(crate) legal: Vec<String>,
    pub(crate) world: Box<dyn World>,
}

/// A text that is not a request of a game that could have been played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSample {
    /// It does not begin as a request does.
    #[error("expected `arbiter VERSION` and `game NAME` in the first two lines of the request")]
    NoHeading,
    /// It is about a game that this build does not know.
    #[error(transparent)]
    UnknownGame(#[from] NotText),
    /// It is not a request.
    #[error(transparent)]
    NotRequest(#[from] NotRequest),
    /// The request contradicts itself.
    #[error("no game leads to this request: {0}")]
    NoSuchGame(&'static str),
}

/// A state behind text.
pub(crate) trait World: Send {
    /// The text of the move that a line means, if the seat to move may play it.
    fn check(&self, line: &str) -> Result<String, Refusal>;
}

impl<G: Game> World for G {
    fn check(&self, line: &str) -> Result<String, Refusal> {
        let mv: G::Move = line.parse().map_err(BadReply::NotMove)?;
        match Game::check(self, &mv) {
            Ok(()) => Ok(mv.to_string()),
            Err(illegal) => Err(Refusal::Illegal(illegal.to_string())),
        }
    }
}

/// A position of a custom game, of which only the request is known.
struct Listed {
    moves: Vec<String>,
    listing: Listing,
}

impl World for Listed {
    /// Where the list is cut, only the game itself can refuse a move.
    fn check(&self, line: &str) -> Result<String, Refusal> {
        let mv = line.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        match self.moves.contains(&mv) || self.listing == Listing::Cut {
            true => Ok(mv),
            false => Err(Refusal::unlisted()),
        }
    }
}

/// The position that a request of a custom game is about.
pub(crate) fn listed_position(request: &str) -> Result<Position, BadSample> {
    let request = PlainRequest::read(request)?;
    let legal: Vec<String> = request.legal.iter().map(ToString::to_string).collect();
    let world = Box::new(Listed { moves: legal.clone(), listing: request.listing });
    Ok(Position { classic: None, legal, world })
}

/// The position that a request of this game is about.
pub(crate) fn position<G: Resample>(request: &str) -> Result<Position, BadSample> {
    let request: Request<G> = request.parse()?;
    let legal = request.legal.iter().map(ToString::to_string).collect();
    let classic = G::classic(&request);
    let world = Box::new(world(request)?);
    Ok(Position { classic, legal, world })
}

/// A state in which the seat would be asked just this.
fn world<G: Resample>(request: Request<G>) -> Result<G, BadSample> {
    let events = request.events();
    let Request { options, heading, view, legal, listing, .. } = request;
    // Any of the worlds will do, but it must always be the same one.
    let mut nature: Nature = heading.seed.nature();
    let world = G::resample(&options, heading.seat, &view, &events, &mut nature)
        .ok_or(BadSample::NoSuchGame("the history does not lead to the view"))?;
    if world.turn() != Turn::Seat(heading.seat) {
        return Err(BadSample::NoSuchGame("the seat is not to move"));
    }
    if world.view(heading.seat) != view {
        return Err(BadSample::NoSuchGame("the history leads to another view"));
    }
    let mut moves = Vec::new();
    if world.legal_moves(&mut moves) != listing || moves != legal {
        return Err(BadSample::NoSuchGame("the legal moves are others"));
    }
    Ok(world)
}
