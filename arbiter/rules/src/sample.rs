//! A request without its game, and whether an answer to it is legal.
//!
//! A request tells everything that decides whether a move of its seat is legal. So a world is drawn
//! that the seat cannot tell from the real one, and the answer is tried there.

use crate::dialect::{ClassicCall, Dialect};
use crate::game::{Game, Listing, Resample, Turn};
use crate::kind::GameKind;
use crate::referee::Prompt;
use crate::ruling::{Answer, BadReply, Ruling};
use crate::seed::Nature;
use crate::table::Refusal;
use crate::text::NotText;
use crate::wire::{self, NotRequest, PlainRequest, Request};

/// A request that was asked somewhere, as text, with a world that it may be about.
///
/// ```
/// use rules::{Answer, Dialect, Sample, Verdict};
///
/// let text = include_str!("../../../examples/requests/tablic/first-move.txt");
/// let sample = Sample::read(text)?;
/// let first = format!("{}\n", sample.legal()[0]);
/// let rule = |output: &str| sample.rule(Dialect::Native, Answer::Output(output.into()));
/// assert_eq!(rule(&first).verdict, Verdict::Ok);
/// assert_eq!(rule("1S\n").verdict, Verdict::Malformed);
/// # Ok::<(), rules::sample::BadSample>(())
/// ```
pub struct Sample {
    kind: GameKind,
    text: String,
    position: Position,
}

/// A position that a request may be about, behind text.
pub(crate) struct Position {
    classic: Option<Box<dyn ClassicCall>>,
    legal: Vec<String>,
    world: Box<dyn World>,
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
trait World: Send {
    /// The text of the move that a line means, if the seat to move may play it.
    fn check(&self, line: &str) -> Result<String, Refusal>;
}

impl Sample {
    /// Reads a request, and draws a world that its seat cannot tell from the real one.
    ///
    /// # Errors
    ///
    /// [`BadSample`], if no world asks this.
    pub fn read(text: &str) -> Result<Sample, BadSample> {
        let kind: GameKind = wire::game_name(text).ok_or(BadSample::NoHeading)?.parse()?;
        let position = kind.rules().position(text)?;
        Ok(Sample { kind, text: text.to_owned(), position })
    }

    /// Prompt for a bot of a dialect; nothing if the game has no such dialect.
    pub fn prompt(&self, dialect: Dialect) -> Option<Prompt> {
        match dialect {
            Dialect::Native => Some(Prompt::Request(self.text.clone())),
            Dialect::Classic(_) => self.position.classic.as_ref().map(|call| Prompt::Classic {
                file: call.file().to_owned(),
                arguments: call.arguments().to_vec(),
            }),
        }
    }

    /// Rules on an answer of a bot of this dialect.
    pub fn rule(&self, dialect: Dialect, answer: Answer) -> Ruling {
        self.try_play(dialect, answer).1
    }

    /// The text of the move that an answer means, if it is a legal one.
    pub fn played(&self, dialect: Dialect, answer: Answer) -> Option<String> {
        self.try_play(dialect, answer).0
    }

    fn try_play(&self, dialect: Dialect, answer: Answer) -> (Option<String>, Ruling) {
        let mut played = None;
        let mut play = |line: &str| {
            played = Some(self.position.world.check(line)?);
            Ok(())
        };
        let ruling = match (dialect, &self.position.classic) {
            (Dialect::Classic(reading), Some(call)) => {
                Ruling::of_classic(&**call, reading, answer, play).2
            }
            _ => Ruling::judge(answer, &mut play).1,
        };
        (played, ruling)
    }

    /// The game.
    pub fn kind(&self) -> &GameKind {
        &self.kind
    }

    /// The legal moves that the request lists, in canonical order.
    pub fn legal(&self) -> &[String] {
        &self.position.legal
    }
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

/// A position of a game of one's own, of which only the request is known.
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

/// The position that a request of a game of one's own is about.
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
